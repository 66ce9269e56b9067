"""Stopping the person's program from outside, and only while it runs."""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType


class TimeLimit(KeyboardInterrupt):
    """The program ran longer than it was allowed to."""


class Interrupts:
    """Turns a cancellation of the run under way into a KeyboardInterrupt in the main thread.

    One that comes too early is kept until its run starts; one that comes too late does nothing.
    """

    def __init__(self) -> None:
        self._run: int | None = None
        self._cancelled = -1
        self._out_of_time = False
        self._shields = 0
        signal.signal(signal.SIGINT, self._on_signal)

    @contextlib.contextmanager
    def listening_to(self, run: int) -> Iterator[None]:
        """Let run number `run` be cancelled inside the block. Raises KeyboardInterrupt there when it is."""
        self._run = run
        try:
            self._raise_if_due()
            yield
        finally:
            self._run = None

    @contextlib.contextmanager
    def time_limit(self, seconds: float | None) -> Iterator[None]:
        """Raise TimeLimit inside the block when it takes longer than `seconds`; None is no limit."""
        if seconds is None:
            yield
            return
        timer = threading.Timer(seconds, self._end_of_time)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            self._out_of_time = False

    @contextlib.contextmanager
    def shielded(self) -> Iterator[None]:
        """Hold interrupts back inside the block, so that a frame is written whole; raise them at its end."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        self._shields += 1
        try:
            yield
        finally:
            self._shields -= 1
        self._raise_if_due()

    def cancel(self, run: int) -> None:
        """Cancel runs up to number `run`; called from the reading thread."""
        self._cancelled = max(self._cancelled, run)
        if self._run is not None and self._run <= run:
            interrupt_main_thread()

    def _end_of_time(self) -> None:
        self._out_of_time = True
        interrupt_main_thread()

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._shields:
            self._raise_if_due()

    def _raise_if_due(self) -> None:
        if self._run is None or self._shields:
            return
        if self._cancelled >= self._run:
            raise KeyboardInterrupt
        if self._out_of_time:
            self._out_of_time = False
            raise TimeLimit


def interrupt_main_thread() -> None:
    """Send SIGINT to the main thread; where the platform allows, this also ends a sleeping system call."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
