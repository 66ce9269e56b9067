"""Walking through rows, images or points with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_UNHEEDED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def walked(event: QKeyEvent, place: int, count: int, *, line: int = 1, page: int = 1) -> int | None:
    """Return where a key leads from `place` among `count`, None for a key that leads nowhere.

    Left and right go one further, up and down a `line`, and the keys for pages a `page`.
    """
    steps = {
        Qt.Key.Key_Left: -1,
        Qt.Key.Key_Right: 1,
        Qt.Key.Key_Up: -line,
        Qt.Key.Key_Down: line,
        Qt.Key.Key_PageUp: -page,
        Qt.Key.Key_PageDown: page,
        Qt.Key.Key_Home: -count,
        Qt.Key.Key_End: count,
        Qt.Key.Key_Return: 0,
        Qt.Key.Key_Enter: 0,
    }
    key = Qt.Key(event.key())
    return max(0, min(count - 1, place + steps[key])) if count and key in steps and is_plain(event) else None


def is_plain(event: QKeyEvent) -> bool:
    """Return whether a key was pressed alone or with Ctrl, which goes somewhere without choosing what is there."""
    return event.modifiers() & ~_UNHEEDED in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)


def chooses(event: QKeyEvent) -> bool:
    """Return whether what a key leads to is chosen too."""
    return not event.modifiers() & Qt.KeyboardModifier.ControlModifier
