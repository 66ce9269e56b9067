"""What a crash leaves: the next window offers to go on there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from explorer import app
from explorer.app import FIRST_SCENARIO, _last_scenario
from explorer.library import courses, library
from explorer.library.progress import CrashedPositions
from explorer.library.settings import Settings
from explorer.window import languages
from tests.window.ui import Ui


def crash(ui: Ui) -> None:
    """Let the window write what is due, and end its process as a kill does: nothing is closed, its lock is gone."""
    ui.session.workspace.keep_draft()
    ui.desk.crash_recovery._keep()
    own = ui.session.workspace._edits._own
    own._lock.release()
    ui.window.hide()


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot) -> Iterator[object]:
    """Return a function that starts the application again, as app.main does."""
    made: list[Ui] = []

    def started(target: str = "") -> Ui:
        crashed = CrashedPositions()
        ui = Ui(qapp, Settings())
        made.append(ui)
        before = crashed.newest.target if crashed.newest is not None else ""
        ui.desk.take_up(library.open_target(target) if target else _last_scenario(before))
        ui.desk.crash_recovery.offer(crashed, named=bool(target))
        ui.window.show()
        return ui

    yield started
    for each in made:
        each.close()


@pytest.mark.rest
def test_after_a_crash_on_the_stage_one_enter_goes_on_there(ui: Ui, start, qtbot: QtBot, tmp_path: Path) -> None:
    sheet = 'title = { en = "Some pages" }\nminutes = 20\nlessons = ["seed_and_key", "split_tree:2-3"]\n'
    (tmp_path / "course.toml").write_text(sheet)
    course = courses.find(str(tmp_path))
    ui.desk.files.take_course(course)
    ui.desk.files.open_by_id("split_tree")
    ui.desk.presentation.begin()
    ui.desk.presentation.lectern.pace.began_s -= 600
    ui.desk.presentation.end()
    ui.desk.presentation.begin()
    ui.desk.lesson.go_to(2)
    ui.desk.lesson.uncover()
    ui.desk.crash_recovery._soon.stop()
    ui.desk.appearance.choose_theme("dark")
    ui.session.workspace.edit(ui.session.workspace.source + "\n# edited\n")
    asked = next(n for n, page in enumerate(ui.desk.lesson.pages()) if page.ask is not None)
    ui.desk.lesson.go_to(ui.desk.lesson.pages()[asked].place)
    for choice in (0, 1, 1):
        ui.desk.presentation.lectern.voting.count(choice)
    ui.session.workspace._settings = {"seed": 3}
    shown = set(ui.desk.lesson.shown)
    assert shown
    crash(ui)

    again = start()
    title = ui.desk.lesson.page.title
    assert again.window.notice.accessibleName() == (
        f"JAX Explorer ended unexpectedly in “{course.title.text('en')}, {title}”, page {asked + 1}. Go on there?"
    )
    list(app.rest(again.window, again.session, again.desk, present=True))
    assert not again.desk.presentation.is_on, "first the question is answered"
    for seen in (False, True):
        again.desk.on_command("present")
        assert again.window.notice.isHidden() != seen, "it is no question to the audience"
    qtbot.keyClick(again.window.focusWidget(), Qt.Key.Key_Return)
    assert again.window.notice.isHidden()
    assert again.desk.presentation.is_on
    assert again.session.workspace.scenario.id == "split_tree"
    assert again.desk.lesson.page.number == asked
    assert again.session.workspace.source.endswith("# edited\n")
    assert again.session.workspace.settings == {"seed": 3}
    assert again.desk.appearance.settings.theme == "dark"
    assert again.window.scenarios.course.id == course.id
    assert again.desk.presentation.lectern.pace.left() == "10 min left, the last lesson"
    assert again.desk.lesson.shown >= shown
    tally = again.desk.presentation.lectern.voting.tally()
    assert tally.rounds[-1][:2] == (1, 2)


def test_a_window_that_closes_leaves_nothing_to_go_on_with(ui: Ui) -> None:
    ui.desk.crash_recovery._keep()
    assert not CrashedPositions().newest, "a window that is open has not crashed"
    ui.window.close()
    assert not CrashedPositions().newest


@pytest.mark.parametrize("answer", ["stay", ""])
def test_it_is_asked_once(answer: str, ui: Ui, start) -> None:
    ui.desk.lesson.go_to(1)
    crash(ui)
    again = start()
    if answer:
        again.window.notice.answered.emit(answer)
    assert again.desk.lesson.page.place == 0
    again.window.close()
    assert not CrashedPositions().newest


@pytest.mark.parametrize("present", [False, True])
def test_a_named_file_wins_over_the_place_of_a_crash(ui: Ui, start, own: Path, qtbot: QtBot, present: bool) -> None:
    ui.desk.lesson.go_to(1)
    crash(ui)
    again = start(str(own))
    list(app.rest(again.window, again.session, again.desk, present=present))
    assert again.desk.presentation.is_on == present
    if present:
        again.desk.on_command("present")
    assert again.window.notice.isVisible()
    qtbot.keyClick(again.window.focusWidget(), Qt.Key.Key_Return)
    assert again.session.workspace.scenario.id == str(own)
    again.window.notice.answered.emit("go_on")
    assert (again.session.workspace.scenario.id, again.desk.lesson.page.place) == (FIRST_SCENARIO, 1)


@pytest.mark.parametrize("presents", [False, True])
def test_the_lesson_of_the_crash_or_a_lecture_is_gone_on_with_by_enter_whatever_is_named(
    ui: Ui, start, qtbot: QtBot, presents: bool
) -> None:
    ui.desk.lesson.go_to(1)
    if presents:
        ui.desk.presentation.begin()
    crash(ui)
    ui.desk.leave()
    again = start("split_tree" if presents else FIRST_SCENARIO)
    qtbot.keyClick(again.window.focusWidget(), Qt.Key.Key_Return)
    assert (again.session.workspace.scenario.id, again.desk.lesson.page.place) == (FIRST_SCENARIO, 1)
    assert again.desk.presentation.is_on == presents


@pytest.mark.parametrize(("answer", "is_kept"), [("keep_mine", True), ("replace", False)])
def test_restoring_asks_before_it_replaces_what_was_typed_meanwhile(ui: Ui, start, answer: str, is_kept: bool) -> None:
    ui.session.workspace.edit("lost = 1\n")
    crash(ui)
    again = start()
    again.window.notice.answered.emit("stay")
    workspace = again.session.workspace
    again.window.code.text.selectAll()
    again.window.code.text.insertPlainText("mine = 1\n")
    again.window.notice.answered.emit("use_draft")
    assert workspace.source == "mine = 1\n"
    assert "edited too" in again.window.notice.accessibleName()
    again.window.notice.answered.emit(answer)
    assert workspace.source == ("mine = 1\n" if is_kept else "lost = 1\n")
    assert (workspace.left_draft() is not None) == is_kept
    if not is_kept:
        again.window.code.text.undo()
        assert workspace.source == "mine = 1\n"


def test_going_on_asks_before_it_replaces_what_was_typed_meanwhile(ui: Ui, start) -> None:
    ui.session.workspace.edit("lost = 1\n")
    crash(ui)
    again = start()
    again.session.workspace.edit("mine = 1\n")
    again.window.notice.answered.emit("go_on")
    assert again.session.workspace.source == "mine = 1\n"
    assert "unsaved edits" in again.window.notice.accessibleName()


def test_edits_that_were_gone_on_with_are_not_offered_again(ui: Ui, start) -> None:
    ui.session.workspace.edit("lost = 1\n")
    crash(ui)
    again = start()
    again.window.notice.answered.emit("go_on")
    again.desk.on_command("language_ko")
    assert again.session.workspace.source == "lost = 1\n"
    assert again.window.notice.isHidden()
    again.desk.on_command("language_en")


def test_a_damaged_position_does_not_keep_the_window_from_opening(ui: Ui, start) -> None:
    crash(ui)
    (file,) = CrashedPositions()._files
    file.write_bytes(b"\xff{")
    assert start().window.notice.isHidden()


def test_what_was_agreed_to_once_is_not_asked_again_until_it_changes(
    ui: Ui, start, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    monkeypatch.setattr(
        QMessageBox, "exec", lambda box: asked.append(box.text()) or QMessageBox.StandardButton.Yes.value
    )
    ui.desk.files.open_by_id(str(own))
    ui.desk.crash_recovery._keep()
    crash(ui)
    again = start()
    again.window.notice.answered.emit("go_on")
    assert again.session.workspace.scenario.id == str(own)
    assert len(asked) == 1
    again.desk.files.open_by_id(FIRST_SCENARIO)
    own.write_text("def f():\n    return 2.0\n", encoding="utf-8")
    start().desk.files.open_by_id(str(own))
    assert len(asked) == 2


@pytest.mark.rest
def test_a_lecture_in_another_language_goes_on_in_it(ui: Ui, start, qapp: QApplication, qtbot: QtBot) -> None:
    ui.desk.on_command("language_ko")
    ui.desk.presentation.begin()
    for choice in (0, 1, 1):
        ui.desk.presentation.lectern.voting.count(choice)
    ui.session.workspace.edit(ui.session.workspace.source + "\n# edited\n")
    crash(ui)
    ui.desk.leave()
    languages.install(qapp, "en")
    again = start()
    first = again.window
    qtbot.keyClick(first.focusWidget(), Qt.Key.Key_Return)
    assert again.window is not first
    assert again.desk.appearance.language == "ko"
    assert (again.desk.presentation.is_on, again.window.isFullScreen()) == (True, True)
    assert again.desk.presentation.lectern.voting.tally().rounds == ((1, 2, 0),)
    assert again.window.code.source().endswith("# edited\n")
    again.desk.on_command("language_en")
