"""A presentation, and how its keys are pressed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.window.ui import Ui

SHIFT, PLAIN = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


def present(ui: Ui, qtbot: QtBot) -> None:
    """Begin a presentation; the story has the keyboard."""
    ui.desk.on_command("present")
    qtbot.waitUntil(ui.window.isActiveWindow)
    ui.window.story.setFocus()


def press(*keys: Qt.Key, shift: bool = False) -> None:
    """Press and let go each of `keys`, wherever the keyboard is."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key, SHIFT if shift else PLAIN)


def press_here(ui: Ui, *keys: str | Qt.Key) -> None:
    """Press each of `keys` where the keyboard is, and let the window follow."""
    for key in keys:
        QApplication.processEvents()
        QTest.keyClick(ui.window.focusWidget() or ui.window, key)
    QApplication.processEvents()
