"""What a lens offers below its table, and what reruns add to it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from explorer.messages import Focus, Marks
from explorer.messages.lenses import TIME, Cell, Extra, Lens, LineCost, Offer, Piece, Row
from tests.views.program.lenses.lens_answers import GRADIENT, ROWS, answer_with, opened, table, table_of
from views.program.lenses.page import LensPage
from views.program.notice import Notice
from views.program.program_view import ProgramView
from views.theme import apply_to_tree, chosen


def buttons(page: LensPage) -> list[QPushButton]:
    return [each for each in page.findChildren(QPushButton) if each.isVisible()]


def labels(page: LensPage) -> list[str]:
    return [each.text() for each in buttons(page)]


def test_rows_are_asked_for_once_and_again_when_that_came_to_nothing(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(GRADIENT))
    button = buttons(page)[0]
    with qtbot.waitSignal(view.rerun_requested) as asked:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (asked.args, button.text(), button.isEnabled()) == ([ROWS], "Jacobian", False)
    view.show_lenses([answer_with(GRADIENT, sentence="It was stopped.")])
    assert buttons(page)[0].isEnabled()
    assert "It was stopped." in page.text()


def test_rows_that_are_shown_may_be_asked_for_again(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(replace(GRADIENT, extra=Extra(sentence="Row i."))))
    assert labels(page) == ["Jacobian"]
    assert page.text().endswith("Row i.\n")


# -- time by line -----------------------------------------------------------------------------------------------------


def share(text: str, bar: float, operations: str, line: int, *others: int) -> Row:
    return Row((Cell((Piece(text),), bar=bar), Cell((Piece(operations, "dim code"),))), -1, line, other_lines=others)


SHARES = Lens(
    table=replace(
        table(
            share("62 % ± 3", 0.62, "dot_general", 3),
            share("36 %", 0.36, "lines 4, 5 together: mul, sin", 4, 5),
            share("<0.1 % ± <0.1", 0.0004, "without a line: copy", 0),
            headings=("share", "operations"),
        ),
        costs=(LineCost(0.62, 0.62, "62 %", "62 % ± 3 of the operation time", 3), LineCost(0.0, 0.36, "36 %", "", 5)),
    ),
    summary=(
        Piece("One call: 4.00 ms of operation time, the median of 20 calls under JAX's profiler.", "words"),
        Piece("A fusion computes several lines in one operation: its time is not split.", "words"),
        Piece("Operations on several threads overlap, so these are no shares of the time that passes.", "dim"),
    ),
    offers=(Offer("Measure again", "Runs it", TIME),),
)


def times(lens: Lens = SHARES) -> object:
    return answer_with(lens, name="time")


@pytest.mark.parametrize("width", [560, 640, 1280])
def test_on_a_stage_no_figure_is_broken_and_the_words_end_with_a_sentence(view: ProgramView, width: int) -> None:
    (page,) = opened(view, times())
    apply_to_tree(view, chosen("light", 2.0, 1.0, 1.0))
    view.resize(width, 240)
    shares, delegate = table_of(page), table_of(page).itemDelegate()
    assert [delegate.lines_of(row.cells[0], shares.columnWidth(1)) for row in SHARES.table.rows] == [1, 1, 1]
    below = next(each for each in page.findChildren(Notice) if each.accessibleName() == "About the table")
    said = below.toPlainText()
    assert said.startswith(SHARES.summary[0].text)
    assert said.endswith(".")
    assert below.height_of_words() <= page.height() / 4


def test_the_editor_gets_the_costs_and_again_after_each_measurement(view: ProgramView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.costs_changed) as told:
        opened(view, times())
    (costs,) = told.args or ()
    assert {line: (cost.share, cost.most, cost.text) for line, cost in costs.items()} == {
        3: (0.62, 0.62, "62 %"),
        5: (0.0, 0.36, "36 %"),
    }
    # Its lines may have been edited in between.
    with qtbot.waitSignal(view.costs_changed):
        view.show_lenses([times()])
    with qtbot.waitSignal(view.costs_changed) as told:
        view.look_through("")
    assert told.args == [{}]


def test_a_line_lights_up_the_rows_that_compute_it(view: ProgramView) -> None:
    (page,) = opened(view, times())
    for line, rows in ((3, {0}), (5, {1}), (9, set())):
        view.show_marks(Marks(focus=Focus("line", line, "f"), lines=frozenset({line})))
        assert table_of(page).lit == rows
