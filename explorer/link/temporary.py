"""Temporary folders of ours, and ``sweep``, which removes after a week what killed processes have left."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "jax-explorer-temporary-"
OLD_S = 7 * 86_400.0
"""Least age in seconds of a folder that is removed: no process of ours needs one for days."""


def make() -> Path:
    """Return a new folder. Raises OSError."""
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def remove(folder: Path) -> None:
    """Remove a folder that `make` returned, with all that is in it."""
    shutil.rmtree(folder, ignore_errors=True)


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
    for each in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = each.lstat()
            # On Windows each user has a folder of temporary files.
            is_of_another = sys.platform != "win32" and found.st_uid != os.getuid()
            if stat.S_ISDIR(found.st_mode) and not is_of_another and time.time() - found.st_mtime > OLD_S:
                remove(each)
