"""Editing keys for Python: indentation, comments, brackets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from views.code import brackets
from views.text import document_edits

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_BESIDE_HOME = _SHIFT | Qt.KeyboardModifier.KeypadModifier


def take_key(text: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Handle `event` as an editing key of `text`; return whether nothing else should handle it."""
    cursor = text.textCursor()
    if event.key() == Qt.Key.Key_Home and not event.modifiers() & ~_BESIDE_HOME:
        goes = document_edits.to_line_start(cursor, keep_anchor=bool(event.modifiers() & _SHIFT))
        return goes and _show(text, cursor)
    if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
        return document_edits.backspace_indentation(cursor) or brackets.remove_pair(cursor)
    if change := _edit_of(event):
        edit(text, change)
        return True
    return _type_bracket(text, cursor, event.text())


def edit(text: QPlainTextEdit, change: Callable[[QTextCursor], None]) -> None:
    """Make `change` at the cursor of `text`, and keep that in sight."""
    cursor = text.textCursor()
    change(cursor)
    _show(text, cursor)


def _show(text: QPlainTextEdit, cursor: QTextCursor) -> bool:
    text.setTextCursor(cursor)
    text.ensureCursorVisible()
    return True


def _type_bracket(text: QPlainTextEdit, cursor: QTextCursor, character: str) -> bool:
    if not brackets.is_bracket(character):
        return False
    # The cursor is between the brackets before anyone hears of them.
    with document_edits.one_step(cursor):
        typed = brackets.type_bracket(cursor, character)
        if typed:
            # Qt brings it on screen, and would look for it in the line as it was: behind its end that is a crash.
            cursor.block().clearLayout()
            text.setTextCursor(cursor)
    if typed:
        text.ensureCursorVisible()
    return typed


def _edit_of(event: QKeyEvent) -> Callable[[QTextCursor], None] | None:
    if event.key() == Qt.Key.Key_Backtab:
        return document_edits.unindent
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
        return None
    if event.key() == Qt.Key.Key_Tab:
        return document_edits.indent
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return document_edits.new_line
    return None
