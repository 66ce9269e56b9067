"""The line above a story with edited code: it names the described code, and offers two ways to see it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from views.theme import LIGHT, Theme


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
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._words, 1)
        self._layout.addWidget(self._both)
        self._layout.addWidget(self._original)
        self.setAutoFillBackground(True)
        self.setAccessibleName(self._words.text())
        self.apply_theme(LIGHT)

    def show_with_original(self, with_original: bool) -> None:
        """Offer to show both, unless they are."""
        self._both.setVisible(not with_original)

    def apply_theme(self, theme: Theme) -> None:
        self._layout.setContentsMargins(theme.px(12), theme.px(4), theme.px(8), theme.px(4))
        self._layout.setSpacing(theme.px(8))
        palette = self.palette()
        palette.setColor(self.backgroundRole(), theme.fill_of(theme.note))
        self.setPalette(palette)
