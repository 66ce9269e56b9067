"""The checked places in a jaxpr: indexing, integer casts and probabilities on user lines; what is wanted of each."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import msgspec
import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn, jaxprs_in_params
from jax.extend.core import Literal as JaxprLiteral

from explorer import OUR_FILES
from explorer.worker.checks.values import rules
from explorer.worker.internals import jaxprs, sources
from explorer.worker.recording.events import CallStack


class CheckedSite(msgspec.Struct, frozen=True):
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

    @property
    def sort(self) -> rules.Sort:
        """The sort of check."""
        return "index" if self.bounds is not None else "probability" if self.operation in _DRAWS else "overflow"


_DRAWS = ("bernoulli", "choice")
Wanted = Callable[[CallStack, rules.Sort], bool]
"""Return whether to check a place, given its source and the sort of check."""


def draw(name: str, parameters: Mapping[str, Any], source: Callable[[], CallStack]) -> str:
    """Return the function of ``jax.random`` that takes probabilities by an operation from `source`; empty for others.

    Of ``choice`` it is the first thing that it does with them: it has no program of its own.
    """
    function = parameters.get("name", "") if name == "jit" else name
    if function == "_bernoulli":
        return "bernoulli"
    if function not in ("cumsum", "log"):
        return ""
    codes = [code for each in source().tracebacks for code in each.raw_frames()[0]]
    theirs = (each for each in codes if not each.co_filename.startswith(OUR_FILES))
    inner = list(itertools.takewhile(lambda code: not sources.is_user_file(code.co_filename), theirs))
    return "choice" if any(code.co_name == "choice" and _RANDOM in code.co_filename for code in inner) else ""


_RANDOM = f"{os.sep}random"


def _draw(equation: JaxprEqn) -> str:
    return draw(equation.primitive.name, equation.params, lambda: CallStack.of(equation))


def probabilities(operands: Sequence[Any]) -> Any:
    """Return the probability among the `operands` of a draw; the others are keys."""
    return next(each for each in operands if jax.numpy.issubdtype(jax.numpy.result_type(each), np.floating))


def is_site(equation: JaxprEqn) -> bool:
    """Return whether `equation` itself has something to check."""
    name = equation.primitive.name
    if rules.is_indexing(name) or _draw(equation):
        return True
    if not equation.invars or not equation.outvars:
        return False
    given, result = (getattr(each[0].aval, "dtype", None) for each in (equation.invars, equation.outvars))
    if not rules.may_overflow(name, given, result):
        return False
    # Counting is frequent, and overflows only after a long time.
    steps = [each.val for each in equation.invars if isinstance(each, JaxprLiteral)] if name in ("add", "sub") else []
    return not any(abs(int(each)) <= _SMALL_STEP for each in steps)


_SMALL_STEP = 1 << 15
"""With larger ones 32 bits overflow after fewer than 65,536 steps."""
has_sites = jaxprs.anywhere(is_site)
"""Whether a jaxpr has anything to check."""


def source_of(equation: JaxprEqn, outer: CallStack) -> CallStack:
    """Return the source of `equation` in a jaxpr that was called from `outer`."""
    return CallStack.of(equation).inside(outer)


def site(equation: JaxprEqn, source: CallStack) -> CheckedSite:
    """Return the checked place for `equation`, with the source `source`."""
    name, parameters = equation.primitive.name, equation.params
    types: list[Any] = [each.aval for each in (*equation.invars, equation.outvars[0])]
    limits = rules.bounds(name, parameters, [each.shape for each in types]) if rules.is_indexing(name) else None
    return CheckedSite(_draw(equation) or name, source, limits, types[-1].dtype, parameters.get("y", 0))


def holds_wanted(jaxpr: Jaxpr, wanted: Wanted, outer: CallStack) -> bool:
    """Return whether `jaxpr`, called from `outer`, has a `wanted` place."""
    return has_sites(jaxpr) and any(is_of_use(each, wanted, source_of(each, outer)) for each in jaxpr.eqns)


def is_of_use(equation: JaxprEqn, wanted: Wanted, source: CallStack) -> bool:
    """Return whether `equation`, with the source `source`, is or contains a `wanted` place."""
    if is_site(equation):
        is_index = rules.is_indexing(equation.primitive.name)
        return wanted(source, "index" if is_index else "probability" if _draw(equation) else "overflow")
    return any(holds_wanted(each, wanted, source) for each in jaxprs_in_params(equation.params))
