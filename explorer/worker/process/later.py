"""A delayed call that can be cancelled, without cost if it always is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

IDLE_S = 10.0
"""Seconds until an idle thread ends."""


class Later:
    """Calls `function` in its own thread `seconds` after the last `start`, unless `cancel` comes first.

    A ``threading.Timer`` starts a thread each time, which takes longer than reading a small program. Here one thread
    sleeps for at most `seconds` and then checks the time, so that it need not be woken.
    """

    def __init__(self, seconds: float, function: Callable[[], None]) -> None:
        self._seconds = seconds
        self._function = function
        self._due: float | None = None
        self._asked = 0.0
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Call the function after the delay; replaces an earlier start."""
        with self._lock:
            self._asked = time.monotonic()
            self._due = self._asked + self._seconds
            if self._thread is None:
                self._thread = threading.Thread(target=self._watch, daemon=True)
                self._thread.start()

    def cancel(self) -> None:
        """Cancel the call."""
        with self._lock:
            self._due = None

    def _watch(self) -> None:
        while True:
            with self._lock:
                now, due = time.monotonic(), self._due
                if due is None and now - self._asked > IDLE_S:
                    self._thread = None
                    return
                is_due = due is not None and now >= due
                if is_due:
                    self._due = None
            if is_due:
                self._function()
            time.sleep(self._seconds if due is None or is_due else min(self._seconds, due - now))
