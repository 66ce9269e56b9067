"""What the program prints: sent on as it comes, kept for the report, bounded."""

from __future__ import annotations

import io
import threading
import time
from collections.abc import Callable

LIMIT_CHARACTERS = 1_000_000
"""Of one run; a program that prints for ever must fill neither pipe nor memory."""
INTERVAL_S = 0.05
CUT = "\n(output cut: the program printed more than 1,000,000 characters)\n"


class PrintedText(io.TextIOBase):
    """A text stream that stands in for sys.stdout and sys.stderr.

    Callbacks of a compiled program print from other threads, hence the lock.
    """

    def __init__(self, send: Callable[[str], None]) -> None:
        super().__init__()
        self._send = send
        self._lock = threading.Lock()
        self._kept: list[str] = []
        self._unsent: list[str] = []
        self._taken = 0
        self._sent_at = 0.0
        self.muted = False
        """While true nothing is kept or sent: our own tracing must not show as the program's printing."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        with self._lock:
            if not self.muted and self._taken < LIMIT_CHARACTERS:
                self._keep(text)
        return len(text)

    def flush(self) -> None:
        """Send what has not been sent."""
        with self._lock:
            self._send_unsent()

    def take(self) -> str:
        """Return what was printed since the last call, and send the rest of it."""
        with self._lock:
            self._send_unsent()
            text = "".join(self._kept)
            self._kept = []
            return text

    def start_over(self) -> None:
        """Forget everything; the limit starts anew."""
        with self._lock:
            self._kept, self._unsent, self._taken = [], [], 0

    def _keep(self, text: str) -> None:
        room = LIMIT_CHARACTERS - self._taken
        self._taken += len(text)
        if len(text) >= room:
            text = text[:room] + CUT
        self._kept.append(text)
        self._unsent.append(text)
        if time.monotonic() - self._sent_at >= INTERVAL_S:
            self._send_unsent()

    def _send_unsent(self) -> None:
        if self._unsent:
            self._send("".join(self._unsent))
            self._unsent = []
            self._sent_at = time.monotonic()
