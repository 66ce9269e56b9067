"""Keys and commands that move the cursor or lines: `|` is the cursor, `^` the other end of a selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.views.made import put_up
from views.code.code_view import CodeView
from views.text.document_edits import characters, utf16_length
from views.text.line_text import LineText

SHIFT, NONE = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot: QtBot) -> CodeView:
    return put_up(qtbot, CodeView(), 400, 300)


def write(view: CodeView, marked: str) -> LineText:
    source = marked.replace("|", "").replace("^", "")
    view.set_source(source)
    position = utf16_length(marked.replace("^", "").partition("|")[0])
    anchor = utf16_length(marked.replace("|", "").partition("^")[0]) if "^" in marked else position
    cursor = QTextCursor(view.text.document())
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    view.text.setTextCursor(cursor)
    return view.text


def read(view: CodeView) -> str:
    cursor, source = view.text.textCursor(), view.source()
    marks = [(cursor.position(), "|")] + [(cursor.anchor(), "^")] * cursor.hasSelection()
    for utf16, mark in sorted(marks, reverse=True):
        place = characters(source, utf16)
        source = source[:place] + mark + source[place:]
    return source


@pytest.mark.parametrize(
    ("before", "modifier", "after"),
    [
        ("    a = 1|\n", NONE, "    |a = 1\n"),
        ("    |a = 1\n", NONE, "|    a = 1\n"),
        ("|    a = 1\n", NONE, "    |a = 1\n"),
        ("  |  a = 1\n", NONE, "    |a = 1\n"),
        ("a = 1|\n", NONE, "|a = 1\n"),
        ("    a = 1|\n", SHIFT, "    |a = 1^\n"),
        ("   |", NONE, "|   "),
    ],
)
def test_home_goes_to_the_first_letter_and_then_to_the_beginning(
    view: CodeView, before: str, modifier: Qt.KeyboardModifier, after: str
) -> None:
    QTest.keyClick(write(view, before), Qt.Key.Key_Home, modifier)
    assert read(view) == after


def test_home_in_a_wrapped_line_goes_to_the_beginning_of_what_is_on_that_line(view: CodeView) -> None:
    view.text.wrap(True)
    text = write(view, "    a = " + "long + " * 40 + "|1\n")
    QTest.keyClick(text, Qt.Key.Key_Home)
    place, layout = text.textCursor().positionInBlock(), text.textCursor().block().layout()
    assert layout.lineForTextPosition(place).textStart() == place > 10
    hang = QFontMetricsF(text.font()).horizontalAdvance(" " * 6)
    assert layout.lineForTextPosition(place).x() - layout.lineAt(0).x() == pytest.approx(hang), (
        "two letters further right"
    )


def test_a_wrapped_text_brings_rows_on_screen_and_keeps_its_place(view: CodeView) -> None:
    text = write(view, "|" + ("x = " + "1 + " * 60 + "1\n") * 60)
    text.wrap(True)
    assert text.horizontalScrollBar().maximum() == 0
    text.show_rows(30, 30)
    assert 30 in [row for row, _ in text.visible_rows()]
    first = text.firstVisibleBlock().blockNumber()
    text.wrap(False)
    assert text.firstVisibleBlock().blockNumber() == first


@pytest.mark.parametrize(
    ("before", "key", "after"),
    [
        ("a|", Qt.Key.Key_Tab, "a   |"),
        ("|", Qt.Key.Key_Tab, "    |"),
        ("^a\n  b\n\nc|", Qt.Key.Key_Tab, "    a\n      b\n\n    c"),
        ("^a\n|b", Qt.Key.Key_Tab, "    a\nb"),
        ("      a|", Qt.Key.Key_Backtab, "  a"),
        ("^    a\n  b\nc|", Qt.Key.Key_Backtab, "a\nb\nc"),
        ("    a|", Qt.Key.Key_Return, "    a\n    "),
        ("  if a:|", Qt.Key.Key_Return, "  if a:\n      "),
        ("    a|b", Qt.Key.Key_Return, "    a\n    b"),
        ("    return a|", Qt.Key.Key_Return, "    return a\n"),
        ("    return f(a,|", Qt.Key.Key_Return, "    return f(a,\n    "),
        ("f(|", Qt.Key.Key_Return, "f(\n    "),
        ("        |a", Qt.Key.Key_Backspace, "    a"),
        ("      |a", Qt.Key.Key_Backspace, "    a"),
        ("ab|", Qt.Key.Key_Backspace, "a"),
        ("^ab|", Qt.Key.Key_Backspace, ""),
    ],
)
def test_editing_keys(view: CodeView, before: str, key: Qt.Key, after: str) -> None:
    QTest.keyClick(write(view, before), key)
    assert view.source() == after.replace("|", "")
