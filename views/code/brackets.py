"""take_key(): the editor's keys for indentation and line starts; edit() at the cursor; matching(): bracket pairs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from views.text import document_edits
from views.text.highlighters import is_code

_SHIFT = Qt.KeyboardModifier.ShiftModifier
_BESIDE_HOME = _SHIFT | Qt.KeyboardModifier.KeypadModifier


def take_key(text: QPlainTextEdit, event: QKeyEvent) -> bool:
    """Handle `event` as an editing key of `text`; return whether nothing else should handle it."""
    cursor = text.textCursor()
    if event.key() == Qt.Key.Key_Home and not event.modifiers() & ~_BESIDE_HOME:
        goes = document_edits.to_line_start(cursor, keep_anchor=bool(event.modifiers() & _SHIFT))
        return goes and _show(text, cursor)
    if event.key() == Qt.Key.Key_Backspace and not event.modifiers():
        return document_edits.backspace_indentation(cursor)
    if change := _edit_of(event):
        edit(text, change)
        return True
    return False


def edit(text: QPlainTextEdit, change: Callable[[QTextCursor], None]) -> None:
    """Make `change` at the cursor of `text`, and keep that in sight."""
    cursor = text.textCursor()
    change(cursor)
    _show(text, cursor)


def _show(text: QPlainTextEdit, cursor: QTextCursor) -> bool:
    text.setTextCursor(cursor)
    text.ensureCursorVisible()
    return True


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


PAIRS = {"(": ")", "[": "]", "{": "}"}
CLOSING = {close: open_ for open_, close in PAIRS.items()}
FARTHEST = 300
"""The most lines to search, so that an unclosed bracket does not slow down every key in a long program."""


def matching(cursor: QTextCursor) -> tuple[int, int] | None:
    """Return the positions of the bracket at `cursor` and of its partner, None where there is none."""
    for place in (cursor.position() - 1, cursor.position()):
        character = cursor.document().characterAt(place) if place >= 0 else ""
        if character in PAIRS or character in CLOSING:
            partner = _partner(cursor.document(), place, character)
            if partner is not None:
                return place, partner
    return None


def _partner(document: QTextDocument, place: int, character: str) -> int | None:
    forward = character in PAIRS
    other = PAIRS[character] if forward else CLOSING[character]
    block = document.findBlock(place)
    column = place - block.position()
    if not is_code(block, column):
        return None
    depth = 0
    for _ in range(FARTHEST):
        for here in _columns(block, character, other, column, forward):
            depth += 1 if block.text()[here] == character else -1
            if depth == 0:
                return block.position() + here
        block = block.next() if forward else block.previous()
        column = 0 if forward else len(block.text())
        if not block.isValid():
            return None
    return None


def _columns(block: QTextBlock, one: str, other: str, start: int, forward: bool) -> list[int]:
    """Return the columns of both brackets in code, from `start` on in the direction of the search."""
    found = [
        column
        for column, character in enumerate(block.text())
        if character in (one, other) and (column >= start if forward else column <= start) and is_code(block, column)
    ]
    return found if forward else found[::-1]
