"""The coverage of a run: which parts were checked, and can therefore be called clean."""

from __future__ import annotations

from typing import Literal

import msgspec

from explorer.diagnostics.check import Level, Part
from explorer.text.text import Text

Extent = Literal["whole", "ended", "partly", "no", "timeout", "failed"]
"""How far: all of it, up to where the program ended by an error or was stopped, not all of it, not at all. ``timeout``
and ``failed`` are not at all, because the look took too long or broke down itself."""


class Coverage(msgspec.Struct, frozen=True, array_like=True):
    """How far one part of a run was checked, and the result."""

    part: Part
    extent: Extent
    name: Text
    """Of the part."""
    says: Text
    """``clean``, ``1 bug, 2 notes``, ``not checked: it took too long``."""
    worst: Level | None = None
    """Of what was found there."""
    sentence: Text = Text()
    """What clean means there; empty where it is not."""

    @property
    def words(self) -> str:
        """The part and what came of it: ``Keys: clean``."""
        name = str(self.name)
        return f"{name[:1].upper()}{name[1:]}: {self.says}"

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found in what was checked."""
        return self.was_taken and self.worst is None

    @property
    def was_taken(self) -> bool:
        """Whether anything was checked."""
        return self.extent in ("whole", "ended", "partly")
