"""All pages at a glance while presenting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget
from pytestqt.qtbot import QtBot

from explorer.library import courses
from explorer.link.command import WorkerState
from explorer.window.presenting.presenter import Pace
from tests.window.presenting.stages import press_here
from tests.window.ui import Ui
from views.window.stage.overview import Overview
from views.window.status_line import StatusLine


@pytest.fixture
def overview(ui: Ui) -> Overview:
    """Return the overview, opened by its key."""
    ui.desk.on_command("present")
    press_here(ui, "g")
    return ui.window.findChild(Overview)


def titles(overview: Overview) -> list[str]:
    """Return the pages as they are listed."""
    rows = overview.findChild(QListWidget, "pages")
    return [rows.item(row).text() for row in range(rows.count())]


@pytest.mark.rest
def test_it_shows_every_page_with_the_present_one_selected_and_nothing_else(ui: Ui, overview: Overview) -> None:
    assert overview.isVisible()
    assert [title[:1] for title in titles(overview)] == list("12345")
    assert titles(overview)[0] == f"1  {ui.desk.lesson.page.heading}"
    assert overview.findChild(QListWidget, "pages").currentRow() == 0
    lessons = overview.findChild(QListWidget, "lessons")
    assert lessons.isHidden()
    press_here(ui, Qt.Key.Key_Tab)
    assert overview.isAncestorOf(ui.window.focusWidget())


@pytest.mark.rest
@pytest.mark.parametrize("way", ["enter", "click"])
def test_enter_and_a_click_go_there(ui: Ui, qtbot: QtBot, overview: Overview, way: str) -> None:
    pages = overview.findChild(QListWidget, "pages")
    if way == "enter":
        press_here(ui, Qt.Key.Key_Down)
        press_here(ui, Qt.Key.Key_PageDown)
        press_here(ui, Qt.Key.Key_Return)
    else:
        area = pages.visualItemRect(pages.item(2))
        qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert not overview.isVisible()
    assert ui.desk.lesson.page.place == 2
    assert not ui.desk.lesson.page.revealed, "nobody has seen its answer"
    assert ui.window.isFullScreen()
    press_here(ui, Qt.Key.Key_PageUp)
    assert ui.desk.lesson.page.place == 0


@pytest.mark.rest
@pytest.mark.parametrize("key", ["g", Qt.Key.Key_Escape])
def test_escape_goes_back_to_the_page_and_only_then_ends(
    ui: Ui, qtbot: QtBot, overview: Overview, key: str | Qt.Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui.client.state = WorkerState("running")
    ui.session.tell_activity()
    monkeypatch.setattr(StatusLine, "_seconds", 2)
    press_here(ui, key)
    assert not overview.isVisible()
    assert ui.desk.lesson.page.place == 0
    with qtbot.waitSignal(ui.window.status.stop_wanted):
        press_here(ui, Qt.Key.Key_Escape)
    ui.client.state = WorkerState("idle")
    ui.session.tell_activity()
    assert ui.window.isFullScreen()
    press_here(ui, Qt.Key.Key_Escape)
    assert not ui.window.isFullScreen()


@pytest.mark.rest
def test_the_lessons_of_the_course_are_next_to_the_pages(ui: Ui) -> None:
    course = courses.find("lecture_45")
    ui.desk.files.take_course(course)
    ui.desk.files.open_by_id("split_tree")
    ui.desk.on_command("present")
    press_here(ui, "g")
    overview = ui.window.findChild(Overview)
    lessons = overview.findChild(QListWidget, "lessons")
    assert lessons.count() == len(course.lessons)
    assert lessons.currentItem().text() == f"2  {ui.desk.lesson.page.title}"
    assert (
        overview.findChild(QLabel, "pace").text()
        == "Lesson 2 of 5 · 45 min left, 3 lessons to go, this one until minute 20"
    )
    press_here(ui, Qt.Key.Key_Tab)
    press_here(ui, Qt.Key.Key_Down)
    press_here(ui, Qt.Key.Key_PageDown)
    chosen = course.lessons[3]
    assert titles(overview) == [f"{n}  {page.heading}" for n, page in enumerate(ui.desk.lesson.pages(chosen), 1)]
    press_here(ui, Qt.Key.Key_Return)
    assert not overview.isVisible()
    assert ui.session.workspace.scenario.id == chosen.id
    assert ui.window.isFullScreen()
    press_here(ui, Qt.Key.Key_PageUp)
    assert ui.session.workspace.scenario.id == "split_tree"


@pytest.mark.rest
def test_a_lesson_that_opens_closes_the_list_of_pages(ui: Ui, overview: Overview) -> None:
    ui.desk.files.open_by_id("split_tree")
    assert not overview.isVisible()
    assert ui.window.story.isAncestorOf(ui.window.focusWidget())


@pytest.mark.rest
def test_a_jump_to_another_lesson_and_back_covers_no_answer(ui: Ui) -> None:
    ui.desk.files.take_course(courses.find("lecture_45"))
    ui.desk.on_command("present")
    ui.desk.lesson.go_on()
    revealed = ui.desk.lesson.half
    for step in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        press_here(ui, "g", Qt.Key.Key_Tab, step, Qt.Key.Key_Return)
    assert ui.desk.lesson.half == revealed


# -- the pace of a lecture: which lesson this is, and what is left ----------------------------------------------------


@pytest.mark.parametrize(
    ("lesson", "passed_min", "left"),
    [
        (0, 0, "45 min left, 4 lessons to go, this one until minute 10"),
        (3, 33, "12 min left, 1 lesson to go, this one until minute 35"),
        (4, 45, "0 min left, the last lesson"),
        (2, 48, "3 min over, 2 lessons to go, this one until minute 27"),
    ],
)
def test_what_is_left_is_said(ui: Ui, lesson: int, passed_min: int, left: str) -> None:
    course = courses.find("lecture_45")
    ui.desk.files.take_course(course)
    ui.desk.files.open_by_id(course.lessons[lesson].id)
    pace = Pace(ui.window.scenarios, ui.session.workspace)
    pace.begin()
    pace.began_s -= 60 * passed_min
    assert pace.lesson() == f"Lesson {lesson + 1} of 5"
    assert pace.left() == left


def test_a_lesson_outside_of_the_course_has_no_place(ui: Ui) -> None:
    ui.desk.files.take_course(courses.find("lecture_45"))
    ui.desk.files.open_by_id("nested_vmap")
    pace = Pace(ui.window.scenarios, ui.session.workspace)
    assert (pace.here, pace.lesson(), pace.left()) == (-1, "", "")
