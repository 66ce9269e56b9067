"""Where in a jaxpr NaN or inf comes from: evaluated again, operation by operation, with the values that it had.

That is slow, and only done where the outputs hold some that the arguments did not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Jaxpr, JaxprEqn, jaxpr_as_fun
from jax.extend.core import Literal as JaxprLiteral

from explorer.worker.checks.values import rules, sites
from explorer.worker.internals import jaxprs, value_checks
from explorer.worker.recording.events import CallStack

MOST_ROUNDS = 10_000
"""Rounds of a loop that are carried out one by one."""
MOST_DESCENTS = 100
"""Rounds of a loop that are looked into: one that holds inf from the start, on purpose, makes us look in vain."""

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


class Search:
    """Evaluates a jaxpr and remembers for each value that is not finite where that comes from.

    `known` tells where that of an argument comes from.
    """

    def __init__(self) -> None:
        self._descents = 0

    def run(
        self, jaxpr: Any, arguments: Sequence[Any], origins: Sequence[Origin | None], outer: CallStack
    ) -> tuple[list[Any], list[Origin | None]]:
        """Return the outputs of `jaxpr`, which may carry its constants or have none, and the origin of each."""
        inner: Jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
        values: dict[Any, Any] = dict(zip(inner.constvars, getattr(jaxpr, "consts", ()), strict=True))
        values.update(zip(inner.invars, arguments, strict=True))
        known: dict[Any, Origin] = {v: o for v, o in zip(inner.invars, origins, strict=True) if o is not None}
        last = {atom: place for place, each in enumerate(inner.eqns) for atom in each.invars if _is_variable(atom)}
        kept = {atom for atom in inner.outvars if _is_variable(atom)}

        def read(atom: Any) -> Any:
            return values[atom] if _is_variable(atom) else atom.val

        for place, equation in enumerate(inner.eqns):
            if value_checks.only_prints(equation):
                continue
            given = [read(atom) for atom in equation.invars]
            from_ = [known.get(atom) if _is_variable(atom) else None for atom in equation.invars]
            with equation.ctx.manager:
                outputs, found = self.equation(equation, given, from_, outer)
            values.update(zip(equation.outvars, outputs, strict=True))
            known.update({v: o for v, o in zip(equation.outvars, found, strict=True) if o is not None})
            for atom in {each for each in equation.invars if _is_variable(each)} - kept:
                if last[atom] == place:
                    del values[atom]
        return [read(atom) for atom in inner.outvars], [
            known.get(atom) if _is_variable(atom) else None for atom in inner.outvars
        ]

    def equation(
        self, equation: JaxprEqn, arguments: list[Any], origins: list[Origin | None], outer: CallStack
    ) -> tuple[list[Any], list[Origin | None]]:
        """Return the outputs of `equation` for `arguments`, and the origin of each."""
        outputs = jaxprs.bind(equation, arguments)
        if all(map(rules.is_finite, outputs)):
            return outputs, [None] * len(outputs)
        earlier = next((each for each in origins if each is not None), None)
        if earlier is None:
            earlier = self._origin(equation, arguments, outputs, sites.source_of(equation, outer))
        return outputs, [None if rules.is_finite(each) else earlier for each in outputs]

    def _origin(self, equation: JaxprEqn, arguments: list[Any], outputs: list[Any], here: CallStack) -> Origin | None:
        name, parameters = equation.primitive.name, equation.params
        if name in sites.CALLS:
            return self._inside(parameters[sites.CALLS[name]], arguments, here)
        if name == "cond" and not parameters.get("branches_platforms"):
            branches = parameters["branches"]
            taken = min(max(int(arguments[0]), 0), len(branches) - 1)
            return self._inside(branches[taken], arguments[1:], here)
        if name == "scan":
            return self._in_scan(parameters, arguments, here)
        if name == "while":
            return self._in_while(parameters, arguments, here)
        return origin(name, parameters, arguments, outputs, here)

    def _inside(self, jaxpr: Any, arguments: Sequence[Any], here: CallStack) -> Origin | None:
        found = self.run(jaxpr, arguments, [None] * len(arguments), here)[1]
        return next((each for each in found if each is not None), None)

    def _in_scan(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> Origin | None:
        constants, carried = jaxprs.scan_counts(parameters, arguments)
        fixed, carry, slices = arguments[:constants], arguments[constants:][:carried], arguments[constants + carried :]
        length = parameters["length"]
        rounds = range(length - 1, -1, -1) if parameters["reverse"] else range(length)
        step = _compiled(parameters["jaxpr"])
        for number in rounds[:MOST_ROUNDS]:
            given = [*fixed, *carry, *(each[number] for each in slices)]
            found, outputs = self._round(parameters["jaxpr"], step, given, here)
            if found is not None:
                return found
            carry = outputs[:carried]
        return None

    def _in_while(self, parameters: dict[str, Any], arguments: list[Any], here: CallStack) -> Origin | None:
        test, body = parameters["cond_nconsts"], parameters["body_nconsts"]
        of_test, of_body, carry = arguments[:test], arguments[test:][:body], arguments[test + body :]
        goes_on, step = _compiled(parameters["cond_jaxpr"]), _compiled(parameters["body_jaxpr"])
        for _ in range(MOST_ROUNDS):
            predicate = np.asarray(goes_on(*of_test, *carry)[0])
            if not predicate.any():
                break
            found, following = self._round(parameters["body_jaxpr"], step, [*of_body, *carry], here)
            if found is not None:
                return found
            if predicate.ndim:
                # Under vmap, examples that are done keep their values while others go on.
                following = [
                    jnp.where(predicate.reshape(predicate.shape + (1,) * (new.ndim - predicate.ndim)), new, old)
                    for new, old in zip(following, carry, strict=True)
                ]
            carry = following
        return None

    def _round(
        self, jaxpr: Any, step: Callable[..., Any], given: list[Any], here: CallStack
    ) -> tuple[Origin | None, list[Any]]:
        outputs = step(*given)
        if all(map(rules.is_finite, outputs)) or self._descents >= MOST_DESCENTS:
            return None, outputs
        self._descents += 1
        return self._inside(jaxpr, given, here), outputs


def _compiled(jaxpr: Any) -> Callable[..., Any]:
    return jax.jit(jaxpr_as_fun(jaxpr))


def _is_variable(atom: Any) -> bool:
    return not isinstance(atom, JaxprLiteral)
