"""The checked places in a jaxpr: indexing and integer casts on the user's own lines."""

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
    """From the jaxpr on."""
    bounds: rules.Bounds | None
    """Of an operation that indexes."""
    dtype: np.dtype[Any]
    """Of its result."""
    exponent: int = 0
    """Of a power with a constant one."""


Wanted = Callable[[CallStack, bool], bool]
"""Tells of a place, and of whether it indexes, whether it should be looked at."""


def is_site(equation: JaxprEqn) -> bool:
    """Return whether there is something to look at in `equation` itself."""
    name = equation.primitive.name
    if rules.is_indexing(name):
        return True
    if not equation.invars or not equation.outvars:
        return False
    given, result = (getattr(each[0].aval, "dtype", None) for each in (equation.invars, equation.outvars))
    if not rules.may_overflow(name, given, result):
        return False
    # Counting is everywhere, and takes long to get too far.
    is_counting = name in ("add", "sub") and any(isinstance(each, JaxprLiteral) for each in equation.invars)
    return not is_counting


has_sites = jaxprs.anywhere(is_site)
"""Whether there is anything in a jaxpr to look at."""


def source_of(equation: JaxprEqn, outer: CallStack) -> CallStack:
    """Return where `equation` of a jaxpr that was called from `outer` comes from."""
    return CallStack.of(equation).inside(outer)


def site(equation: JaxprEqn, source: CallStack) -> Site:
    """Return the place that `equation`, which comes from `source`, is."""
    name, parameters = equation.primitive.name, equation.params
    types: list[Any] = [each.aval for each in (*equation.invars, equation.outvars[0])]
    limits = rules.bounds(name, parameters, [each.shape for each in types]) if rules.is_indexing(name) else None
    return Site(name, source, limits, types[-1].dtype, parameters.get("y", 0))


def holds_wanted(jaxpr: Jaxpr, wanted: Wanted, outer: CallStack) -> bool:
    """Return whether there is a place in `jaxpr`, called from `outer`, that is `wanted`."""
    return has_sites(jaxpr) and any(is_of_use(each, wanted, source_of(each, outer)) for each in jaxpr.eqns)


def is_of_use(equation: JaxprEqn, wanted: Wanted, source: CallStack) -> bool:
    """Return whether `equation`, from `source`, is or holds a place that is `wanted`."""
    if is_site(equation):
        return wanted(source, rules.is_indexing(equation.primitive.name))
    return any(holds_wanted(each, wanted, source) for each in jaxprs_in_params(equation.params))
