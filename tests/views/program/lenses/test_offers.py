"""The offers below a lens: a fix is searched for on request, and applied when the user chooses it."""

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
from views.program.lenses import cost_words
from views.program.lenses.gradient_rows import offers, summary
from views.program.lenses.page import LensPage
from views.program.lenses.view import Seen
from views.program.program_view import ProgramView

FIX = Fix("Replace x, too", (Edit(Span(3, 0, 3, 1), "x", "jnp.where(x > 0, x, 1.0)"),))


def not_finite(**changes: object) -> GradientLens:
    assert GRADIENT.first_not_finite is not None
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
    (
        GradientCost("f", 1064, 2048, 512, 256, 4096, 0.002, 31),
        GradientCost("g", 532, 1024, 512, 256, 4096, 0.001, 62),
    ),
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
    assert cost_words.summary(close, "f")[-1].text == "Their times do not differ measurably."
    none = GradientCosts((GradientCost("f", 8, sentence="It could not be measured."),))
    assert [each.text for each in cost_words.summary(none, "f")] == ["It could not be measured."]
    assert cost_words.summary(None, "f") == []


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
