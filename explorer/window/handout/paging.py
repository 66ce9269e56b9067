"""Page breaks of a printed document, which Qt does not control."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument, QTextFormat

PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"


def keep_together(document: QTextDocument) -> None:
    """Let no page of `document` end within a group of blocks that a page can hold.

    Groups are a heading with the next block, a picture with its caption, and indented paragraphs with the one above.
    """
    for blocks in [each for each in _together(document) if len(each) > 1]:
        _keep_on_one_page(document, blocks)


def _together(document: QTextDocument) -> Iterator[list[QTextBlock]]:
    """Yield all blocks, with grouped blocks in one list."""
    blocks, block = list[QTextBlock](), document.begin()
    while block.isValid():
        leads = blocks and (blocks[-1].blockFormat().headingLevel() or blocks[-1].text() == PICTURE)
        if not leads and not block.blockFormat().indent():
            yield blocks
            blocks = []
        blocks.append(block)
        block = block.next()
    yield blocks


def _keep_on_one_page(document: QTextDocument, blocks: list[QTextBlock]) -> None:
    """Begin a new page before `blocks` where they would be split and fit on one page."""
    layout, last, high = document.documentLayout(), blocks[-1], document.pageSize().height()
    top, place = layout.blockBoundingRect(blocks[0]).top(), layout.blockBoundingRect(last)
    bottom, lines = place.bottom(), last.layout()
    if lines.lineCount() and not last.blockFormat().indent():
        # Of a paragraph below a heading the first line is enough.
        bottom = place.top() + lines.lineAt(0).rect().bottom()
    cursor = QTextCursor(blocks[0])
    if top // high != bottom // high and bottom - top < high and cursor.currentTable() is None:
        begun = cursor.blockFormat()
        begun.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        cursor.setBlockFormat(begun)
        # Qt repeats the layout only of blocks that it considers changed, and then pages begin in the middle.
        document.markContentsDirty(0, document.characterCount())
