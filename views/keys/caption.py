"""The caption above the keys of each of two variants: its name, and the verdict on its keys."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from views.parts.elided_label import ElidedLabel
from views.parts.short_label import ShortLabel
from views.theme import Theme

TEXT = 0.9
"""Relative to the interface's text."""


class KeyCaption(QWidget):
    """A name, and under it at most two lines."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._name, self._verdict = ElidedLabel(), ShortLabel()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for label in (self._name, self._verdict):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
            layout.addWidget(label)
        layout.addStretch(1)

    def show_words(self, name: str, verdict: str, colour: str) -> None:
        """Show `name` and, in `colour`, `verdict`; only the name where that is empty."""
        self._name.show_text(name)
        self._verdict.setText(verdict)
        self._verdict.setVisible(bool(verdict))
        palette = self._verdict.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
        self._verdict.setPalette(palette)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the text size of `theme`."""
        self._name.setFont(theme.font(TEXT, bold=True))
        self._verdict.setFont(theme.font(TEXT))
