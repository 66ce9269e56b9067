"""A finished run with all that is needed to show it again, without running anything."""

from __future__ import annotations

import msgspec

from explorer.messages.reports import Snapshot
from explorer.text.text import Text


class About(msgspec.Struct, frozen=True):
    """What was run, where, and when."""

    program: str
    """Name of the file, without its folder."""
    ended: str
    """The time in UTC, ISO 8601."""
    application: str = ""
    """Version of JAX Explorer."""
    python: str = ""
    jax: str = ""
    """Version of JAX; empty if the program did not import it."""
    system: str = ""
    """``Linux x86_64``."""
    devices: tuple[str, ...] = ()
    """Kinds of the devices that JAX had, each once."""
    left_out: tuple[Text, ...] = ()
    """Sentences on what did not fit into the file."""


class RecordedRun(msgspec.Struct, frozen=True):
    """A run as it is kept in a file.

    Spans without a file are in `source`; other files are named without their folders.
    """

    about: About
    source: str
    """The program; empty if its text is not known."""
    snapshot: Snapshot
    """Complete, with one report."""
