"""The Edit menu acts on the focused widget, and every key of the window has one meaning."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QInputDialog, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer.library import settings
from explorer.messages import LineType, Program, Programs, Report, Snapshot, Variant
from explorer.window import connections
from explorer.window.editing import ON_THE_KEYBOARD
from tests.views.made import heard, picture
from tests.window.ui import Ui, finish_steps
from views.window.main_window import MainWindow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def possible(ui: Ui) -> set[str]:
    """Return the keyboard commands that the Edit menu offers when it is opened."""
    menu = next(each for each in ui.window.menuBar().findChildren(QMenu) if each.title() == "&Edit")
    menu.aboutToShow.emit()
    return {name for name in ON_THE_KEYBOARD if ui.window.action(name).isEnabled()}


def give_keyboard(ui: Ui, widget: QWidget, qtbot: QtBot) -> None:
    ui.window.activateWindow()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)


def test_what_has_the_keyboard_is_what_is_cut_pasted_and_undone(ui: Ui, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().setText("")
    code, search = ui.window.code.text, ui.window.scenarios.findChild(QLineEdit)
    ui.desk.on_command("lessons")
    give_keyboard(ui, code, qtbot)
    assert possible(ui) == {"paste", "select_all"}
    before = ui.window.code.source()
    QTest.keyClicks(code, "ab")
    assert possible(ui) == {"undo", "paste", "select_all"}
    ui.desk.on_command("undo")
    assert (ui.window.code.source(), possible(ui)) == (before, {"redo", "paste", "select_all"})
    give_keyboard(ui, search, qtbot)
    assert possible(ui) == {"paste"}
    QTest.keyClicks(search, "batch")
    ui.desk.on_command("select_all")
    assert possible(ui) == {"undo", "cut", "copy", "paste", "select_all"}
    ui.desk.on_command("cut")
    assert (search.text(), QGuiApplication.clipboard().text()) == ("", "batch")
    ui.desk.on_command("paste")
    assert (search.text(), ui.window.code.source()) == ("batch", before)


def test_a_menu_that_has_the_keyboard_leaves_it_to_what_had_it(ui: Ui, qtbot: QtBot) -> None:
    give_keyboard(ui, ui.window.code.text, qtbot)
    QTest.keyClicks(ui.window.code.text, "ab")
    ui.window.menuBar().setFocus(Qt.FocusReason.MenuBarFocusReason)
    assert "undo" in possible(ui)
    ui.desk.on_command("undo")
    assert not ui.window.code.source().startswith("ab")


@pytest.mark.parametrize("part", ["code", "story", "keys", "program", "timing", "bottom"])
def test_every_key_of_the_window_means_one_thing_wherever_the_keyboard_is(ui: Ui, qtbot: QtBot, part: str) -> None:
    """A shortcut with two owners does nothing in Qt."""
    connections.add_plots(ui.window, ui.session, ui.desk)
    window = ui.window
    ui.desk.lesson.uncover()
    window.command_given.disconnect()
    given = heard(window.command_given)
    if part in window.area.by_name:
        ui.desk.commands[f"pane_{window.area.by_name[part].number}"]()
    if part == "bottom":
        ui.desk.arranging.choose_pane("findings")
    widget = taker(window, part)
    give_keyboard(ui, widget, qtbot)
    for command in window.commands:
        for keys in command.keys if part == "code" or not command.in_code else ():
            given.clear()
            window.action(command.id).setEnabled(True)
            QTest.keySequence(widget, QKeySequence(keys))
            typed = given == [] and (command.id in ON_THE_KEYBOARD or keys.toString() == "?")
            assert given == [command.id] or typed, (command.id, keys.toString(), given)


def taker(window: MainWindow, part: str) -> QWidget:
    """Return the widget in `part` that takes the keyboard."""
    found = window.area.by_name[part].view if part in window.area.by_name else getattr(window, part)
    widgets = [found.focusProxy() or found, *found.findChildren(QWidget)]
    return next(each for each in widgets if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible())


def test_a_line_is_found_and_gone_to_from_anywhere(ui: Ui, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = ui.window
    give_keyboard(ui, window.story, qtbot)
    assert not window.action("find_next").isEnabled()
    QTest.keyClick(window.story, Qt.Key.Key_F, CONTROL)
    field = QApplication.focusWidget()
    QTest.keyClicks(field, "vmap")
    assert window.action("find_next").isEnabled()
    seen = set()
    for _ in range(2):
        QTest.keyClick(field, Qt.Key.Key_F3)
        seen.add(window.code.text.textCursor().position())
    assert len(seen) == 2
    QTest.keyClick(field, Qt.Key.Key_Escape)
    for answer in ((3, True), (7, False)):
        monkeypatch.setattr(QInputDialog, "getInt", lambda *_, answer=answer: answer)
        QTest.keyClick(window.code.text, Qt.Key.Key_G, CONTROL)
        assert window.code.text.textCursor().blockNumber() == 2


def test_the_keys_of_the_edit_menu_edit_the_code_in_one_step(ui: Ui, qtbot: QtBot) -> None:
    after = "a\n# bb\nc\n"
    ui.window.code.set_source("a\nbb\nc\n")
    text = ui.window.code.text
    cursor = QTextCursor(text.document())
    cursor.setPosition(3)
    text.setTextCursor(cursor)
    give_keyboard(ui, text, qtbot)
    QTest.keyClick(text, Qt.Key.Key_Slash, CONTROL)
    assert ui.session.workspace.source == after
    QTest.keyClick(text, Qt.Key.Key_Z, CONTROL)
    assert ui.session.workspace.source == "a\nbb\nc\n"
    QTest.keyClick(text, Qt.Key.Key_Y, CONTROL)
    assert ui.session.workspace.source == after


def test_types_come_with_the_program_once_nothing_is_asked_and_also_after_a_restart(ui: Ui) -> None:
    text, program = ui.window.code.text, Program("jaxpr", "x", line_types={21: ((LineType("f32[3]", (32,)),),)})
    ui.desk.lesson.go_to(1)
    two = ("shared_key", "key_per_example")
    ui.client.answer(*two, variants=tuple(Variant(name, 19) for name in two))
    assert not ui.client.request.line_types
    ui.desk.on_command("line_types")
    assert ui.client.request.line_types
    assert ui.window.action("line_types").isChecked()
    ui.client.say(Programs(ui.client.request.run, {"shared_key": program}))
    assert text.marks.types == {}, "the page asks"
    ui.desk.lesson.uncover()
    assert text.marks.types == {20: "f32[3] · 32×"}
    ui.desk.on_command("language_ko")
    assert ui.window.code.text.marks.types == {20: "f32[3] · 32×"}
    ui.window.close()
    assert settings.load().line_types
    ui.desk.on_command("line_types")
    assert not ui.window.code.text.marks.types


def test_the_search_of_lessons_begins_anew_when_it_is_opened_again(ui: Ui) -> None:
    for words in ("grad", "scan"):
        ui.desk.on_command("lessons")
        QTest.keyClicks(QApplication.focusWidget(), words)
        if words == "grad":
            ui.desk.on_command("lessons")
    assert ui.window.scenarios.findChild(QLineEdit).text() == "scan"


# -- Page Up and Page Down read the story wherever they mean nothing else ---------------------------------------------


NUMBERS = np.random.default_rng(0).normal(size=(4, 3, 2)).astype("f4")
ARRAYS = picture(NUMBERS, "output"), picture(NUMBERS, "draw", "draw", "draw")


@pytest.mark.parametrize("word", ["Draws", "HLO"])
def test_after_a_click_in_a_pane_page_down_still_reads_on_and_page_up_back(ui: Ui, qtbot: QtBot, word: str) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    finish_steps(ui.window)
    ui.window.resize(1366, 768)
    ui.window.show()
    ui.window.activateWindow()
    asked = ui.client.request
    reports = tuple(Report(name, "ok", program=Program("jaxpr", "{ }"), pictures=ARRAYS) for name in asked.variants)
    variants = tuple(Variant(each.name, 1) for each in reports)
    ui.client.say(Snapshot(asked.run, "cpu:0", True, reports=reports, variants=variants))
    QApplication.processEvents()
    shown = {each.text(): each for each in ui.window.area.findChildren(QAbstractButton) if each.isVisible()}
    qtbot.mouseClick(shown[word], Qt.MouseButton.LeftButton)
    assert ui.window.focusWidget() is shown[word]
    page = ui.desk.lesson.page.place
    for key, place in ((Qt.Key.Key_PageDown, page + 1), (Qt.Key.Key_PageUp, page)):
        for _ in range(9):
            if ui.desk.lesson.page.place != place:
                # What is longer than its part takes more than one press.
                qtbot.keyClick(ui.window.focusWidget(), key)
        assert ui.desk.lesson.page.place == place
