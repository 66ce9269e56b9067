"""What keys mean in an editor of Python: indentation, comments, brackets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from views.code import brackets
from views.text import document_edits


def take_key(text: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Do in `text` what `event` means; return whether that is all it means."""
    control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
    cursor = text.textCursor()
    if control and event.key() == Qt.Key.Key_Slash:
        document_edits.toggle_comment(cursor)
        return True
    if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
        return document_edits.backspace_indentation(cursor) or brackets.remove_pair(cursor)
    if edit := _edit_of(event):
        edit(cursor)
        text.setTextCursor(cursor)
        text.ensureCursorVisible()
        return True
    return _type_bracket(text, cursor, event.text())


def _type_bracket(text: QPlainTextEdit, cursor: QTextCursor, character: str) -> bool:
    if not brackets.is_bracket(character):
        return False
    sideways = text.horizontalScrollBar()
    scrolled = sideways.value()
    # The cursor is between the brackets before anybody hears of them.
    with document_edits.one_step(cursor):
        typed = brackets.type_bracket(cursor, character)
        if typed:
            text.setTextCursor(cursor)
    if typed:
        # Qt looked for the cursor while the line was not laid out yet, and scrolled to its beginning.
        sideways.setValue(scrolled)
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
