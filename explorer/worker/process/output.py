"""The program's output: sent as it comes, kept for the report, bounded."""

from __future__ import annotations

import contextlib
import io
import threading
import time
from collections.abc import Callable, Iterator

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


LIMIT_CHARACTERS = 1_000_000
"""Largest number of characters per run: an endless output must not fill pipe or memory."""
INTERVAL_S = 0.05
CUT = "\n(output cut: the program printed more than 1,000,000 characters)\n"
ASIDE_S = 2.0
"""Seconds after which a hidden run counts as endless."""


class Stream(io.TextIOBase):
    """Replacement for sys.stdout and sys.stderr; it holds no objects of ours that a program could damage."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return _printed[-1].write(text)

    def flush(self) -> None:
        """Send all pending text."""
        if _printed:
            _printed[-1].flush()


_printed: list[PrintedText] = []


class PrintedText:
    """The text written to a `Stream`. Callbacks of a compiled program print from other threads, hence the lock."""

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send
        self._lock = threading.RLock()
        self._pieces: list[str] = []
        self._unsent: list[str] = []
        self._taken = 0
        self._sent_at = 0.0
        self._aside = False
        """Whether the current text is not kept, because it is not from the program's own run."""
        self._is_paused = False
        """Whether it is not sent, either."""
        self._tap: Callable[[str], None] | None = None
        self._letting_go = Later(ASIDE_S, self._let_go)
        self._sending = Later(INTERVAL_S, self.flush)

    def stream(self) -> Stream:
        """Return the stream whose text goes here from now on."""
        _printed[:] = [self]
        return Stream()

    def write(self, text: str) -> int:
        """Add `text`, as far as there is room. Raises TypeError unless it is a str."""
        if not issubclass(type(text), str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        # A subclass of str may override methods.
        text = str.__getitem__(text, slice(None))
        with self._lock:
            if self._tap is not None:
                self._tap(text)
            if self._taken < LIMIT_CHARACTERS:
                self._take_in(text)
        return len(text)

    def flush(self) -> None:
        """Send all pending text."""
        with self._lock:
            self._send_unsent()

    def take(self) -> str:
        """Return the text printed since the last call, and send pending text."""
        with self._lock:
            self._send_unsent()
            text = "".join(self._pieces)
            self._pieces = []
            return text

    def start_over(self) -> None:
        """Drop all text and reset the limit."""
        with self._lock:
            self._pieces, self._unsent, self._taken = [], [], 0

    @contextlib.contextmanager
    def aside(self, *, unless_endless: bool = False) -> Iterator[None]:
        """Exclude the text printed in the block from the report: it repeats earlier output.

        With `unless_endless` it is sent after all if the block takes longer than ASIDE_S, so that a user sees the
        output of an endless program during its trace. Nested blocks have no effect.
        """
        if self._aside:
            yield
            return
        if unless_endless:
            self._letting_go.start()
        taken = self._taken
        self._aside = self._is_paused = True
        try:
            yield
        finally:
            self._letting_go.cancel()
            with self._lock:
                self._aside = self._is_paused = False
                self._unsent, self._taken = [], taken

    @contextlib.contextmanager
    def tapped(self, tell: Callable[[str], None]) -> Iterator[None]:
        """Also call `tell` with all text printed in the block."""
        self._tap = tell
        try:
            yield
        finally:
            self._tap = None

    def _let_go(self) -> None:
        with self._lock:
            if self._is_paused:
                self._is_paused = False
                self._send_unsent()

    def _take_in(self, text: str) -> None:
        room = LIMIT_CHARACTERS - self._taken
        self._taken += len(text)
        if len(text) >= room:
            text = text[:room] + CUT
        self._unsent.append(text)
        if not self._aside:
            self._pieces.append(text)
        if time.monotonic() - self._sent_at >= INTERVAL_S:
            self._send_unsent()
        elif not self._is_paused:
            # It may be the last text for a long time.
            self._sending.start()

    def _send_unsent(self) -> None:
        if self._unsent and not self._is_paused:
            self._send("".join(self._unsent))
            self._unsent = []
            self._sent_at = time.monotonic()
