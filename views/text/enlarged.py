"""Enlarged: larger letters for a text on a stage, as far as the lines in question can be seen whole."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QPlainTextEdit

from views.theme import LIGHT, Theme, apply_to_tree

MOST_LARGER = 1.6
"""Times its size that code grows at most: a function of two lines is not to be a poster."""

MOST_ENLARGED = 40
"""The most lines of a text for which that is tried."""


class Enlarged(QObject):
    """Enlarges the letters of `text` to the room that it has; they are never smaller than those of the theme."""

    def __init__(self, text: QPlainTextEdit) -> None:
        super().__init__(text)
        self._text = text
        self._theme = LIGHT
        self._factor = 1.0

    def apply_theme(self, theme: Theme) -> None:
        """Apply the text size of `theme`, which the text has already."""
        self._theme, self._factor = theme, 1.0

    def fit(self, lines: Sequence[str], around: int = 0) -> bool:
        """Make the letters as large as shows `lines` and `around` more; return whether their size changed."""
        factor = self._fitting(lines, around) if lines else 1.0
        if abs(factor - self._factor) <= 0.01:
            return False
        self._factor = factor
        apply_to_tree(self._text, replace(self._theme, code_size=self._theme.code_size * factor))
        return True

    def _fitting(self, lines: Sequence[str], around: int) -> float:
        text, letters, bar = self._text, QFontMetricsF(self._theme.mono_font()), self._text.verticalScrollBar()
        longest = max(map(len, lines)) + 2
        # While the text gets another size, its viewport still has the one before.
        margin = text.viewport().x() / self._factor + bar.sizeHint().width()
        edges = 2 * text.document().documentMargin()
        wide = (text.width() - self._theme.px(12) - edges) / (longest * letters.horizontalAdvance("0") + margin)
        high = (text.height() - 2 * text.frameWidth() - edges) / ((len(lines) + around) * letters.lineSpacing())
        return max(1.0, min(MOST_LARGER, wide, high))
