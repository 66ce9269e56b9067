"""How stretches of the code are set off: what was found, what is wrong, which brackets match."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from explorer.messages import Level
from views.theme import Theme


def underline(level: Level, theme: Theme) -> QTextCharFormat:
    """Return a wave for a bug and for a warning, dots for a note."""
    made = QTextCharFormat()
    wave, dots = QTextCharFormat.UnderlineStyle.WaveUnderline, QTextCharFormat.UnderlineStyle.DotLine
    made.setUnderlineStyle(dots if level == "note" else wave)
    made.setUnderlineColor(QColor(theme.bug if level == "bug" else theme.note))
    return made


def bracket(theme: Theme) -> QTextCharFormat:
    """Return the look of two brackets that belong together."""
    made = QTextCharFormat()
    made.setBackground(QColor(theme.hairline))
    made.setForeground(QColor(theme.text))
    made.setFontUnderline(True)
    return made


def found(theme: Theme) -> QTextCharFormat:
    """Return the look of a place that was looked for."""
    made = QTextCharFormat()
    made.setBackground(theme.focus_fill())
    made.setFontUnderline(True)
    return made


def selection(cursor: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    """Return the stretch that `cursor` selects, in `look`."""
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, look
    return made
