"""Long texts in a document: inserted piece by piece, and read without converting all of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from explorer.messages.encodable import encodable_text
from views.text.document_edits import plain_text, with_line_ends

OTHER_LINE_ENDS = ("\r", "\u2028", "\u2029", "\ufdd0", "\ufdd1")
"""Characters that Qt treats as the end of a line."""


class KnownText(QObject):
    """Keeps the text of `document`, and converts only the parts that changed since the last request."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._text = ""
        self._is_exact = self._is_changed = False
        """Whether Qt counts each character of it as one, and whether there has been a change since."""
        self._front = self._back = 0
        """How many characters at the beginning and at the end have stayed as they were, at least."""
        self.taken = 0
        """How many characters were taken out of the document so far."""
        document.contentsChange.connect(self._on_contents_change)

    def put(self, text: str) -> None:
        """Note that the document has just been filled with `text`."""
        self._keep(text)
        self._is_exact = self._is_exact and _converts_unchanged(text)

    def text(self) -> str:
        r"""Return the text as it stands, with ``\n`` between lines."""
        if self._is_changed or not self._is_exact:
            changed = self._with_changes() if self._is_exact else ""
            self._keep(changed if len(changed) == self._length else self._whole())
        return self._text

    @property
    def _document(self) -> QTextDocument:
        # Looked up each time: its Python object ends with the widget that it was first in.
        return cast("QTextDocument", self.parent())

    @property
    def _length(self) -> int:
        """How long the document is, as Qt counts."""
        return self._document.characterCount() - 1

    def _keep(self, text: str) -> None:
        self._text, self._front, self._back = text, len(text), len(text)
        self._is_exact, self._is_changed = len(text) == self._length, False

    def _with_changes(self) -> str:
        length, known = self._length, len(self._text)
        # One more at each end: what was put next to half of a character may have made a whole one of it.
        front = max(0, min(self._front, length, known) - 1)
        back = max(0, min(self._back, length - front, known - front) - 1)
        cursor = QTextCursor(self._document)
        cursor.setPosition(front)
        cursor.setPosition(length - back, QTextCursor.MoveMode.KeepAnchor)
        self.taken += length - back - front
        return "".join((self._text[:front], with_line_ends(cursor.selectedText()), self._text[known - back :]))

    def _whole(self) -> str:
        self.taken += self._length
        return plain_text(self._document)

    def _on_contents_change(self, place: int, _removed: int, added: int) -> None:
        self._is_changed = True
        self._front = min(self._front, place)
        self._back = min(self._back, max(0, self._length - place - added))


def _converts_unchanged(text: str) -> bool:
    """Return whether a document returns `text` unchanged: Qt drops lone surrogates."""
    return not any(end in text for end in OTHER_LINE_ENDS) and (text.isascii() or encodable_text(text) == text)


PIECE_LINES, PIECE_CHARACTERS = 2000, 200_000
"""The lines, and the characters in lines, that Qt inserts in a quarter of a frame."""
COLOURED_LINES = 400
"""The lines with colours that it inserts in that time."""


class GradualText(QObject):
    """Fills a text that is read-only meanwhile.

    Signals:
        ended: the text is complete, or was replaced.
    """

    ended = Signal()

    def __init__(self, text: QPlainTextEdit) -> None:
        super().__init__(text)
        self._text = text
        self._rest: Iterator[str] = iter(())
        """The remaining pieces."""
        self._next = ""
        self.is_read_only = False
        """Whether nothing may be typed, also when all of the text is there."""
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._go_on)

    @property
    def is_on(self) -> bool:
        return self._turn.isActive()

    def show(self, text: str, *, coloured: bool = False) -> None:
        """Show `text` from its beginning, a long one piece by piece, with colours if `coloured`."""
        self.stop()
        self._rest = _pieces(text, COLOURED_LINES if coloured else PIECE_LINES)
        self._text.setPlainText(next(self._rest))
        self._next = next(self._rest, "")
        if self._next:
            self._text.setReadOnly(True)
            # The text so far is no step that a user could undo.
            self._text.setUndoRedoEnabled(False)
            self._turn.start()

    def stop(self) -> None:
        """Drop the rest: the caller shows another text."""
        if self.is_on:
            self._turn.stop()
            self._text.setReadOnly(self.is_read_only)
            self._text.setUndoRedoEnabled(True)
            self.ended.emit()

    def finish(self) -> None:
        """Show the rest at once."""
        while self.is_on:
            self._go_on()

    def _go_on(self) -> None:
        cursor = QTextCursor(self._text.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(self._next)
        self._next = next(self._rest, "")
        if not self._next:
            self.stop()


def _pieces(text: str, lines: int) -> Iterator[str]:
    """Yield `text` in pieces of `lines` lines; the text is split lazily."""
    start = 0
    while True:
        end = start
        for _ in range(lines):
            end = text.find("\n", end) + 1
            if not end:
                yield text[start:]
                return
            if end - start > PIECE_CHARACTERS:
                break
        yield text[start:end]
        start = end
