"""The gradient as records: equations, residuals, and notes on the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax.extend.core import JaxprEqn

from explorer.messages.lenses.gradient import BackwardEquation, ForwardEquation, GradientLens, Residual
from explorer.text.text import Text, say
from explorer.worker.internals.printing import printed
from explorer.worker.runs.lenses.gradient.custom import Rules, call_name
from explorer.worker.runs.lenses.gradient.links import Level, Node
from explorer.worker.runs.lenses.gradient.trace import Traced, is_inexact, is_real

LARGE_BYTES = 1_000_000
"""Smallest residual in bytes that is worth a note."""


def indices(traced: Traced) -> Callable[[JaxprEqn], int]:
    """Return a function from an equation to its index in the jaxpr pane."""
    if not traced.linked:
        return lambda _: -1
    order = {id(each.equation): place for place, each in enumerate(printed(traced.plain)[1])}
    return lambda equation: order.get(id(equation), -1)


class Types:
    """Cached type texts in JAX's notation: few, and slow to format."""

    def __init__(self) -> None:
        self._texts: dict[Any, str] = {}

    def of(self, aval: Any) -> str:
        text = self._texts.get(aval)
        if text is None:
            text = self._texts[aval] = aval.str_short(short_dtypes=True)
        return text


def forward_equation(node: Node, types: Types, index_of: Callable[[JaxprEqn], int], rules: Rules) -> ForwardEquation:
    return ForwardEquation(
        node.id,
        node.name,
        node.span.line if node.span else 0,
        tuple(types.of(each.aval) for each in node.equation.outvars),
        None,
        node.span,
        node.depth,
        call_name(node),
        index_of(node.plain.equation) if node.plain else -1,
        node.added,
        rules.of(node),
    )


def backward_equation(node: Node, types: Types, index_of: Callable[[JaxprEqn], int], rules: Rules) -> BackwardEquation:
    plain = node.forward.plain if node.forward else None
    return BackwardEquation(
        node.id,
        node.name,
        node.span.line if node.span else 0,
        tuple(types.of(each.aval) for each in node.equation.outvars),
        None,
        node.span,
        node.depth,
        call_name(node),
        index_of(plain.equation) if plain else -1,
        added=True,
        rule=rules.of(node, backward=True),
        forward=node.forward.id if node.forward else -1,
        recomputed=node.is_recomputed,
    )


def residuals(traced: Traced, both: Level) -> tuple[Residual, ...]:
    names = {variable: leaf.name for variable, leaf in zip(traced.both.jaxpr.invars, traced.leaves, strict=False)}
    found = []
    for number, variable in enumerate(traced.residuals):
        maker, aval = both.made.get(variable), variable.aval
        found.append(
            Residual(
                number,
                aval.str_short(short_dtypes=True),
                _bytes(aval),
                maker.span.line if maker and maker.span else 0,
                maker.id if maker else -1,
                names.get(variable, ""),
            )
        )
    return tuple(found)


def _bytes(aval: Any) -> int:
    size: int = getattr(aval.dtype, "itemsize", 0)
    return int(np.prod(aval.shape, dtype=np.int64)) * size


def notes(traced: Traced, lens: GradientLens) -> list[Text]:
    """Return the notes on the gradient as a whole."""
    texts = []
    real = [each for each in traced.outputs if is_real(each)]
    if not any(np.prod(each.shape) for each in real):
        texts.append(say("The output has no elements: its sum is 0 for all arguments, and so is the gradient."))
    elif lens.summed:
        types = ", ".join(dict.fromkeys(each.str_short(short_dtypes=True) for each in real))
        texts.append(say("The output is not a single number ({types}): this is the gradient of its sum.", types=types))
    elif not any(leaf.value.size for leaf in traced.leaves if leaf.is_taken):
        texts.append(say("The differentiated arguments have no elements, so neither has the gradient."))
    others = [each for each in traced.outputs if not is_real(each)]
    if any(map(is_inexact, others)):
        texts.append(say("Complex outputs are left out: only real ones have a gradient."))
    if not all(map(is_inexact, others)):
        texts.append(say("Outputs that are not floats are left out: they have no gradient."))
    if not all(is_real(leaf.value) for leaf in traced.leaves if leaf.is_taken):
        texts.append(
            say(
                "An argument is complex: JAX gives the slope along the real part minus i times that along the "
                "imaginary part, so its conjugate points uphill."
            )
        )
    largest = max(lens.residuals, key=lambda each: each.bytes, default=None)
    # Residuals despite a checkpoint are its inputs: another checkpoint would not remove them.
    if largest is not None and largest.bytes >= LARGE_BYTES and not largest.argument and not lens.recomputed:
        texts.append(
            say(
                "The forward pass keeps {type} of line {line} for the backward pass: {mebibytes} MiB. jax.checkpoint "
                "around that step would compute it again instead.",
                type=largest.shape,
                line=largest.line,
                mebibytes=f"{largest.bytes / 2**20:,.1f}",
            )
        )
    return texts
