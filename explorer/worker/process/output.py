"""The program's output (`PrintedText`): sent as it comes, kept for the report, bounded; hidden in further runs."""

from __future__ import annotations

import contextlib
import io
import math
import threading
import time
from collections.abc import Callable, Iterator

LIMIT_CHARACTERS = 1_000_000
"""Largest number of characters per run: an endless output must not fill pipe or memory."""
INTERVAL_S = 0.05
CUT = "\n(output cut: the program printed more than 1,000,000 characters)\n"
ASIDE_S = 2.0
"""Seconds after which a hidden run counts as endless."""
IDLE_S = 10.0
"""Seconds until an idle thread ends: to start one takes longer than to read a small program."""


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
        self._let_go_at = math.inf
        """When it is sent after all."""
        self._is_due = threading.Event()
        self._thread: threading.Thread | None = None

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
        taken = self._taken
        with self._lock:
            self._aside = self._is_paused = True
            if unless_endless:
                self._let_go_at = time.monotonic() + ASIDE_S
                self._send_soon()
        try:
            yield
        finally:
            with self._lock:
                self._aside = self._is_paused = False
                self._let_go_at = math.inf
                self._unsent, self._taken = [], taken

    @contextlib.contextmanager
    def tapped(self, tell: Callable[[str], None]) -> Iterator[None]:
        """Also call `tell` with all text printed in the block."""
        self._tap = tell
        try:
            yield
        finally:
            self._tap = None

    def _send_soon(self) -> None:
        """Let the thread send the pending text."""
        self._is_due.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()

    def _watch(self) -> None:
        while True:
            self._is_due.wait(IDLE_S)
            time.sleep(INTERVAL_S)
            with self._lock:
                if not self._is_due.is_set():
                    self._thread = None
                    return
                self._is_paused = self._is_paused and time.monotonic() < self._let_go_at
                if not self._is_paused or self._let_go_at == math.inf:
                    self._is_due.clear()
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
            self._send_soon()

    def _send_unsent(self) -> None:
        if self._unsent and not self._is_paused:
            self._send("".join(self._unsent))
            self._unsent = []
            self._sent_at = time.monotonic()
