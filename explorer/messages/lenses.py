"""The specs of all lenses (`LENSES`), in the order of their buttons: the window knows their names nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from explorer.messages.tables import Rerun
from explorer.text.text import Text, say, verbatim

TIME = Rerun("time")
"""Runs the program several times under JAX's profiler."""


class LensSpec(msgspec.Struct, frozen=True):
    """One lens. Its answer is made in the module of ``worker/runs/lenses`` with the name of its `id`."""

    id: str
    """As in scenarios and in the names of exported files."""
    name: Text
    """The label of its button: one word."""
    tip: Text
    timing: Rerun | None = None
    """The rerun that Time (Ctrl+T) requests too while its page is open."""


_SPECS = (
    LensSpec("vmap", name=verbatim("vmap"), tip=say("Shows one example next to the batch")),
    LensSpec("gradient", name=say("gradient"), tip=say("Shows the backward pass next to the program")),
    LensSpec(
        "calls", name=say("calls"), tip=say("Shows each call of a jitted function, and the Python that ran in it")
    ),
    LensSpec("devices", name=say("devices"), tip=say("Shows which device holds which part of each array")),
    LensSpec(
        "memory",
        name=say("memory"),
        tip=say("Shows which arrays of the compiled program are in memory when, and its peak"),
    ),
    LensSpec(
        "time",
        name=say("time"),
        tip=say("Shows which lines of the compiled program take how much of its operation time"),
        timing=TIME,
    ),
)
LENSES: dict[str, LensSpec] = {each.id: each for each in _SPECS}

if TYPE_CHECKING:
    LensId: TypeAlias = str
else:
    # For msgspec, which checks scenarios.
    LensId = Literal[tuple(LENSES)]
