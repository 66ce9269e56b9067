"""Walking through rows, images or points with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_UNHEEDED = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier


def walked(event: QKeyEvent, place: int, count: int, *, line: int = 1, page: int = 1) -> int | None:
    """Return the target of a key from `place` among `count` places, None for any other key.

    Left and right move by one, up and down by a `line`, and Page Up and Page Down by a `page`.
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
    """Return whether a key was pressed alone or with Ctrl, which moves without choosing."""
    return event.modifiers() & ~_UNHEEDED in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier)


def chooses(event: QKeyEvent) -> bool:
    """Return whether the key also chooses its target."""
    return not event.modifiers() & Qt.KeyboardModifier.ControlModifier
