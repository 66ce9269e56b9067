"""A loop that runs again (`LoopRun`): its arrays over the iterations, the carry before one, the origin of NaN.

A long loop has a point for each stride of iterations only. Every iteration is still searched for NaN and infinity.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp
import msgspec
import numpy as np
from jax import lax
from jax.extend.core import ClosedJaxpr, JaxprEqn, jaxpr_as_fun

from explorer.messages import Array
from explorer.worker.internals.jaxprs import bind, scan_parts, while_parts
from explorer.worker.jaxpr.interpreter import CALLS, evaluate, is_variable
from explorer.worker.jaxpr.traced import still_running, zeros
from explorer.worker.pictures.arrays import host, shown

MOST_POINTS = 500
MOST_CURVES = 40
MOST_ELEMENTS = 5 * 10**7
"""Largest number of elements to summarise."""
_TOGETHER = 4 * 10**6
"""Number of elements to hold at once, unless one iteration has more."""
_MOST_TOGETHER = 64
"""Largest number of points to compute at once."""
_PAUSE_S = 0.1
"""Seconds after which to look for an interrupt, if one point takes no longer."""

Look = Callable[[Sequence[Any]], list[Any]]
"""Return the watched values for the arguments of a loop's body."""
Compiled = Callable[[Callable[..., Any]], Callable[..., Any]]
"""Return a function compiled, or an earlier one for the same loop: only operands and numbers may differ."""
Role = Literal["carry", "output", "value"]
NUMBERS = ("mean", "least", "most", "norm")


class LoopPoints(msgspec.Struct, frozen=True):
    """The summaries of some arrays after each iteration `numbers`, int64[points]."""

    numbers: Any
    summaries: tuple[dict[str, Array], ...]
    """For each array, NUMBERS and ``not_finite``, by name."""
    first_not_finite: tuple[int, ...]
    """For each array, -1 for none."""


class LoopRun(msgspec.Struct, frozen=True):
    """A scan or while with its operands, whose number of iterations is known."""

    equation: JaxprEqn
    operands: Sequence[Any]
    length: int

    @property
    def is_scan(self) -> bool:
        return self.equation.primitive.name == "scan"

    @property
    def body(self) -> ClosedJaxpr:
        return body_of(self.equation)

    def points(self, chosen: Sequence[int], look: Look | None, compiled: Compiled) -> LoopPoints:
        """Return the outputs `chosen` of the body, by index, or what `look` returns, over the iterations."""
        if not self.length:
            return LoopPoints(np.zeros(0, int), tuple(columns(()) for _ in chosen), (-1,) * len(chosen))
        _, start, _ = self._parts(self.operands)

        def one(number: Any, carry: list[Any], length: Any, operands: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            given, carry, outputs = self._step(number, carry, length, operands)
            return carry, [outputs[each] for each in chosen] if look is None else look(given)

        shapes = jax.eval_shape(lambda *each: one(0, *each)[1], start, self.length, self.operands)
        elements = max(1, sum(math.prod(each.shape) for each in shapes))
        together = max(1, min(_MOST_TOGETHER, _TOGETHER // elements))

        def blocks(state: Any, first: Any, count: Any, stride: Any, length: Any, operands: Sequence[Any]) -> Any:
            """Return the state after `count` strides, and the values after each; `first` is the first iteration."""

            def iteration(number: Any, state: Any) -> Any:
                carry, _, bad = state
                carry, values = one(number, carry, length, operands)
                return carry, values, [_first(*each, number) for each in zip(bad, values, strict=True)]

            def block(place: Any, every: Any) -> Any:
                (carry, bad), kept = every
                begin = first + place * stride
                end = jnp.minimum(begin + stride, length)
                carry, values, bad = lax.fori_loop(begin, end, iteration, (carry, zeros(shapes), bad))
                return (carry, bad), [each.at[place].set(value) for each, value in zip(kept, values, strict=True)]

            return lax.fori_loop(np.int32(0), count, block, (state, zeros(shapes, (together,))))

        run = compiled(blocks)
        stride = -(-self.length // max(1, min(MOST_POINTS, MOST_ELEMENTS // elements)))
        ends = np.minimum(np.arange(0, self.length, stride) + stride, self.length) - 1
        state: Any = start, [np.int32(-1) for _ in shapes]
        summaries: list[list[tuple[float, ...]]] = [[] for _ in shapes]
        place, count = 0, 1
        while place < len(ends):
            began = time.perf_counter()
            numbers = np.array([place * stride, count, stride, self.length], np.int32)
            state, values = run(state, *numbers, self.operands)
            for rows, kept in zip(summaries, values, strict=True):
                rows.extend(map(summary, shown(host(kept))[:count]))
            place += count
            # Inside of a compiled loop no interrupt is heard.
            quick = time.perf_counter() - began < _PAUSE_S
            count = min(len(ends) - place, together, 2 * count if quick else max(1, count // 2))
        return LoopPoints(ends, tuple(map(columns, summaries)), tuple(map(int, state[1])))

    def origin(self, arguments: Sequence[Any]) -> JaxprEqn | None:
        """Return the first equation of the body that makes NaN or infinity from finite operands, for its arguments."""
        seen: list[JaxprEqn] = []
        flags: list[Any] = []

        def on_equation(equation: JaxprEqn, operands: Sequence[Any]) -> list[Any]:
            inner = equation.params.get(CALLS.get(equation.primitive.name, ""))
            outputs = bind(equation, operands) if inner is None else evaluate(inner, operands, on_equation)
            if inner is None:
                seen.append(equation)
                flags.append(_all_finite(operands) & ~_all_finite(outputs))
            return outputs

        def run(arguments: Sequence[Any]) -> list[Any]:
            seen.clear()
            flags.clear()
            evaluate(self.body, arguments, on_equation)
            return list(flags)

        found = [bool(each) for each in jax.jit(run)(list(arguments))]
        return next((equation for equation, holds in zip(seen, found, strict=True) if holds), None)

    def watched(self) -> list[tuple[Role, str, Any]]:
        """Return (role, name in the code or a number, type) for each output of the body."""
        found: list[tuple[Role, str, Any]] = []
        for place, variable in enumerate(self.body.jaxpr.outvars):
            outputs = place - self._carried
            number = place if outputs < 0 else outputs
            role: Role = "carry" if outputs < 0 else "output"
            found.append((role, self._name(place) or f"{role} {number + 1}", variable.aval))
        return found

    def is_limit(self, place: int) -> bool:
        """Return whether output `place` of the body is the limit of a fori_loop: it has no name and never changes."""
        inner, fixed = self.body.jaxpr, len(self._parts(self.body.jaxpr.invars)[0])
        carried = place < self._carried and inner.outvars[place] is inner.invars[fixed + place]
        return carried and not self._name(place)

    @property
    def _carried(self) -> int:
        return len(self._parts(self.operands)[1])

    def _name(self, place: int) -> str:
        """Return the name of output `place` of the body in user code, '' where there is none."""
        about = getattr(self.body.jaxpr, "debug_info", None)
        if place >= self._carried:
            results = getattr(about, "result_paths", None) or ()
            return str(results[place]).replace("result[1]", "output", 1) if place < len(results) else ""
        # Closed-over constants stand first, and may have no entry.
        arguments = getattr(about, "arg_names", None) or ()
        behind = len(self.body.jaxpr.invars) - len(self._parts(self.body.jaxpr.invars)[0]) - place
        return str(arguments[-behind] or "") if behind <= len(arguments) else ""

    def _parts(self, operands: Sequence[Any]) -> tuple[list[Any], list[Any], list[Any]]:
        """Return the constants of the body, the carry and the stacked inputs among `operands`."""
        if self.is_scan:
            return scan_parts(self.equation.params, operands)
        _, fixed, carry = while_parts(self.equation.params, operands)
        return fixed, carry, []

    def carry(self, number: int, compiled: Compiled) -> list[Any]:
        """Return the carry before iteration `number`."""
        _, start, _ = self._parts(self.operands)

        def run(number: Any, carry: list[Any], length: Any, operands: Sequence[Any]) -> Any:
            return lax.fori_loop(0, number, lambda each, carry: self._step(each, carry, length, operands)[1], carry)

        return list(compiled(run)(number, start, self.length, self.operands)) if number else start

    def arguments(self, number: int, carry: list[Any]) -> list[Any]:
        """Return the arguments of the body in iteration `number`, before which the carry is `carry`."""
        return self._given(number, carry, self.length, self.operands)

    def _given(self, number: Any, carry: list[Any], length: Any, operands: Sequence[Any]) -> list[Any]:
        fixed, _, slices = self._parts(operands)
        place = length - 1 - number if self.equation.params.get("reverse") else number
        return [*fixed, *carry, *(lax.dynamic_index_in_dim(each, place, keepdims=False) for each in slices)]

    def _step(
        self, number: Any, carry: list[Any], length: Any, operands: Sequence[Any]
    ) -> tuple[list[Any], list[Any], list[Any]]:
        """Return the arguments of the body in an iteration, the carry after it, and the outputs of the body."""
        given = self._given(number, carry, length, operands)
        outputs = list(jaxpr_as_fun(self.body)(*given))
        if self.is_scan:
            return given, outputs[: len(carry)], outputs
        of_test, *_ = while_parts(self.equation.params, operands)
        predicate = jaxpr_as_fun(self.equation.params["cond_jaxpr"])(*of_test, *carry)[0]
        outputs = still_running(predicate, outputs, carry)
        return given, outputs, outputs


def body_of(loop: JaxprEqn) -> ClosedJaxpr:
    found = loop.params["jaxpr" if loop.primitive.name == "scan" else "body_jaxpr"]
    assert isinstance(found, ClosedJaxpr)
    return found


def is_number(aval: Any) -> bool:
    """Return whether arrays of this type have a curve: keys have none."""
    dtype = getattr(aval, "dtype", None)
    return dtype is not None and (jnp.issubdtype(dtype, np.number) or dtype == np.bool_)


def maker(body: ClosedJaxpr, place: int) -> JaxprEqn | None:
    """Return the equation that makes output `place` of `body`; the first one where the output is an argument."""
    wanted = body.jaxpr.outvars[place]
    made = (each for each in body.jaxpr.eqns if is_variable(wanted) and wanted in each.outvars)
    return next(made, next(iter(body.jaxpr.eqns), None))


def _all_finite(values: Sequence[Any]) -> Any:
    found: Any = jnp.bool_(True)
    for each in values:
        if jnp.issubdtype(jnp.result_type(each), np.inexact):
            found &= jnp.isfinite(each).all()
    return found


def _first(bad: Any, value: Any, number: Any) -> Any:
    """Return `number` if `value` is the first one that is not finite, else `bad`."""
    return jnp.where((bad < 0) & ~_all_finite([value]), jnp.int32(number), bad)


def summary(array: Any) -> tuple[float, ...]:
    """Return NUMBERS of the finite elements of `array` in double precision, and the count of the others."""
    values = array.astype(np.float64).reshape(-1)
    finite = values[np.isfinite(values)]
    if not finite.size:
        return (np.nan,) * len(NUMBERS) + (values.size,)
    with np.errstate(over="ignore"):
        norm = np.sqrt(np.square(finite).sum())
        return float(finite.mean()), float(finite.min()), float(finite.max()), float(norm), values.size - finite.size


def columns(summaries: Sequence[tuple[float, ...]]) -> dict[str, Array]:
    """Return the summaries of all points by the names of their numbers."""
    found = np.array(summaries, np.float64).reshape(-1, len(NUMBERS) + 1).T
    numbers = {name: Array.of(column) for name, column in zip(NUMBERS, found, strict=False)}
    return numbers | {"not_finite": Array.of(found[-1], np.int64)}
