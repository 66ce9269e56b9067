"""The axes of a mesh along which devices compute one example together, so that they should draw the same numbers.

JAX's types say over which axes of the mesh an array varies, and JAX inserts a ``pvary`` where an array that does not
vary meets one that does (https://docs.jax.dev/en/latest/notebooks/shard_map.html). Noise for different examples is
therefore cast over their axis before it is used; noise for one example that several devices hold is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jax.extend.core import Jaxpr, Literal, jaxprs_in_params

from explorer.worker.internals import jaxprs

_CASTS = ("pvary", "pcast", "reshard")


def joint_axes(parameters: dict[str, Any]) -> frozenset[str]:
    """Return the axes over which a shard_map with these `parameters` never casts what it draws; none if JAX has none.

    Without JAX's check of varying axes there are no types to tell. A loop or a branch counts as if it cast all.
    """
    axes = frozenset(jaxprs.shard_map_axes(parameters))
    if not parameters["check_vma"]:
        return frozenset()
    jaxpr = getattr(parameters["jaxpr"], "jaxpr", parameters["jaxpr"])
    drawn, cast = _drawn(jaxpr, [False] * len(jaxpr.invars), axes)
    for is_drawn, spec in zip(drawn, parameters["out_specs"], strict=True):
        named = {name for part in spec if part for name in (part if isinstance(part, tuple) else (part,))}
        cast |= named if is_drawn else set()
    return axes - cast


def _drawn(jaxpr: Jaxpr, given: Sequence[bool], axes: frozenset[str]) -> tuple[list[bool], set[str]]:
    """Return whether each output of `jaxpr` is made of drawn numbers alone, and the axes over which such are cast."""
    known = {var for var, is_drawn in zip(jaxpr.invars, given, strict=True) if is_drawn}
    cast: set[str] = set()

    def is_drawn(atom: Any) -> bool:
        return not isinstance(atom, Literal) and atom in known

    for equation in jaxpr.eqns:
        name, inputs = equation.primitive.name, [is_drawn(atom) for atom in equation.invars]
        inner = list(jaxprs_in_params(equation.params))
        ends = [(len(each.invars), len(each.outvars)) for each in inner]
        if ends == [(len(inputs), len(equation.outvars))] and name not in ("scan", "while", "cond"):
            outputs, more = _drawn(inner[0], inputs, axes)
            cast |= more
            known |= {var for var, made in zip(equation.outvars, outputs, strict=True) if made}
        elif inner:
            cast |= axes if any(inputs) or jaxprs.carries_random(equation.params) else set()
        elif name == "random_bits":
            known |= {*equation.outvars}
        elif any(inputs):
            cast |= {*equation.params.get("axes", axes)} if name in _CASTS else set()
            others = [atom for atom, made in zip(equation.invars, inputs, strict=True) if not made]
            if all(isinstance(atom, Literal) or math.prod(getattr(atom.aval, "shape", ())) == 1 for atom in others):
                known |= {*equation.outvars}
    return [is_drawn(atom) for atom in jaxpr.outvars], cast
