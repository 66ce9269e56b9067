"""Folding: the folds, their first states, states kept over an edit; and a copy that is JAX's own text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from explorer.messages import Equation, Focus, Form, Marks, Program, Report, Snapshot, Span
from tests.views.made import put_up
from tests.views.program.shown import long_jaxpr
from views.program.folds import FoldState, folds_of
from views.program.program_half import ProgramHalf
from views.program.program_text import FoldMargin, ProgramText
from views.program.program_view import ProgramView

TEXT = """let _uniform = { lambda ; a:key<fry>[]. let
    b:u32[5] = random_bits[bit_width=32 shape=(5,)] a
  in (b,) } in
{ lambda ; c:key<fry>[] d:f32[5]. let
    e:f32[5] = jit[
      name=_normal
      jaxpr={ lambda ; c:key<fry>[]. let
          f:u32[5] = jit[name=_uniform jaxpr=_uniform] c
        in (f,) }
    ] c
    g:f32[] = scan[
      jaxpr={ lambda ; h:f32[] i:f32[]. let j:f32[] = mul h i in (j,) }
      length=5
    ] 0.0:f32[] d
    k:f32[5] = dot_general[
      dimension_numbers=(([1], [0]), ([], []))
    ] e d
  in (k,) }"""
NORMAL, BODY = Span(4, 8, 4, 30), Span(6, 8, 6, 13)
EQUATIONS = (
    Equation("random_bits", NORMAL, 1, 1, 2, "u32[5]", "key<fry>[]"),
    Equation("jit", NORMAL, 4, 9, 0, "f32[5]"),
    Equation("jit", NORMAL, 7, 7, 1, "u32[5]"),
    Equation("scan", Span(7, 4, 7, 30), 10, 13, 0, "f32[]"),
    Equation("mul", BODY, 11, 11, 1, "f32[]"),
    Equation("dot_general", Span(8, 4, 8, 9), 14, 16, 0, "f32[5]"),
)
LINES = (0, 4, 0, 0, 4, 4, 4, 4, 4, 4, 7, 6, 7, 7, 8, 8, 8, 0)
PROGRAM = Program("jaxpr", TEXT, EQUATIONS, LINES)
SHOWN = [0, 3, 4, 10, 11, 12, 13, 14, 17]
"""The lines visible at first: the library's and parameters are folded, the user's scan is not."""


def edited(text: str) -> Program:
    return Program("jaxpr", text, EQUATIONS, LINES)


@pytest.fixture
def view(qtbot: QtBot) -> ProgramView:
    return put_up(qtbot, ProgramView(), 700, 500)


def show(view: ProgramView, program: Program) -> ProgramText:
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(Report("f", program=program),)))
    half = next(each for each in view.findChildren(ProgramHalf) if each.isVisible())
    return half.findChild(ProgramText)


def rows(text: ProgramText) -> list[str]:
    return text.toPlainText().split("\n")


def lines(*numbers: int) -> list[str]:
    return [TEXT.split("\n")[number] for number in numbers]


def put_cursor(text: ProgramText, row: int) -> None:
    text.setTextCursor(QTextCursor(text.document().findBlockByNumber(row)))


def test_folds_are_named_by_what_they_are() -> None:
    found = folds_of(PROGRAM, TEXT.split("\n"))
    assert [(fold.first, fold.last, fold.path, fold.closed) for fold in found] == [
        (0, 2, "let _uniform", True),
        (4, 9, "/jit:_normal#1", True),
        (10, 13, "/scan:#1", False),
        (14, 16, "/dot_general:#1", True),
    ]


def test_a_shared_jaxpr_of_several_lines_of_user_code_begins_open() -> None:
    mine = (Equation("sin", NORMAL, 1, 1, 1, "u32[5]"), Equation("mul", BODY, 2, 2, 1, "u32[5]"), *EQUATIONS[1:])
    assert not folds_of(Program("jaxpr", TEXT, mine, LINES), TEXT.split("\n"))[0].closed


def test_in_a_short_jaxpr_nothing_begins_folded() -> None:
    folds = folds_of(Program("jaxpr", TEXT, EQUATIONS[:3], LINES[:10]), TEXT.split("\n")[:10])
    assert folds
    assert not any(each.closed for each in folds)


@pytest.mark.parametrize(
    ("key", "row", "shown"),
    [
        (Qt.Key.Key_Space, 2, [0, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17]),
        (Qt.Key.Key_Return, 0, [0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 17]),
        (Qt.Key.Key_Space, 3, [0, 3, 4, 10, 14, 17]),
    ],
)
def test_keys_fold_and_open(view: ProgramView, key: Qt.Key, row: int, shown: list[int]) -> None:
    text = show(view, PROGRAM)
    put_cursor(text, row)
    QTest.keyClick(text, key)
    assert rows(text) == lines(*shown)


def test_the_arrow_in_the_margin_opens_and_folds(view: ProgramView) -> None:
    text = show(view, PROGRAM)
    margin = text.findChild(FoldMargin)
    middle = next(place for row, place in text.visible_rows() if row == 2).center().y()
    QTest.mouseClick(margin, Qt.MouseButton.LeftButton, pos=QPoint(5, round(middle)))
    assert lines(5)[0] in rows(text)
    QTest.mouseClick(margin, Qt.MouseButton.LeftButton, pos=QPoint(5, round(middle)))
    assert rows(text) == lines(*SHOWN)


def test_one_button_opens_all_and_folds_all_where_there_are_folds(view: ProgramView) -> None:
    text = show(view, PROGRAM)
    button = next(each for each in view.findChildren(QAbstractButton) if each.text() == "Open all")
    button.click()
    assert rows(text) == lines(*range(18))
    assert button.text() == "Fold all"
    button.click()
    assert rows(text) == lines(0, 3, 4, 10, 14, 17)
    show(view, Program("jaxpr", "{ lambda ; a:f32[]. let  in (a,) }", (), (0,)))
    assert not [each for each in view.findChildren(QAbstractButton) if each.isVisible() and "all" in each.text()]


def test_what_was_opened_stays_open_when_the_program_changes(view: ProgramView) -> None:
    text = show(view, PROGRAM)
    put_cursor(text, 2)
    QTest.keyClick(text, Qt.Key.Key_Space)
    longer = TEXT.replace("  in (k,) }", "    l:f32[5] = sin k\n  in (l,) }")
    show(view, edited(longer))
    assert "          f:u32[5] = jit[name=_uniform jaxpr=_uniform] c" in rows(text)
    assert "    b:u32[5] = random_bits[bit_width=32 shape=(5,)] a" not in rows(text)


# -- copying ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "end", "copied"),
    [
        ((0, 0), (0, len("let _uniform = { lambda ; a:key<fry>[]. let")), lines(0, 1, 2)),
        ((1, 0), (3, 0), [*lines(3, 4, 5, 6, 7, 8, 9), ""]),
        ((0, 0), (8, len(TEXT.rsplit("\n", maxsplit=1)[-1])), [TEXT]),
        ((3, 4), (3, 6), ["g:"]),
        ((2, 4), (2, 6), ["e:"]),
    ],
)
def test_a_copied_selection_has_what_is_folded_in_it(
    view: ProgramView, start: tuple[int, int], end: tuple[int, int], copied: list[str]
) -> None:
    text = show(view, PROGRAM)
    cursor = text.textCursor()
    for (row, column), mode in zip(
        (start, end), (QTextCursor.MoveMode.MoveAnchor, QTextCursor.MoveMode.KeepAnchor), strict=True
    ):
        cursor.setPosition(text.document().findBlockByNumber(row).position() + column, mode)
    text.setTextCursor(cursor)
    QTest.keyClick(text, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "\n".join(copied)


@pytest.mark.parametrize("odd", ["😀", "\t", "\r", "\u2028", "\x0c", "\x85"])
def test_odd_characters_move_no_line_and_are_copied_as_they_are(view: ProgramView, odd: str) -> None:
    odd_text = TEXT.replace("length=5", f"name='{odd}{odd}' length=5")
    text = show(view, Program("jaxpr", odd_text, EQUATIONS, LINES))
    assert len(rows(text)) == len(SHOWN)
    text.selectAll()
    assert text.selected_text() == odd_text


# -- focus --------------------------------------------------------------------------------------------------------


def test_a_folded_line_is_marked_for_what_it_hides(view: ProgramView) -> None:
    text = show(view, PROGRAM)
    view.show_marks(Marks(Focus("equation", 2, "f"), frozenset({4}), {"f": frozenset({2})}))
    assert text.marks.marked == {2}
    put_cursor(text, 2)
    QTest.keyClick(text, Qt.Key.Key_Space)
    assert text.marks.marked == {5}


def test_what_a_story_points_at_comes_out_of_its_folds(view: ProgramView) -> None:
    text = show(view, PROGRAM)
    focus = Focus("equation", 2, "f")
    view.show_marks(Marks(focus, frozenset({4}), {"f": frozenset({2})}))
    assert text.marks.marked == {2}
    view.show_pointed(focus)
    assert text.marks.marked == {5}
    view.show_pointed(Focus("equation", 2, "another"))
    assert text.marks.marked == {5}


@pytest.mark.parametrize(("lit", "marked"), [({2}, {5}), ({1, 2}, {2}), (set(), set())])
def test_a_finding_opens_the_fold_that_hides_all_of_it(view: ProgramView, lit: set[int], marked: set[int]) -> None:
    text = show(view, PROGRAM)
    view.show_marks(Marks(Focus("finding", 0, "f"), frozenset({4}), {"f": frozenset(lit)}))
    assert text.marks.marked == marked


def test_a_click_on_a_line_below_a_fold_chooses_its_own_equation(view: ProgramView, qtbot: QtBot) -> None:
    text = show(view, PROGRAM)
    with qtbot.waitSignal(view.focus_requested) as asked:
        put_cursor(text, 7)
    assert asked.args == [Focus("equation", 5, "f")]


@pytest.mark.parametrize(
    ("stretches", "lit"),
    [([], set()), ([(0, 0)], {0}), ([(5, 5)], {2}), ([(4, 9)], {2}), ([(10, 13), (1, 1)], {0, 3, 4, 5, 6})],
)
def test_stretches_of_the_text_are_found_on_screen(stretches: list[tuple[int, int]], lit: set[int]) -> None:
    folding = FoldState()
    folding.take(PROGRAM)
    assert folding.shown().rows_over(stretches) == lit


# -- edits --------------------------------------------------------------------------------------------------------


def test_lines_that_come_in_above_move_neither_what_is_read_nor_the_selection(view: ProgramView) -> None:
    text = show(view, long_jaxpr(300))
    text.verticalScrollBar().setValue(100)
    cursor = text.textCursor()
    cursor.setPosition(text.document().findBlockByNumber(105).position() + 4)
    cursor.setPosition(cursor.position() + 8, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    text.verticalScrollBar().setValue(100)
    top, selected = text.firstVisibleBlock().text(), text.textCursor().block().text()
    longer = long_jaxpr(300).text.replace("let\n", "let\n    c:f32[5] = sin a\n    d:f32[5] = sin c\n", 1)
    show(view, Program("jaxpr", longer, long_jaxpr(300).equations, long_jaxpr(300).lines))
    assert text.firstVisibleBlock().text() == top
    assert text.textCursor().block().text() == selected
    assert text.textCursor().selectedText() == "b:f32[5]"


def test_the_number_of_hidden_lines_opens_them_in_a_wide_and_in_a_narrow_pane(view: ProgramView) -> None:
    for width in (900, 160):
        view.resize(width, 400)
        text = show(view, PROGRAM)
        place = text.end_of(2).center().toPoint()
        assert text.viewport().rect().contains(place)
        QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert lines(5)[0] in rows(text)
        put_cursor(text, 2)
        QTest.keyClick(text, Qt.Key.Key_Space)
        assert rows(text) == lines(*SHOWN)


# -- the folds of each form, and of a long program --------------------------------------------------------------------


STABLEHLO = """module @jit_f {
  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0:2 = stablehlo.while(%a = %arg0) : tensor<f32>
    cond {
      %1 = stablehlo.compare LT
      stablehlo.return %1
    } do {
      %1 = stablehlo.add
      stablehlo.return %1
    }
    return %0
  }
  func.func private @_normal(%arg0: tensor<f32>) {
    %0 = stablehlo.add
    return %0
  }
}
"""
COMPILED = """HloModule jit_f

FileNames
1 "a"
2 "b"

%fused (a: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %b = f32[] add(%a, %a)
}

ENTRY %main (a: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %b = f32[] fusion(%a)
}
"""


@pytest.mark.parametrize(
    ("form", "whole", "hidden"), [("stablehlo", STABLEHLO, [13, 14, 15]), ("hlo", COMPILED, [3, 4, 7, 8, 9])]
)
def test_functions_that_others_call_begin_folded(form: Form, whole: str, hidden: list[int]) -> None:
    folding = FoldState()
    folding.take(Program(form, whole))
    assert sorted(set(range(whole.count("\n") + 1)) - set(folding.shown().rows)) == hidden


def test_a_short_program_has_no_tables_of_metadata() -> None:
    folding = FoldState()
    folding.short = True
    folding.take(Program("hlo", COMPILED))
    assert [COMPILED.splitlines()[row] for row in folding.shown().rows[:3]] == [
        "HloModule jit_f",
        "",
        "%fused (a: f32[]) -> f32[] {",
    ]


@pytest.mark.parametrize(("form", "whole"), [("stablehlo", STABLEHLO), ("hlo", COMPILED)])
def test_folding_all_leaves_the_outermost_open(form: Form, whole: str) -> None:
    folding = FoldState()
    folding.take(Program(form, whole))
    folding.toggle_all(closed=True)
    heads = [whole.split("\n")[row] for row in folding.shown().rows]
    assert any(head.startswith(("  func.func public", "ENTRY")) for head in heads)
    folding.toggle_all(closed=False)
    assert folding.shown().text == whole
