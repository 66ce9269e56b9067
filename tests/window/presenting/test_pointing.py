"""A spotlight and a black screen, by keys that are text where text is typed."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QSpinBox, QTreeView
from pytestqt.qtbot import QtBot

from tests.window.presenting.stages import SHIFT, hold, let_go, middle_of, present, press
from tests.window.ui import Ui
from views.noise.arrays.heat_colours import Scale
from views.noise.heatmap.heatmap import Heatmap
from views.window.stage.overlay import Overlay
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


def test_the_spotlight_lights_a_line_of_the_code_and_lets_the_mouse_through(stage: Ui) -> None:
    code = editor(stage)
    heights = range(5, code.viewport().height())
    written = next(y for y in heights if code.cursorForPosition(QPoint(30, y)).block().text().strip())
    at = code.viewport().mapTo(stage.window, QPoint(30, written + 3))
    point_at(stage, at)
    under = stage.window.childAt(at)
    hold(Key.Key_S)
    hold(Key.Key_S)
    assert overlay(stage).geometry() == stage.window.rect()
    assert stage.window.childAt(at) is under
    light = overlay(stage).light
    let_go(Key.Key_S)
    assert light.contains(at)
    # A line that is wrapped is lit up whole.
    assert light.height() < code.viewport().height() / 2
    assert overlay(stage).isHidden()
    assert overlay(stage).light.isEmpty()


def test_an_empty_line_lights_the_one_above_and_below_the_end_is_none(qtbot: QtBot) -> None:
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


def test_pointing_by_a_pressed_key_ends_when_the_keyboard_goes_elsewhere(stage: Ui) -> None:
    point_at(stage, middle_of(stage, editor(stage)))
    hold(Key.Key_S)
    QApplication.sendEvent(QApplication.instance(), QEvent(QEvent.Type.ApplicationStateChange))
    assert overlay(stage).isHidden()


@pytest.mark.rest
def test_a_black_screen_takes_the_key_that_brings_the_stage_back(stage: Ui) -> None:
    pointing, page = stage.desk.presentation.lectern.pointing, stage.desk.lesson.page
    for back in (Key.Key_PageDown, Key.Key_A, Key.Key_Escape, Key.Key_Period):
        press(Key.Key_Period)
        assert pointing.blank is not None
        assert pointing.blank.geometry() == stage.window.rect()
        assert stage.window.grab().toImage().pixelColor(stage.window.rect().center()) == QColor("#000000")
        press(Key.Key_Shift)
        assert pointing.blank is not None
        press(back)
        assert pointing.blank is None
    assert stage.desk.lesson.page == page
    assert stage.desk.presentation.is_on
    assert stage.desk.presentation.lectern.voting.tally() is None
    press(Key.Key_Period)
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
    hold(Key.Key_S)
    press(Key.Key_Period)
    stage.desk.presentation.end()
    assert (pointing.blank, overlay(stage).isHidden()) == (None, True)


def test_every_letter_is_text_in_the_code(stage: Ui, qtbot: QtBot) -> None:
    stage.window.code.setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "s.b")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_S, SHIFT)
    pointing = stage.desk.presentation.lectern.pointing
    assert "s.bs" in stage.session.workspace.source
    assert (pointing.blank, overlay(stage).isHidden()) == (None, True)


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox])
def test_what_is_typed_into_a_box_is_no_key_of_the_presentation(
    stage: Ui, qtbot: QtBot, kind: type[QLineEdit | QSpinBox]
) -> None:
    box = kind(stage.window)
    box.show()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClicks(QApplication.focusWidget(), "7a.bfs")
    pointing = stage.desk.presentation.lectern.pointing
    assert "7" in box.text()
    assert (pointing.blank, overlay(stage).isHidden()) == (None, True)
    assert stage.desk.presentation.lectern.voting.tally() is None
    box.deleteLater()
