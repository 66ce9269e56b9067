"""Beginning a presentation, in either way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer import app
from tests.window.place import Place
from tests.window.presenting.stages import present, press


def what_is_seen(place: Place) -> dict[str, object]:
    """Return everything that a room sees."""
    for _ in range(5):
        QApplication.processEvents()
    window = place.window
    return {
        "place": (window.geometry(), window.isFullScreen()),
        "scene": place.desk.presentation.stage.scene,
        "looks": (window.theme, place.desk.appearance.language),
        "page": place.desk.lesson.page,
        "bars": [each.isVisible() for each in (window.menuBar(), window.controls, window.status, window.strips)],
        "words": window.story.grab().toImage(),
        "code": (window.code.geometry(), window.code.text.font()),
    }


def test_present_on_the_command_line_shows_the_same_screen_as_f5(place: Place, qtbot: QtBot) -> None:
    for _ in app.rest(place.window, place.session, place.desk, present=True):
        QApplication.processEvents()
    told = what_is_seen(place)
    assert told["place"] == (place.window.screen().geometry(), True)
    qtbot.keyClick(place.window, Qt.Key.Key_Escape)
    assert not place.window.isFullScreen()
    qtbot.keyClick(place.window, Qt.Key.Key_F5)
    assert what_is_seen(place) == told


def test_a_room_sees_no_tour_of_the_window(place: Place) -> None:
    place.desk.on_command("tour")
    assert place.desk.help.tour.is_on
    place.desk.on_command("present")
    assert place.desk.presentation.is_on
    assert not place.desk.help.tour.is_on
    place.desk.show_tour_once()
    assert not place.desk.help.tour.is_on


def test_escape_takes_the_keyboard_back_from_the_code_before_it_ends(place: Place, qtbot: QtBot) -> None:
    present(place, qtbot)
    press(Qt.Key.Key_5)
    place.window.code.setFocus()
    press(Qt.Key.Key_Escape)
    assert place.desk.presentation.is_on
    assert not place.window.code.isAncestorOf(place.window.focusWidget())
    press(Qt.Key.Key_Escape)
    assert not place.desk.presentation.is_on
