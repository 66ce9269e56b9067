"""Text with a margin: the positions of its rows, which painting needs all the time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QColor, QFontMetrics, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.messages import Program, Report, Snapshot
from tests.views.made import put_up
from views.program.lenses.cell_painter import in_lines
from views.text.line_marks import line_colours, type_within
from views.text.line_text import LineText
from views.theme import LIGHT, apply_to_tree, chosen


@pytest.fixture
def text(qtbot: QtBot) -> LineText:
    made = put_up(qtbot, LineText(numbered=True), 300, 200)
    made.setPlainText("\n".join(f"line {number}" for number in range(40)))
    return made


def as_qt_has_them(text: LineText) -> list[tuple[int, float, float]]:
    blocks = [text.document().findBlockByNumber(row) for row in range(text.blockCount())]
    places = [text.blockBoundingGeometry(block).translated(text.contentOffset()) for block in blocks]
    bottom = text.viewport().rect().bottom()
    return [
        (row, each.top(), each.height())
        for row, each in enumerate(places)
        if each.bottom() > 0 and each.top() <= bottom
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


def colours(*lines: int) -> dict[int, int]:
    report = Report("f", program=Program("jaxpr", "", lines=lines))
    return dict(line_colours(Snapshot(1, "cpu:0", True, reports=(report,))))


def test_a_line_keeps_its_colour_while_lines_without_equations_come_and_go_above() -> None:
    before, after = colours(0, 5, 5, 13, 0, 9), colours(0, 7, 7, 15, 0, 11)
    assert before == {5: 0, 9: 1, 13: 2}
    assert [before[line] for line in (5, 9, 13)] == [after[line + 2] for line in (5, 9, 13)]


def test_the_margin_has_the_colour_of_the_line_that_each_row_comes_from(text: LineText) -> None:
    text.mark(origins=[5, 13], colours={5: 0, 13: 1})
    assert text.colour_of(5) != text.colour_of(13)
    assert text.colour_of(13).name() == QColor(LIGHT.series_colour(1)).name()


def test_a_long_line_is_shown_from_its_beginning_or_wraps_to_be_shown_whole(text: LineText) -> None:
    text.setPlainText("short\n" + 20 * " " + "word " * 30 + "\nshort")
    text.setTextCursor(QTextCursor(text.document()))
    bar = text.horizontalScrollBar()
    text.show_row(1)
    assert bar.value() > 0
    cursor = QTextCursor(text.document().findBlockByNumber(1))
    cursor.movePosition(QTextCursor.MoveOperation.NextWord)
    assert 0 <= text.cursorRect(cursor).left() < 20
    text.show_row(2)
    assert bar.value() == 0
    text.wrap(True)
    text.show_row(1)
    assert (bar.value(), bar.maximum()) == (0, 0)
    places = [place.height() for _, place in text.visible_rows()]
    assert max(places) > 2 * min(places)


@pytest.mark.parametrize("width", [190, 240, 300, 420])
def test_on_a_stage_a_long_line_breaks_at_a_bracket_and_not_inside_a_word(text: LineText, width: int) -> None:
    code = "    return jax.jit(jax.shard_map(on_device, mesh=all_devices(), in_specs=(pieces, everywhere)))(x, keys)"
    text.setPlainText(f"{code}\nlast")
    text.moveCursor(QTextCursor.MoveOperation.End)
    apply_to_tree(text, chosen("light", 1.0, 1.0, 1.0))
    text.wrap(True)
    text.resize(width, 300)
    text.grab()
    block = text.document().firstBlock()
    layout = block.layout()
    starts = [layout.lineAt(number).textStart() for number in range(1, layout.lineCount())]
    assert starts
    assert not any(code[start - 1 : start + 1].isalnum() for start in starts)
    lefts = [layout.lineAt(number).x() for number in range(layout.lineCount())]
    assert lefts[0] < lefts[1] < 0.4 * width
    assert set(lefts[1:]) == {lefts[1]}
    assert block.lineCount() == layout.lineCount()
    assert rows(text) == as_qt_has_them(text)
    assert text.textCursor().blockNumber() == 1
    apply_to_tree(text, LIGHT)
    text.wrap(False)
    assert rows(text) == as_qt_has_them(text)
    assert block.layout().lineCount() == 1


def test_a_row_below_a_long_line_stays_in_sight_where_the_text_ends(text: LineText) -> None:
    text.wrap(True)
    text.setPlainText("a long line " * 15 + "\nlast" * 6)
    QApplication.processEvents()
    for _ in range(2):
        text.show_row(6)
        text.verticalScrollBar().valueChanged.emit(text.verticalScrollBar().value())
        QApplication.processEvents()
        assert 6 in text._whole_rows()


def test_lines_of_a_document_that_was_taken_over_are_wrapped_for_less_room(qtbot: QtBot) -> None:
    before, after = LineText(numbered=True), LineText(numbered=True)
    for each in (before, after):
        qtbot.addWidget(each)
        each.wrap(True)
        each.resize(600, 200)
        each.show()
    before.setPlainText("many words " * 20)
    after.take_over(before)
    before.hide()
    after.resize(200, 200)
    layout = after.document().firstBlock().layout()
    assert max(layout.lineAt(number).width() for number in range(layout.lineCount())) <= after.viewport().width()
    assert after.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize(("rows", "seen"), [({2, 20, 24}, {20, 24}), ({2, 6, 20}, {20}), ({12, 20, 25}, {20, 25})])
def test_the_chosen_row_is_visible_and_as_many_others_as_fit_with_it(
    text: LineText, rows: set[int], seen: set[int], wraps: bool
) -> None:
    text.wrap(wraps)
    room = round(text.fontMetrics().lineSpacing() * 6.5)
    text.show_most(rows, 20)
    text.resize(300, room + text.height() - text.viewport().height())
    QApplication.processEvents()
    whole = {row for row, place in text.visible_rows() if 0 <= place.top() <= place.bottom() <= room}
    assert rows & whole == seen


@pytest.mark.parametrize("scale", [0.8, 1.25, 1.5])
def test_what_was_scrolled_to_stays_visible_in_another_text_size(text: LineText, scale: float) -> None:
    text.setPlainText("\n".join(f"line {number}{' of many words' * (number % 3)}" for number in range(60)))
    text.wrap(True)
    QApplication.processEvents()
    text.show_rows(50, 50)
    apply_to_tree(text, replace(LIGHT, scale=scale))
    QApplication.processEvents()
    assert 50 in text._whole_rows()


@pytest.mark.parametrize(
    ("text_of_type", "columns", "shown"),
    [
        ("f32[600,600]", 12, "f32[600,600]"),
        ("f32[600,600]", 11, "[600,600]"),
        ("f32[600,600]", 8, "\N{HORIZONTAL ELLIPSIS}"),
        ("f32[3], ~f32[], key<fry>[2]", 24, "[3], ~f32[], key<fry>[2]"),
        ("f8_e4m3fn[8,784 @d] | f32[]", 18, "[8,784 @d] | f32[]"),
        ("f32[3,4], f32[] \N{MIDDLE DOT} 32\N{MULTIPLICATION SIGN}", 16, None),
    ],
)
def test_a_type_without_room_loses_its_dtypes_then_its_middle_and_is_never_a_stump(
    text: LineText, text_of_type: str, columns: int, shown: str | None
) -> None:
    apply_to_tree(text, LIGHT)
    letters = QFontMetrics(LIGHT.mono_font())
    found = type_within(text_of_type, letters, letters.horizontalAdvance("0" * columns))
    assert letters.horizontalAdvance(found) <= letters.horizontalAdvance("0" * columns)
    if shown is not None:
        assert found == shown
    else:
        assert (found[:3], found[-3:]) == ("[3,", "32\N{MULTIPLICATION SIGN}")


# -- the text of a cell -----------------------------------------------------------------------------------------------


def letters(text: str, _face: str) -> float:
    return float(len(text))


def lines(texts: tuple[str, ...], room: float) -> list[str]:
    emitted: list[str] = []
    for stretch in in_lines([(text, "code") for text in texts], room, 1.0, letters):
        emitted += [""] * (stretch.line + 1 - len(emitted))
        emitted[stretch.line] += " " * (round(stretch.left) - len(emitted[stretch.line])) + stretch.text
    return [line.rstrip() for line in emitted]


@pytest.mark.parametrize(
    ("texts", "room", "emitted"),
    [
        (("the same",), 20, ["the same"]),
        (("the same for all 32",), 8, ["the same", "for all", "32"]),
        (("f32[8]", "one for each"), 10, ["f32[8] one", "for each"]),
        (("f32[8,10]", "one"), 10, ["f32[8,10]", "one"]),
        (("broadcast_in_dim",), 7, ["broadca", "st_in_", "dim"]),
        (("a", "broadcast_in_dim"), 10, ["a", "broadcast_", "in_dim"]),
        (("f32[100,200,300]",), 8, ["f32[100,", "200,300]"]),
        ((), 10, []),
    ],
)
def test_no_line_is_longer_than_there_is_room_for(texts: tuple[str, ...], room: int, emitted: list[str]) -> None:
    assert lines(texts, room) == emitted


@pytest.mark.parametrize("room", [-3, 0, 1, 2, 5, 13])
def test_every_letter_is_there_however_little_room_there_is(room: int) -> None:
    texts = ("all 32 draw the same", "u32[32,2]")
    stretches = list(in_lines([(text, "code") for text in texts], room, 1.0, letters))
    for number, text in enumerate(texts):
        assert "".join(each.text for each in stretches if each.number == number) == text


def test_a_change_inside_of_another_one_does_not_make_the_rest_the_users(text: LineText) -> None:
    told: list[int] = []
    text.row_chosen.connect(told.append)
    with text.unwatched():
        with text.unwatched():
            text.insertPlainText("x")
        text.setTextCursor(QTextCursor(text.document().findBlockByNumber(9)))
    assert told == []


def test_on_a_stage_a_line_that_is_cut_is_not_painted(text: LineText) -> None:
    apply_to_tree(text, chosen("light", 1.0, 1.0, 1.0))
    line = text.blockBoundingRect(text.document().begin()).height()
    text.resize(text.width(), text.height() - text.viewport().height() + round(4.5 * line))
    seen = list(text.visible_rows())
    assert seen[-1][1].bottom() > text.viewport().height()
    assert text.cut_from(seen) == pytest.approx(seen[-1][1].top(), abs=1)
    assert text.cut_from(seen[:-1]) is None
    apply_to_tree(text, LIGHT)
    assert text.cut_from(seen) is None
