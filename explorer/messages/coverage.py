"""`Coverage`: how far one part of a run (keys, tracing, values) was checked, and its result: clean, or findings."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.diagnostics.check import Level, Part
from explorer.text.text import Text

Extent = Literal["whole", "ended", "partly", "no", "timeout", "failed"]
"""Whole, up to an error or stop (ended), partly, or not at all: as it took too long (timeout), or failed itself."""


class Coverage(msgspec.Struct, frozen=True, array_like=True):
    """The extent to which one part of a run was checked, and the result."""

    part: Part
    extent: Extent
    name: Text
    """The name of the part."""
    says: Text
    """``clean``, ``1 bug, 2 notes``, ``not checked: it took too long``."""
    worst: Level | None = None
    """The most severe level of its findings."""
    sentence: Text = Text()
    """The meaning of "clean" for this part; empty if it is not clean."""

    @property
    def words(self) -> str:
        """The part and its result: ``Keys: clean``."""
        name = str(self.name)
        return f"{name[:1].upper()}{name[1:]}: {self.says}"

    @property
    def is_clean(self) -> bool:
        """Whether something was checked and nothing found."""
        return self.was_taken and self.worst is None

    @property
    def was_taken(self) -> bool:
        """Whether anything was checked."""
        return self.extent in ("whole", "ended", "partly")
