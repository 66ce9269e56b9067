"""All pages at a glance while presenting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget
from pytestqt.qtbot import QtBot

from tests.window.place import Place
from views.window.stage.overview import Overview


@pytest.fixture
def overview(place: Place, qtbot: QtBot) -> Overview:
    """Return the overview, opened by its key."""
    place.desk.on_command("present")
    press(qtbot, place, "g")
    return place.window.findChild(Overview)


def press(qtbot: QtBot, place: Place, key: str | Qt.Key) -> None:
    """Press `key` where the keyboard is."""
    QApplication.processEvents()
    qtbot.keyClick(place.window.focusWidget() or place.window, key)
    QApplication.processEvents()


def test_it_shows_every_page_with_the_present_one_selected(place: Place, overview: Overview) -> None:
    assert overview.isVisible()
    assert [title[:1] for title in overview.titles] == list("12345")
    assert overview.titles[0] == f"1  {place.desk.lesson.page.heading}"
    assert overview.selected == 0


@pytest.mark.parametrize("way", ["enter", "click"])
def test_enter_and_a_click_go_there(place: Place, qtbot: QtBot, overview: Overview, way: str) -> None:
    pages = overview.findChild(QListWidget)
    if way == "enter":
        press(qtbot, place, Qt.Key.Key_Right)
        press(qtbot, place, Qt.Key.Key_PageDown)
        press(qtbot, place, Qt.Key.Key_Return)
    else:
        area = pages.visualItemRect(pages.item(2))
        qtbot.mouseClick(pages.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert not overview.isVisible()
    assert place.desk.lesson.page.place == 2
    assert not place.desk.lesson.page.revealed, "nobody has seen its answer"
    assert place.window.isFullScreen()


@pytest.mark.parametrize("key", ["g", Qt.Key.Key_Escape])
def test_escape_goes_back_to_the_page_and_only_then_ends(
    place: Place, qtbot: QtBot, overview: Overview, key: str | Qt.Key
) -> None:
    press(qtbot, place, key)
    assert not overview.isVisible()
    assert place.desk.lesson.page.place == 0
    assert place.window.isFullScreen()
    press(qtbot, place, Qt.Key.Key_Escape)
    assert not place.window.isFullScreen()


def test_a_page_whose_answer_was_seen_opens_with_it(place: Place, qtbot: QtBot, overview: Overview) -> None:
    press(qtbot, place, Qt.Key.Key_Escape)
    place.desk.lesson.go_on()
    place.desk.lesson.go_on()
    assert place.desk.lesson.page.place == 1
    press(qtbot, place, "g")
    overview.page_wanted.emit(0)
    assert (place.desk.lesson.page.place, place.desk.lesson.page.revealed) == (0, True)


def test_it_follows_theme_and_language(place: Place, qtbot: QtBot, overview: Overview) -> None:
    before = overview.titles
    press(qtbot, place, "t")
    assert overview.palette().color(overview.backgroundRole()).name() == place.window.theme.background
    press(qtbot, place, "l")
    assert overview.isVisible()
    assert overview.titles != before
    place.desk.on_command("language_en")


def test_a_jump_selects_what_all_the_pages_before_have_selected(place: Place, overview: Overview) -> None:
    last = len(overview.titles) - 2
    overview.page_wanted.emit(last)
    jumped = place.session.workspace.controls
    place.desk.lesson.go_to(0)
    for _ in range(20):
        if place.desk.lesson.page.place < last:
            place.desk.lesson.go_on()
    walked = place.session.workspace.controls
    assert (jumped.variant, jumped.compare, jumped.form) == (walked.variant, walked.compare, walked.form)
