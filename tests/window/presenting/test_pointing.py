"""A dot, a spotlight, a pen and a blank screen, by keys that are text where text is typed."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QSpinBox, QTreeView
from pytestqt.qtbot import QtBot

from tests.views.contrast import contrast
from tests.window.presenting.stages import SHIFT, hold, let_go, middle_of, present, press
from tests.window.ui import Ui, speak
from views.noise.arrays.heat_colours import Scale
from views.noise.heatmap.heatmap import Heatmap
from views.theme import DARK, LIGHT, PROJECTOR, Theme
from views.window.stage.overlay import INK, INK_ON_DARK, Overlay
from views.window.stage.spotlight import _paragraph, lit

Key = Qt.Key


@pytest.fixture
def stage(ui: Ui, qtbot: QtBot) -> Ui:
    present(ui, qtbot)
    return ui


def overlay(stage: Ui) -> Overlay:
    return stage.window.findChild(Overlay)


def point_at(stage: Ui, at: QPoint) -> None:
    stage.desk.presentation.lectern.pointing.where = lambda: at


def editor(stage: Ui) -> QPlainTextEdit:
    return max(stage.window.code.findChildren(QPlainTextEdit), key=lambda each: each.width() * each.height())


def test_a_dot_is_at_the_mouse_as_long_as_its_key_is_pressed(stage: Ui) -> None:
    assert overlay(stage).isHidden()
    point_at(stage, QPoint(40, 50))
    hold(Key.Key_O)
    assert (overlay(stage).dot, overlay(stage).geometry()) == (QPoint(40, 50), stage.window.rect())
    hold(Key.Key_O)
    let_go(Key.Key_O)
    assert overlay(stage).isHidden()


def test_the_spotlight_lights_a_line_of_the_code_or_the_part_that_it_is_in(stage: Ui) -> None:
    code = editor(stage)
    heights = range(5, code.viewport().height())
    written = next(y for y in heights if code.cursorForPosition(QPoint(30, y)).block().text().strip())
    at = code.viewport().mapTo(stage.window, QPoint(30, written + 3))
    point_at(stage, at)
    hold(Key.Key_S)
    light = overlay(stage).light
    let_go(Key.Key_S)
    assert light is not None
    assert light.contains(at)
    # A line that is wrapped is lit up whole.
    assert light.height() < code.viewport().height() / 2
    hold(Key.Key_S, shift=True)
    wide = overlay(stage).light
    let_go(Key.Key_S)
    column = stage.window.code_column
    assert wide == QRect(column.mapTo(stage.window, QPoint()), column.size())
    assert overlay(stage).light is None


def test_an_empty_line_lights_the_one_above_and_below_the_end_all_of_the_code(qtbot: QtBot) -> None:
    view = QPlainTextEdit("first\n\n\nfourth")
    qtbot.addWidget(view)
    view.resize(300, 300)
    view.show()
    line = view.fontMetrics().lineSpacing()
    first, third, beyond = (_paragraph(view, QPoint(9, line * row + line // 2 + 4)) for row in (0, 2, 9))
    assert first == third
    assert first.height() <= line + 1
    assert beyond.isEmpty()


def test_the_spotlight_lights_a_row(ui: Ui, qtbot: QtBot) -> None:
    ui.window.resize(1200, 700)
    ui.window.show()
    ui.window.scenarios.show()
    tree = ui.window.scenarios.findChild(QTreeView)
    qtbot.waitUntil(lambda: tree.visualRect(tree.model().index(0, 0)).isValid() and tree.width() > 50)
    tree.scrollToTop()
    row = tree.visualRect(tree.model().index(0, 0))
    area = lit(ui.window, tree.viewport().mapTo(ui.window, row.center()))
    assert (area.height(), area.width()) == (row.height(), tree.viewport().width())
    assert lit(ui.window, QPoint(-5, -5)) == QRect()


def test_the_spotlight_lights_a_row_of_a_heatmap(stage: Ui) -> None:
    heatmap = Heatmap(stage.window)
    heatmap.setGeometry(100, 100, 300, 200)
    heatmap.show_matrix(np.zeros((8, 5)), Scale("diverging", -1.0, 1.0))
    heatmap.show()
    for row in range(8):
        middle = heatmap.geometry_of_cells().cell_rectangle(row, row, 2, 2).center().toPoint()
        area = lit(stage.window, middle + heatmap.pos())
        assert area.contains(middle + heatmap.pos())
        assert area.size() == heatmap.row_area(middle).size()
        assert area.height() < heatmap.height() / 6
    assert lit(stage.window, heatmap.geometry().center(), whole=True) == heatmap.geometry()


def test_pointing_by_a_pressed_key_ends_when_the_keyboard_goes_elsewhere(stage: Ui) -> None:
    hold(Key.Key_S)
    pointing = stage.desk.presentation.lectern.pointing
    QApplication.sendEvent(QApplication.instance(), QEvent(QEvent.Type.ApplicationStateChange))
    assert overlay(stage).light is None
    assert not pointing.overlay.isVisible()


def test_the_overlay_takes_the_mouse_only_while_the_pen_is_on(stage: Ui) -> None:
    transparent = Qt.WidgetAttribute.WA_TransparentForMouseEvents
    at = middle_of(stage, stage.window.code)
    under = stage.window.childAt(at)
    hold(Key.Key_O)
    assert overlay(stage).testAttribute(transparent)
    assert stage.window.childAt(at) is under
    let_go(Key.Key_O)
    press(Key.Key_M)
    assert stage.window.childAt(at) is overlay(stage)
    press(Key.Key_M)
    assert stage.window.childAt(at) is under


def draw(stage: Ui) -> None:
    QTest.mousePress(overlay(stage), Qt.MouseButton.LeftButton, pos=QPoint(10, 10))
    QTest.mouseMove(overlay(stage), QPoint(90, 60))
    QTest.mouseRelease(overlay(stage), Qt.MouseButton.LeftButton, pos=QPoint(90, 60))


def test_the_pen_draws_until_the_page_turns_or_a_key_clears(stage: Ui) -> None:
    press(Key.Key_M)
    draw(stage)
    draw(stage)
    assert [stroke.size() for stroke in overlay(stage).strokes] == [2, 2]
    press(Key.Key_X)
    assert overlay(stage).strokes == ()
    draw(stage)
    stage.desk.lesson.go_on()
    assert overlay(stage).strokes == ()
    assert overlay(stage).pen_is_on


def test_escape_puts_the_pen_down_before_it_ends_the_presentation(stage: Ui) -> None:
    press(Key.Key_M)
    draw(stage)
    press(Key.Key_Escape)
    assert overlay(stage).isHidden()
    assert stage.desk.presentation.is_on
    press(Key.Key_Escape)
    assert not stage.desk.presentation.is_on


@pytest.mark.rest
@pytest.mark.parametrize(("key", "colour"), [(Key.Key_Period, "#000000"), (Key.Key_W, "#ffffff")])
def test_a_blank_screen_takes_the_key_that_brings_the_stage_back(stage: Ui, key: Key, colour: str) -> None:
    pointing, page = stage.desk.presentation.lectern.pointing, stage.desk.lesson.page
    for back in (Key.Key_PageDown, Key.Key_A, Key.Key_Escape, key):
        press(key)
        assert pointing.blank is not None
        assert (pointing.blank.colour, pointing.blank.geometry()) == (colour, stage.window.rect())
        assert stage.window.grab().toImage().pixelColor(stage.window.rect().center()) == QColor(colour)
        press(Key.Key_Shift)
        assert pointing.blank is not None
        press(back)
        assert pointing.blank is None
    assert stage.desk.lesson.page == page
    assert stage.desk.presentation.is_on
    assert stage.desk.presentation.lectern.voting.tally() is None
    press(key)
    QTest.mouseClick(pointing.blank, Qt.MouseButton.LeftButton)
    assert pointing.blank is None


def test_b_is_black_only_where_nothing_is_asked(stage: Ui) -> None:
    pointing = stage.desk.presentation.lectern.pointing
    press(Key.Key_B)
    assert pointing.blank is None
    stage.desk.lesson.go_on()
    press(Key.Key_B)
    assert pointing.blank is not None
    press(Key.Key_B)
    assert pointing.blank is None


def test_the_end_of_the_presentation_puts_everything_away(stage: Ui) -> None:
    pointing = stage.desk.presentation.lectern.pointing
    press(Key.Key_M)
    hold(Key.Key_S)
    press(Key.Key_W)
    stage.desk.presentation.end()
    assert (pointing.blank, overlay(stage).isHidden(), overlay(stage).pen_is_on) == (None, True, False)


def test_every_letter_is_text_in_the_code(stage: Ui, qtbot: QtBot) -> None:
    stage.window.code.setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "osmxw.b")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_S, SHIFT)
    pointing = stage.desk.presentation.lectern.pointing
    assert "osmxw.bs" in stage.session.workspace.source
    assert (pointing.blank, overlay(stage).isHidden()) == (None, True)


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox])
def test_what_is_typed_into_a_box_is_no_key_of_the_presentation(
    stage: Ui, qtbot: QtBot, kind: type[QLineEdit | QSpinBox]
) -> None:
    box = kind(stage.window)
    box.show()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClicks(QApplication.focusWidget(), "7aw.bfs")
    pointing = stage.desk.presentation.lectern.pointing
    assert "7" in box.text()
    assert (pointing.blank, overlay(stage).isHidden()) == (None, True)
    assert stage.desk.presentation.lectern.voting.tally() is None
    box.deleteLater()


@pytest.mark.rest
def test_what_points_stays_on_top_in_another_language(stage: Ui) -> None:
    press(Key.Key_M)
    speak(stage.desk, "ko")
    QApplication.processEvents()
    assert stage.window.childAt(middle_of(stage, stage.window.code)) is overlay(stage)
    speak(stage.desk, "en")


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_the_ink_is_seen_on_every_ground(theme: Theme) -> None:
    assert contrast(QColor(INK_ON_DARK if theme.dark else INK), QColor(theme.background)) > 4.5
