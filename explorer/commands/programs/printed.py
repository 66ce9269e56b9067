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
        for stream in printed.streams:
            stack.enter_context(printed.extended(stream))
        yield printed.so_far
        printed.so_far()


class _Printed:
    """The text of all threads of this process on all its streams, in the order in which it was printed."""

    def __init__(self) -> None:
        self.streams = [_Stream(each) for each in dict.fromkeys((sys.stdout, sys.stderr))]
        self._ends = Ends()
        self._lock = threading.RLock()
        self._process = os.getpid()

    def so_far(self) -> str:
        """Return the text until now, also what waits in a stream."""
        with self._lock:
            self._add_waiting()
            return self._ends.text().replace(os.linesep, "\n")

    @contextmanager
    def extended(self, stream: _Stream) -> Iterator[None]:
        """In the block, add what `stream` writes to its buffer."""
        write, own = getattr(stream.target, "write", None), getattr(stream.target, "__dict__", {}).get("write")

        def write_and_add(content: Any, /) -> Any:
            if os.getpid() != self._process:
                # Forked: another thread may have held the lock.
                return write(content)  # type: ignore[misc]
            text = ""
            with self._lock, suppress(Exception):
                # What another stream holds back was printed before.
                self._add_waiting()
                text = stream.text_of(content)
            # It may raise, as into a broken pipe: then nothing was printed.
            written = write(content)  # type: ignore[misc]
            with self._lock:
                self._ends.add(text)
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

    def _add_waiting(self) -> None:
        for each in self.streams:
            self._ends.add(each.waiting_text())


class _Stream:
    """The text of a stream, each piece once: as soon as it waits to be written, or when it is."""

    def __init__(self, stream: Any) -> None:
        with suppress(Exception):
            # What was printed before does not belong to it.
            stream.flush()
        self._stream = stream
        self.target: Any = getattr(stream, "buffer", stream)
        """What is written to in the end; in a notebook, a stream has no buffer."""
        self._decode = codecs.getincrementaldecoder(getattr(stream, "encoding", None) or "utf-8")("replace").decode
        self._ahead: list[bytes] = []
        """The waiting pieces whose text is known already."""
        self._place, self._errors = -1, getattr(stream, "errors", None)
        with suppress(ValueError):
            if isinstance(stream, TextIOWrapper):
                self._place = gc.get_referents(stream).index(self._errors)

    def text_of(self, content: Any) -> str:
        """Return the text of what is written now, without what waited and is known."""
        if isinstance(content, str):
            return content
        written, ahead = bytes(content), b"".join(self._ahead)
        if written.startswith(ahead):
            written, self._ahead = written[len(ahead) :], []
        return self._decode(written)

    def waiting_text(self) -> str:
        """Return the text that began to wait since the last call."""
        with suppress(Exception):
            pieces = self._waiting()[len(self._ahead) :]
            new = [each.encode() if isinstance(each, str) else each for each in pieces]
            text = self._decode(b"".join(new))
            self._ahead += new
            return text
        return ""

    def _waiting(self) -> list[str | bytes]:
        """Return the pieces that wait, those in ASCII as text.

        A flush would show them earlier than plain Python. Only the garbage collector knows them without one: in
        `textiowrapper_traverse` of CPython they come before the name of the error handler, where there are any.
        """
        found: Any = gc.get_referents(self._stream)[self._place] if self._place >= 0 else self._errors
        return found if isinstance(found, list) else [found] if found is not self._errors else []
