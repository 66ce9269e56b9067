"""``Settings`` on disk: theme, text size, language, layout of the window, recent files, remotes."""

from __future__ import annotations

import contextlib
from typing import Annotated, Literal

import msgspec

from explorer.library import own_file, paths
from explorer.link.remotes.remote import Remote
from explorer.messages.encodable import encodable

SMALLEST, LARGEST = 0.5, 4.0
"""The limits of the text size: still readable, and small enough to leave room for the panes."""
MOST_PIXELS = 100_000


class Arrangement(msgspec.Struct, frozen=True):
    """The chosen layout; None for a part without a choice."""

    panes: tuple[str, ...] | None = None
    list_open: bool | None = None
    findings: bool | None = None
    sizes: dict[str, dict[str, tuple[Annotated[int, msgspec.Meta(ge=0, le=MOST_PIXELS)], ...]]] = {}
    """Sizes of the splitters by name, for each form of layout."""
    docks: bytes = b""
    """The positions of the panes where one is detached, else empty."""


class Settings(msgspec.Struct, frozen=True):
    """The settings; a field that the file lacks has its default."""

    theme: Literal["light", "dark", "projector"] = "light"
    scale: Annotated[float, msgspec.Meta(ge=SMALLEST, le=LARGEST)] = 1.0
    language: str = ""
    """Code of the language; empty to follow the system."""
    time_automatically: bool = True
    line_types: bool = False
    """Whether the code shows the types at line ends."""
    last_target: str = ""
    recent: tuple[str, ...] = ()
    """Ids of recent lessons and paths of recent files, the newest first."""
    remotes: tuple[Remote, ...] = msgspec.field(default=(), name="places")
    """The remotes that programs can run on."""
    tour_seen: bool = False
    """The tour was shown once, at the first start."""
    geometry: bytes = b""
    arrangement: Arrangement = Arrangement()


def load() -> Settings:
    """Return the saved settings; the defaults where there are none or they cannot be read."""
    return own_file.read_record(paths.settings_file(), Settings) or Settings()


def save(settings: Settings) -> None:
    """Save `settings` for the next start. A full or read-only disk is no reason to stop the user."""
    with contextlib.suppress(OSError):
        # The path of a file may be no Unicode, and must not take everything else along.
        content = msgspec.json.format(msgspec.json.encode(encodable(settings)), indent=2)
        own_file.write_atomically(paths.settings_file(), content, private=True)
