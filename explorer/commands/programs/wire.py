"""The messages between this machine and a remote that runs a program; errors use the link's stderr."""

from __future__ import annotations

from typing import IO, TypeVar

import msgspec

from explorer.commands.programs.recorded import RecordingOptions
from explorer.messages import Report
from explorer.messages.frames import HEADER, UNREADABLE, FrameError, read_frame
from explorer.messages.recorded_run import RecordedRun

Message = TypeVar("Message")


class StartProgram(msgspec.Struct, frozen=True, tag=True):
    """Run this program; the first message."""

    name: str
    arguments: tuple[str, ...]
    is_module: bool
    wanted: RecordingOptions
    saves: bool
    """Whether to send its recording."""
    is_seen: bool
    """Whether the output goes to a terminal, where a user reads it line by line."""


class ProgramInput(msgspec.Struct, frozen=True, tag=True):
    """Input for the program; empty at its end."""

    content: bytes


class InterruptProgram(msgspec.Struct, frozen=True, tag=True):
    """Ctrl-C was pressed."""


class Alive(msgspec.Struct, frozen=True, tag=True):
    """The other end is there."""


class ProgramOutput(msgspec.Struct, frozen=True, tag=True):
    """Output of the program."""

    content: bytes


class ProgramEnded(msgspec.Struct, frozen=True, tag=True):
    """The program has ended; the last of all."""

    report: Report
    code: int
    """Python's exit code for it."""
    jax: str
    kept: RecordedRun | None = None
    """Its recording, if it was asked for."""


class ProgramMissing(msgspec.Struct, frozen=True, tag=True):
    """The program does not exist; the last message."""

    message: str


ToRemote = StartProgram | ProgramInput | InterruptProgram | Alive
FromRemote = ProgramOutput | ProgramEnded | ProgramMissing
_to_remote: msgspec.msgpack.Decoder[ToRemote] = msgspec.msgpack.Decoder(ToRemote)
_from_remote: msgspec.msgpack.Decoder[FromRemote] = msgspec.msgpack.Decoder(FromRemote)
_encoder = msgspec.msgpack.Encoder()


def write(stream: IO[bytes], message: ToRemote | FromRemote) -> None:
    """Write `message` as one frame."""
    body = _encoder.encode(message)
    stream.write(HEADER.pack(len(body)) + body)
    stream.flush()


def read_there(stream: IO[bytes]) -> ToRemote | None:
    """Return the next message from the local end, None at its end. Raises FrameError."""
    return _read(stream, _to_remote)


def read_here(stream: IO[bytes]) -> FromRemote | None:
    """Return the next message from the remote end, None at its end. Raises FrameError."""
    return _read(stream, _from_remote)


def _read(stream: IO[bytes], decoder: msgspec.msgpack.Decoder[Message]) -> Message | None:
    body = read_frame(stream)
    try:
        return None if body is None else decoder.decode(body)
    except UNREADABLE as error:
        raise FrameError(f"not a message: {error}") from error
