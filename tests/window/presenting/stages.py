"""A presentation, and how its keys are pressed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.window.place import Place

SHIFT, PLAIN = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


def present(place: Place, qtbot: QtBot) -> None:
    """Begin a presentation; the story has the keyboard."""
    place.desk.on_command("present")
    qtbot.waitUntil(place.window.isActiveWindow)
    place.window.story.setFocus()


def press(*keys: Qt.Key, shift: bool = False) -> None:
    """Press and let go each of `keys`, wherever the keyboard is."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key, SHIFT if shift else PLAIN)


def hold(key: Qt.Key, *, shift: bool = False) -> None:
    QTest.keyPress(QApplication.focusWidget(), key, SHIFT if shift else PLAIN)


def let_go(key: Qt.Key) -> None:
    QTest.keyRelease(QApplication.focusWidget(), key)


def middle_of(place: Place, widget: QWidget) -> QPoint:
    """Return where the middle of `widget` is in the window."""
    return widget.mapTo(place.window, widget.rect().center())
