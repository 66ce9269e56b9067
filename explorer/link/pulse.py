"""Whether there is life at the other end of a link: a sign goes there twice a second, and each comes back."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.link.places.place import Place

BEAT_MS = 500
SILENT_S = 1.5
"""A link on which nothing has come for so long is told of."""


class Pulse(QObject):
    """Beats while the place that is followed lies behind a link.

    Signals:
        beat_due: a sign of life is to be sent.
        silence_told: for how many seconds nothing has come; 0 once something comes again.
    """

    beat_due = Signal()
    silence_told = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._heard = 0.0
        self._is_silent = False
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._on_beat)

    def follow(self, place: Place) -> None:
        """Beat for `place`."""
        self.wait()
        if place.is_linked:
            self._timer.start()
        else:
            self._timer.stop()

    def wait(self) -> None:
        """Note that a worker has begun: before its first word it has its own time, as it imports JAX."""
        self._heard, self._is_silent = 0.0, False

    def hear(self) -> None:
        """Note that something has come."""
        self._heard = time.monotonic()
        if self._is_silent:
            self._is_silent = False
            self.silence_told.emit(0)

    def _on_beat(self) -> None:
        self.beat_due.emit()
        silent_s = time.monotonic() - self._heard
        if self._heard and silent_s > SILENT_S:
            self._is_silent = True
            self.silence_told.emit(round(silent_s))
