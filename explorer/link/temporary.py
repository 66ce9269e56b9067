"""Temporary folders of ours. Each is locked while its process lives: what a killed one has left, a later start removes.

Windows has no such locks: there it stays.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

if sys.platform != "win32":
    import fcntl

PREFIX = "jax-explorer-temporary-"
YOUNG_S = 60.0
"""Least age in seconds of a folder that is removed: its process may be about to lock it."""
_OURS = re.compile(rf"{PREFIX}\w{{8}}")
_locks: dict[Path, int] = {}


def make() -> Path:
    """Return a new folder, which is ours until it is removed or this process ends. Raises OSError."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    if sys.platform != "win32":
        _locks[folder] = os.open(folder, os.O_RDONLY)
        # Some file systems have no locks: nothing on them is removed.
        with suppress(OSError):
            fcntl.flock(_locks[folder], fcntl.LOCK_SH | fcntl.LOCK_NB)
    return folder


def remove(folder: Path) -> None:
    """Remove a folder that `make` returned, with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)
    if (lock := _locks.pop(folder, None)) is not None:
        os.close(lock)


@contextmanager
def folder() -> Iterator[Path]:
    """Give a new folder, and remove it after the block."""
    made = make()
    try:
        yield made
    finally:
        remove(made)


def sweep() -> None:
    """Remove the folders that killed processes of this user have left."""
    if sys.platform == "win32":
        return
    for each in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = each.lstat()
            ours = _OURS.fullmatch(each.name) and stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
            if not ours or time.time() - found.st_mtime <= YOUNG_S:
                continue
            lock = os.open(each, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(each, ignore_errors=True)
            finally:
                os.close(lock)
