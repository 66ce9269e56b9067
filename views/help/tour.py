"""The tour: one card at the first start, which says what the window shows and how to go on."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout

from views.theme import Theme
from views.window.main_window import MainWindow

WIDTH = 380
"""Of the card, at text size 1."""
_CLOSES = (Qt.Key.Key_Escape, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class TourCard(QFrame):
    """A few words and a button over the panes; the window stays usable.

    Signals:
        ended: the card is to go.
    """

    ended = Signal()

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        super().__init__(window)
        self.setObjectName("tour_card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        title = QLabel(self.tr("See what JAX hides"))
        title.setFont(theme.font(1.15, bold=True))
        words = QLabel(
            self.tr(
                "Read the page and answer its question. Four panes show the run of the code: keys, noise, program, "
                "time. Change the code, and they follow. Ctrl+O opens your own program."
            ),
            wordWrap=True,
        )
        start = QPushButton(self.tr("Start"))
        start.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        start.clicked.connect(self.ended)
        self.setAccessibleName(f"{title.text()}. {words.text()}")
        self.setStyleSheet(
            f"#tour_card {{ background: {theme.background}; border: 3px solid {theme.focus}; "
            f"border-radius: {theme.px(4)}px; }}"
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*[theme.px(12)] * 4)
        layout.setSpacing(theme.px(8))
        layout.addWidget(title)
        layout.addWidget(words)
        layout.addWidget(start, alignment=Qt.AlignmentFlag.AlignRight)
        self.resize(theme.px(WIDTH), layout.totalHeightForWidth(theme.px(WIDTH)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _CLOSES:
            self.ended.emit()
        else:
            super().keyPressEvent(event)


class Tour:
    """Shows the card below the middle of the window, and gives the keyboard to the code when it goes."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._card: TourCard | None = None

    @property
    def is_on(self) -> bool:
        return self._card is not None

    def start(self) -> None:
        """Show the card, in the words and colours that there are now."""
        self.end()
        window = self._window
        self._card = TourCard(window, window.theme)
        self._card.ended.connect(self.end)
        room = window.centralWidget().geometry()
        self._card.move(room.center().x() - self._card.width() // 2, room.bottom() - 2 * self._card.height())
        self._card.show()
        self._card.setFocus()

    def end(self) -> None:
        """Take the card away, if it is there."""
        if self._card is None:
            return
        had_keyboard = self._card.hasFocus()
        self._card.hide()
        self._card.deleteLater()
        self._card = None
        if had_keyboard:
            self._window.code.setFocus()
