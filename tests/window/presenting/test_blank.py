"""A black screen, by keys that are text where text is typed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QSpinBox
from pytestqt.qtbot import QtBot

from tests.window.presenting.stages import SHIFT, present, press
from tests.window.ui import Ui
from views.window.stage.overlay import Overlay

Key = Qt.Key


@pytest.fixture
def stage(ui: Ui, qtbot: QtBot) -> Ui:
    present(ui, qtbot)
    return ui


def overlay(stage: Ui) -> Overlay:
    return stage.window.findChild(Overlay)


@pytest.mark.rest
def test_a_black_screen_takes_the_key_that_brings_the_stage_back(stage: Ui) -> None:
    lectern, page = stage.desk.presentation.lectern, stage.desk.lesson.page
    for back in (Key.Key_PageDown, Key.Key_A, Key.Key_Escape, Key.Key_Period):
        press(Key.Key_Period)
        assert lectern.blank is not None
        assert lectern.blank.geometry() == stage.window.rect()
        assert stage.window.grab().toImage().pixelColor(stage.window.rect().center()) == QColor("#000000")
        press(Key.Key_Shift)
        assert lectern.blank is not None
        press(back)
        assert lectern.blank is None
    assert stage.desk.lesson.page == page
    assert stage.desk.presentation.is_on
    assert stage.desk.presentation.lectern.voting.tally() is None
    press(Key.Key_Period)
    QTest.mouseClick(lectern.blank, Qt.MouseButton.LeftButton)
    assert lectern.blank is None


def test_b_is_black_only_where_nothing_is_asked(stage: Ui) -> None:
    lectern = stage.desk.presentation.lectern
    press(Key.Key_B)
    assert lectern.blank is None
    stage.desk.lesson.go_on()
    press(Key.Key_B)
    assert lectern.blank is not None
    press(Key.Key_B)
    assert lectern.blank is None


def test_the_end_of_the_presentation_puts_everything_away(stage: Ui) -> None:
    lectern = stage.desk.presentation.lectern
    press(Key.Key_Period)
    stage.desk.presentation.end()
    assert (lectern.blank, overlay(stage).isHidden()) == (None, True)


def test_every_letter_is_text_in_the_code(stage: Ui, qtbot: QtBot) -> None:
    stage.window.code.setFocus()
    qtbot.keyClicks(QApplication.focusWidget(), "s.b")
    QTest.keyClick(QApplication.focusWidget(), Key.Key_S, SHIFT)
    lectern = stage.desk.presentation.lectern
    assert "s.bs" in stage.session.workspace.source
    assert (lectern.blank, overlay(stage).isHidden()) == (None, True)


@pytest.mark.parametrize("kind", [QLineEdit, QSpinBox])
def test_what_is_typed_into_a_box_is_no_key_of_the_presentation(
    stage: Ui, qtbot: QtBot, kind: type[QLineEdit | QSpinBox]
) -> None:
    box = kind(stage.window)
    box.show()
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    qtbot.keyClicks(QApplication.focusWidget(), "7a.bfs")
    lectern = stage.desk.presentation.lectern
    assert "7" in box.text()
    assert (lectern.blank, overlay(stage).isHidden()) == (None, True)
    assert stage.desk.presentation.lectern.voting.tally() is None
    box.deleteLater()
