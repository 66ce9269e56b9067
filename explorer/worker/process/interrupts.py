"""Interruption of the user's program, from outside or at a time limit, only while it runs (`Interrupts`)."""

from __future__ import annotations

import _thread
import contextlib
import gc
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from types import CodeType, FrameType

from explorer.worker.code.own_modules import INSTALLED
from explorer.worker.recording.interrupt import Interrupt, Stopped, TimeLimit

AGAIN_S = 0.02
"""Seconds after which an interrupt during an import or a clean-up is tried again."""


class Interrupts:
    """Converts a cancellation of the current run into a Stopped in the main thread.

    A cancellation that is too early waits for its run; one that is too late does nothing. During an import it waits:
    JAX imports parts of itself lazily, and an interrupted import ("Dialect namespace 'mhlo' is already registered") can
    never be repeated. It also waits during Python's clean-up callbacks, because Python ignores exceptions there; an
    ignored exception is raised again. While one interrupt propagates, no second one is raised, so that results so far
    can be sent.
    """

    def __init__(self) -> None:
        self._run: int | None = None
        self._cancelled = -1
        self._limit = 0
        """The number of the last time limit."""
        self._reached = -1
        """The number of the time limit that expired."""
        self._shields = 0
        self._put_off = False
        """Whether the last interrupt must be repeated."""
        signal.signal(signal.SIGINT, self._on_signal)
        if hasattr(signal, "pthread_sigmask"):
            # The parent process blocks it until here.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    @contextlib.contextmanager
    def listening_to(self, run: int) -> Iterator[None]:
        """Allow run number `run` to be cancelled in the block. Raises Stopped there when it is."""
        self._run = run
        try:
            try:
                self._raise_if_due()
                yield
            finally:
                self._run = None
        except Interrupt:
            # It may have arrived just before the line above.
            self._run = None
            raise

    @contextlib.contextmanager
    def time_limit(self, seconds: float | None) -> Iterator[None]:
        """Raise TimeLimit in the block after `seconds`; None is no limit. Limits are not nested."""
        if seconds is None:
            yield
            return
        self._limit += 1
        timer = threading.Timer(seconds, self._end_of_time, [self._limit])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            # A timer that just fired refers to an expired limit.
            self._limit += 1

    @contextlib.contextmanager
    def shielded(self) -> Iterator[None]:
        """Defer interrupts in the block, so that a frame is written completely; raise them at its end."""
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
        """Cancel all runs up to number `run`; called from the reading thread."""
        self._cancelled = max(self._cancelled, run)
        if self._run is not None and self._run <= run:
            self._interrupt()

    def on_ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        """Raise an ignored interrupt again; replaces ``sys.unraisablehook``."""
        if not issubclass(ignored.exc_type, Interrupt):
            sys.__unraisablehook__(ignored)
            return
        if issubclass(ignored.exc_type, TimeLimit):
            self._reached = self._limit
        self._put_off = True
        threading.Thread(target=self._insist, daemon=True).start()

    def _end_of_time(self, limit: int) -> None:
        self._reached = limit
        self._interrupt()

    def _interrupt(self) -> None:
        interrupt_main_thread()
        threading.Thread(target=self._insist, daemon=True).start()

    def _insist(self) -> None:
        """Repeat a deferred interrupt until it is no longer due."""
        while self._is_due():
            time.sleep(AGAIN_S)
            if self._put_off:
                self._put_off = False
                interrupt_main_thread()

    def _is_due(self) -> bool:
        run = self._run
        return run is not None and (self._cancelled >= run or self._reached == self._limit)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._shields:
            self._raise_if_due()

    def _raise_if_due(self) -> None:
        if self._run is None or self._shields or not self._is_due():
            return
        if issubclass(type(sys.exception()), Interrupt) or _must_wait(sys._getframe()):
            self._put_off = True
            return
        if self._cancelled >= self._run:
            raise Stopped
        self._reached = -1
        raise TimeLimit


def _must_wait(frame: FrameType | None) -> bool:
    """Return whether `frame` runs inside the import of an installed module, or inside a clean-up."""
    while frame is not None:
        code = frame.f_code
        if _is_clean_up(code):
            return True
        if code.co_name == "_load_unlocked" and code.co_filename == "<frozen importlib._bootstrap>":
            origin = getattr(frame.f_locals.get("spec"), "origin", None)
            if INSTALLED.search(origin or ""):
                return True
        frame = frame.f_back
    return False


def _is_clean_up(code: CodeType) -> bool:
    """Return whether Python itself calls `code` as a clean-up, and ignores its exceptions."""
    if code.co_name == "__del__" or (code.co_name == "remove" and code.co_filename == weakref.__file__):
        return True
    if code is Interrupts.on_ignored.__code__:
        return True
    return any(getattr(each, "__code__", None) is code for each in gc.callbacks)


def interrupt_main_thread() -> None:
    """Send SIGINT to the main thread; where the platform allows, this also interrupts system calls."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
