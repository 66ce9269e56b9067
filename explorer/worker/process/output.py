"""The output of the program: sent as it comes, kept for the report, bounded."""

from __future__ import annotations

import contextlib
import io
import threading
import time
from collections.abc import Callable, Iterator

from explorer.worker.process.later import Later

LIMIT_CHARACTERS = 1_000_000
"""Of one run; a program that prints for ever must fill neither pipe nor memory."""
INTERVAL_S = 0.05
CUT = "\n(output cut: the program printed more than 1,000,000 characters)\n"
ASIDE_S = 2.0
"""After which a run that should tell nothing is taken for an endless one."""


class Stream(io.TextIOBase):
    """Stands in for sys.stdout and sys.stderr: a program may do to it what it likes, for it holds nothing of ours."""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        return _printed[-1].write(text)

    def flush(self) -> None:
        """Send what has not been sent."""
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
        """What is printed now is not the program's own run: it is not kept."""
        self._is_paused = False
        """Neither is it sent."""
        self._tap: Callable[[str], None] | None = None
        self._letting_go = Later(ASIDE_S, self._let_go)
        self._sending = Later(INTERVAL_S, self.flush)

    def stream(self) -> Stream:
        """Return the stream of which it takes in everything from now on."""
        _printed[:] = [self]
        return Stream()

    def write(self, text: str) -> int:
        """Take in the beginning of `text`, as far as there is room. Raises TypeError for what is none."""
        if not issubclass(type(text), str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        # A class derived from str may answer as it likes.
        text = str.__getitem__(text, slice(None))
        with self._lock:
            if self._tap is not None:
                self._tap(text)
            if self._taken < LIMIT_CHARACTERS:
                self._take_in(text)
        return len(text)

    def flush(self) -> None:
        """Send what has not been sent."""
        with self._lock:
            self._send_unsent()

    def take(self) -> str:
        """Return what was printed since the last call, and send the rest of it."""
        with self._lock:
            self._send_unsent()
            text = "".join(self._pieces)
            self._pieces = []
            return text

    def start_over(self) -> None:
        """Forget everything; the limit starts anew."""
        with self._lock:
            self._pieces, self._unsent, self._taken = [], [], 0

    @contextlib.contextmanager
    def aside(self, *, unless_endless: bool = False) -> Iterator[None]:
        """Keep what is printed in the block out of the report: tracing or timing prints it once more.

        With `unless_endless` it is sent all the same when the block takes longer than ASIDE_S, so that a user sees
        what an endless program prints while it is traced. Inside another such block it changes nothing.
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
        """Call `tell`, too, with all that is printed in the block."""
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
            # It may be the last for a long time.
            self._sending.start()

    def _send_unsent(self) -> None:
        if self._unsent and not self._is_paused:
            self._send("".join(self._unsent))
            self._unsent = []
            self._sent_at = time.monotonic()
