"""Unsaved edits and the reader's position on disk, so that they survive a crash of the window.

Each window writes into its own folder, which is locked as long as the window lives. Nothing writes to that folder
afterwards: the drafts in it are offered until the user decides about them.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from explorer.library import own_file, paths

if TYPE_CHECKING:
    from filelock import BaseFileLock

LOCK = "window.lock"
ENDING = ".draft"
POSITION = "position.json"
PATIENCE_S = 5.0
"""Seconds for which another window may read a new folder."""
EMPTY_FOLDER_LIFETIME_S = 60.0
"""Least age in seconds of a folder without drafts that is removed: its window may have just started."""


class Draft(msgspec.Struct, frozen=True):
    """The edited code of one scenario or file, as a window left it."""

    target: str
    """The scenario's id, or the path of the file."""
    source: str
    saved_at: datetime
    file: Path


class Drafts:
    """The unsaved edits of one window."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._lock: BaseFileLock | None = None
        self._kept: dict[str, str] = {}
        """The code in the file of each target."""

    def keep(self, target: str, source: str) -> None:
        """Save `source` as the draft of `target`. Raises OSError when it cannot be written."""
        if self._kept.get(target) != source:
            # All in ASCII: half of a character that takes two, which an editor may hold, has no place in UTF-8.
            content = json.dumps({"target": target, "source": source}).encode("ascii")
            # Several times a second while the user types.
            own_file.write_atomically(self._own_folder() / _name(target), content, private=True, waits=False)
            self._kept[target] = source

    def discard(self, target: str) -> None:
        """Delete this window's draft of `target`."""
        if self._kept.pop(target, None) is not None:
            _remove(self._own_folder() / _name(target))

    def keep_position(self, content: bytes) -> None:
        """Save the position in the lesson. Raises OSError when it cannot be written."""
        own_file.write_atomically(self._own_folder() / POSITION, content, private=True)

    def close(self) -> None:
        """Stop writing; the drafts stay for the next window, and no position, because nothing has crashed."""
        if self._folder is not None:
            _remove(self._folder / POSITION)
        if self._lock is not None:
            self._lock.release()
        self._folder = self._lock = None
        self._kept.clear()

    def _own_folder(self) -> Path:
        if self._folder is None:
            from filelock import FileLock

            folder = paths.drafts_folder() / f"{os.getpid()}-{uuid.uuid4().hex[:8]}"
            own_file.make_private(folder)
            lock = FileLock(folder / LOCK)
            lock.acquire(timeout=PATIENCE_S)
            self._folder, self._lock = folder, lock
        return self._folder


def left(target: str) -> tuple[Draft, ...]:
    """Return the drafts of `target` that windows have left which have ended, the newest first."""
    found = [draft for draft in _everything() if draft.target == target]
    return tuple(sorted(found, key=lambda draft: draft.saved_at, reverse=True))


def targets() -> frozenset[str]:
    """Return the targets with drafts of closed windows."""
    return frozenset(draft.target for draft in _everything())


def discard(draft: Draft) -> None:
    """Delete `draft`. Where that fails, it is offered again: nothing is lost."""
    _remove(draft.file)


def is_edited_elsewhere(target: str, own: Drafts) -> bool:
    """Return whether a window that is open, but for that of `own`, has edited `target`."""
    folders = (folder for folder in _folders() if folder != own._folder and (folder / _name(target)).exists())
    return any(_is_locked(folder) for folder in folders)


def _everything() -> Iterator[Draft]:
    for folder in _folders():
        files = sorted(folder.glob(f"*{ENDING}"))
        with contextlib.suppress(OSError):
            if not any(ENDING in each.name or POSITION in each.name for each in folder.iterdir()) and _is_left(folder):
                shutil.rmtree(folder)
        if not files or _is_locked(folder):
            continue
        for file in files:
            with contextlib.suppress(OSError):
                known = _read(file, file.lstat().st_mtime_ns)
                if known is not None:
                    yield known


def left_positions() -> list[Path]:
    """Return the positions that windows have left which ended without closing, the newest first."""
    found = []
    for folder in _folders():
        file = folder / POSITION
        with contextlib.suppress(OSError):
            written = file.stat().st_mtime_ns
            if not _is_locked(folder):
                found.append((written, file))
    return [file for _, file in sorted(found, reverse=True)]


def _is_left(folder: Path) -> bool:
    return time.time() - folder.stat().st_mtime > EMPTY_FOLDER_LIFETIME_S and not _is_locked(folder)


def _folders() -> list[Path]:
    try:
        return sorted(each for each in paths.drafts_folder().iterdir() if each.is_dir())
    except NotADirectoryError:
        # In its way nothing could be kept.
        own_file.put_aside(paths.drafts_folder())
    except OSError:
        pass
    return []


def _is_locked(folder: Path) -> bool:
    """Return whether the window lives that writes into `folder`."""
    if not (folder / LOCK).exists():
        return False
    # Not at the top: the first picture of the window does without it where nothing was left.
    from filelock import FileLock, Timeout

    lock = FileLock(folder / LOCK)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


@functools.lru_cache(maxsize=64)
def _read(file: Path, changed_ns: int) -> Draft | None:
    """Return the draft in `file`, which nothing writes to any more."""
    try:
        content = _content(file)
    except own_file.Unreadable:
        # It may hold code that a user typed, so they can look at it.
        own_file.put_aside(file)
        return None
    when = datetime.fromtimestamp(changed_ns / 1e9).astimezone()
    return Draft(*content, when, file) if content is not None else None


def _content(file: Path) -> tuple[str, str] | None:
    """Return the target and the code in `file`; None where there is none. Raises Unreadable."""
    content = own_file.read_bytes(file)
    if content is None:
        return None
    try:
        # A byte that is damaged costs one sign of the code and not all of it.
        kept = json.loads(content.decode(errors="replace"))
        target, source = kept["target"], kept["source"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise own_file.Unreadable("content") from error
    if not (isinstance(target, str) and isinstance(source, str)):
        raise own_file.Unreadable("content")
    return target, source


def _name(target: str) -> str:
    return f"{hashlib.sha256(target.encode(errors='surrogatepass')).hexdigest()[:24]}{ENDING}"


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):
        file.unlink(missing_ok=True)
