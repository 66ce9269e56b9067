"""The only way to read and write a file of ours, in any state: nothing blocks, and nothing is lost.

A crash, another program or a copied home may have left any kind of file under its name: a pipe or a device, which would
block, gigabytes, half of a text. An unreadable file is put aside under another name, and reported once.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from itertools import count
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar

import msgspec

Record = TypeVar("Record")
Reason = Literal["kind", "size", "content", "access"]
"""Why a file cannot be read: not a regular file, too large, wrong content, or no permission."""
MOST_BYTES = 64_000_000
ASIDE = ".unreadable"


class Unreadable(Exception):
    """A file of ours that exists but cannot be read."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


class SetAsideFile(NamedTuple):
    """A file that could not be read."""

    path: Path
    now: Path | None
    """Its new path; None where it could not be moved."""


_put_aside: list[SetAsideFile] = []


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes | None:
    """Return the content of the file at `path`; None where there is none. Raises Unreadable."""
    try:
        # Before it is opened: that alone can mean to wait, or have an effect on a device.
        if not stat.S_ISREG(path.stat().st_mode):
            raise Unreadable("kind")
        # If another file has replaced it meanwhile, opening must not block.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise Unreadable("kind")
            content = file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError):
        # A link that leads nowhere, or in a circle, is no file; what is written later takes its place.
        return None
    except (OSError, ValueError) as error:
        raise Unreadable("access") from error
    if len(content) > most:
        raise Unreadable("size")
    return content


def decode(content: bytes, kind: type[Record]) -> Record:
    """Return the record of type `kind` in the JSON of `content`. Raises Unreadable."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (ValueError, RecursionError) as error:
        # Also what is no UTF-8, and lists in lists in lists.
        raise Unreadable("content") from error


def read_record(path: Path, kind: type[Record]) -> Record | None:
    """Return the record of type `kind` in the JSON file at `path`, None if missing; an unreadable one is put aside."""
    try:
        content = read_bytes(path)
        return decode(content, kind) if content is not None else None
    except Unreadable:
        put_aside(path)
        return None


def make_private(folder: Path) -> None:
    """Make `folder` readable by the user only. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_atomically(path: Path, content: bytes, *, private: bool = False, waits: bool = True) -> None:
    """Write `content` to `path`; a crash leaves either the old file or the new one, never a part.

    A `private` file is readable by the user only, where the system has such permissions. If it `waits` for the disk,
    the file outlives a crash of the system, too.

    Raises OSError, with the old file unchanged, when the folder is read-only or the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            if waits:
                os.fsync(file.fileno())
        # It is made such that only the user can read it.
        with contextlib.suppress(OSError):
            if not private:
                Path(name).chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def put_aside(path: Path) -> None:
    """Move the file at `path` to another name, where it stays untouched."""
    names = (path.with_name(f"{path.name}{ASIDE}{number or ''}") for number in count())
    try:
        free = next(name for name in names if not os.path.lexists(name))
        path.rename(free)
        now: Path | None = free
    except OSError:
        now = None
    record = SetAsideFile(path, now)
    if record not in _put_aside:
        _put_aside.append(record)


def newly_put_aside() -> tuple[SetAsideFile, ...]:
    """Return the files put aside since the last call."""
    reported = tuple(_put_aside)
    _put_aside.clear()
    return reported


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
