"""Edits of a text document, each one undo step: fixes, indentation, comments; positions in UTF-16."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from explorer.messages import Edit
from explorer.messages.changed_middle import changed_middle

INDENT = "    "
_ENDS_BLOCK = re.compile(r"(?:return|raise)\b|(?:pass|break|continue)\Z")


def plain_text(document: QTextDocument) -> str:
    """Return the text of `document` with ``\\n`` between lines; unlike Qt's own, it keeps no-break spaces."""
    return document.toRawText().replace("\u2029", "\n").replace("\u2028", "\n")


def utf16_length(text: str) -> int:
    """Return the length of `text` as Qt counts it: characters outside of the basic plane count two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def characters(text: str, utf16: int) -> int:
    """Return how many characters of `text` the first `utf16` units of it are, the inverse of `utf16_length`."""
    if text.isascii():
        return utf16
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * utf16].decode("utf-16-le", "replace"))


def replace_changed_middle(document: QTextDocument, old: str, text: str) -> None:
    """Replace `old`, the text of `document`, by `text` as one undo step, changing only the differing part."""
    if old == text:
        return
    front, back = changed_middle(old, text)
    cursor, start = QTextCursor(document), utf16_length(old[:front])
    # An undo leads back to where the cursor was when its step began.
    cursor.setPosition(start)
    with one_step(cursor):
        cursor.setPosition(start + utf16_length(old[front : len(old) - back]), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text[front : len(text) - back])


def up_to_date(document: QTextDocument, edits: Sequence[Edit]) -> bool:
    """Return whether the replaced text of `edits` is still at its positions."""
    return all(_stands(document, edit) for edit in edits)


def make(document: QTextDocument, edits: Sequence[Edit]) -> None:
    """Make `edits`, in the order of the text, as one undo step back to the last of them: others are imports on top."""
    last = edits[-1].span
    cursor = cursor_at(document, last.line, last.column)
    with one_step(cursor):
        for edit in reversed(edits):
            cursor.setPosition(_position(document, edit.span.line, edit.span.column))
            end = _position(document, edit.span.end_line, edit.span.end_column)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(edit.new)


def cursor_at(document: QTextDocument, line: int, column: int) -> QTextCursor:
    """Return a cursor at `line`, counted from 1, and `column` in characters."""
    cursor = QTextCursor(document)
    cursor.setPosition(_position(document, line, column))
    return cursor


def _stands(document: QTextDocument, edit: Edit) -> bool:
    span = edit.span
    if not 0 < span.line <= span.end_line <= document.blockCount():
        return False
    there = [document.findBlockByNumber(line - 1).text() for line in range(span.line, span.end_line + 1)]
    there[-1] = there[-1][: span.end_column]
    there[0] = there[0][span.column :]
    return "\n".join(there) == edit.old


def _position(document: QTextDocument, line: int, column: int) -> int:
    block = document.findBlockByNumber(line - 1)
    return block.position() + utf16_length(block.text()[:column])


@contextmanager
def one_step(cursor: QTextCursor) -> Iterator[None]:
    """Make everything inside one step of undo."""
    cursor.beginEditBlock()
    try:
        yield
    finally:
        cursor.endEditBlock()


def indent(cursor: QTextCursor) -> None:
    """Move the selected lines one step to the right; without a selection add spaces up to the next step."""
    if not cursor.hasSelection():
        column = cursor.positionInBlock()
        cursor.insertText(INDENT[column % len(INDENT) :])
        return
    with one_step(cursor):
        for line in _lines(cursor):
            if not line.selectedText().isspace() and line.selectedText():
                line.setPosition(line.block().position())
                line.insertText(INDENT)


def unindent(cursor: QTextCursor) -> None:
    """Move the lines that the selection touches one step to the left."""
    with one_step(cursor):
        for line in _lines(cursor):
            _remove_from_start(line, min(len(INDENT), leading_spaces(line.block().text())))


def to_line_start(cursor: QTextCursor, *, keep_anchor: bool) -> bool:
    """Move to the first letter of the line, and from there to its beginning.

    Returns False in the continuation of a wrapped line, where Qt moves to the beginning of that.
    """
    block = cursor.block()
    if block.layout().lineForTextPosition(cursor.positionInBlock()).lineNumber() > 0:
        return False
    letters = len(block.text()) - len(block.text().lstrip())
    column = 0 if cursor.positionInBlock() == letters else letters
    mode = QTextCursor.MoveMode.KeepAnchor if keep_anchor else QTextCursor.MoveMode.MoveAnchor
    cursor.setPosition(block.position() + column, mode)
    return True


def toggle_comment(cursor: QTextCursor) -> None:
    """Insert ``# `` before the lines of the selection, or remove it where all of them have it."""
    lines = [line for line in _lines(cursor) if line.block().text().strip()]
    commented = all(line.block().text().lstrip().startswith("#") for line in lines)
    column = min((leading_spaces(line.block().text()) for line in lines), default=0)
    with one_step(cursor):
        for line in lines:
            text = line.block().text()
            if commented:
                start = text.index("#")
                width = 2 if text[start : start + 2] == "# " else 1
                line.setPosition(line.block().position() + start)
                line.setPosition(line.position() + width, QTextCursor.MoveMode.KeepAnchor)
                line.removeSelectedText()
            else:
                line.setPosition(line.block().position() + column)
                line.insertText("# ")


def new_line(cursor: QTextCursor) -> None:
    """Begin a line with the indentation of this one, one step more after a colon or an opening bracket.

    One step less after a statement that ends its block.
    """
    block = cursor.document().findBlock(cursor.selectionStart())
    before = block.text()[: characters(block.text(), cursor.selectionStart() - block.position())]
    spaces = leading_spaces(before)
    written = before.strip()
    if written.endswith((":", "(", "[", "{")):
        spaces += len(INDENT)
    elif _ENDS_BLOCK.match(written) and not written.endswith((",", "\\")) and _closed(written):
        spaces -= min(spaces, len(INDENT))
    cursor.insertText("\n" + " " * spaces)


def _closed(text: str) -> bool:
    return all(text.count(one) == text.count(other) for one, other in ("()", "[]", "{}"))


def backspace_indentation(cursor: QTextCursor) -> bool:
    """Remove one step of indentation before the cursor; return False where there is something else."""
    column = cursor.positionInBlock()
    if cursor.hasSelection() or not column or leading_spaces(cursor.block().text()) < column:
        return False
    width = (column - 1) % len(INDENT) + 1
    cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, width)
    cursor.removeSelectedText()
    return True


def leading_spaces(text: str) -> int:
    """Return how many spaces `text` begins with."""
    return len(text) - len(text.lstrip(" "))


def _lines(cursor: QTextCursor) -> list[QTextCursor]:
    """Return a cursor that selects each line that the selection touches; not one that it only ends before."""
    document = cursor.document()
    first = document.findBlock(cursor.selectionStart())
    last = document.findBlock(max(cursor.selectionStart(), cursor.selectionEnd() - cursor.hasSelection()))
    return [_line(document.findBlockByNumber(row)) for row in range(first.blockNumber(), last.blockNumber() + 1)]


def _line(block: QTextBlock) -> QTextCursor:
    cursor = QTextCursor(block)
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _remove_from_start(line: QTextCursor, count: int) -> None:
    line.setPosition(line.block().position())
    line.setPosition(line.position() + count, QTextCursor.MoveMode.KeepAnchor)
    line.removeSelectedText()
