"""Stopping the user's program from outside, and only while it runs."""

from __future__ import annotations

import _thread
import contextlib
import gc
import re
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from types import CodeType, FrameType

from explorer.worker.recording.interrupt import Interrupt, Stopped, TimeLimit

AGAIN_S = 0.02
"""After this time an interrupt that came in the middle of an import, or of a clean-up, is tried again."""
_INSTALLED = re.compile(r"[\\/](site|dist)-packages[\\/]")


class Interrupts:
    """Turns a cancellation of the run under way into a Stopped in the main thread.

    One that comes too early is kept until its run starts; one that comes too late does nothing. One that comes in the
    middle of an import waits for its end: JAX imports parts of itself when they are first needed, and one that was
    broken off half way ("Dialect namespace 'mhlo' is already registered") can never be imported again. So does one in
    the middle of what Python calls to clean up: it would ignore the exception, and the program would go on. What it
    ignores all the same is raised again; while one is on its way out no second one is, so that what was done by then
    can still be sent.
    """

    def __init__(self) -> None:
        self._run: int | None = None
        self._cancelled = -1
        self._limit = 0
        """The number of the newest time limit, and of the one that has been reached."""
        self._reached = -1
        self._shields = 0
        self._put_off = False
        """The newest interrupt came where it must wait."""
        signal.signal(signal.SIGINT, self._on_signal)
        if hasattr(signal, "pthread_sigmask"):
            # Who starts us holds it back until here.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    @contextlib.contextmanager
    def listening_to(self, run: int) -> Iterator[None]:
        """Let run number `run` be cancelled inside the block. Raises Stopped there when it is."""
        self._run = run
        try:
            try:
                self._raise_if_due()
                yield
            finally:
                self._run = None
        except Interrupt:
            # It may have come just before the line above.
            self._run = None
            raise

    @contextlib.contextmanager
    def time_limit(self, seconds: float | None) -> Iterator[None]:
        """Raise TimeLimit inside the block, which holds no other, after `seconds`; None is no limit."""
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
            # A timer that is just at work speaks of a limit that is over.
            self._limit += 1

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
            self._interrupt()

    def on_ignored(self, ignored: sys.UnraisableHookArgs) -> None:
        """Raise again what is due and Python has ignored; instead of ``sys.unraisablehook``."""
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
        """Interrupt once more what was put off, until there is nothing to be interrupted."""
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
    """Return whether `frame` was called by the import of something that is installed, or by a clean-up."""
    while frame is not None:
        code = frame.f_code
        if _is_clean_up(code):
            return True
        if code.co_name == "_load_unlocked" and code.co_filename == "<frozen importlib._bootstrap>":
            origin = getattr(frame.f_locals.get("spec"), "origin", None)
            if _INSTALLED.search(origin or ""):
                return True
        frame = frame.f_back
    return False


def _is_clean_up(code: CodeType) -> bool:
    """Return whether Python itself calls `code` when something is thrown away, and ignores what it raises."""
    if code.co_name == "__del__" or (code.co_name == "remove" and code.co_filename == weakref.__file__):
        return True
    if code is Interrupts.on_ignored.__code__:
        return True
    return any(getattr(each, "__code__", None) is code for each in gc.callbacks)


def interrupt_main_thread() -> None:
    """Send SIGINT to the main thread; where the platform allows, this also ends a sleeping system call."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()
