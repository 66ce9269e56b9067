"""Editing keys for Python: indentation, comments, brackets and quotes in pairs, and the matching bracket."""

from __future__ import annotations

import re
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
        return document_edits.backspace_indentation(cursor) or remove_pair(cursor)
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
    if not is_bracket(character):
        return False
    # The cursor is between the brackets before anyone hears of them.
    with document_edits.one_step(cursor):
        typed = type_bracket(cursor, character)
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


PAIRS = {"(": ")", "[": "]", "{": "}"}
QUOTES = {'"': '"', "'": "'"}
TYPED = PAIRS | QUOTES
CLOSING = {close: open_ for open_, close in PAIRS.items()}
_MAY_FOLLOW = ("", "\0", "\u2029", *CLOSING, ",", ":", ";")
"""Characters before which a closing bracket is inserted; before any other it would be in the way."""
_NO_QUOTE_AFTER = re.compile(r"(?<!\w)(?![rbuf]{1,2}$)\w+$", re.IGNORECASE)
"""A word after which a quote begins no string: it is no prefix of one."""
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


def is_bracket(character: str) -> bool:
    """Return whether `character` is a bracket or quote that is typed in pairs."""
    return character in TYPED or character in CLOSING


def type_bracket(cursor: QTextCursor, character: str) -> bool:
    """Close an opened bracket or quote where nothing follows; skip over a closing one that is already there.

    Returns False where `character` is typed normally: in strings and comments, and before a word.
    """
    block, column = cursor.block(), cursor.positionInBlock()
    text = block.text()
    if not is_bracket(character):
        return False
    if cursor.hasSelection():
        return character in TYPED and _wrap(cursor, character)
    following = cursor.document().characterAt(cursor.position())
    if (not is_code(block, column - 1)) if column else block.previous().userState() > 0:
        ends = character in QUOTES and following == character and not is_code(block, column)
        return ends and cursor.movePosition(QTextCursor.MoveOperation.Right)
    if character in QUOTES and _NO_QUOTE_AFTER.search(text[:column]):
        return False
    if character in CLOSING:
        balanced = text.count(character) == text.count(CLOSING[character])
        return following == character and balanced and cursor.movePosition(QTextCursor.MoveOperation.Right)
    if following not in _MAY_FOLLOW and not following.isspace():
        return False
    cursor.insertText(character + TYPED[character])
    return cursor.movePosition(QTextCursor.MoveOperation.Left)


def remove_pair(cursor: QTextCursor) -> bool:
    """Remove an empty pair of brackets or quotes around `cursor`; return False where there is none."""
    document, place = cursor.document(), cursor.position()
    before = document.characterAt(place - 1) if place else ""
    if cursor.hasSelection() or TYPED.get(before) != document.characterAt(place):
        return False
    cursor.setPosition(place - 1)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    return True


def _wrap(cursor: QTextCursor, character: str) -> bool:
    start, end = cursor.selectionStart(), cursor.selectionEnd()
    cursor.beginEditBlock()
    cursor.setPosition(end)
    cursor.insertText(TYPED[character])
    cursor.setPosition(start)
    cursor.insertText(character)
    cursor.endEditBlock()
    cursor.setPosition(start + 1)
    cursor.setPosition(end + 1, QTextCursor.MoveMode.KeepAnchor)
    return True


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
