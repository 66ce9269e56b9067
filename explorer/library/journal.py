"""The code of one draft on disk: its first version, then a line for each change."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from explorer.library import own_file
from explorer.messages.changed_middle import changed_middle

ENDING = ".journal"
ROOM = 64 * 1024
"""Bytes of changes, in addition to four times the code, after which the file is rewritten."""


class Journal:
    """Writes one file, which stays complete whenever the process is killed."""

    def __init__(self, file: Path, target: str) -> None:
        self.file = file
        self._target = target
        self._written: str | None = None
        """The code that the file says; None where that is not known."""
        self._room = 0
        """Bytes left until the file is rewritten."""

    def write(self, source: str) -> None:
        """Write `source` as the file's content. Raises OSError when it cannot be written."""
        if source == self._written:
            return
        before, self._written = self._written, None
        change = _line(_change(before, source)) if before is not None else b""
        if before is None or len(change) > self._room:
            start = _line({"target": self._target, "source": source})
            own_file.write_atomically(self.file, start, private=True)
            self._room = ROOM + 4 * len(start)
        else:
            own_file.append(self.file, change)
            self._room -= len(change)
        self._written = source


def read(file: Path) -> tuple[str, str] | None:
    """Return the target and the code in `file`; None where there is none. Raises Unreadable."""
    content = own_file.read_bytes(file)
    if content is None:
        return None
    # A byte that is no UTF-8 costs one sign of the code and not all of it.
    first, *changes = content.decode(errors="replace").split("\n")
    try:
        start = json.loads(first)
        target, source = start["target"], start["source"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise own_file.Unreadable("content") from error
    if not (isinstance(target, str) and isinstance(source, str)):
        raise own_file.Unreadable("content")
    for line in changes:
        try:
            place, removed, put = json.loads(line)
            source = source[:place] + put + source[place + removed :]
        except (ValueError, TypeError, RecursionError):
            # Cut off while it was written: no line follows.
            break
    return target, source


def _line(content: object) -> bytes:
    try:
        return msgspec.json.encode(content) + b"\n"
    except UnicodeEncodeError:
        # Half of a character that takes two, which an editor may hold, has no place in UTF-8.
        return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def _change(before: str, after: str) -> tuple[int, int, str]:
    """Return (position, count, text): the replaced characters of `before` and their replacement in `after`."""
    start, end = changed_middle(before, after)
    return start, len(before) - start - end, after[start : len(after) - end]
