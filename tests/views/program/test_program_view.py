"""The program pane: JAX's text, its forms, and the words about it."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.messages import TOP_LEVEL, Cost, Failure, Focus, Marks, Program, Report, Snapshot, Span
from tests.views.program.shown import (
    FAILURE,
    HLO,
    PROGRAM,
    SINE,
    TEXT,
    button,
    click_row,
    halves,
    labels,
    long_program,
    notice_of,
    snapshot,
    text_of,
)
from views.parts.tabs import TabButton
from views.program.program_half import ProgramHalf
from views.program.program_view import ProgramView
from views.theme import LIGHT, apply_to_tree, chosen

STAGE = chosen("light", 1.2, 1.0, 1.0)


WAITING = "Waiting for the program…"
TOP, OTHER = Report(TOP_LEVEL, "ok"), Report("other")


@pytest.mark.parametrize(
    ("reports", "complete", "words"),
    [
        ((), False, WAITING),
        ((), True, "There is no variant to show."),
        ((OTHER,), False, WAITING),
        ((TOP,), False, "The script itself calls no function of its own with arrays"),
        ((TOP,), True, "The script itself calls no function of its own with arrays"),
    ],
)
def test_what_has_no_program_leaves_nothing_of_the_one_before_and_says_why(
    view: ProgramView, reports: tuple[Report, ...], complete: bool, words: str
) -> None:
    verdicts: list[str] = []
    view.verdict_changed.connect(verdicts.append)
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(Snapshot(2, "cpu:0", complete, reports=reports))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == ""
    assert notice_of(half).startswith(words)
    assert reports or verdicts[-1] == ""


def test_a_script_shows_the_program_of_its_function_under_the_name_of_that(view: ProgramView) -> None:
    of_script = Report(TOP_LEVEL, "ok", program=PROGRAM, subject="update")
    before = msgspec.structs.replace(of_script, name=f"{TOP_LEVEL} as it was")
    view.show_snapshot(Snapshot(1, "cpu:0", complete=True, reports=(of_script, before)))
    assert [half.accessibleName() for half in halves(view)] == ["Program of update", "Program of update as it was"]


def test_the_text_and_its_lines_are_shown_copied_exactly_and_kept_until_there_is_another(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == TEXT
    assert [text_of(half).marks.origin(row) for row in range(7)] == [0, 3, 5, 4, 5, 5, 0]
    assert notice_of(half) == ""
    text_of(half).selectAll()
    text_of(half).copy()
    assert QGuiApplication.clipboard().text() == TEXT
    view.show_snapshot(snapshot(None))
    assert text_of(halves(view)[0]).toPlainText() == TEXT
    assert notice_of(halves(view)[0]) == ""


def test_on_a_stage_one_of_two_programs_is_shown_at_a_time(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM, HLO))
    assert not view.show_other_half()
    apply_to_tree(view, STAGE)
    assert [half.accessibleName() for half in halves(view)] == ["Program of f"]
    assert "<b>f</b> · Tab: g" in labels(view)
    assert view.show_other_half()
    assert [half.accessibleName() for half in halves(view)] == ["Program of g"]
    view.show_pointed(Focus("equation", 0, "f"))
    assert [half.accessibleName() for half in halves(view)] == ["Program of f"]
    apply_to_tree(view, LIGHT)
    assert len(halves(view)) == 2


def test_on_a_stage_a_program_is_short_and_as_large_as_its_room_lets_it_be(view: ProgramView) -> None:
    view.show_snapshot(snapshot(HLO))
    apply_to_tree(view, STAGE)
    (half,) = halves(view)
    assert text_of(half).toPlainText() == "HloModule\n\n  %a = f32[] add(%b, %c)\n"
    for width, is_larger in ((1000, True), (250, False), (1000, True)):
        view.resize(width, 300)
        QApplication.processEvents()
        assert (text_of(half).font().pointSizeF() > STAGE.mono_font().pointSizeF()) == is_larger
    apply_to_tree(view, LIGHT)
    assert text_of(half).toPlainText() == HLO.text
    apply_to_tree(view, STAGE)
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, text=HLO.text * 30)))
    assert text_of(half).font().pointSizeF() == STAGE.mono_font().pointSizeF()


@pytest.mark.parametrize(("width", "height", "below"), [(500, 600, True), (1600, 600, False)], ids=str)
def test_two_programs_stand_below_each_other_where_their_lines_have_no_room_otherwise(
    view: ProgramView, qtbot: QtBot, width: int, height: int, below: bool
) -> None:
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    view.resize(width, height)
    first, second = halves(view)

    def is_below() -> tuple[bool, bool]:
        one, other = first.mapTo(view, QPoint()), second.mapTo(view, QPoint())
        return other.y() > one.y(), other.x() > one.x()

    qtbot.waitUntil(lambda: is_below() == (below, not below))
    view.show_snapshot(snapshot(PROGRAM))
    qtbot.waitUntil(lambda: halves(view)[0].height() > height / 2)


def test_two_programs_stand_behind_tabs_in_a_small_pane(view: ProgramView, qtbot: QtBot) -> None:
    view.resize(452, 270)
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    assert [half.accessibleName() for half in halves(view)] == ["Program of f"]
    QTest.mouseClick(button(view, "g"), Qt.MouseButton.LeftButton)
    assert [half.accessibleName() for half in halves(view)] == ["Program of g"]
    assert text_of(halves(view)[0]).viewport().height() >= 8 * text_of(halves(view)[0]).fontMetrics().height()
    view.show_marks(Marks(Focus("equation", 0, "f")))
    assert [half.accessibleName() for half in halves(view)] == ["Program of f"], "what is selected is seen"
    view.resize(1600, 600)
    qtbot.waitUntil(lambda: len(halves(view)) == 2)


def test_a_short_program_is_seen_whole_next_to_a_very_long_one(view: ProgramView, qtbot: QtBot) -> None:
    long = Program("jaxpr", "\n".join(f"    b{row} = sin a" for row in range(200)), lines=(0,) * 200)
    view.show_snapshot(snapshot(PROGRAM, long))
    view.resize(500, 600)
    short, other = (text_of(half) for half in halves(view))
    qtbot.waitUntil(lambda: short.mapTo(view, QPoint()).y() < other.mapTo(view, QPoint()).y())
    qtbot.waitUntil(lambda: short.viewport().height() >= len(TEXT.splitlines()) * short.fontMetrics().height())


def test_what_cannot_be_traced_is_explained_and_html_in_a_message_is_shown_as_it_is(view: ProgramView) -> None:
    view.show_snapshot(snapshot(Program("jaxpr", "", failure=FAILURE)))
    words = notice_of(halves(view)[0])
    assert words.splitlines()[0] == "There is no jaxpr: TracerBoolConversionError on line 7"
    assert "So if cannot decide." in words
    assert "of bool[]" in words
    view.show_snapshot(snapshot(Program("jaxpr", "", failure=Failure("ValueError", "<b>key<fry>[]</b>"))))
    assert "<b>key<fry>[]</b>" in notice_of(halves(view)[0])


def test_code_that_cannot_run_keeps_the_last_text_and_says_so(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    view.show_snapshot(snapshot(failure=Failure("SyntaxError", "bad", Span(2, 0, 2, 1), "Look at the place.")))
    (half,) = halves(view)
    assert text_of(half).toPlainText() == TEXT
    assert notice_of(half) == "SyntaxError on line 2. The last jaxpr is shown below."
    view.show_snapshot(snapshot(PROGRAM))
    assert notice_of(half) == ""


@pytest.mark.parametrize(
    ("programs", "verdict"),
    [
        ((PROGRAM,), "2 equations (1 more inside)"),
        ((msgspec.structs.replace(PROGRAM, equations=(SINE,)),), "1 equation"),
        ((HLO,), "3 lines"),
        ((Program("stablehlo", "row\n" * 12_345),), "12,345 lines"),
        ((PROGRAM, msgspec.structs.replace(PROGRAM, equations=(SINE,))), "2 equations (1 more inside) | 1 equation"),
        ((Program("jaxpr", "", failure=FAILURE),), "none: TracerBoolConversionError"),
    ],
)
def test_the_verdict_counts(view: ProgramView, qtbot: QtBot, programs: tuple[Program, ...], verdict: str) -> None:
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(*programs))
    assert emitted.args == [verdict]
    with qtbot.assertNotEmitted(view.verdict_changed):
        view.show_snapshot(snapshot(*programs))


# -- other forms -------------------------------------------------------------------------------------------------


def test_choosing_a_form_asks_for_it_and_waits_with_the_old_text(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.form_requested) as asked:
        QTest.mouseClick(button(view, "HLO"), Qt.MouseButton.LeftButton)
    assert asked.args == ["hlo"]
    assert notice_of(halves(view)[0]) == "Waiting for the optimised HLO…"
    view.show_snapshot(snapshot(PROGRAM))
    assert button(view, "HLO").isChecked()
    view.show_snapshot(snapshot(HLO))
    assert notice_of(halves(view)[0]) == ""
    assert text_of(halves(view)[0]).toPlainText() == HLO.text


def test_a_backend_that_does_not_print_its_program_is_reported_so(view: ProgramView) -> None:
    view.show_snapshot(snapshot(Program("hlo", "", cost=Cost())))
    assert notice_of(halves(view)[0]) == (
        "The compiler for this device does not print its program. The other forms are available."
    )
    view.show_snapshot(snapshot(HLO))
    assert notice_of(halves(view)[0]) == ""


def test_a_form_that_cannot_be_made_is_reported_with_its_reason_above_the_one_that_is_shown(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    button = next(each for each in view.findChildren(TabButton) if "HLO" in each.text() and each.text() != "StableHLO")
    button.click()
    missing = Failure("NotImplementedError", "no rule for mine", Span(13, 0, 13, 2))
    view.show_snapshot(snapshot(Program("hlo", "", failure=missing)))
    emitted = notice_of(halves(view)[0]).splitlines()
    assert emitted[0] == "There is no optimised HLO: NotImplementedError on line 13. The jaxpr is shown below."
    assert emitted[-1] == "no rule for mine"


def test_the_cost_stands_below_the_compiled_program_only(view: ProgramView) -> None:
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, cost=Cost(flops=5.0))))
    assert [each for each in labels(view) if each.startswith("One call: 5 floating-point operations")]
    view.show_snapshot(snapshot(PROGRAM))
    assert not [each for each in labels(view) if each.startswith("One call")]


# -- what a focus lights up, and what a click chooses -----------------------------------------------------------------


@pytest.mark.parametrize(("row", "equation"), [(1, 0), (2, 1), (3, 2), (4, 1), (5, 1)])
def test_a_click_chooses_the_innermost_equation(view: ProgramView, qtbot: QtBot, row: int, equation: int) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], row)
    assert asked.args == [Focus("equation", equation, "f")]


def test_a_click_on_no_equation_asks_for_nothing_and_arrow_keys_choose_one(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(PROGRAM))
    with qtbot.assertNotEmitted(view.focus_requested):
        click_row(halves(view)[0], 0)
    with qtbot.waitSignal(view.focus_requested) as asked:
        QTest.keyClick(text_of(halves(view)[0]), Qt.Key.Key_Down)
    assert asked.args == [Focus("equation", 0, "f")]


def marked_rows(half: ProgramHalf) -> list[int]:
    return sorted(text_of(half).marks.marked)


def test_marked_equations_are_outlined_with_all_their_lines(view: ProgramView) -> None:
    view.show_snapshot(snapshot(PROGRAM, PROGRAM))
    view.show_marks(Marks(Focus("line", 5), frozenset({5}), {"f": frozenset({1}), "g": frozenset({0, 99})}))
    assert [marked_rows(half) for half in halves(view)] == [[2, 3, 4, 5], [1]]
    view.show_marks(Marks())
    assert [marked_rows(half) for half in halves(view)] == [[], []]


def test_marks_stay_when_the_program_changes(view: ProgramView) -> None:
    view.show_marks(Marks(Focus("equation", 0, "f"), frozenset(), {"f": frozenset({0})}))
    view.show_snapshot(snapshot(PROGRAM))
    assert marked_rows(halves(view)[0]) == [1]
    view.show_snapshot(snapshot(msgspec.structs.replace(PROGRAM, text=TEXT.replace("sin", "cos"))))
    assert marked_rows(halves(view)[0]) == [1]


def test_in_hlo_the_lines_of_the_focus_are_marked_and_a_click_asks_for_one(view: ProgramView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(HLO))
    assert button(view, "HLO").isChecked()
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert marked_rows(halves(view)[0]) == [2]
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(halves(view)[0], 2)
    assert asked.args == [Focus("line", 3, "f")]


def test_hlo_opens_where_what_is_run_begins_and_a_focus_prefers_that_part(view: ProgramView) -> None:
    before = [f"  %{row} = f32[] add(%b, %c)" for row in range(100)]
    text = "\n".join([*before, "ENTRY %main {", *before, "}"])
    lines = (*[3] * 100, 0, *[3] * 100, 0)
    view.show_snapshot(snapshot(msgspec.structs.replace(HLO, text=text, lines=lines)))
    bar = text_of(halves(view)[0]).verticalScrollBar()
    assert bar.value() == 100
    view.show_marks(Marks(Focus("line", 3), frozenset({3})))
    assert bar.value() == 100


@pytest.mark.parametrize(("library", "top"), [(3, 0), (100, 100)])
def test_a_jaxpr_opens_where_the_code_of_the_user_begins(view: ProgramView, library: int, top: int) -> None:
    long = long_program()
    lines = tuple(0 if row < library else 3 for row in range(len(long.lines)))
    view.show_snapshot(snapshot(msgspec.structs.replace(long, lines=lines)))
    assert text_of(halves(view)[0]).verticalScrollBar().value() == top


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
