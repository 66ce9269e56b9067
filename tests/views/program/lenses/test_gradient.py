"""The rows of the gradient, and their columns."""

from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from explorer.messages import Edit, Fix, Span
from explorer.messages.lenses.gradient import (
    FIND_FIX,
    MEASURE,
    GradientCost,
    GradientCosts,
    GradientLens,
    GradientRows,
    TimeRatio,
)
from tests.views.program.lenses.lens_answers import GRADIENT, answer_with, opened
from views.program.lenses.gradient_rows import Both, cost_pieces, offers, summary, table
from views.program.lenses.page import LensPage
from views.program.lenses.table_records import Row, as_text
from views.program.lenses.view import Seen
from views.program.program_view import ProgramView

ROWS = """\
 | forward ↓ | kept: 1.04 KiB | backward ↑ reads upwards
 | w | 32 B f32[8] | gradient of w
 | x |  | gradient of x
 | n |  | n holds integers.
3 | sin f32[5] |  | mul NaN first appears here f32[5]
3 |  |  | computed again cos f32[5]
3 | cos f32[5] for backward | 1 KiB f32[5]
3 |  | 8 B f32[2]
5 | custom_vjp_call clip rule: line 2 f32[] |  | min rule of clip, line 2 f32[5]
5 |  |  | scan f32[5]
4 |   mul f32[]
6 | stop_gradient f32[] |  | A constant to the backward pass.
6 |  |  | neg f32[]
"""


def rows() -> tuple[Row, ...]:
    return table(GRADIENT).rows


def test_each_row_has_what_it_keeps_and_what_undoes_it_read_upwards() -> None:
    assert as_text(table(GRADIENT), ()).replace("\t", " | ") == ROWS


def test_bars_are_as_long_as_the_bytes_are_many() -> None:
    assert [row.cells[1].bar for row in rows() if row.cells[1].bar] == [1 / 32, 1.0, 8 / 1024]
    beside_a_larger = table(GRADIENT, Seen(shared=Both(2048))).rows
    assert [row.cells[1].bar for row in beside_a_larger if row.cells[1].bar] == [1 / 64, 0.5, 8 / 2048]


def test_what_is_wrong_where_the_flow_ends_and_what_is_added_have_their_tones() -> None:
    assert [piece.tone for piece in rows()[3].cells[2].pieces] == ["bug code", "bug", "bug code"]
    assert rows()[2].cells[2].pieces[0].tone == rows()[10].cells[2].pieces[0].tone == "dim"
    assert rows()[10].cells[0].pieces[0].tone == rows()[5].cells[0].pieces[0].tone == "dim code"


def test_below_stand_the_figures_and_what_the_check_says_the_bug_first() -> None:
    assert [piece.text for piece in summary(GRADIENT)] == [
        "Line 3: NaN first appears here.",
        "Arrays kept: 3, together 1.04 KiB.",
        "Equations computed again: 1.",
        "The gradient of the sum.",
        "Agree to 5 digits.",
    ]
    disagreeing = msgspec.structs.replace(GRADIENT, check=msgspec.structs.replace(GRADIENT.check, agrees=False))
    assert summary(disagreeing)[-1].tone == "note"


def test_an_argument_whose_gradient_is_not_finite_says_so() -> None:
    lens = msgspec.structs.replace(GRADIENT, not_finite=("x",))
    cells = [row.cells[2] for row in table(lens).rows[:2]]
    assert [cell.text for cell in cells] == ["gradient of w", "gradient of x: NaN or inf"]
    assert [cell.pieces[0].tone for cell in cells] == ["words", "bug"]


# -- what is offered below the rows -----------------------------------------------------------------------------------


FIX = Fix("Replace x, too", (Edit(Span(3, 0, 3, 1), "x", "jnp.where(x > 0, x, 1.0)"),))


def not_finite(**changes: object) -> GradientLens:
    first = msgspec.structs.replace(GRADIENT.first_not_finite, **changes)
    return msgspec.structs.replace(GRADIENT, first_not_finite=first)


def buttons(page: LensPage) -> list[QPushButton]:
    """Return the buttons of a page except the last one, which measures."""
    shown = [each for each in page.findChildren(QPushButton) if each.isVisible()]
    assert shown[-1].text().startswith("Measure")
    return shown[:-1]


def test_a_fix_is_looked_for_once_and_again_when_that_came_to_nothing(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(not_finite(may_have_fix=True)))
    (button,) = buttons(page)
    with qtbot.waitSignal(view.rerun_requested) as asked:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (asked.args, button.text(), button.isEnabled()) == ([FIND_FIX], "Look for a fix", False)
    view.show_lenses([answer_with(not_finite(may_have_fix=True), sentence="It was stopped.")])
    assert buttons(page)[0].isEnabled()
    assert "It was stopped." in page.text()


def test_a_fix_that_was_found_is_made_by_its_button(view: ProgramView, qtbot: QtBot) -> None:
    (page,) = opened(view, answer_with(not_finite(may_have_fix=True, fixes=(FIX,))))
    (button,) = buttons(page)
    assert button.text() == FIX.label
    with qtbot.waitSignal(view.fix_chosen) as chosen:
        QTest.keyClick(button, Qt.Key.Key_Space)
    assert chosen.args == [FIX]


def test_without_a_fix_a_sentence_says_so_and_there_is_no_button(view: ProgramView) -> None:
    nothing = not_finite(may_have_fix=True, fixes=())
    (page,) = opened(view, answer_with(nothing))
    assert buttons(page) == []
    assert [each.text for each in summary(nothing)][1] == "None of the changes tried makes the gradient finite."
    view.show_lenses([answer_with(GRADIENT)])
    assert buttons(page) == []


COSTS = GradientCosts(
    (GradientCost("f", 1064, 2048, 512, 256, 4096, 0.002, 31), GradientCost("g", 532, 1024, 512, 256, 4096, 0.001, 62)),
    TimeRatio(2.0, 1.9, 2.1),
)


def test_what_was_measured_is_reported_on_the_page_of_each_variant(view: ProgramView, qtbot: QtBot) -> None:
    measured = msgspec.structs.replace(GRADIENT, costs=COSTS)
    first, second = opened(view, answer_with(measured), answer_with(GRADIENT, "g"), names="fg")
    against = "f compared with g: arrays kept × 2, temporary memory × 2, memory at one time × 1, time × 2."
    assert "Value and gradient under jit: 2.00 ms (median of 31)." in first.text()
    memory = "XLA reports its memory: temporary 1 KiB, outputs 512 B, arguments 256 B, at most 4 KiB at one time."
    assert memory in second.text()
    assert against in first.text()
    assert against in second.text()
    (again,) = (each for each in second.findChildren(QPushButton) if each.isVisible())
    assert again.text() == "Measure again"
    with qtbot.waitSignal(view.rerun_requested) as asked:
        again.click()
    assert asked.args == [MEASURE]


def test_times_that_may_be_equal_and_unmeasured_ones_are_named() -> None:
    close = msgspec.structs.replace(COSTS, time_ratio=TimeRatio(1.01, 0.98, 1.03))
    assert cost_pieces(close, "f")[-1].text == "Their times do not differ measurably."
    none = GradientCosts((GradientCost("f", 8, sentence="It could not be measured."),))
    assert [each.text for each in cost_pieces(none, "f")] == ["It could not be measured."]
    assert cost_pieces(None, "f") == []


def _summed(summed: bool) -> GradientLens:
    return msgspec.structs.replace(GRADIENT, summed=summed)


def test_rows_are_offered_where_there_is_more_than_one() -> None:
    labels = [
        [each.label for each in offers(_summed(summed), Seen(is_mapped=mapped))]
        for summed, mapped in ((False, False), (True, False), (False, True), (True, True))
    ]
    examples = ["Gradient of each example", "Measure"]
    assert labels == [["Measure"], ["Jacobian", "Measure"], examples, examples]


def test_what_the_rows_are_is_reported_below_the_table() -> None:
    shown = msgspec.structs.replace(GRADIENT, rows=GradientRows(sentence="Too many."))
    assert "Too many." in [each.text for each in summary(shown)]
