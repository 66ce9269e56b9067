"""Origin of NaN or inf in a jaxpr: it is evaluated again on the same values, operation by operation.

That is slow, and happens only if outputs contain NaN or inf that no argument contains.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from jax.extend.core import JaxprEqn
from msgspec.structs import replace

from explorer.messages import LOOPS
from explorer.worker.checks.values import rules, sites
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.jaxpr import interpreter
from explorer.worker.jaxpr.interpreter import CALLS, evaluate
from explorer.worker.recording.events import CallStack

MOST_ITERATIONS = 10_000
"""Largest number of loop iterations to evaluate one by one."""
MOST_DESCENTS = 100
"""Largest number of iterations to search: a loop that carries inf on purpose would be searched in vain."""

_ON_PURPOSE = ("reduce_max", "reduce_min", "bitcast_convert_type")
"""Operations that return inf for an empty operand, or arbitrary bits."""
Made = Literal["nan", "inf"]


class Origin(msgspec.Struct, frozen=True):
    """An operation that made NaN or inf from operands without any."""

    operation: str
    source: CallStack
    made: Made
    result: float
    """The first such result; ``inf`` or ``-inf`` if it made inf."""
    operands: tuple[float, ...] | None
    """The operands of that element; None unless each is one number."""
    count: int
    """Number of affected elements in the result."""
    total: int
    dtype: str
    exponent: int = 0
    """The constant exponent of a power."""
    filled: bool = False
    """Whether it is a fill value for an index beyond the end."""

    def inside(self, outer: CallStack) -> Origin:
        """Return this origin as seen from a caller at `outer`."""
        return replace(self, source=self.source.inside(outer))


def origin(
    name: str, parameters: rules.Parameters, operands: Sequence[Any], outputs: Sequence[Any], source: CallStack
) -> Origin | None:
    """Return the origin at this operation, or None if its outputs contain nothing new."""
    if name in _ON_PURPOSE:
        return None
    given = [np.asarray(each) for each in operands if rules.is_inexact(each) or isinstance(each, float | complex)]
    for output in outputs:
        if rules.is_finite(output):
            continue
        result = np.asarray(output)
        for made in ("nan", "inf"):
            born = _born(made, result, given, by_element=name in rules.ELEMENTWISE)
            if not born.any():
                continue
            place = int(np.argmax(born.reshape(-1)))
            first = result.reshape(-1)[place]
            return Origin(
                name,
                source,
                made,
                float(np.real(first)) if made == "inf" else math.nan,
                _operands(operands, place, result) if name in rules.ELEMENTWISE else None,
                int(born.sum()),
                result.size,
                result.dtype.name,
                parameters.get("y", 0) if name == "integer_pow" else 0,
                filled=name == "gather",
            )
    return None


def _born(made: str, result: Any, given: Sequence[Any], *, by_element: bool) -> Any:
    """Return a mask of the elements of `result` that are NaN where no operand is, or inf where all are finite."""
    is_one, had = (np.isnan, np.isnan) if made == "nan" else (np.isinf, lambda each: ~np.isfinite(each))
    born = is_one(result)
    for each in given:
        born = born & ~had(each) if by_element and each.shape in ((), result.shape) else born & ~had(each).any()
    return born


def _operands(operands: Sequence[Any], place: int, result: Any) -> tuple[float, ...] | None:
    arrays = [np.asarray(each) for each in operands]
    if any(each.shape not in ((), result.shape) or each.dtype.kind == "c" for each in arrays):
        return None
    return tuple(float(each.reshape(-1)[place if each.shape else 0]) for each in arrays)


class TrackedValue(NamedTuple):
    """An array, and the origin of its non-finite elements."""

    array: Any
    origin: Origin | None = None


class NotFiniteSearch:
    """Evaluator of a jaxpr that tracks the origin of each non-finite value."""

    def __init__(self, end_s: float = math.inf) -> None:
        self._descents = 0
        self._end_s = end_s

    def run(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack) -> Origin | None:
        """Return the origin of NaN or inf in the outputs of `jaxpr`; None if there is none inside it."""
        return next((each.origin for each in self.values(jaxpr, arguments, outer) if each.origin is not None), None)

    def values(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack) -> list[TrackedValue]:
        """Return the outputs of `jaxpr`. Raises TimeoutError after the end of the monotonic clock."""
        given = [TrackedValue(each) for each in arguments]
        return evaluate(jaxpr, given, lambda equation, given: self._equation(equation, given, outer), lift=TrackedValue)

    def _equation(self, equation: JaxprEqn, given: list[TrackedValue], outer: CallStack) -> list[TrackedValue] | None:
        if time.monotonic() > self._end_s:
            raise TimeoutError
        if value_checks.only_prints(equation):
            return None
        arguments = [each.array for each in given]
        outputs = jaxprs.bind(equation, arguments)
        if all(map(rules.is_finite, outputs)):
            return [TrackedValue(each) for each in outputs]
        earlier = next((each.origin for each in given if each.origin is not None), None)
        if earlier is None:
            earlier = self.origin(equation, arguments, outputs, sites.source_of(equation, outer))
        return [TrackedValue(each, None if rules.is_finite(each) else earlier) for each in outputs]

    def origin(
        self, equation: JaxprEqn, arguments: Sequence[Any], outputs: Sequence[Any], here: CallStack
    ) -> Origin | None:
        """Return the origin of the non-finite `outputs` of `equation` at `here`."""
        name, parameters = equation.primitive.name, equation.params
        if name in CALLS:
            return self.run(parameters[CALLS[name]], arguments, here)
        if name == "cond" and not parameters.get("branches_platforms"):
            branch = parameters["branches"][interpreter.branch_index(parameters, arguments[0])]
            return self.run(branch, arguments[1:], here)
        if name not in LOOPS:
            return origin(name, parameters, arguments, outputs, here)
        for body, given, results in islice(interpreter.iterations(name, parameters, arguments), MOST_ITERATIONS):
            if not all(map(rules.is_finite, results)) and self._descents < MOST_DESCENTS:
                self._descents += 1
                found = self.run(body, given, here)
                if found is not None:
                    return found
        return None
