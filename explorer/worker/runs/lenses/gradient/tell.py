"""The gradient lens in the worker: when it is offered, and its answers, including measurements and fixes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from msgspec.structs import replace

from explorer.messages.lenses.gradient import FIND_FIX, MEASURE, ROWS, GradientCosts, GradientLens
from explorer.worker.runs.lens import Asked, Ended, Functions, LensWork
from explorer.worker.runs.lenses.gradient import fixes
from explorer.worker.runs.lenses.gradient.lens import Gradient
from explorer.worker.runs.lenses.gradient.measured import measured
from explorer.worker.runs.lenses.gradient.per_example import rows


def _has_to_say(ended: Ended) -> bool:
    return not ended.failed and _has_floats(ended.outputs) and _has_floats(dict(ended.taken))


def _has_floats(tree: Any) -> bool:
    try:
        leaves = jax.tree.leaves(tree)
    except (TypeError, ValueError):  # a dict with unsortable keys
        return False
    return any(_is_float(each) for each in leaves)


def _is_float(leaf: Any) -> bool:
    dtype = getattr(leaf, "dtype", None)
    if dtype is None:
        return type(leaf) is float
    return isinstance(dtype, np.dtype) and jnp.issubdtype(dtype, np.inexact)


def _tell(asked: Asked) -> GradientLens:
    with asked.again():
        prepared = asked.prepared()
        gradient = Gradient.of(*prepared)
        if not isinstance(gradient, Gradient):
            return gradient
        if not asked.request.rerun:
            asked.tell(gradient.lens)
        gradient.evaluate()
        if asked.wants(MEASURE):
            gradient.lens = replace(gradient.lens, costs=_costs(gradient, asked))
        elif asked.wants(ROWS):
            gradient.lens = replace(gradient.lens, rows=rows(gradient, *prepared[:2]))
    return _with_fixes(gradient, asked)


def _costs(gradient: Gradient, asked: Asked) -> GradientCosts:
    """Return the cost of `gradient`, and that of the compared variant, if it has a gradient."""
    gradients, other_variant = {asked.request.variant: gradient}, asked.request.other_variant
    if other_variant:
        other = Gradient.of(*asked.prepared(other_variant))
        if isinstance(other, Gradient):
            gradients[other_variant] = other
    return measured(gradients)


def _with_fixes(gradient: Gradient, asked: Asked) -> GradientLens:
    """Return the lens with fixes that keep NaN out of `gradient`, if requested."""
    ran, first = asked.ran, gradient.lens.first_not_finite
    if first is None or not any(fixes.proposed(gradient, ran.request.source)):
        return gradient.lens
    first = replace(first, may_have_fix=True)
    if asked.wants(FIND_FIX):
        with ran.in_its_place():
            first = replace(first, fixes=fixes.tried(gradient, ran.request, asked.request.variant, asked.channel))
    return replace(gradient.lens, first_not_finite=first)


def _works(made: Functions, is_ours: Callable[[str], bool]) -> bool:
    gradient = Gradient.of(made["total"], {"x": jnp.ones(3)}, is_ours)
    return isinstance(gradient, Gradient) and bool(gradient.lens.forward and gradient.lens.backward)


LENS = LensWork(_has_to_say, _tell, _works)
