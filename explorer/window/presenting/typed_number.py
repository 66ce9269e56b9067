"""A number typed before a letter: 40 B counts forty votes for B."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

ALONE_MS = 800
"""Milliseconds after which a single digit means what it means elsewhere: a pane."""
FORGOTTEN_MS = 5000
"""Milliseconds after which a longer number is forgotten."""
MOST_DIGITS = 3


class TypedNumber(QObject):
    """Collects digits until a letter takes them.

    Signals:
        changed: the typed digits.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._digits = ""
        self._alone: Callable[[], object] = self.clear
        self._wait = QTimer(self, singleShot=True)
        self._wait.timeout.connect(self._on_end)

    @property
    def digits(self) -> str:
        """The digits so far."""
        return self._digits

    def add(self, digit: str, alone: Callable[[], object]) -> None:
        """Add `digit`; if nothing follows it, call `alone`. A zero begins no number."""
        if len(self._digits) == MOST_DIGITS or (digit == "0" and not self._digits):
            return
        self._alone = alone if not self._digits else self.clear
        self._set(self._digits + digit)
        self._wait.start(FORGOTTEN_MS if len(self._digits) > 1 else ALONE_MS)

    def take(self) -> int:
        """Return the number, 1 where none was typed, and begin anew."""
        number = int(self._digits or "1")
        self.clear()
        return number

    def clear(self) -> bool:
        """Forget the digits; return whether there were any."""
        self._wait.stop()
        had = bool(self._digits)
        if had:
            self._set("")
        return had

    def _on_end(self) -> None:
        alone = self._alone
        self.clear()
        alone()

    def _set(self, digits: str) -> None:
        self._digits = digits
        self.changed.emit(digits)
