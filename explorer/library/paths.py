"""Where our own files lie on this machine, and how a file is written so that it is never half there."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import platformdirs

Stamp = tuple[int, int]
"""What changes whenever a file does."""
APPLICATION = "jax-explorer"


def settings_file() -> Path:
    """Return the path of the settings file."""
    return platformdirs.user_config_path(APPLICATION, appauthor=False) / "settings.json"


def drafts_folder() -> Path:
    """Return the folder that keeps unsaved edits."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "drafts"


def progress_file() -> Path:
    """Return the file that keeps what a user has done in each lesson."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "progress.json"


def votes_file() -> Path:
    """Return the file that keeps what rooms have voted, without names."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "votes.jsonl"


def my_scenarios_folder() -> Path:
    """Return the folder of the user's own scenarios."""
    return platformdirs.user_data_path(APPLICATION, appauthor=False) / "scenarios"


def stamp(path: str | Path) -> Stamp | None:
    """Return what changes with the file or folder at `path`; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  # asked of hundreds of files at once, and half as quick by way of Path
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def make_private(folder: Path) -> None:
    """Make `folder`, which no one else on this machine may look into. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write `content` to `path`: afterwards the file is the old one or the new one, whole.

    A `private` file is no one's but the user's to read, where the system has such permissions.

    Raises OSError, with the old file as it was, when the folder cannot be written or the disk is full.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
