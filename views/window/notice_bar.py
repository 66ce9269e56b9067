"""NoticeBar: a message above the code with up to three answers; Tour: the welcome line above the panes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from explorer.messages import unmarked
from views.parts.labels import ElidedLabel
from views.theme import Theme, grounded, lettered, spaced


class Tour(QFrame):
    """A line with a button, part of the window's layout."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tour")
        words = self.tr(
            "See what JAX hides: keys, noise, program and time of the code on the left, live. Ctrl+O opens yours."
        )
        self._close = QPushButton(self.tr("Got it"))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._close.setToolTip(self.tr("Close this line; the Help menu shows it again"))
        self._close.clicked.connect(self.hide)
        layout = spaced(QHBoxLayout(self), 12, 4, 8, 4)
        layout.addWidget(lettered(QLabel(words, wordWrap=True), bold=True), stretch=1)
        layout.addWidget(self._close)
        self.setAccessibleName(words)
        self.hide()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            # A splitter does not ask for the height at a width: where all panes are folded, it would cut a second line.
            self.setMinimumHeight(self.heightForWidth(self.width()))
        return super().event(event)

    def apply_theme(self, theme: Theme) -> None:
        self.setStyleSheet(f"#tour {{ background: {theme.focus_fill_on(theme.background).name()}; }}")


class NoticeBar(QWidget):
    """Hidden until it has something to say.

    Signals:
        answered: the id of the answer that was clicked.
    """

    answered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        grounded(self, lambda theme: theme.focus_fill_on(theme.background))
        self._text = ElidedLabel()
        self._buttons = (QPushButton(), QPushButton(), QPushButton())
        self._ids: tuple[str, ...] = ()
        self._sentence = ""
        self._audience: str | None = None
        """The words on a stage, without answers; empty for nothing there, None for the same as in the window."""
        self._is_open = self._on_stage = self._takes_keyboard = False
        layout = spaced(QHBoxLayout(self), 12, 6, 8, 6, spacing=8)
        layout.addWidget(self._text, 1)
        for button in self._buttons:
            layout.addWidget(button)
            button.setAutoDefault(True)
            button.clicked.connect(self._answer)
        self.hide()

    def ask(self, sentence: str, *answers: tuple[str, str], enter: bool = False, audience: str | None = None) -> None:
        """Show `sentence` and `answers`, each as (id, text); with `enter` the Enter key gives the first answer.

        With an `audience`, a stage shows these words instead, on one line and without answers; for "" it shows nothing.
        """
        self._ids = tuple(answer for answer, _ in answers)
        self._sentence, self._audience, self._is_open = unmarked(sentence), audience, True
        for button, (_, text) in zip(self._buttons, answers, strict=False):
            button.setText(text)
        self._takes_keyboard = enter
        self._show()
        self._take_keyboard()

    def tell(self, sentence: str) -> None:
        """Show `sentence` with one button that closes it."""
        self.ask(sentence, ("", self.tr("Close")))

    def add(self, sentence: str, *answers: tuple[str, str]) -> None:
        """Show `sentence` with `answers` too: an open question stays, with its own answers."""
        if self._is_open and any(self._ids):
            self._sentence += f" {unmarked(sentence)}"
            self._show()
        else:
            before = f"{self._sentence} " if self._is_open else ""
            self.ask(f"{before}{sentence}", *answers, ("", self.tr("Close")))

    def put_on_stage(self, on_stage: bool) -> None:
        """Show the words for an audience, or those for the user again."""
        self._on_stage = on_stage
        if self._is_open:
            self._show()
        if self._is_open and not on_stage:
            self._take_keyboard()

    def hide(self) -> None:
        self._is_open = False
        super().hide()

    def _take_keyboard(self) -> None:
        if self._takes_keyboard:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self) -> None:
        audience = self._audience if self._on_stage else None
        text = self._sentence if audience is None else audience
        self._text.fit("wrapped" if audience is None else "elided")
        self._text.show_text(text)
        self.setAccessibleName(text)
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(self._ids) and audience is None)
        self.setVisible(bool(text))

    def _answer(self) -> None:
        self.hide()
        if answer := self._ids[next(place for place, each in enumerate(self._buttons) if each is self.sender())]:
            self.answered.emit(answer)
