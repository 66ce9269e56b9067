"""The locations of our own files on this machine; ``stamp`` of a file, which changes with it."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

Stamp = tuple[int, int]
"""A value that changes whenever the file does."""
APPLICATION = "jax-explorer"


def settings_file() -> Path:
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
