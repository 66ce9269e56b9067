"""The checked places in a jaxpr: indexing and integer operations on user lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params
from jax.extend.core import Literal as JaxprLiteral

from explorer.worker.checks.values import rules
from explorer.worker.internals import jaxprs
from explorer.worker.recording.events import CallStack


@dataclass(frozen=True)
class Site:
    """One checked place in a jaxpr."""

    operation: str
    source: CallStack
    """Relative to the jaxpr."""
    bounds: rules.Bounds | None
    """Bounds of an indexing operation, else None."""
    dtype: np.dtype[Any]
    """Dtype of the result."""
    exponent: int = 0
    """The constant exponent of a power."""


Wanted = Callable[[CallStack, bool], bool]
"""Return whether to check a place, given its source and whether it indexes."""


def is_site(equation: JaxprEqn) -> bool:
    """Return whether `equation` itself has something to check."""
    name = equation.primitive.name
    if rules.is_indexing(name):
        return True
    if not equation.invars or not equation.outvars:
        return False
    given, result = (getattr(each[0].aval, "dtype", None) for each in (equation.invars, equation.outvars))
    if not rules.may_overflow(name, given, result):
        return False
    # Counting is frequent, and overflows only after a long time.
    is_counting = name in ("add", "sub") and any(isinstance(each, JaxprLiteral) for each in equation.invars)
    return not is_counting


has_sites = jaxprs.anywhere(is_site)
"""Whether a jaxpr has anything to check."""


def source_of(equation: JaxprEqn, outer: CallStack) -> CallStack:
    """Return the source of `equation` in a jaxpr that was called from `outer`."""
    return CallStack.of(equation).inside(outer)


def site(equation: JaxprEqn, source: CallStack) -> Site:
    """Return the checked place for `equation`, with the source `source`."""
    name, parameters = equation.primitive.name, equation.params
    types: list[Any] = [each.aval for each in (*equation.invars, equation.outvars[0])]
    limits = rules.bounds(name, parameters, [each.shape for each in types]) if rules.is_indexing(name) else None
    return Site(name, source, limits, types[-1].dtype, parameters.get("y", 0))


def holds_wanted(jaxpr: Jaxpr, wanted: Wanted, outer: CallStack) -> bool:
    """Return whether `jaxpr`, called from `outer`, has a `wanted` place."""
    return has_sites(jaxpr) and any(is_of_use(each, wanted, source_of(each, outer)) for each in jaxpr.eqns)


def is_of_use(equation: JaxprEqn, wanted: Wanted, source: CallStack) -> bool:
    """Return whether `equation`, with the source `source`, is or contains a `wanted` place."""
    if is_site(equation):
        return wanted(source, rules.is_indexing(equation.primitive.name))
    return any(holds_wanted(each, wanted, source) for each in jaxprs_in_params(equation.params))
