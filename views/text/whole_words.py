"""WholeWords, a layout: long lines break at spaces, else behind brackets and dots, and go on further right."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextLayout, QTextLine
from PySide6.QtWidgets import QPlainTextDocumentLayout

from views.parts.labels import joint

HANG = 2
"""Letters by which the rest of a long line stands right of its beginning."""
MOST_HANG, LEAST_LETTERS = 0.3, 30
"""Largest share of the width for that, unless so many letters are left: a line that begins far right continues left."""


MOST_HUNG = 1000
"""The most lines of a text for which that is done: it takes half as long again."""


class WholeWords(QPlainTextDocumentLayout):
    """Lays out a block as Qt does, and again where it takes several lines, or where Qt has broken it inside a word."""

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:  # noqa: N802
        is_new = block.isValid() and not block.layout().lineCount()
        rect = super().blockBoundingRect(block)
        if not is_new or block.layout().lineCount() < 2:
            return rect
        # Asked by the block: with `self.document()` PySide frees the document too early.
        hangs = block.document().blockCount() <= MOST_HUNG
        if not hangs and not _breaks_words(block.text(), block.layout()):
            return rect
        before = block.lineCount()
        _lay_out(block.text(), block.layout(), HANG if hangs else 0)
        if block.isVisible() and block.layout().lineCount() != before:
            block.setLineCount(block.layout().lineCount())
            self.documentSizeChanged.emit(self.documentSize())
        return super().blockBoundingRect(block)


def _breaks_words(text: str, layout: QTextLayout) -> bool:
    starts = (layout.lineAt(number).textStart() for number in range(1, layout.lineCount()))
    return any(text[start - 1 : start + 1].isalnum() for start in starts)


def _lay_out(text: str, layout: QTextLayout, letters: int) -> None:
    """Lay out `text` again; all lines but the first are `letters` further right than it begins, for 0 at the edge."""
    first = layout.lineAt(0)
    width, left, top = first.width(), first.x(), first.y()
    hang = _hang(text, first, letters) if letters else 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLeadingIncluded(True)
        line.setLineWidth(width)
        start, end = line.textStart(), line.textStart() + line.textLength()
        if place := joint(text, start, end):
            line.setNumColumns(place - start, width)
        line.setPosition(QPointF(left, top))
        top += line.height()
        if not start:
            left, width = left + hang, width - hang
    layout.endLayout()


def _hang(text: str, line: QTextLine, letters: int) -> float:
    """Return the pixels to `letters` right of the first letter of `text`, whose first line is `line`."""
    start, first, second = (_x(line, column) for column in (0, len(text) - len(text.lstrip()), 1))
    most = max(MOST_HANG * line.width(), line.width() - LEAST_LETTERS * (second - start))
    return min(first - start + letters * (second - start), most)


def _x(line: QTextLine, column: int) -> float:
    return cast("tuple[float, int]", line.cursorToX(column))[0]
