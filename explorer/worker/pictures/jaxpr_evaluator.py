"""The value of one equation in a traced program, computed by evaluating the program up to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxpr_as_fun

from explorer.messages import Loop
from explorer.text.text import Text, TextError, say
from explorer.worker.internals.jaxprs import bind, scan_parts, while_parts
from explorer.worker.internals.sources import equation_source, transforms
from explorer.worker.jaxpr import stepped, traced
from explorer.worker.jaxpr.interpreter import evaluate, inner_jaxprs, live

MAX_ELEMENTS = 10**8
"""Largest number of elements to compute for a picture."""
_PER_DEVICE = ("shard_map", "pallas_call", "xla_pmap")
"""Their inner jaxprs see only a part of each array."""
_MOST_ITERATIONS = 2**31 - 1


class NoValue(TextError):
    """No value can be shown; the message is a sentence for the user."""

    loops: tuple[Loop, ...] = ()
    """The loops around the equation, in which another iteration may have a value."""


@dataclass(frozen=True)
class Found:
    """The values of one equation, and the loops around it."""

    outputs: list[Any]
    operands: list[Any]
    loops: tuple[Loop, ...]
    under_vmap: bool
    """Whether the equation, or an enclosing one, came out of a vmap."""


@dataclass(frozen=True)
class Inside:
    """One level of the path to an equation: the enclosing equation and the index of its inner jaxpr."""

    equation: JaxprEqn
    place: int


@dataclass
class Evaluator:
    """Evaluator of parts of one traced program with one set of arguments."""

    program: ClosedJaxpr
    arguments: Sequence[Any]
    _loops: dict[tuple[int, str], Callable[..., Any]] = field(default_factory=dict)
    """Compiled once per loop, so that a slider does not compile at every step."""

    def values(self, target: JaxprEqn, steps: Sequence[int] = ()) -> Found:
        """Return the operands and outputs of `target`, in the given iteration of each loop around it.

        A jaxpr with several call sites is entered at the first one. Raises NoValue if the equation does not run or its
        value is too large, and all exceptions of the program.
        """
        way = next(_ways(self.program.jaxpr, target), None)
        if way is None:
            raise NoValue(say("The equation is not part of the program any more."))
        jaxpr, arguments = self.program, list(self.arguments)
        loops: list[Loop] = []
        try:
            for level in way:
                given = _evaluate(jaxpr, arguments, level.equation.invars)
                step = steps[len(loops)] if len(loops) < len(steps) else 0
                jaxpr, arguments, loop = self._entered(level, given, step)
                loops += [loop] if loop is not None else []
            everything = _evaluate(jaxpr, arguments, [*target.outvars, *target.invars], target)
        except NoValue as reason:
            reason.loops = tuple(loops)
            raise
        count = len(target.outvars)
        under_vmap = any(map(_is_vmapped, (target, *(level.equation for level in way))))
        return Found(everything[:count], everything[count:], tuple(loops), under_vmap)

    def _entered(self, level: Inside, given: list[Any], step: int) -> tuple[ClosedJaxpr, list[Any], Loop | None]:
        """Return the inner jaxpr, its arguments, and its loop, if it is the body of one."""
        equation = level.equation
        name, parameters = equation.primitive.name, equation.params
        inner = inner_jaxprs(equation)[level.place]
        if name == "scan":
            return self._in_scan(equation, inner, given, step)
        if name == "while":
            return self._in_while(equation, inner, given, step)
        if name == "cond":
            taken = stepped.taken(parameters, given[0])
            if taken != level.place:
                raise NoValue(_not_taken(level.place, taken, len(parameters["branches"])))
            return inner, given[1:], None
        if name in _PER_DEVICE or [jnp.shape(each) for each in given] != _shapes(inner):
            raise NoValue(
                say(
                    "Values inside {name} cannot be shown: it works on pieces of what it reads. Select {name} itself "
                    "to see its own values.",
                    name=name,
                )
            )
        return inner, given, None

    def _in_scan(
        self, equation: JaxprEqn, body: ClosedJaxpr, given: list[Any], step: int
    ) -> tuple[ClosedJaxpr, list[Any], Loop]:
        parameters = equation.params
        length = parameters["length"]
        fixed, carry, slices = scan_parts(parameters, given)
        carried = len(carry)
        if length == 0:
            raise NoValue(say("This scan runs no iteration for the current inputs: its length is 0."))
        step = min(max(step, 0), length - 1)

        def at(slices: list[Any], iteration: Any) -> list[Any]:
            place = length - 1 - iteration if parameters["reverse"] else iteration
            return [jax.lax.dynamic_index_in_dim(each, place, keepdims=False) for each in slices]

        def run(iterations: Any, fixed: list[Any], carry: list[Any], slices: list[Any]) -> Any:
            def one(iteration: Any, carry: list[Any]) -> list[Any]:
                return list(jaxpr_as_fun(body)(*fixed, *carry, *at(slices, iteration))[:carried])

            return jax.lax.fori_loop(0, iterations, one, carry)

        if step:
            carry = self._compiled(equation, "scan", run)(step, fixed, carry, slices)
        return body, [*fixed, *carry, *at(slices, step)], Loop("scan", length, step)

    def _in_while(
        self, equation: JaxprEqn, inner: ClosedJaxpr, given: list[Any], step: int
    ) -> tuple[ClosedJaxpr, list[Any], Loop]:
        test, body = (jaxpr_as_fun(equation.params[name]) for name in ("cond_jaxpr", "body_jaxpr"))
        of_test, of_body, start = while_parts(equation.params, given)

        def iterations(limit: Any, of_test: list[Any], of_body: list[Any], carry: list[Any]) -> Any:
            def one_iteration(predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], tuple[()]]:
                carry = traced.still_running(predicate, body(*of_body, *carry), carry)
                return test(*of_test, *carry)[0], carry, ()

            return traced.loop(test(*of_test, *carry)[0], carry, one_iteration, (), lambda *_: (), limit)

        run = self._compiled(equation, "while", iterations)
        count = int(run(_MOST_ITERATIONS, of_test, of_body, start)[2])
        is_test = inner is equation.params["cond_jaxpr"]
        length = count + 1 if is_test else count
        if length == 0:
            raise NoValue(
                say("The body of this while loop does not run for the current inputs: its condition is false.")
            )
        step = min(max(step, 0), length - 1)
        carry = run(step, of_test, of_body, start)[0]
        return inner, [*(of_test if is_test else of_body), *carry], Loop("while", length, step)

    def _compiled(self, equation: JaxprEqn, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return self._loops.setdefault((id(equation), kind), jax.jit(function))


def _is_vmapped(equation: JaxprEqn) -> bool:
    return "vmap" in transforms(equation_source(equation)[1])


def _shapes(jaxpr: ClosedJaxpr) -> list[tuple[int, ...]]:
    return [getattr(each, "shape", ()) for each in jaxpr.in_avals]


def _ways(jaxpr: Jaxpr, target: JaxprEqn) -> Iterator[tuple[Inside, ...]]:
    """Yield the paths through nested equations of `jaxpr` to `target`."""
    seen: set[int] = set()

    def search(jaxpr: Jaxpr, way: tuple[Inside, ...]) -> Iterator[tuple[Inside, ...]]:
        # A jaxpr that was searched once need not be searched at its next call.
        if id(jaxpr) in seen:
            return
        seen.add(id(jaxpr))
        for equation in jaxpr.eqns:
            if equation is target:
                yield way
                return
            for place, inner in enumerate(inner_jaxprs(equation)):
                yield from search(inner.jaxpr, (*way, Inside(equation, place)))

    return search(jaxpr, ())


def _evaluate(
    jaxpr: ClosedJaxpr, arguments: Sequence[Any], wanted: Sequence[Any], target: JaxprEqn | None = None
) -> list[Any]:
    """Return the values of the `wanted` variables and literals; only equations that they need are evaluated.

    Raises NoValue if any of these values is too large.
    """
    equations, _ = live(jaxpr.jaxpr, wanted)
    _check_sizes(equations, target)
    return evaluate(jaxpr, arguments, bind, equations=equations, wanted=wanted)


def _check_sizes(equations: Sequence[JaxprEqn], target: JaxprEqn | None) -> None:
    for variable in target.outvars if target is not None else ():
        if _size(variable) > MAX_ELEMENTS:
            raise NoValue(
                say(
                    "{value} has {count} elements. That is too many to compute just to show them: the limit is "
                    "{limit}.",
                    **_parts(variable),
                )
            )
    for equation in equations:
        for variable in equation.outvars:
            if _size(variable) > MAX_ELEMENTS:
                raise NoValue(
                    say(
                        "To compute it, {primitive} makes a value that is too large: {value} has {count} elements. "
                        "The limit is {limit}.",
                        primitive=equation.primitive.name,
                        **_parts(variable),
                    )
                )


def _size(variable: Any) -> int:
    return math.prod(getattr(variable.aval, "shape", ()))


def _parts(variable: Any) -> dict[str, str]:
    value = variable.aval.str_short(short_dtypes=True)
    return {"value": value, "count": f"{_size(variable):,}", "limit": f"{MAX_ELEMENTS:,}"}


def _not_taken(place: int, taken: int, branches: int) -> Text:
    if branches == 2:
        return say(
            "This branch was not taken: the condition was {taken} for the current inputs, and this is what runs when "
            "it is {place}.",
            taken=say("true") if taken else say("false"),
            place=say("true") if place else say("false"),
        )
    return say(
        "This branch was not taken: it is number {place}, and number {taken} ran for the current inputs.",
        place=place,
        taken=taken,
    )
