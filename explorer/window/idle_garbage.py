"""Collection of garbage while nothing else is to be done: in the middle of an action it would take up to 50 ms."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

LOOK_MS = 1000
SOME = 10_000
"""New objects that are worth a collection."""
MOST = 500_000
"""New objects with which it waits for nothing: some 50 MB."""


class IdleGarbage(QObject):
    """Takes the place of Python's own collections, which come whenever there are 700 new objects."""

    def __init__(self, parent: QObject, is_busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        # All that is made at the start lives as long as the window: looking through it is in vain.
        gc.freeze()
        gc.disable()
        self.destroyed.connect(_on_destroyed)
        timer = QTimer(self, interval=LOOK_MS)
        timer.timeout.connect(self.look)
        timer.start()

    def look(self) -> None:
        """Collect garbage if there may be enough of it and nothing is under way."""
        new = gc.get_count()[0]
        if new > MOST or (new > SOME and not self._is_busy()):
            gc.collect()


def _on_destroyed() -> None:
    gc.enable()
