"""Keeps what Python code prints, which goes where it would go, in the pieces and at the time of plain Python.

No stream is replaced: only the ``write`` below each is extended. A stream calls it once for many prints.
"""

from __future__ import annotations

import codecs
import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import TextIOWrapper
from itertools import groupby
from operator import itemgetter
from typing import Any

from explorer.text.ends import Ends

MOST_PIECES = 1000
MOST_BYTES = 100_000
"""The most pieces that wait to be decoded, and the most bytes of the last of them."""


@contextmanager
def kept() -> Iterator[Callable[[], str]]:
    """Keep the text that goes to stdout and stderr in the block; the yielded function returns it so far, at any time.

    Its two ends are kept if it is long. The output of other processes, and of a stream whose ``write`` cannot be
    extended, is not kept.
    """
    printed = _Printed()
    with ExitStack() as stack:
        for stream in printed.streams:
            stack.enter_context(printed.extended(stream))
        stack.callback(printed.end)
        yield printed.so_far


class _Printed:
    """The text of all threads of this process on all its streams, in the order in which it was printed."""

    def __init__(self) -> None:
        self.streams = [_Stream(each) for each in dict.fromkeys((sys.stdout, sys.stderr))]
        self._pieces: list[tuple[bytes, Callable[[bytes], str]]] = []
        """Not decoded yet, each with what decodes it."""
        self._ends = Ends()
        # A signal's handler may print in the middle.
        self._lock = threading.RLock()
        self._process = os.getpid()

    def so_far(self) -> str:
        """Return the text until now, also what waits in a stream."""
        for each in self.streams:
            self._add(each, each.waiting())
        self._decode()
        return self._ends.text().replace(os.linesep, "\n")

    def end(self) -> None:
        """Add what still waits, also in a stream of the program's own, and nothing more."""
        for each in (sys.stdout, sys.stderr):
            with suppress(Exception):
                each.flush()
        self.so_far()
        self.streams = []

    @contextmanager
    def extended(self, stream: _Stream) -> Iterator[None]:
        """In the block, add what `stream` writes to its buffer."""
        write, own = getattr(stream.target, "write", None), getattr(stream.target, "__dict__", {}).get("write")
        # What the streams before it hold back was printed before; of stderr it is a part of a line at most.
        before = self.streams[: self.streams.index(stream)]

        def write_and_add(content: Any, /) -> Any:
            for each in before:
                if waiting := each.waiting():
                    self._add(each, waiting)
            # It may raise, as into a broken pipe: then nothing was printed.
            written = write(content)  # type: ignore[misc]
            self._add(stream, stream.new_in(content) if stream.ahead or type(content) is not bytes else content)
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

    def _add(self, stream: _Stream, content: bytes) -> None:
        # For each line of a terminal: without a lock, and decoded later.
        self._pieces.append((content, stream.decoder()))
        if len(self._pieces) > MOST_PIECES or len(content) > MOST_BYTES:
            self._decode()

    def _decode(self) -> None:
        if os.getpid() != self._process:
            # A fork, in which the lock may be that of a thread that it does not have.
            self._pieces.clear()
            return
        with self._lock:
            pieces = self._pieces[:]
            del self._pieces[: len(pieces)]
            runs = groupby(pieces, itemgetter(1))
            self._ends.add("".join([decode(b"".join([each for each, _ in run])) for decode, run in runs]))


class _Stream:
    """The bytes of a stream, each once: as soon as they wait to be written, or when they are."""

    def __init__(self, stream: Any) -> None:
        with suppress(Exception):
            # What was printed before does not belong to it.
            stream.flush()
        self._stream = stream
        self.target: Any = getattr(stream, "buffer", stream)
        """What is written to in the end; in a notebook, a stream has no buffer."""
        self._has_encoding, self._encoding = isinstance(stream, TextIOWrapper), "utf-8"
        self._decode = _decoder("utf-8")
        self.ahead = b""
        """What waits and is known already."""
        self._pieces_ahead = 0
        self._place = -1
        with suppress(ValueError):
            # An object of a class of its own may have more in front.
            if type(stream) is TextIOWrapper:
                self._place = gc.get_referents(stream).index(stream.errors)

    def decoder(self) -> Callable[[bytes], str]:
        """Return the decoder of now: the program may change the encoding, and detach the buffer for a new stream."""
        if self._has_encoding:
            try:
                if (encoding := self._stream.encoding) != self._encoding:
                    self._encoding, self._decode = encoding, _decoder(encoding)
            except ValueError:
                self._has_encoding = False
        return self._decode

    def new_in(self, content: Any) -> bytes:
        """Return the bytes of `content`, which is written now, except those that waited and are known."""
        try:
            written = content.encode(errors="replace") if isinstance(content, str) else bytes(content)
        except Exception:
            return b""
        if written.startswith(self.ahead):
            written = written[len(self.ahead) :]
            self.ahead, self._pieces_ahead = b"", 0
        return written

    def waiting(self) -> bytes:
        """Return the bytes that began to wait since the last call."""
        # A flush would show it earlier than plain Python, and only the garbage collector knows it without one: in
        # `textiowrapper_traverse` of CPython it comes before the name of the error handler. It may be a list.
        try:
            if self._place < 0 or (found := gc.get_referents(self._stream)[self._place]) is self._stream.errors:
                return b""
            new = (found if isinstance(found, list) else [found])[self._pieces_ahead :]
            # They are strings where they are ASCII.
            content = b"".join([each.encode() if isinstance(each, str) else each for each in new])
        except Exception:
            return b""
        self.ahead += content
        self._pieces_ahead += len(new)
        return content


def _decoder(encoding: str) -> Callable[[bytes], str]:
    return codecs.getincrementaldecoder(encoding)("replace").decode
