"""The equations of the program that a focus lights up, and those that a click chooses."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from tests.views.program.shown import HLO, PROGRAM, TEXT, click_row, halves, long_program, snapshot, text_of
from views.program.program_half import ProgramHalf
from views.program.program_view import ProgramView


@pytest.mark.parametrize(("row", "equation"), [(1, 0), (2, 1), (3, 2), (4, 1), (5, 1)])
def test_a_click_chooses_the_innermost_equation(view: ProgramView, qtbot: QtBot, row: int, equation: int) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], row)
    assert asked.args == [Focus("equation", equation, "f")]


def test_a_click_on_no_equation_asks_for_nothing(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.assertNotEmitted(view.focus_requested):
        click_row(halves(view)[0], 0)


def test_arrow_keys_choose_equations_too(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.focus_requested) as asked:
        QTest.keyClick(text_of(halves(view)[0]), Qt.Key.Key_Down)
    assert asked.args == [Focus("equation", 0, "f")]


def test_a_click_in_hlo_asks_for_the_code_line(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(HLO))
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], 2)
    assert asked.args == [Focus("line", 3, "f")]


def bold_rows(half: ProgramHalf) -> list[int]:
    document = text_of(half).document()
    return [
        row
        for row in range(document.blockCount())
        if any(
            each.format.fontWeight() == QFont.Weight.Bold for each in document.findBlockByNumber(row).layout().formats()
        )
    ]


def test_marked_equations_are_bold_with_all_their_lines(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    view.show_marks(Marks(Focus("line", 5), frozenset({5}), {"f": frozenset({1}), "g": frozenset({0, 99})}))
    assert [bold_rows(half) for half in halves(view)] == [[2, 3, 4, 5], [1]]
    view.show_marks(Marks())
    assert [bold_rows(half) for half in halves(view)] == [[], []]


def test_marks_stay_when_the_program_changes(view: ProgramView) -> None:
    view.show_marks(Marks(Focus("equation", 0, "f"), frozenset(), {"f": frozenset({0})}))
    view.show_snapshot(snapshot(PROGRAM))
    assert bold_rows(halves(view)[0]) == [1]
    view.show_snapshot(snapshot(msgspec.structs.replace(PROGRAM, text=TEXT.replace("sin", "cos"))))
    assert bold_rows(halves(view)[0]) == [1]


def test_in_hlo_the_lines_of_the_focus_are_marked(view: ProgramView) -> None:
    view.show_snapshot(snapshot(HLO))
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert bold_rows(halves(view)[0]) == [2]


def test_hlo_opens_where_what_is_run_begins_and_a_focus_prefers_that_part(view: ProgramView) -> None:
    before = [f"  %{row} = f32[] add(%b, %c)" for row in range(100)]
    text = "\n".join([*before, "ENTRY %main {", *before, "}"])
    lines = (*[3] * 100, 0, *[3] * 100, 0)
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, text=text, lines=lines)))
    bar = text_of(halves(view)[0]).verticalScrollBar()
    assert bar.value() == 100
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert bar.value() == 100


def test_a_one_line_change_keeps_the_scroll_position_and_touches_one_line(view: ProgramView) -> None:
    view.show_snapshot(snapshot(long_program()))
    text = text_of(halves(view)[0])
    text.verticalScrollBar().setValue(100)
    changes: list[tuple[int, int, int]] = []
    text.document().contentsChange.connect(lambda *change: changes.append(change))
    view.show_snapshot(snapshot(long_program("2.5")))
    assert text.verticalScrollBar().value() == 100
    assert text.toPlainText() == long_program("2.5").text
    assert sum(added for _, _, added in changes) < 10


def test_a_new_focus_scrolls_once_and_one_chosen_here_does_not(view: ProgramView) -> None:
    view.show_snapshot(snapshot(long_program()))
    bar = text_of(halves(view)[0]).verticalScrollBar()
    marks = Marks(Focus("line", 201), frozenset({201}), {"f": frozenset({200})})
    view.show_marks(marks)
    assert bar.value() > 150
    bar.setValue(0)
    view.show_marks(marks)
    view.show_snapshot(snapshot(long_program()))
    assert bar.value() == 0
    view.show_marks(Marks(Focus("equation", 250, "f"), frozenset({251}), {"f": frozenset({250})}))
    assert bar.value() == 0
