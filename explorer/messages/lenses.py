"""All lenses, in the order of their buttons: no other module of the window knows them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from explorer.messages.tables import Rerun
from explorer.text.text import Text, say, verbatim

TIME = Rerun("time")
"""Runs the program several times under JAX's profiler."""


_ABOUT = say(
    "Each [equation](equation) of the program, next to its form under vmap or its gradient. The arrow keys move "
    "from row to row: the line lights up in the code, and the noise pane shows the value."
)


class LensSpec(msgspec.Struct, frozen=True):
    """One lens. Its answer is made in the module of ``worker/runs/lenses`` with the name of its `id`."""

    id: str
    """As in scenarios and in the names of exported files."""
    name: Text
    """The label of its button: one word."""
    tip: Text
    about: Text = _ABOUT
    """Answer to "What is this?" on its page; links lead to the glossary."""
    timing: Rerun | None = None
    """The rerun that Time (Ctrl+T) requests too while its page is open."""


_SPECS = (
    LensSpec(
        "vmap",
        name=verbatim("vmap"),
        tip=say("Shows one example next to the batch"),
    ),
    LensSpec(
        "gradient",
        name=say("gradient"),
        tip=say("Shows the backward pass next to the program"),
    ),
    LensSpec(
        "calls",
        name=say("calls"),
        tip=say("Shows each call of a jitted function, and the Python that ran in it"),
    ),
    LensSpec(
        "devices",
        name=say("devices"),
        tip=say("Shows which device holds which part of each array"),
        about=say(
            "The [sharding](sharding) of each array: its parts, each with the number of its [device](device). Copies "
            "are hatched. Below are the [collectives](collective), with the bytes that each device gets."
        ),
    ),
    LensSpec(
        "memory",
        name=say("memory"),
        tip=say("Shows which arrays of the compiled program are in memory when, and its peak"),
        about=say(
            "The arrays of the compiled program, stacked from its first instruction to its last: [XLA](xla) says "
            "where it puts each of them, and when each is live follows from its schedule. Click one, and the line "
            "that made it lights up in the code. The body of a loop is drawn once."
        ),
    ),
    LensSpec(
        "time",
        name=say("time"),
        tip=say("Shows which lines of the compiled program take how much of its operation time"),
        about=say(
            "The share of each line in the time of the operations that [XLA](xla) made of the program, from JAX's "
            "profiler. Operations on several threads overlap, so these are no shares of the time that passes. A "
            "fusion computes several lines in one operation: it names them all, and its time is not split."
        ),
        timing=TIME,
    ),
)
LENSES: dict[str, LensSpec] = {each.id: each for each in _SPECS}

if TYPE_CHECKING:
    LensId: TypeAlias = str
else:
    # For msgspec, which checks scenarios.
    LensId = Literal[tuple(LENSES)]
