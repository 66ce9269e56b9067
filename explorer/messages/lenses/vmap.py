"""The effect of vmap on a program: one example next to the batch, equation by equation."""

from __future__ import annotations

from typing import Any

import msgspec

from explorer.messages.basics import Span
from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say, verbatim

AXES = "ijklmnopqrstuvwxyz"
"""Names of the axes of nested vmaps, the outermost first."""


class VmapValue(msgspec.Struct, frozen=True, array_like=True):
    """One array that goes into or comes out of a vmap."""

    name: str
    """``x``, ``params['w']``; of an output ``output`` or ``output 2``."""
    one: str
    """Its type for one example, as JAX writes it: ``f32[10]``."""
    batch: str
    """Its type outside this vmap: ``f32[32,10]``."""
    axis: int | None
    """Which axis of that holds the examples, counted from 0; None where it is the same for all."""


class VmapCall(msgspec.Struct, frozen=True):
    """One call of vmap in the program."""

    axis: str
    """Name of its axis: ``i``, and ``j`` for one inside it."""
    size: int
    """How many examples."""
    function: str
    """Name of the function that is mapped."""
    span: Span | None
    """Where user code calls it."""
    arguments: tuple[VmapValue, ...]
    outputs: tuple[VmapValue, ...]
    inside: int = -1
    """Index of the vmap around this one, -1 for none."""


class VmapEquation(msgspec.Struct, frozen=True):
    """One operation of one example, and what the batch has in its place."""

    primitive: str
    one: tuple[str, ...]
    """Types of the outputs for one example."""
    batch: tuple[str, ...]
    """Types of the outputs for all examples."""
    mapped: tuple[tuple[int, ...], ...]
    """For each output the axes of `batch` that hold examples, the outermost vmap first; () where all share it."""
    along: tuple[tuple[int, ...], ...]
    """For each of `mapped` the index of its vmap among the calls."""
    calls: tuple[int, ...]
    """Indices of all vmaps around the operation, outermost first."""
    id: int = -1
    """Index among the equations of the Program of what makes the outputs in the batch; -1 where nothing is left."""
    others: tuple[int, ...] = ()
    """Indices of further equations that this became, or that bring axes into line."""
    span: Span | None = None
    """The user's line."""
    depth: int = 0
    """0 in the mapped function itself, 1 in a jaxpr inside one of its equations, and so on."""
    inside: int = -1
    """Index in the lens of the equation with the jaxpr that it stands in, -1 for none."""
    became: Text = Text()
    """What batching made of it, in a few words; empty where it does the same to a larger array."""
    copies: tuple[tuple[int, ...], ...] = ()
    """For each output the vmaps along whose axis all examples have the same, copied."""
    is_key: bool = False
    """Whether it makes or spends random keys."""
    is_draw: bool = False
    shared: tuple[int, ...] = ()
    """Of such an operation the vmaps whose examples all have the same key."""
    name: str = ""
    """Of the function that it calls, where it is a call."""

    @property
    def line(self) -> int:
        """The user's line, 0 for none."""
        return self.span.line if self.span else 0


class VmapLens(Lens, frozen=True, tag=True):
    """The effect of one variant's vmaps."""

    calls: tuple[VmapCall, ...] = ()
    """In the order in which they began."""
    equations: tuple[VmapEquation, ...] = ()
    """In the order of one example, what is inside an equation after it."""
    equation_count: int = 0
    """How many equations the traced program has. A Program with another number was traced in another way, as JAX may
    once it has forgotten some of what it traced: then the indices are not of that."""

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes, outermost first."""
        return tuple(sorted({each.axis for each in self.calls}, key=AXES.index))

    def as_json(self) -> dict[str, Any]:
        return {"axes": list(self.axes), "equations": [_equation(each) for each in self.equations]}


def _equation(equation: VmapEquation) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "one": list(equation.one),
        "batch": list(equation.batch),
        "mapped": [list(each) for each in equation.mapped],
        "became": str(equation.became),
    }


LENS = LensSpec(
    "vmap",
    VmapLens,
    name=verbatim("vmap"),
    tip=say("Shows one example next to the batch"),
    ability="vmap",
    without=say("With this version of JAX the vmap lens does not work."),
)
