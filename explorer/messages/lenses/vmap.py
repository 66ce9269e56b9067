"""The effect of vmap on a program: per-example and batched equations side by side."""

from __future__ import annotations

from typing import Any

import msgspec

from explorer.messages.basics import Span
from explorer.messages.lenses.lens import Lens, LensSpec
from explorer.text.text import Text, say, verbatim

AXES = "ijklmnopqrstuvwxyz"
"""Axis names of nested vmaps, outermost first."""


class VmapValue(msgspec.Struct, frozen=True, array_like=True):
    """One array that enters or leaves a vmap."""

    name: str
    """``x``, ``params['w']``; ``output`` or ``output 2`` for an output."""
    one: str
    """Its per-example type in JAX's notation: ``f32[10]``."""
    batch: str
    """Its type outside this vmap: ``f32[32,10]``."""
    axis: int | None
    """The example axis in `batch`, from 0; None if all examples share the array."""


class VmapCall(msgspec.Struct, frozen=True):
    """One call of vmap in the program."""

    axis: str
    """Name of its axis: ``i``, or ``j`` for a nested vmap."""
    size: int
    """Number of examples."""
    function: str
    """Name of the mapped function."""
    span: Span | None
    """The call in user code."""
    arguments: tuple[VmapValue, ...]
    outputs: tuple[VmapValue, ...]
    inside: int = -1
    """Index of the enclosing vmap, -1 for none."""


class VmapEquation(msgspec.Struct, frozen=True):
    """One per-example operation, and its batched counterpart."""

    primitive: str
    one: tuple[str, ...]
    """Output types for one example."""
    batch: tuple[str, ...]
    """Output types for the batch."""
    mapped: tuple[tuple[int, ...], ...]
    """For each output, the axes of `batch` that hold examples, outermost vmap first; () if all examples share it."""
    along: tuple[tuple[int, ...], ...]
    """For each entry of `mapped`, the index of its vmap among the calls."""
    calls: tuple[int, ...]
    """Indices of all vmaps around the operation, outermost first."""
    id: int = -1
    """Index of the Program's equation that makes the batched outputs, -1 if none is left."""
    others: tuple[int, ...] = ()
    """Indices of further equations that it became, or that align axes."""
    span: Span | None = None
    """The call in user code."""
    depth: int = 0
    """0 in the mapped function itself, 1 in an equation's inner jaxpr, and so on."""
    inside: int = -1
    """Index of the enclosing equation in this lens, -1 for none."""
    became: Text = Text()
    """The batched form in a few words; empty for the same operation on a larger array."""
    copies: tuple[tuple[int, ...], ...] = ()
    """For each output, the vmaps along which all examples have a copy of the same value."""
    is_key: bool = False
    """Whether it makes or consumes random keys."""
    is_draw: bool = False
    shared: tuple[int, ...] = ()
    """The vmaps along which this key operation has the same key for all examples."""
    name: str = ""
    """Name of the called function, for a call."""

    @property
    def line(self) -> int:
        """The line in user code, 0 for none."""
        return self.span.line if self.span else 0


class VmapLens(Lens, frozen=True, tag=True):
    """The effect of one variant's vmaps."""

    calls: tuple[VmapCall, ...] = ()
    """In the order in which they began."""
    equations: tuple[VmapEquation, ...] = ()
    """In per-example order, nested equations after their enclosing one."""
    equation_count: int = 0
    """Number of equations of the traced program. If a Program has another number, it was traced differently, as

    JAX may after dropping a cache, and the indices do not apply.
    """

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
