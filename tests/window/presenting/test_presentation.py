"""Beginning a presentation, in either way."""

from __future__ import annotations

from html import unescape

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from explorer import app
from explorer.window.presenting.lectern import StageKeys
from tests.window.presenting.stages import present, press
from tests.window.ui import Ui
from views.help.menu import KeySheet
from views.window.pane import focus_into


def what_is_seen(ui: Ui) -> dict[str, object]:
    """Return everything that a room sees."""
    for _ in range(5):
        QApplication.processEvents()
    window = ui.window
    return {
        "place": (window.geometry(), window.isFullScreen()),
        "scene": ui.desk.presentation.stage.scene,
        "looks": (window.theme, ui.desk.appearance.language),
        "page": ui.desk.lesson.page,
        "bars": [each.isVisible() for each in (window.menuBar(), window.controls, window.status, window.strips)],
        "words": window.story.grab().toImage(),
        "code": (window.code.geometry(), window.code.text.font()),
    }


def test_present_on_the_command_line_shows_the_same_screen_as_f5(ui: Ui, qtbot: QtBot) -> None:
    for _ in app.rest(ui.window, ui.session, ui.desk, present=True):
        QApplication.processEvents()
    seen = what_is_seen(ui)
    assert seen["place"] == (ui.window.screen().geometry(), True)
    qtbot.keyClick(ui.window, Qt.Key.Key_Escape)
    assert not ui.window.isFullScreen()
    qtbot.keyClick(ui.window, Qt.Key.Key_F5)
    assert what_is_seen(ui) == seen


def test_after_the_presentation_the_page_has_its_own_selection(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.files.open_by_id("seed_and_key")
    present(ui, qtbot)
    ui.desk.lesson.go_on()
    ui.desk.lesson.go_on()
    assert (ui.desk.lesson.page.place, ui.session.workspace.controls.variant) == (1, "same_key_twice")
    for _ in range(2):
        ui.desk.on_command("present")
        assert (ui.desk.lesson.page.place, ui.session.workspace.controls.variant) == (1, "same_key_twice")


def test_a_room_sees_no_tour_of_the_window(ui: Ui) -> None:
    ui.desk.on_command("tour")
    assert ui.window.tour.isVisible()
    ui.desk.on_command("present")
    assert ui.desk.presentation.is_on
    assert not ui.window.tour.isVisible()
    ui.desk.show_tour_once()
    assert not ui.window.tour.isVisible()


@pytest.mark.parametrize("part", ["code", "bottom"])
def test_escape_takes_the_keyboard_back_then_the_scene_of_the_page_before_it_ends(
    ui: Ui, qtbot: QtBot, part: str
) -> None:
    present(ui, qtbot)
    ui.desk.presentation.scenes.show_code()
    ui.desk.presentation.scenes.show_findings()
    assert focus_into(getattr(ui.window, part))
    press(Qt.Key.Key_Escape)
    assert ui.desk.presentation.stage.scene.code
    press(Qt.Key.Key_Escape)
    assert (ui.desk.presentation.is_on, ui.desk.presentation.stage.scene.code) == (True, False)
    press(Qt.Key.Key_Escape)
    assert not ui.desk.presentation.is_on


# -- its keys ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [Qt.Key.Key_Right, Qt.Key.Key_Space])
def test_arrows_and_the_space_bar_turn_pages_unless_a_part_needs_them(ui: Ui, qtbot: QtBot, key: Qt.Key) -> None:
    present(ui, qtbot)
    first = ui.desk.lesson.half
    ui.desk.presentation.scenes.show_code()
    assert focus_into(ui.window.code)
    press(key)
    assert ui.desk.lesson.half == first
    press(Qt.Key.Key_Escape, Qt.Key.Key_Escape, *[key] * 5)
    assert ui.desk.lesson.half != first
    press(*[Qt.Key.Key_Left] * 9)
    assert ui.desk.lesson.half == first


def test_no_key_means_two_things(ui: Ui) -> None:
    rows = StageKeys().rows()
    keys = [key.toString() for row in (*rows, *ui.window.commands) for key in row.keys if not row.in_code]
    assert len(keys) == len(set(keys))
    assert len({row.id for row in rows}) == len(rows)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_sheet_of_keys_shows_them_all(ui: Ui, qtbot: QtBot, language: str) -> None:
    ui.desk.on_command(f"language_{language}")
    qtbot.waitUntil(ui.window.isActiveWindow)
    qtbot.keyClick(ui.window, Qt.Key.Key_F1)
    sheet = ui.window.whole.findChild(KeySheet)
    text = unescape(sheet.findChild(QLabel).text())
    sheet.close()
    assert ("단축키" in sheet.windowTitle()) == (language == "ko")
    for row in (*StageKeys().rows(), *ui.window.commands):
        assert not row.keys or f"<td>{row.name}</td><td>{', '.join(row.key_names)}</td>" in text


def test_on_a_small_stage_the_sheet_has_one_column(ui: Ui) -> None:
    ui.desk.on_command("present")
    ui.desk.on_command("keys")
    sheet = ui.window.whole.findChild(KeySheet)
    text = sheet.findChild(QLabel).text()
    sheet.close()
    assert text.index("<b>While presenting</b>") < text.index("<b>Run</b>")
    assert "</td><td><p>" not in text
