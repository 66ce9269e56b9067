"""Where in a jaxpr NaN or inf comes from: evaluated again, operation by operation, with the values that it had.

That is slow, and only done where the outputs hold some that the arguments did not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
from jax.extend.core import JaxprEqn

from explorer.worker.checks.values import rules, sites
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.jaxpr import stepped
from explorer.worker.jaxpr.interpreter import CALLS, evaluate
from explorer.worker.recording.events import CallStack

MOST_ITERATIONS = 10_000
"""Rounds of a loop that are carried out one by one."""
MOST_DESCENTS = 100
"""Rounds of a loop that are inspected: one that holds inf from the start, on purpose, makes us look in vain."""

_ON_PURPOSE = ("reduce_max", "reduce_min", "bitcast_convert_type")
"""What gives inf for nothing at all, or whatever stands in the bits."""
Made = Literal["nan", "inf"]


@dataclass(frozen=True)
class Origin:
    """An operation that made NaN, or inf, of operands without."""

    operation: str
    source: CallStack
    made: Made
    result: float
    """What it gave first; ``inf`` or ``-inf`` where it made inf."""
    operands: tuple[float, ...] | None
    """What it was made of, None where that is not one number each."""
    count: int
    """How many elements of the result are so."""
    total: int
    dtype: str
    exponent: int = 0
    """Of a power with a constant one."""
    filled: bool = False
    """Whether it is what an index beyond the end reads."""

    def inside(self, outer: CallStack) -> Origin:
        """Return this origin as seen from a caller at `outer`."""
        return replace(self, source=self.source.inside(outer))


def origin(
    name: str, parameters: rules.Parameters, operands: Sequence[Any], outputs: Sequence[Any], source: CallStack
) -> Origin | None:
    """Return the origin that one operation is, None where its outputs hold nothing that its operands did not."""
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
    """Return which elements of `result` are NaN where no operand is; or inf where all operands are finite."""
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


class Value(NamedTuple):
    """A value, and where what is not finite in it comes from."""

    array: Any
    origin: Origin | None = None


class Search:
    """Evaluates a jaxpr and remembers for each value that is not finite where that comes from."""

    def __init__(self) -> None:
        self._descents = 0

    def run(self, jaxpr: Any, arguments: Sequence[Any], outer: CallStack) -> Origin | None:
        """Return where the outputs of `jaxpr` for these `arguments` have their NaN from; None if from those."""
        given = [Value(each) for each in arguments]
        found = evaluate(jaxpr, given, lambda equation, given: self._equation(equation, given, outer), lift=Value)
        return next((each.origin for each in found if each.origin is not None), None)

    def _equation(self, equation: JaxprEqn, given: list[Value], outer: CallStack) -> list[Value] | None:
        if value_checks.only_prints(equation):
            return None
        arguments = [each.array for each in given]
        outputs = jaxprs.bind(equation, arguments)
        if all(map(rules.is_finite, outputs)):
            return [Value(each) for each in outputs]
        earlier = next((each.origin for each in given if each.origin is not None), None)
        if earlier is None:
            earlier = self.origin(equation, arguments, outputs, sites.source_of(equation, outer))
        return [Value(each, None if rules.is_finite(each) else earlier) for each in outputs]

    def origin(
        self, equation: JaxprEqn, arguments: Sequence[Any], outputs: Sequence[Any], here: CallStack
    ) -> Origin | None:
        """Return where `equation`, which stands `here`, has made what is not finite in its `outputs`."""
        name, parameters = equation.primitive.name, equation.params
        if name in CALLS:
            return self.run(parameters[CALLS[name]], arguments, here)
        if name == "cond" and not parameters.get("branches_platforms"):
            branch = parameters["branches"][stepped.taken(parameters, arguments[0])]
            return self.run(branch, arguments[1:], here)
        if name not in stepped.LOOPS:
            return origin(name, parameters, arguments, outputs, here)
        for body, given, results in islice(stepped.iterations(name, parameters, arguments), MOST_ITERATIONS):
            if not all(map(rules.is_finite, results)) and self._descents < MOST_DESCENTS:
                self._descents += 1
                found = self.run(body, given, here)
                if found is not None:
                    return found
        return None
