"""The code on stage: folded, enlarged, and whole again where someone types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Focus, Marks, Parameter, Report, Snapshot, Span, Variant
from explorer.messages.lenses import LineCost
from explorer.scenario.page import Page, PageExercise, PageQuestion
from explorer.session.controls import Controls
from views.code.code_view import CodeView
from views.code.staged_code import function_around, main_block

CODE = """def inputs(batch=64):
    return {"x": batch}

@f
def double(
    x,
):
    return 2 * x

if __name__ == "__main__":
    print(double(1))

    print(2)
"""


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[CodeView]:
    window, words = QWidget(), QLineEdit()
    qtbot.addWidget(window)
    window.resize(1000, 900)
    words.setParent(window)
    made = CodeView(window)
    made.setGeometry(0, 100, 900, 700)
    made.set_source(CODE)
    window.show()
    words.setFocus()
    yield made
    assert words.parent() is window, "it lives as long as the test"


def seen(view: CodeView) -> list[int]:
    """Return the rows that can be seen."""
    return [row for row, _ in view.text.visible_rows()]


def size(view: CodeView) -> float:
    return view.text.font().pointSizeF()


def test_a_key_for_the_code_puts_a_cursor_out_of_sight_on_the_marked_line(view: CodeView) -> None:
    view.set_source("\n" * 90 + CODE)
    view.put_on_stage(True)
    view.show_marks(Marks(Focus("line", 98), lines=(98,)))
    view.text.setFocus(Qt.FocusReason.ShortcutFocusReason)
    assert view.text.textCursor().block().text() == "    return 2 * x"


def test_code_that_only_runs_the_file_is_folded_with_a_note(view: CodeView) -> None:
    assert 12 in seen(view)
    view.put_on_stage(True)
    assert seen(view)[:10] == list(range(10))
    assert not {10, 11, 12} & set(seen(view))
    assert view.text.marks.counts == {9: "… 3 lines"}
    view.put_on_stage(False)
    assert 12 in seen(view)
    assert view.text.marks.counts == {}


def test_lines_that_only_run_the_file_are_shown_where_one_of_them_fails(view: CodeView, qtbot: QtBot) -> None:
    view.put_on_stage(True)
    view.show_snapshot(Snapshot(1, "cpu:0", True, failure=Failure("ValueError", "no", Span(11, 0, 11, 2))))
    qtbot.waitUntil(lambda: 10 in seen(view))
    assert view.text.marks.counts == {}


def test_where_the_user_types_everything_is_there_again(view: CodeView, qtbot: QtBot) -> None:
    view.put_on_stage(True)
    assert 12 not in seen(view)
    view.text.setFocus()
    qtbot.waitUntil(lambda: 12 in seen(view))
    qtbot.keyClicks(view.text, "#")
    assert 12 in seen(view)
    assert view.source() == "#" + CODE


def test_the_line_that_costs_most_by_the_open_lens_is_in_sight(view: CodeView, qtbot: QtBot) -> None:
    view.set_source("".join(f"x{row} = {row}\n" for row in range(200)))
    costs = {4: LineCost(0.1, 0.2, "10 %", ""), 150: LineCost(0.7, 0.7, "70 %", "")}
    view.show_costs(costs)
    assert 149 not in seen(view), "where one works, nothing scrolls by itself"
    view.put_on_stage(True)
    qtbot.waitUntil(lambda: 149 in seen(view))
    view.show_costs({4: costs[4]})
    assert 3 in seen(view)


def test_on_stage_the_line_that_fails_is_in_sight_whatever_is_selected_once_no_question_hides_it(
    view: CodeView, qtbot: QtBot
) -> None:
    view.set_source("".join(f"x{row} = {row}\n" for row in range(200)))
    view.put_on_stage(True)
    view.show_marks(Marks(Focus("line", 3), lines=frozenset({3})))
    view.hold_back(True)
    view.show_snapshot(Snapshot(1, "cpu:0", True, failure=Failure("ValueError", "no", Span(150, 0, 150, 2))))
    qtbot.wait(1)
    assert 149 not in seen(view)
    view.hold_back(False)
    assert 149 in seen(view)


def test_the_function_in_question_gets_as_large_as_there_is_room(view: CodeView) -> None:
    small = size(view)
    view.put_on_stage(True)
    variants = (Variant("double", 5, end_line=8),)
    view.show_snapshot(Snapshot(1, "cpu:0", True, variants=variants, reports=(Report("double", "ok"),)))
    large = size(view)
    assert small < large <= 1.6 * small + 0.01
    view.show_marks(Marks(Focus("line", 3), lines=frozenset({3})))
    assert size(view) == large, "an empty line is in no function"
    view.resize(200, 700)
    assert small <= size(view) < large
    view.resize(900, 700)
    view.show_marks(Marks(Focus("line", 1), lines=frozenset({1})))
    assert 0 in seen(view)
    view.put_on_stage(False)
    assert size(view) == small


def test_code_keeps_its_size_under_the_cursor(view: CodeView) -> None:
    view.put_on_stage(True)
    view.show_marks(Marks(Focus("line", 7), lines=frozenset({7})))
    large = size(view)
    view.text.setFocus()
    view.resize(300, 300)
    assert size(view) == large
    view.text.clearFocus()
    assert size(view) == large, "also when the keyboard leaves it"


def test_on_stage_the_function_of_a_marked_line_is_in_sight_from_its_first_line(view: CodeView) -> None:
    view.set_source(CODE + "x = 0\n" * 60)
    view.put_on_stage(True)
    view.show_marks(Marks(Focus("line", 7), lines=frozenset({7})))
    view.text.show_first(5)
    view.show_marks(Marks(Focus("line", 8), lines=frozenset({8})))
    assert {3, 7} <= set(seen(view))


def test_what_a_page_names_is_in_sight_with_the_function_in_question_where_both_fit(view: CodeView) -> None:
    for gap, fits in ((10, True), (200, False)):
        view.set_source("X = 1\n" * 90 + "def near():\n    return X\n" + "\n" * gap + CODE)
        view.put_on_stage(True)
        view.show_marks(Marks(Focus("line", 99 + gap), lines=frozenset({99 + gap})))
        view.show_page(Page(text="`near` calls `far`.", ask=PageQuestion(str(gap), ())))
        view.show_here()
        assert {95 + gap, 99 + gap} <= set(seen(view))
        assert (90 in seen(view)) == fits
    view.show_page(Page(tasks=(PageExercise("Change `near`.", done=False),)))
    assert {*view.on_stage.look_at(frozenset({98 + gap}), ())} == {90, 91}, "what an exercise changes comes first"
    view.on_stage.begin_exercise()
    assert 98 + gap in view.on_stage.look_at(frozenset({98 + gap}), ()), "then what was chosen for it"


def test_the_line_that_is_edited_stays_in_sight_when_its_error_goes(view: CodeView, qtbot: QtBot) -> None:
    view.set_source(CODE + "x = 0\n" * 90)
    view.put_on_stage(True)
    view.show_page(Page(tasks=(PageExercise("Change `double`.", done=False),)))
    view.show_snapshot(Snapshot(1, "cpu:0", True, failure=Failure("ValueError", "no", Span(90, 0, 90, 2))))
    view.text.setFocus()
    view.text.go_to(QTextCursor(view.text.document().findBlockByNumber(89)))
    view.show_marks(Marks(Focus("line", 90), lines=frozenset({90})))
    qtbot.keyClicks(view.text, "x")
    view.show_snapshot(Snapshot(2, "cpu:0", True, reports=(Report("double", "ok"),)))
    view.resize(700, 600)
    qtbot.wait(1)
    assert 89 in seen(view)


def test_a_variant_that_is_selected_is_in_sight_instead_of_the_line_of_the_cursor(view: CodeView) -> None:
    view.set_source(CODE + "x = 0\n" * 90)
    view.put_on_stage(True)
    view.text.go_to(QTextCursor(view.text.document().findBlockByNumber(89)))
    view.text.clearFocus()
    view.show_marks(Marks(Focus("line", 90), lines=frozenset({90})))
    variants = (Variant("double", 5, end_line=8),)
    view.show_snapshot(Snapshot(1, "cpu:0", True, variants=variants, reports=(Report("double", "ok"),)))
    assert {4, 7} <= set(seen(view))
    view.show_marks(Marks(Focus("line", 80), lines=frozenset({80})))
    assert 79 in seen(view)


def test_on_stage_long_lines_are_broken_and_not_cut(view: CodeView) -> None:
    view.set_source("x = [" + "1, " * 200 + "]\n")
    view.put_on_stage(True)
    assert view.text.horizontalScrollBar().maximum() == 0


def test_a_control_that_wins_over_an_edited_default_is_reported_next_to_the_line(view: CodeView) -> None:
    view.show_controls(Controls(parameters=(Parameter("batch", 4, 64),)))
    assert view.text.marks.counts == {}
    view.show_controls(Controls(parameters=(Parameter("batch", 4, 64),), overruled=("batch",)))
    assert view.text.marks.counts == {0: "runs with batch=4"}
    view.show_controls(Controls(parameters=(Parameter("batch", 64, 64),)))
    assert view.text.marks.counts == {}


def test_functions_and_blocks_are_found_by_their_edges() -> None:
    lines = CODE.split("\n")
    assert [function_around(lines, row) for row in (0, 2, 3, 4, 7, 8, 9)] == [
        (0, 1),
        None,
        (3, 7),
        (3, 7),
        (3, 7),
        None,
        None,
    ]
    assert main_block(lines) == range(10, 13)
    assert main_block(["x = 1"]) == range(0)


def test_a_tag_covers_the_end_of_a_line_that_leaves_no_room_unless_it_is_being_written(view: CodeView) -> None:
    view.text.wrap(False)
    view.set_source("batch = [" + "1, " * 200 + "]\n")
    text = view.text
    bare = text.viewport().grab().toImage()
    text.mark(counts={0: "runs with batch=4"})
    covered = text.viewport().grab().toImage()
    assert bare.copy(0, 0, 400, bare.height()) == covered.copy(0, 0, 400, bare.height())
    assert bare != covered
    text.setFocus()
    writing = text.viewport().grab().toImage()
    text.mark(counts={})
    assert text.viewport().grab().toImage() == writing
