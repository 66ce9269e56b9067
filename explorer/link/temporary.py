"""Temporary folders of ours. Each is held while its process lives: what a killed one has left, a later start removes.

The kernel lets go of what a killed process held: a lock; on Windows an open file next to the folder.
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

PREFIX = "jax-explorer-temporary-"
NEW = "jax-explorer-new-"
"""The prefix until it is held."""
YOUNG_S = 60.0
"""Least age in seconds of a new folder that is removed: its process may be about to hold it."""
OWNER = ".owner"
"""The ending of the file next to a folder on Windows."""
_OURS = re.compile(rf"({PREFIX}|{NEW})\w{{8}}")
_held: dict[Path, int] = {}


def make() -> Path:
    """Return a new folder, which is ours until it is removed or this process ends. Raises OSError."""
    new = Path(tempfile.mkdtemp(prefix=NEW))
    folder = new.with_name(PREFIX + new.name.removeprefix(NEW))
    _held[folder] = _hold(new, folder)
    return new.rename(folder)


def remove(folder: Path) -> None:
    """Remove a folder that `make` returned, with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)
    if (descriptor := _held.pop(folder, None)) is not None:
        os.close(descriptor)
    with suppress(OSError):
        Path(f"{folder}{OWNER}").unlink()


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
    for each in Path(tempfile.gettempdir()).glob("jax-explorer-*"):
        with suppress(OSError):
            found = each.lstat()
            # On Windows each user has a folder of temporary files.
            is_of_another = sys.platform != "win32" and found.st_uid != os.getuid()
            is_young = each.name.startswith(NEW) and time.time() - found.st_mtime <= YOUNG_S
            if is_of_another or is_young or not _OURS.fullmatch(each.stem):
                continue
            if each.suffix == OWNER:
                each.unlink()
            elif stat.S_ISDIR(found.st_mode):
                _claim(each)
                shutil.rmtree(each, ignore_errors=True)


def _hold_a_file(_new: Path, folder: Path) -> int:
    return os.open(f"{folder}{OWNER}", os.O_CREAT | os.O_RDWR)


def _claim_a_file(folder: Path) -> None:
    """Raise OSError if `folder` is held: Windows removes no file that is open."""
    Path(f"{folder}{OWNER}").unlink(missing_ok=True)


if sys.platform == "win32":
    _hold, _claim = _hold_a_file, _claim_a_file
else:
    import fcntl

    def _hold(new: Path, _folder: Path) -> int:
        descriptor = os.open(new, os.O_RDONLY)
        # Some file systems have no locks: nothing on them is removed.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return descriptor

    def _claim(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(descriptor)
