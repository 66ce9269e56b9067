"""The locations of our own files on this machine, and atomic writing."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import platformdirs

Stamp = tuple[int, int]
"""A value that changes whenever the file does."""
APPLICATION = "jax-explorer"


def settings_file() -> Path:
    """Return the path of the settings file."""
    return platformdirs.user_config_path(APPLICATION, appauthor=False) / "settings.json"


def drafts_folder() -> Path:
    """Return the folder that keeps unsaved edits."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "drafts"


def progress_file() -> Path:
    """Return the path of the file with the progress in each lesson."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "progress.json"


def consents_file() -> Path:
    """Return the path of the file with the programs from elsewhere that the user agreed to run."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "consents.json"


def votes_file() -> Path:
    """Return the path of the file with the votes of audiences, without names."""
    return platformdirs.user_state_path(APPLICATION, appauthor=False) / "votes.jsonl"


def my_scenarios_folder() -> Path:
    """Return the folder of the user's own scenarios."""
    return platformdirs.user_data_path(APPLICATION, appauthor=False) / "scenarios"


def stamp(path: str | Path) -> Stamp | None:
    """Return the stamp of the file or folder at `path`, which changes with it; None where there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  # asked of hundreds of files at once, and half as quick by way of Path
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def make_private(folder: Path) -> None:
    """Make `folder` readable by the user only. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_atomically(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write `content` to `path`; a crash leaves either the old file or the new one, never a part.

    A `private` file is readable by the user only, where the system has such permissions.

    Raises OSError, with the old file unchanged, when the folder is read-only or the disk is full.
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
