"""Text with a margin: where its rows stand, which painting asks for all the time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QTextCharFormat, QTextCursor
from pytestqt.qtbot import QtBot

from views.text.line_text import LineText


@pytest.fixture
def text(qtbot: QtBot) -> LineText:
    made = LineText(numbered=True)
    qtbot.addWidget(made)
    made.setPlainText("\n".join(f"line {number}" for number in range(40)))
    made.resize(300, 200)
    made.show()
    return made


def as_qt_has_them(text: LineText) -> list[tuple[int, float, float]]:
    blocks = [text.document().findBlockByNumber(row) for row in range(text.blockCount())]
    places = [text.blockBoundingGeometry(block).translated(text.contentOffset()) for block in blocks]
    height = text.viewport().height()
    return [
        (row, each.top(), each.height())
        for row, each in enumerate(places)
        if each.bottom() > 0 and each.top() <= height
    ]


def rows(text: LineText) -> list[tuple[int, float, float]]:
    return [(row, place.top(), place.height()) for row, place in text.visible_rows()]


def test_rows_follow_what_is_written_scrolled_and_made_higher(text: LineText) -> None:
    assert rows(text) == as_qt_has_them(text)
    cursor = QTextCursor(text.document().findBlockByNumber(2))
    cursor.insertText("more ")
    assert rows(text) == as_qt_has_them(text)
    larger = QTextCharFormat()
    larger.setFontPointSize(40)
    cursor.insertText("high", larger)
    found = rows(text)
    assert found == as_qt_has_them(text)
    assert found[2][2] > found[1][2]
    cursor.insertText("\n\n")
    text.verticalScrollBar().setValue(3)
    assert rows(text) == as_qt_has_them(text)


def test_only_rows_that_touch_a_place_are_given(text: LineText) -> None:
    third = next(place for row, place in text.visible_rows() if row == 2)
    inside = QRect(0, round(third.top()) + 2, 10, 3)
    assert [row for row, _ in text.visible_rows(inside)] == [2]
