"""One line above the code that reports something and offers up to three answers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from explorer.messages import unmarked
from views.parts.explained import explain
from views.theme import Theme


class NoticeBar(QWidget):
    """Hidden until it has something to say.

    Signals:
        answered: the id of the answer that was clicked.
    """

    answered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAutoFillBackground(True)
        self._text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._buttons = (QPushButton(), QPushButton(), QPushButton())
        self._ids: tuple[str, ...] = ()
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._text, 1)
        for button in self._buttons:
            self._layout.addWidget(button)
            button.clicked.connect(self._answer)
        explain(self, "notice")
        self.hide()

    def ask(self, sentence: str, *answers: tuple[str, str], enter: bool = False) -> None:
        """Show `sentence` and `answers`, each as (id, text); with `enter` the Enter key gives the first answer."""
        self._ids = tuple(answer for answer, _ in answers)
        sentence = unmarked(sentence)
        self._text.setText(sentence)
        self.setAccessibleName(sentence)
        for button, (_, text) in zip(self._buttons, answers, strict=False):
            button.setText(text)
        for place, button in enumerate(self._buttons):
            button.setVisible(place < len(answers))
        self.show()
        self._buttons[0].setAutoDefault(enter)
        if enter:
            self._buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def tell(self, sentence: str) -> None:
        """Show `sentence` with one button that closes it."""
        self.ask(sentence, ("", self.tr("Close")))

    def add(self, sentence: str) -> None:
        """Show `sentence` too: an open question stays, with its answers."""
        if self.isHidden():
            self.tell(sentence)
        else:
            text = f"{self._text.text()} {unmarked(sentence)}"
            self._text.setText(text)
            self.setAccessibleName(text)

    def apply_theme(self, theme: Theme) -> None:
        self._layout.setContentsMargins(theme.px(12), theme.px(6), theme.px(8), theme.px(6))
        self._layout.setSpacing(theme.px(8))
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme.focus_fill_on(theme.background))
        self.setPalette(palette)

    def _answer(self) -> None:
        self.hide()
        if answer := self._ids[next(place for place, each in enumerate(self._buttons) if each is self.sender())]:
            self.answered.emit(answer)
