"""Text formats for parts of the code: matches, problems, matching brackets; selection() makes one."""

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
    """Return the style of a pair of brackets."""
    made = QTextCharFormat()
    made.setBackground(QColor(theme.hairline))
    made.setForeground(QColor(theme.text))
    made.setFontUnderline(True)
    return made


def found(theme: Theme) -> QTextCharFormat:
    """Return the style of a search match."""
    made = QTextCharFormat()
    made.setBackground(theme.focus_fill())
    made.setFontUnderline(True)
    return made


def selection(cursor: QTextCursor, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, look
    return made
