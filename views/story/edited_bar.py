"""The line above a story with edited code: it names the described code, and offers two ways to see it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QWidget

from views.theme import LIGHT, Theme

MOST_LINES = 2
"""Of words next to the buttons."""


class EditedBar(QWidget):
    """States that the page describes the original.

    Signals:
        both_wanted: the user wants the original next to the code.
        original_wanted: the user wants the original back.
    """

    both_wanted = Signal()
    original_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._words = QLabel(self.tr("The code is edited: this page is about the original"), wordWrap=True)
        self._both = QPushButton(self.tr("Show both"))
        self._both.setToolTip(self.tr("Shows the original next to the edited code"))
        self._both.clicked.connect(self.both_wanted)
        self._original = QPushButton(self.tr("Restore the original"))
        self._original.setToolTip(self.tr("Brings the original code back; one undo takes that back"))
        self._original.clicked.connect(self.original_wanted)
        self._buttons = QHBoxLayout()
        self._buttons.addWidget(self._both)
        self._buttons.addWidget(self._original)
        self._buttons.addStretch()
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.addWidget(self._words, 1)
        self._layout.addLayout(self._buttons)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self._words.text())
        self.apply_theme(LIGHT)

    def show_with_original(self, with_original: bool) -> None:
        """Offer to show both, unless they are."""
        self._both.setVisible(not with_original)
        self._turn()

    def apply_theme(self, theme: Theme) -> None:
        self._layout.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        self._layout.setSpacing(theme.px(8))
        self._buttons.setSpacing(theme.px(8))
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme.fill_of(theme.note))
        self.setPalette(palette)
        self._turn()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """Put the buttons below the words where these would need too many lines next to them."""
        room = self.width() - self._buttons.sizeHint().width()
        is_wide = self._words.fontMetrics().horizontalAdvance(self._words.text()) < MOST_LINES * room
        self._layout.setDirection(QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom)
