"""Length-prefixed msgpack frames, the format of messages in a pipe, for blocking reads and for chunks."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

import msgspec

from explorer.messages import FromWorker, ToWorker
from explorer.messages.encodable import packed

HEADER = struct.Struct(">Q")
MAX_FRAME_BYTES = 2 << 30
"""Largest frame in bytes; a longer one means a corrupted stream."""

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_to_worker: msgspec.msgpack.Decoder[ToWorker] = msgspec.msgpack.Decoder(ToWorker)
_from_worker: msgspec.msgpack.Decoder[FromWorker] = msgspec.msgpack.Decoder(FromWorker)


class FrameError(Exception):
    """The stream has no valid frame at this position."""


def encode(message: ToWorker | FromWorker) -> bytes:
    """Return `message` as one frame: eight bytes of length (big endian), then msgpack; surrogates are escaped."""
    body = packed(message)
    return HEADER.pack(len(body)) + body


def decode_to_worker(body: bytes) -> ToWorker:
    """Return the message in `body`. Raises FrameError for an invalid one."""
    try:
        return _to_worker.decode(body)
    except UNREADABLE as error:
        raise FrameError(f"not a message to the worker: {error}") from error


def decode_from_worker(body: bytes | memoryview) -> FromWorker:
    """Return the message in `body`. Raises FrameError for an invalid one."""
    try:
        return _from_worker.decode(body)
    except UNREADABLE as error:
        raise FrameError(f"not a message from the worker: {error}") from error


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the body of the next frame of a blocking stream, None at its end. Raises FrameError for a broken frame."""
    header = stream.read(HEADER.size)
    if not header:
        return None
    if len(header) < HEADER.size:
        raise FrameError("the stream ended inside a header")
    length = _length(header)
    body = stream.read(length)
    if len(body) < length:
        raise FrameError("the stream ended inside a frame")
    return body


class FrameBuffer:
    """Collector of chunks from a non-blocking pipe that yields whole frames."""

    def __init__(self) -> None:
        self._header, self._body = bytearray(), bytearray()

    def feed(self, chunk: bytes) -> Iterator[memoryview]:
        """Add `chunk` and yield the body of each completed frame. Raises FrameError for an invalid length.

        A body grows as it arrives: joining a large one at its end would hold up whoever reads it.
        """
        left = memoryview(chunk)
        while left or len(self._header) == HEADER.size:
            if missing := HEADER.size - len(self._header):
                self._header += left[:missing]
                left = left[missing:]
                continue
            missing = _length(self._header) - len(self._body)
            self._body += left[:missing]
            left = left[missing:]
            if len(self._body) < _length(self._header):
                return
            body, self._header, self._body = self._body, bytearray(), bytearray()
            yield memoryview(body).toreadonly()


def _length(header: bytes | bytearray) -> int:
    (length,) = HEADER.unpack(header)
    if length > MAX_FRAME_BYTES:
        raise FrameError(f"a frame of {length} bytes: the stream is corrupted")
    return int(length)
