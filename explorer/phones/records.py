"""The lines between the window and the server for phones, as JSON; and how the server is started."""

from __future__ import annotations

import sys
from typing import TypeAlias

import msgspec

from explorer import OUR_NAME

COMMAND = (sys.executable, "-P", "-m", f"{OUR_NAME}.phones")
"""-P: no file in the current folder replaces a module."""


class Open(msgspec.Struct, frozen=True):
    """The question to take votes for. The server knows its number and how many choices it has, and no more."""

    question: int
    choices: int
    code: str
    """The four digits that the room sees."""
    address: str
    port: int
    """The port to listen on; where another program has it, any free one."""
    language: str
    votes: dict[str, int] = {}
    """The votes so far, by the tokens of the phones, where the question was open before."""


class Listening(msgspec.Struct, frozen=True, tag=True):
    """The server takes votes."""

    port: int


class Refused(msgspec.Struct, frozen=True, tag=True):
    """The server cannot listen at the address."""

    reason: str


class Voted(msgspec.Struct, frozen=True, tag=True):
    """A phone has voted, or has changed its vote."""

    phone: str
    """Its random token."""
    choice: int
    """Counted from 0."""


FromServer: TypeAlias = Listening | Refused | Voted


def line(record: Open | FromServer) -> bytes:
    """Return `record` as a line of JSON."""
    return msgspec.json.encode(record) + b"\n"


def to_server(line: bytes) -> Open:
    """Return the record in a line of the window."""
    return msgspec.json.decode(line, type=Open)


def from_server(line: bytes) -> FromServer:
    """Return the record in a line of the server."""
    record: FromServer = msgspec.json.decode(line, type=FromServer)
    return record
