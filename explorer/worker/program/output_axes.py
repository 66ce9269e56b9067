"""The example axis of each output array of a variant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from explorer.messages import Applied
from explorer.worker.internals.batching.axes import BatchAxes
from explorer.worker.program.program import Call, traced

WORD = "out_axes"
"""Without it, vmap puts the examples first."""


def may_lie_elsewhere(source: str, applied: tuple[Applied, ...]) -> bool:
    """Return whether a vmap in or around the program may put examples along another axis than the first."""
    return WORD in source or any(each.out_axes for each in applied)


def output_axes(call: Call, inputs: Mapping[str, Any]) -> tuple[int | None, ...]:
    """Return the example axis of each output leaf of `call`, None if unknown.

    The call is traced. Raises its exceptions.
    """
    axes = BatchAxes()
    with axes.watching_traces():
        jaxpr, _ = traced(call, inputs)
    axes.carry_on(jaxpr.jaxpr)
    found = (axes.of(variable) for variable in jaxpr.jaxpr.outvars)
    return tuple(each[0] if each else None for each in found)
