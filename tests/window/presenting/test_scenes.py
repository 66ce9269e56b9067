"""The contents of the stage."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.library import library
from explorer.messages import Failure, Finding, Program, Report, Snapshot, Span, Variant
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts
from explorer.text.text import verbatim
from explorer.window.connections import add_plots
from explorer.window.panes import view_in
from tests.views.program.shown import text_of
from tests.window.presenting.stages import press_here
from tests.window.ui import Ui, finish_steps, panes
from views.code.problem_card import ProblemCard
from views.program.program_half import ProgramHalf
from views.program.program_view import ProgramView


def seen(ui: Ui) -> tuple[str, ...]:
    """Return the visible parts, from left to right."""
    window = ui.window
    words, code = (("words",) if window.story.isVisible() else ()), (("code",) if window.code.isVisible() else ())
    return (*words, *code, *panes(ui))


@pytest.fixture(autouse=True)
def _presenting(ui: Ui) -> None:
    ui.desk.on_command("present")


@pytest.mark.rest
def test_digits_choose_a_pane_the_code_or_both(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.lesson.go_on()
    sentences = []
    for key in "16223556":
        qtbot.keyClick(ui.window, key)
        QApplication.processEvents()
        sentences.append(seen(ui))
    assert sentences == [
        ("words", "keys"),
        ("code", "keys"),
        ("words", "noise"),
        ("noise",),
        ("words", "program"),
        ("code",),
        ("words", "code"),
        ("code", "noise"),
    ]
    assert ui.window.code.width() == pytest.approx(ui.window.area.width(), rel=0.3)


@pytest.mark.rest
def test_a_command_for_a_pane_shows_it_on_the_stage_and_leaves_the_window_as_it_was(ui: Ui) -> None:
    ui.desk.lesson.go_on()
    before = ui.desk.arranging.arrangement
    for command in ("pane_3", "grid"):
        ui.desk.on_command(command)
        assert seen(ui) == ("words", "program")
    ui.window.area.program.fold_requested.emit("program")
    assert ui.desk.arranging.arrangement == before


@pytest.mark.parametrize("digit", "123456")
def test_no_digit_shows_what_the_question_hides(ui: Ui, qtbot: QtBot, digit: str) -> None:
    ui.desk.lesson.go_to(1)
    covered = ui.desk.lesson.covered
    assert covered
    qtbot.keyClick(ui.window, digit)
    ui.desk.presentation.lectern.number._on_end()
    assert all(pane.is_covered == (pane.name in covered) for pane in ui.window.area.panes if pane.isVisible())
    ui.desk.lesson.go_on()
    qtbot.keyClick(ui.window, digit)
    assert not any(pane.is_covered for pane in ui.window.area.panes)


def test_keys_is_covered_where_it_marks_the_mistake_that_a_question_is_about(ui: Ui) -> None:
    ui.desk.take_up(library.open_target("one_key_for_the_batch"))
    assert ui.desk.lesson.covered == {"keys", "findings"}
    ui.desk.on_command("present")
    assert ui.desk.lesson.covered == {"findings"}, "in the window the first page shows all panes"


def test_where_the_words_are_folded_a_digit_is_never_typed_into_the_code(ui: Ui, qtbot: QtBot) -> None:
    before = ui.session.workspace.source
    for key in "56245":
        qtbot.keyClick(ui.window.focusWidget() or ui.window, key)
    assert ui.session.workspace.source == before


def test_the_words_come_back_with_the_next_page_and_after_the_presentation(ui: Ui, qtbot: QtBot) -> None:
    qtbot.keyClick(ui.window, "5")
    ui.desk.lesson.go_on()
    assert seen(ui) == ("words", "noise")
    qtbot.keyClick(ui.window, "6")
    ui.desk.on_command("present")
    assert "words" in seen(ui)


@pytest.mark.rest
def test_theme_and_language_change_by_keys(ui: Ui, qtbot: QtBot) -> None:
    themes = []
    for _ in range(3):
        qtbot.keyClick(ui.window, "t")
        themes.append(ui.window.theme.name)
    assert themes == ["dark", "projector", "light"]
    assert "… 3 lines" in ui.window.code.text.marks.counts.values()
    ui.desk.lesson.go_on()
    qtbot.keyClick(ui.window, "3")
    qtbot.keyClick(ui.window, "6")
    scene = seen(ui)
    qtbot.keyClick(ui.window, "l")
    finish_steps(ui.window)
    QApplication.processEvents()
    assert seen(ui) == scene == ("code", "program")
    assert ui.desk.appearance.language == "ko"
    assert ui.window.isFullScreen()
    assert "… 3줄" in ui.window.code.text.marks.counts.values()
    qtbot.keyClick(ui.window, "l")
    assert ui.desk.appearance.language == "en"


def test_a_program_that_fails_says_what_and_why_below_the_code(ui: Ui, qtbot: QtBot) -> None:
    failure = Failure("NameError", "name 'seed_' is not defined", Span(10, 4, 10, 9), "There is no such name here.")
    ui.desk.lesson.go_on()
    assert seen(ui) == ("words", "noise")
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, failure=failure))
    assert seen(ui) == ("words", "code")
    assert ui.window.code.findChild(ProblemCard).isVisible()
    qtbot.keyClick(ui.window, "2")
    assert seen(ui) == ("words", "noise")
    ui.ran(Report("shared_key", "ok"))
    assert seen(ui) == ("words", "noise")


def test_a_file_without_a_story_has_its_code_and_the_pane_that_says_most(ui: Ui, qtbot: QtBot) -> None:
    own = Scenario("own.py", "file", "own.py", "def run():\n    return 1\n", Texts("own.py"))
    ui.session.workspace.open(own)
    assert seen(ui) == ("code", "program")
    found = Report("run", "ok", findings=(Finding("key-reuse", "bug", verbatim("twice")),))
    ui.ran(found, variants=(Variant("run", 1),))
    assert seen(ui) == ("code", "keys")
    # The window arranges itself when it has its size.
    for _ in range(3):
        QApplication.processEvents()
    assert ui.window.code.height() > 0.8 * ui.window.height()
    qtbot.keyClick(ui.window, "3")
    QApplication.processEvents()
    assert seen(ui) == ("program",)
    assert ui.window.area.program.width() > 0.9 * ui.window.width()


def test_the_word_below_the_code_shows_the_findings_on_the_stage(ui: Ui) -> None:
    ui.desk.lesson.go_on()
    assert not ui.window.findings.isVisible()
    ui.window.code.findings_wanted.emit()
    assert ui.window.findings.isVisible()
    assert seen(ui) == ("words", "noise")


def test_a_pane_alone_shows_the_one_of_two_programs_that_it_showed_and_tab_the_other(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.lesson.go_on()
    add_plots(ui.window, ui.session, ui.desk)
    names = ("shared_key", "key_per_example")
    reports = tuple(Report(name, status="ok", program=Program("jaxpr", f"{{ {name} }}")) for name in names)
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, reports=reports))
    ui.window.story.setFocus()
    shown = []
    for key in (Qt.Key.Key_3, Qt.Key.Key_3, Qt.Key.Key_Tab, Qt.Key.Key_3):
        press_here(ui, key)
        halves = view_in(ui.window, ProgramView).findChildren(ProgramHalf)
        shown += [text_of(half).toPlainText().strip("{ }") for half in halves if half.isVisible()]
    assert shown == ["shared_key", "shared_key", "key_per_example", "key_per_example"]
