"""What the person has chosen for good: theme, text size, language, the window's shape."""

from __future__ import annotations

import contextlib
from typing import Literal

import msgspec

from explorer.library import paths


class Settings(msgspec.Struct, frozen=True):
    """The settings; a field that the file lacks has its default."""

    theme: Literal["light", "dark", "projector"] = "light"
    scale: float = 1.0
    language: str = ""
    """Empty to follow the system."""
    time_automatically: bool = True
    last_target: str = ""
    geometry: bytes = b""
    layout: bytes = b""
    splitters: dict[str, tuple[int, ...]] = {}


def load() -> Settings:
    """Return the saved settings; the defaults where there are none or they cannot be read."""
    return paths.read_json(paths.settings_file(), Settings) or Settings()


def save(settings: Settings) -> None:
    """Keep `settings` for the next start. A disk that is full or read-only is no reason to stop anybody."""
    with contextlib.suppress(OSError):
        paths.write_atomically(paths.settings_file(), msgspec.json.format(msgspec.json.encode(settings), indent=2))
