from __future__ import annotations

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from explorer.window.handout.paging import keep_together

QUESTION = "<h3>A heading</h3><p>What then?</p>" + "".join(
    f'<p style="-qt-block-indent: 1">{letter} a choice</p>' for letter in "ABC"
)


@pytest.mark.parametrize("lines", range(60))
def test_neither_a_heading_nor_a_question_is_torn_wherever_it_falls(qapp: QApplication, lines: int) -> None:
    document = QTextDocument()
    document.setHtml("<p>line</p>" * lines + QUESTION + "<p>line</p>" * 40 + QUESTION)
    document.setPageSize(QSizeF(400, 500))
    keep_together(document)
    block, layout = document.begin(), document.documentLayout()
    pages, tops = list[tuple[str, int]](), list[float]()
    while block.isValid():
        place = layout.blockBoundingRect(block)
        tops.append(place.top())
        pages.append((block.text(), int(place.bottom() // 500)))
        block = block.next()
    assert tops == sorted(tops)
    for start in [number for number, (text, _) in enumerate(pages) if text == "A heading"]:
        heading, asked, *choices = pages[start : start + 5]
        assert heading[1] == asked[1]
        assert {page for _, page in choices} == {asked[1]}
    # No page is left empty for it.
    assert {page for _, page in pages} == set(range(document.pageCount()))
