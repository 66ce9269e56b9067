"""Keeps what Python code prints, in the order and the pieces in which its streams write it out.

No stream is replaced: only the ``write`` of the file below each is extended. A stream calls it once for many prints.
"""

from __future__ import annotations

import codecs
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from typing import Any

from explorer.text.ends import Ends


@contextmanager
def kept() -> Iterator[Callable[[], str]]:
    """Keep the text that goes to stdout and stderr in the block; the yielded function returns it so far, at any time.

    Its two ends are kept if it is long. The output of other processes, and of a stream whose ``write`` cannot be
    extended, is not kept.
    """
    printed = _Printed()
    with ExitStack() as stack:
        for stream in dict.fromkeys((sys.stdout, sys.stderr)):
            stack.enter_context(printed.extended(_Stream(stream)))
        stack.callback(printed.end)
        yield printed.so_far


class _Printed:
    """The text of all threads of this process on all its streams, in the order in which it was written."""

    def __init__(self) -> None:
        self._ends = Ends()
        # A signal's handler may print in the middle.
        self._lock = threading.RLock()
        self._process = os.getpid()

    def so_far(self) -> str:
        """Return the text that was written until now, as a reader of the terminal or of the file has it."""
        return self._ends.text().replace(os.linesep, "\n")

    def end(self) -> None:
        """Add what still waits, also in a stream of the program's own."""
        for each in (sys.stdout, sys.stderr):
            with suppress(Exception):
                each.flush()

    @contextmanager
    def extended(self, stream: _Stream) -> Iterator[None]:
        """In the block, add what `stream` writes to its buffer."""
        write, own = getattr(stream.target, "write", None), getattr(stream.target, "__dict__", {}).get("write")

        def write_and_add(content: Any, /) -> Any:
            # It may raise, as into a broken pipe: then nothing was printed.
            written = write(content)  # type: ignore[misc]
            self._add(stream, content, written)
            return written

        with suppress(AttributeError):
            stream.target.write = write_and_add
        try:
            yield
        finally:
            if getattr(stream.target, "__dict__", {}).get("write") is write_and_add:
                if own is None:
                    del stream.target.write
                else:
                    stream.target.write = own

    def _add(self, stream: _Stream, content: Any, written: Any) -> None:
        if os.getpid() != self._process:
            # A fork, in which the lock may be that of a thread that it does not have.
            return
        # It may be an object of a class of the program's own.
        with suppress(Exception), self._lock:
            piece = content.encode(errors="replace") if isinstance(content, str) else bytes(content)
            if written != len(content):
                # A file may take a part.
                piece = piece[:written]
            self._ends.add(stream.decoder()(piece))


class _Stream:
    """A stream, and the encoding of what it writes."""

    def __init__(self, stream: Any) -> None:
        with suppress(Exception):
            # Earlier output does not belong to it.
            stream.flush()
        self._stream = stream
        buffer = getattr(stream, "buffer", stream)
        self.target: Any = getattr(buffer, "raw", buffer)
        """The innermost stream; in a notebook, a stream has no buffer."""
        self._has_encoding, self._encoding = isinstance(stream, TextIOWrapper), "utf-8"
        self._decode = _decoder("utf-8")

    def decoder(self) -> Callable[[bytes], str]:
        """Return the decoder of now: the program may change the encoding, and detach the buffer for a new stream."""
        if self._has_encoding:
            try:
                if (encoding := self._stream.encoding) != self._encoding:
                    self._encoding, self._decode = encoding, _decoder(encoding)
            except ValueError:
                self._has_encoding = False
        return self._decode


def _decoder(encoding: str) -> Callable[[bytes], str]:
    return codecs.getincrementaldecoder(encoding)("replace").decode
