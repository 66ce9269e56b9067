"""Delays of the event loop: between waking up and waiting again, the window cannot react."""

from __future__ import annotations

import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject

MOST_DELAYS = 5


class EventLoopDelays(QObject):
    """Measures each turn of the event loop, at the cost of two calls a turn, without waking it up."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.turns = 0
        self.longest: list[tuple[float, float]] = []
        """The longest ones, the longest first: how long in seconds, and when they ended."""
        self._awake: float | None = None
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.awake.connect(self._on_awake)
            dispatcher.aboutToBlock.connect(self._on_about_to_block)

    def _on_awake(self) -> None:
        self._awake = time.perf_counter()

    def _on_about_to_block(self) -> None:
        if self._awake is None:
            return
        delay_s, self._awake = time.perf_counter() - self._awake, None
        self.turns += 1
        if len(self.longest) < MOST_DELAYS or delay_s > self.longest[-1][0]:
            self.longest = sorted([*self.longest, (delay_s, time.time())], reverse=True)[:MOST_DELAYS]
