"""The way through the pages while presenting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.library import courses
from explorer.messages import Parameter
from tests.window.ui import VARIANTS, Ui
from views.window.stage.overview import EndPage


def run(ui: Ui) -> None:
    """Let the worker answer."""
    values = {each.name: each.value for each in ui.session.workspace.controls.parameters}
    ui.client.answer("shared_key", variants=VARIANTS, parameters=(Parameter("batch", values.get("batch", 32), 32),))


def press(ui: Ui, qtbot: QtBot, key: Qt.Key, times: int = 1) -> None:
    for _ in range(times):
        qtbot.keyClick(ui.window, key)


def to_the_end(ui: Ui, qtbot: QtBot) -> EndPage:
    """Read on until the end page is up."""
    end = ui.window.findChild(EndPage)
    for _ in range(200):
        if end.isVisible():
            break
        press(ui, qtbot, Qt.Key.Key_PageDown)
    return end


@pytest.fixture(autouse=True)
def _presenting(ui: Ui) -> None:
    ui.desk.on_command("present")


def test_a_press_too_many_shows_an_end_page_and_the_next_one_opens_the_next_lesson(ui: Ui, qtbot: QtBot) -> None:
    end = to_the_end(ui, qtbot)
    following = ui.desk.files.neighbour(1)
    assert end.words[0] == "The lesson ends here: Noise for a batch"
    assert end.words[1:3] == ("Press Page Down again for the next lesson:", following[1])
    assert ui.desk.lesson.page.is_last
    press(ui, qtbot, Qt.Key.Key_PageDown)
    assert not end.isVisible()
    for _ in range(2):
        assert ui.session.workspace.scenario.id == following[0]
        ui.desk.on_command("present")


def test_page_up_goes_back_to_the_very_page_of_the_lesson_before(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.lesson.go_on()
    ui.desk.lesson.go_on()
    read = ui.desk.lesson.page
    ui.desk.files.open_by_id("seed_and_key")
    press(ui, qtbot, Qt.Key.Key_PageUp)
    assert (ui.desk.lesson.page.title, ui.desk.lesson.page.place) == (read.title, read.place)


def test_page_up_before_the_first_page_shows_the_last_one_of_the_lesson_before(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.on_command("present")
    ui.desk.files.open_by_id("split_tree")
    ui.desk.on_command("present")
    before = ui.desk.files.neighbour(-1)
    press(ui, qtbot, Qt.Key.Key_PageUp)
    assert ui.session.workspace.scenario.id == before[0]
    assert ui.desk.lesson.page.is_last


def test_a_page_is_as_it_was_left(ui: Ui, qtbot: QtBot) -> None:
    run(ui)
    lesson, workspace = ui.desk.lesson, ui.session.workspace
    lesson.go_on()
    workspace.set_parameter(Parameter("batch", 4, 32))
    workspace.choose_variant("key_per_example")
    lesson.go_on()
    workspace.set_parameter(Parameter("batch", 32, 32))
    workspace.choose_variant("shared_key")
    for _ in range(9):
        if lesson.page.place:
            press(ui, qtbot, Qt.Key.Key_PageUp)
    assert workspace.controls.variant == "key_per_example"
    assert workspace.settings == {"batch": 4}


@pytest.mark.parametrize("row", ["stage_code", "stage_both"])
def test_page_down_brings_unread_words_back_before_the_page_is_turned(ui: Ui, qtbot: QtBot, row: str) -> None:
    ui.desk.lesson.go_on()
    ui.desk.presentation._slots()[row][0]()
    assert ui.window.story.isHidden()
    press(ui, qtbot, Qt.Key.Key_PageDown)
    assert (ui.window.story.isVisible(), ui.desk.lesson.page.place) == (True, 0)


@pytest.mark.parametrize("part", ["code", "findings"])
def test_page_down_reads_an_explanation_that_is_cut_before_the_page_is_turned(
    ui: Ui, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    cut = [False, True]
    monkeypatch.setattr(getattr(ui.window, part), "read_on", cut.pop)
    before = ui.desk.lesson.half
    while cut:
        assert ui.desk.lesson.half == before
        press(ui, qtbot, Qt.Key.Key_PageDown)
    assert ui.desk.lesson.half != before


def test_after_the_last_lesson_it_says_so_and_stays_and_page_up_is_back_on_the_last_page(
    ui: Ui, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.window.scenarios, "neighbour", lambda _step, **_: "")
    end = to_the_end(ui, qtbot)
    press(ui, qtbot, Qt.Key.Key_PageDown, 3)
    assert end.isVisible()
    assert end.words[1] == "This is the last lesson in the list."
    read = ui.desk.lesson.page
    press(ui, qtbot, Qt.Key.Key_PageUp)
    assert (end.isVisible(), ui.desk.lesson.page) == (False, read)


def test_after_the_last_lesson_of_a_course_the_course_ends(ui: Ui, qtbot: QtBot) -> None:
    course = courses.find("lecture_45")
    ui.desk.files.take_course(course)
    ui.desk.files.open_by_id(course.lessons[-1].id)
    assert f"The course “{course.title.text('en')}” ends here." in to_the_end(ui, qtbot).words


@pytest.mark.rest
def test_a_lesson_that_cannot_be_opened_is_reported_and_gone_past(
    ui: Ui, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow = {1: "gone", 2: "seed_and_key"}
    monkeypatch.setattr(ui.window.scenarios, "neighbour", lambda step, **_: follow.get(step, ""))
    end = to_the_end(ui, qtbot)
    press(ui, qtbot, Qt.Key.Key_PageDown)
    assert end.isVisible()
    assert "gone could not be opened: " in end.words[1]
    press(ui, qtbot, Qt.Key.Key_PageDown)
    assert ui.session.workspace.scenario.id == "seed_and_key"


@pytest.mark.rest
def test_the_end_page_follows_theme_and_language(ui: Ui, qtbot: QtBot) -> None:
    end = to_the_end(ui, qtbot)
    qtbot.keyClick(ui.window, "t")
    assert end.palette().color(end.backgroundRole()).name() == ui.window.theme.background
    qtbot.keyClick(ui.window, "l")
    end = ui.window.findChild(EndPage)
    assert end.isVisible()
    assert end.words[0].startswith("이 레슨은")
    ui.desk.on_command("language_en")
