"""The rows of the time lens, before and after a measurement."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from explorer.figures.shares import share_text
from explorer.messages import Focus, Marks
from explorer.messages.lenses.time import MEASURE, LineShare, TimeLens
from explorer.text.text import Text
from tests.views.program.lenses.lens_answers import answer_with, opened, table_of
from views.program.lenses.page import LensPage
from views.program.lenses.table_records import as_text
from views.program.lenses.time_rows import summary, table
from views.program.notice import Notice
from views.program.program_view import ProgramView
from views.theme import chosen

TIME = TimeLens(
    measured=True,
    shares=(
        LineShare((3,), 0.62, 0.59, 0.64, ("dot_general",)),
        LineShare((4, 5), 0.36, None, None, ("mul", "sin")),
        LineShare((), 0.0004, 0.0003, 0.0005, ("copy",)),
    ),
    calls=20,
    operation_s=0.004,
)


def offered(page: LensPage) -> QPushButton:
    (found,) = (each for each in page.findChildren(QPushButton) if each.isVisible())
    return found


def test_each_row_has_a_share_and_a_fusion_names_all_its_lines() -> None:
    assert as_text(table(TIME), []).splitlines() == [
        "\tshare\toperations",
        "3\t62 % ± 3\tdot_general",
        "4\t36 %\tlines 4, 5 together: mul, sin",
        "\t<0.1 % ± <0.1\twithout a line: copy",
    ]
    assert [row.cells[0].bar for row in table(TIME).rows] == [0.62, 0.36, 0.0004]
    one_call, fusion, overlap = (each.text for each in summary(TIME))
    assert one_call == "One call: 4.00 ms of operation time, the median of 20 calls under JAX's profiler."
    assert "not split" in fusion
    assert "overlap" in overlap


@pytest.mark.parametrize("width", [560, 640, 1280])
def test_on_a_stage_no_figure_is_broken_and_the_words_end_with_a_sentence(view: ProgramView, width: int) -> None:
    (page,) = opened(view, answer_with(TIME))
    view.apply_theme(chosen("light", 2.0, 1.0, 1.0))
    view.resize(width, 240)
    shares, delegate = table_of(page), table_of(page).itemDelegate()
    assert [delegate.lines_of(row.cells[0], shares.columnWidth(1)) for row in table(TIME).rows] == [1, 1, 1]
    below = next(each for each in page.findChildren(Notice) if each.accessibleName() == "About the table")
    said = below.toPlainText()
    assert said.startswith(summary(TIME)[0].text)
    assert said.endswith(".")
    assert below.height_of_words() <= page.height() / 4


def test_a_share_keeps_one_digit_where_it_is_small() -> None:
    assert share_text(LineShare((1,), 0.004, 0.0035, 0.005)) == "0.4 % ± 0.1"


def test_the_editor_gets_the_share_of_each_line_or_its_bounds_and_again_after_each_measurement(
    view: ProgramView, qtbot: QtBot
) -> None:
    of_4 = LineShare((4,), 0.02, None, None, ("sin",))
    lens = msgspec.structs.replace(TIME, shares=(*TIME.shares, of_4))
    with qtbot.waitSignal(view.costs_changed) as told:
        opened(view, answer_with(lens))
    (costs,) = told.args or ()
    assert {line: (cost.share, cost.most, cost.text) for line, cost in costs.items()} == {
        3: (0.62, 0.62, "62 %"),
        4: (0.02, 0.38, "2\N{EN DASH}38 %"),
        5: (0.0, 0.36, "\N{LESS-THAN OR EQUAL TO}36 %"),
    }
    assert costs[3].tip == "62 % ± 3 of the operation time"
    assert costs[5].tip == "lines 4, 5 together: 36 % of the operation time"
    # Its lines may have been edited in between.
    with qtbot.waitSignal(view.costs_changed):
        view.show_lenses([answer_with(lens)])
    with qtbot.waitSignal(view.costs_changed) as told:
        view.look_through("")
    assert told.args == [{}]


def test_nothing_is_measured_before_the_button_is_pressed(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(TimeLens(sentence=Text("Not measured yet."))))
    button = offered(page)
    with qtbot.waitSignal(view.rerun_requested) as asked:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (asked.args, button.text()) == ([MEASURE], "Measure")
    view.show_lenses([answer_with(TIME)])
    assert offered(page).text() == "Measure again"


def test_a_line_lights_up_the_rows_that_compute_it(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(TIME))
    for line, rows in ((3, {0}), (5, {1}), (9, set())):
        view.show_marks(Marks(focus=Focus("line", line, "f"), lines=frozenset({line})))
        assert table_of(page).lit == rows
