"""The value of one equation of a traced program (`Evaluator`), or of a loop over its iterations, computed again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import msgspec
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxpr_as_fun

from explorer.messages import LOOPS, Loop
from explorer.text.text import Text, TextError, say
from explorer.worker.internals.jaxprs import bind, calls_back, while_parts
from explorer.worker.internals.sources import equation_source, transforms
from explorer.worker.jaxpr import interpreter, traced
from explorer.worker.jaxpr.interpreter import CALLS, evaluate, inner_jaxprs, live
from explorer.worker.pictures.loop_curves import MOST_CURVES, LoopPoints, LoopRun, body_of, is_number

MAX_ELEMENTS = 10**8
"""Largest number of elements to compute for a picture."""
_PER_DEVICE = ("shard_map", "pallas_call", "xla_pmap")
"""Their inner jaxprs see only a part of each array."""
_MOST_ITERATIONS = 2**31 - 1
_NEVER_RUNS = {
    "scan": say("This scan runs no iteration for the current inputs: its length is 0."),
    "while": say("The body of this while loop does not run for the current inputs: its condition is false."),
}


class NoValue(TextError):
    """No value can be shown; the message is a sentence for the user."""

    loops: tuple[Loop, ...] = ()
    """The loops around the equation, in which another iteration may have a value."""


class EvaluatedEquation(msgspec.Struct, frozen=True):
    """The values of one equation, and the loops around it."""

    outputs: list[Any]
    operands: list[Any]
    loops: tuple[Loop, ...]
    under_vmap: bool
    """Whether the equation, or an enclosing one, came out of a vmap."""


class LoopIterations(msgspec.Struct, frozen=True):
    """A loop over its iterations."""

    run: LoopRun
    chosen: tuple[int, ...]
    """The watched outputs, of the loop's body or of the equation inside it, by index."""
    points: LoopPoints
    left_out: int
    around: int
    """The number of loops around the loop."""
    first_not_finite: int
    """The first iteration with NaN or infinity in any watched output, -1 for none."""
    origin: JaxprEqn | None
    """The equation that makes it there from finite operands."""


class NestedEquation(msgspec.Struct, frozen=True):
    """One level of the path to an equation: the enclosing equation and the index of its inner jaxpr."""

    equation: JaxprEqn
    place: int


class Evaluator(msgspec.Struct):
    """Evaluator of parts of one traced program with one set of arguments."""

    program: ClosedJaxpr
    arguments: Sequence[Any]
    _loops: dict[tuple[int, str], Callable[..., Any]] = {}
    """Compiled once per loop, so that a slider does not compile at every step."""

    def values(self, target: JaxprEqn, steps: Sequence[int] = ()) -> EvaluatedEquation:
        """Return the operands and outputs of `target`, in the given iteration of each loop around it.

        A jaxpr with several call sites is entered at the first one. Raises NoValue if the equation does not run or its
        value is too large, and all exceptions of the program.
        """
        way = self._way(target)
        loops: list[Loop] = []
        try:
            jaxpr, arguments = self._inside(way, steps, loops)
            everything = _evaluate(jaxpr, arguments, [*target.outvars, *target.invars], target)
        except NoValue as reason:
            reason.loops = tuple(loops)
            raise
        count = len(target.outvars)
        around = (target, *(level.equation for level in way))
        under_vmap = any("vmap" in transforms(equation_source(each)[1]) for each in around)
        return EvaluatedEquation(everything[:count], everything[count:], tuple(loops), under_vmap)

    def iterations(self, target: JaxprEqn, steps: Sequence[int] = ()) -> LoopIterations | None:
        """Return the loop `target`, or the innermost loop around it, over its iterations.

        None without a loop, without numbers to draw, or if the loop calls Python.

        The loops around that one are in the iterations `steps`. Raises as `values` does.
        """
        way = self._way(target)
        inside: tuple[NestedEquation, ...] = ()
        loop: JaxprEqn | None = target
        if not _is_loop(target):
            place = max((number for number, level in enumerate(way) if _is_loop(level.equation)), default=-1)
            way, inside = way[: max(place, 0)], way[place:] if place >= 0 else ()
            loop = inside[0].equation if inside else None
        if loop is None or not all(map(_always_runs, inside)) or calls_back(body_of(loop).jaxpr):
            return None
        loops: list[Loop] = []
        jaxpr, arguments = self._inside(way, steps, loops)
        given = _evaluate(jaxpr, arguments, loop.invars)
        run = LoopRun(loop, given, self._length(loop, given))
        avals = [each.aval for each in target.outvars] if inside else [aval for *_, aval in run.watched()]
        usable = [place for place, aval in enumerate(avals) if is_number(aval) and (inside or not run.is_limit(place))]
        if not usable:
            return None
        chosen = usable[:MOST_CURVES]
        look = partial(_seen, inside, [target.outvars[each] for each in chosen]) if inside else None
        points = run.points(chosen, look, partial(self._compiled, target, "curves"))
        bad = min((each for each in points.first_not_finite if each >= 0), default=-1)
        origin: JaxprEqn | None = None
        if bad >= 0:
            origin = run.origin(run.arguments(bad, run.carry(bad, partial(self._compiled, loop, "carry"))))
        return LoopIterations(run, tuple(chosen), points, len(usable) - len(chosen), len(loops), bad, origin)

    def _way(self, target: JaxprEqn) -> tuple[NestedEquation, ...]:
        way = next(_ways(self.program.jaxpr, target), None)
        if way is None:
            raise NoValue(say("The equation is not part of the program any more."))
        return way

    def _inside(
        self, way: Sequence[NestedEquation], steps: Sequence[int], loops: list[Loop]
    ) -> tuple[ClosedJaxpr, list[Any]]:
        """Return the innermost jaxpr of `way` and its arguments; the loops on the way are added to `loops`."""
        jaxpr, arguments = self.program, list(self.arguments)
        for level in way:
            given = _evaluate(jaxpr, arguments, level.equation.invars)
            step = steps[len(loops)] if len(loops) < len(steps) else 0
            jaxpr, arguments, loop = self._entered(level, given, step)
            loops += [loop] if loop is not None else []
        return jaxpr, arguments

    def _entered(
        self, level: NestedEquation, given: list[Any], step: int
    ) -> tuple[ClosedJaxpr, list[Any], Loop | None]:
        """Return the inner jaxpr, its arguments, and its loop, if it is the body of one."""
        equation = level.equation
        name, parameters = equation.primitive.name, equation.params
        inner = inner_jaxprs(equation)[level.place]
        if _is_loop(equation):
            return self._in_loop(equation, inner, given, step)
        if name == "cond":
            taken = interpreter.branch_index(parameters, given[0])
            if taken != level.place:
                raise NoValue(_not_taken(level.place, taken, len(parameters["branches"])))
            return inner, given[1:], None
        if name in _PER_DEVICE or [jnp.shape(each) for each in given] != [
            getattr(each, "shape", ()) for each in inner.in_avals
        ]:
            raise NoValue(
                say(
                    "Values inside {name} cannot be shown: it works on pieces of what it reads. Select {name} itself "
                    "to see its own values.",
                    name=name,
                )
            )
        return inner, given, None

    def _in_loop(
        self, equation: JaxprEqn, inner: ClosedJaxpr, given: list[Any], step: int
    ) -> tuple[ClosedJaxpr, list[Any], Loop]:
        run = LoopRun(equation, given, self._length(equation, given))
        # The condition runs once more than the body.
        is_test = inner is not run.body
        length = run.length + is_test
        if length == 0:
            raise NoValue(_NEVER_RUNS[equation.primitive.name])
        step = min(max(step, 0), length - 1)
        carry = run.carry(step, partial(self._compiled, equation, "carry"))
        arguments = [*while_parts(equation.params, given)[0], *carry] if is_test else run.arguments(step, carry)
        return inner, arguments, Loop(equation.primitive.name, length, step)

    def _length(self, loop: JaxprEqn, given: list[Any]) -> int:
        """Return the number of iterations of `loop` with these operands."""
        if loop.primitive.name == "scan":
            return int(loop.params["length"])
        test, body = (jaxpr_as_fun(loop.params[name]) for name in ("cond_jaxpr", "body_jaxpr"))

        def count(of_test: list[Any], of_body: list[Any], carry: list[Any]) -> Any:
            def one_iteration(predicate: Any, carry: list[Any]) -> tuple[Any, list[Any], tuple[()]]:
                carry = traced.still_running(predicate, body(*of_body, *carry), carry)
                return test(*of_test, *carry)[0], carry, ()

            return traced.loop(test(*of_test, *carry)[0], carry, one_iteration, (), lambda *_: (), _MOST_ITERATIONS)[2]

        return int(self._compiled(loop, "count", count)(*while_parts(loop.params, given)))

    def _compiled(self, equation: JaxprEqn, kind: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return self._loops.setdefault((id(equation), kind), jax.jit(function))


def _is_loop(equation: JaxprEqn) -> bool:
    return equation.primitive.name in LOOPS


def _always_runs(level: NestedEquation) -> bool:
    """Return whether the inner jaxpr runs once, on whole arrays, in each iteration around it."""
    if _is_loop(level.equation):
        return inner_jaxprs(level.equation)[level.place] is body_of(level.equation)
    return level.equation.primitive.name in CALLS


def _seen(inside: Sequence[NestedEquation], outputs: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    """Return the values of `outputs` for the arguments of the loop's body, from which `inside` leads to them."""
    jaxpr = body_of(inside[0].equation)
    for level in inside[1:]:
        arguments = _evaluate(jaxpr, arguments, level.equation.invars)
        jaxpr = inner_jaxprs(level.equation)[level.place]
    return _evaluate(jaxpr, arguments, outputs)


def _ways(jaxpr: Jaxpr, target: JaxprEqn) -> Iterator[tuple[NestedEquation, ...]]:
    """Yield the paths through nested equations of `jaxpr` to `target`."""
    seen: set[int] = set()

    def search(jaxpr: Jaxpr, way: tuple[NestedEquation, ...]) -> Iterator[tuple[NestedEquation, ...]]:
        # A jaxpr that was searched once need not be searched at its next call.
        if id(jaxpr) in seen:
            return
        seen.add(id(jaxpr))
        for equation in jaxpr.eqns:
            if equation is target:
                yield way
                return
            for place, inner in enumerate(inner_jaxprs(equation)):
                yield from search(inner.jaxpr, (*way, NestedEquation(equation, place)))

    return search(jaxpr, ())


def _evaluate(
    jaxpr: ClosedJaxpr, arguments: Sequence[Any], wanted: Sequence[Any], target: JaxprEqn | None = None
) -> list[Any]:
    """Return the `wanted` values, evaluating only what they need. Raises NoValue if anything of that is too large."""
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
