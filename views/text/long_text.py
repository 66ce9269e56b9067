"""Long texts in a document: inserted piece by piece, and converted only after a change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit

from views.text.document_edits import plain_text


class KnownText(QObject):
    """The text of `document`, converted once for each change."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._text: str | None = None
        document.contentsChange.connect(self._forget)

    def text(self) -> str:
        r"""Return the text as it stands, with ``\n`` between lines."""
        if self._text is None:
            # Looked up each time: its Python object ends with the widget that it was first in.
            self._text = plain_text(cast("QTextDocument", self.parent()))
        return self._text

    def _forget(self) -> None:
        self._text = None


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
