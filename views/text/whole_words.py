"""Long lines of code that break at spaces, else behind brackets and dots, and not inside a name."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextLayout
from PySide6.QtWidgets import QPlainTextDocumentLayout

from views.parts.joints import joint


class WholeWords(QPlainTextDocumentLayout):
    """Lays out a block as Qt does, and again where Qt has broken it inside a word for want of a space."""

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:  # noqa: N802
        is_new = block.isValid() and not block.layout().lineCount()
        rect = super().blockBoundingRect(block)
        if not is_new or not _breaks_words(block.text(), block.layout()):
            return rect
        before = block.lineCount()
        _lay_out(block.text(), block.layout())
        if block.isVisible() and block.layout().lineCount() != before:
            block.setLineCount(block.layout().lineCount())
            self.documentSizeChanged.emit(self.documentSize())
        return super().blockBoundingRect(block)


def _breaks_words(text: str, layout: QTextLayout) -> bool:
    starts = (layout.lineAt(number).textStart() for number in range(1, layout.lineCount()))
    return any(text[start - 1 : start + 1].isalnum() for start in starts)


def _lay_out(text: str, layout: QTextLayout) -> None:
    first = layout.lineAt(0)
    width, left, top = first.width(), first.x(), first.y()
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLeadingIncluded(True)
        line.setLineWidth(width)
        start, end = line.textStart(), line.textStart() + line.textLength()
        if place := joint(text, start, end):
            line.setNumColumns(place - start, width)
        line.setPosition(QPointF(left, top))
        top += line.height()
    layout.endLayout()
