"""A heartbeat over a link: a sign of life is sent twice a second, and each is answered."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.link.remotes.remote import Remote

BEAT_MS = 500
SILENT_S = 1.5
"""A link is reported as silent after this time without a message."""


class Pulse(QObject):
    """Beats while the current remote is behind a link.

    Signals:
        beat_due: a sign of life should be sent.
        silence_changed: the seconds without a message, also before the first one; 0 at the next message.
    """

    beat_due = Signal()
    silence_changed = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since: float | None = None
        """The clock at the last message or at the start; None where no message is expected."""
        self._is_silent = False
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._on_beat)

    def follow(self, remote: Remote) -> None:
        """Beat for `remote`."""
        self.rest()
        if remote.is_linked:
            self._timer.start()
        else:
            self._timer.stop()

    def wait(self) -> None:
        """Note that a worker has begun: its remote may be slow to answer, and should not be so unnoticed."""
        self._since, self._is_silent = time.monotonic(), False

    def rest(self) -> None:
        """Note that there is no worker now."""
        self._since, self._is_silent = None, False

    def hear(self) -> None:
        """Note that a message has arrived."""
        self._since = time.monotonic()
        if self._is_silent:
            self._is_silent = False
            self.silence_changed.emit(0)

    def _on_beat(self) -> None:
        self.beat_due.emit()
        silent_s = time.monotonic() - self._since if self._since is not None else 0.0
        if silent_s > SILENT_S:
            self._is_silent = True
            self.silence_changed.emit(round(silent_s))
