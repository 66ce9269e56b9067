"""Interpreter of jaxprs, equation by equation, loops iteration by iteration; live(): the equations that are needed.

Method: https://docs.jax.dev/en/latest/notebooks/Writing_custom_interpreters_in_Jax.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, Literal, jaxpr_as_fun

from explorer.worker.internals import jaxprs
from explorer.worker.jaxpr.traced import still_running


def branch_index(parameters: dict[str, Any], index: Any) -> int:
    """Return the index of the cond branch selected by `index`, clamped to the valid range."""
    return min(max(int(index), 0), len(parameters["branches"]) - 1)


def iterations(name: str, parameters: dict[str, Any], arguments: Sequence[Any]) -> Iterator[tuple[Any, list[Any], Any]]:
    """Yield (jaxpr of the body, its arguments, its outputs) for each iteration of a loop."""
    body = parameters["jaxpr" if name == "scan" else "body_jaxpr"]
    step = jax.jit(jaxpr_as_fun(body))
    every = (
        scan_iterations(parameters, arguments, step)
        if name == "scan"
        else _while_iterations(parameters, arguments, step)
    )
    for given, outputs in every:
        yield body, given, outputs


def scan_iterations(
    parameters: dict[str, Any], arguments: Sequence[Any], step: Callable[..., Any]
) -> Iterator[tuple[list[Any], Any]]:
    """Yield (arguments of the body, outputs of `step`) for each iteration of a scan."""
    fixed, carry, slices = jaxprs.scan_parts(parameters, arguments)
    numbers = range(parameters["length"])
    for number in reversed(numbers) if parameters["reverse"] else numbers:
        given = [*fixed, *carry, *(each[number] for each in slices)]
        outputs = step(*given)
        yield given, outputs
        carry = outputs[: len(carry)]


def _while_iterations(
    parameters: dict[str, Any], arguments: Sequence[Any], step: Callable[..., Any]
) -> Iterator[tuple[list[Any], Any]]:
    of_test, of_body, carry = jaxprs.while_parts(parameters, arguments)
    goes_on = jax.jit(jaxpr_as_fun(parameters["cond_jaxpr"]))
    while (predicate := np.asarray(goes_on(*of_test, *carry)[0])).any():
        given = [*of_body, *carry]
        outputs = step(*given)
        yield given, outputs
        carry = still_running(predicate, outputs, carry)


OnEquation = Callable[[JaxprEqn, list[Any]], Sequence[Any] | None]
"""Return the outputs of an equation for its operands; None for unknown outputs, which readers then receive as None."""

Reads = Callable[[JaxprEqn, set[Any]], Iterable[Any] | None]
"""Return the atoms read by an equation for its needed outputs; None if it has none."""

CALLS = {
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
    "custom_vmap_call": "call",
    "jit": "jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
}
"""Operations that only evaluate a jaxpr, derivative rules aside, and the parameter that holds it."""


def evaluate(
    jaxpr: Any,
    arguments: Sequence[Any],
    on_equation: OnEquation,
    *,
    lift: Callable[[Any], Any] = lambda value: value,
    equations: Sequence[JaxprEqn] | None = None,
    wanted: Sequence[Any] | None = None,
) -> list[Any]:
    """Return the outputs of `jaxpr`, open or closed, or the values of the `wanted` atoms instead.

    Values may be of any type: `lift` converts constants and literals. Each value is released after its last use. With
    `equations`, only these are evaluated.
    """
    inner: Jaxpr = getattr(jaxpr, "jaxpr", jaxpr)
    equations = inner.eqns if equations is None else equations
    wanted = inner.outvars if wanted is None else wanted
    values: dict[Any, Any] = dict(zip(inner.constvars, map(lift, getattr(jaxpr, "consts", ())), strict=True))
    values.update(zip(inner.invars, arguments, strict=True))
    last: dict[Any, JaxprEqn] = {
        atom: equation for equation in equations for atom in equation.invars if is_variable(atom)
    }
    for atom in filter(is_variable, wanted):
        last.pop(atom, None)

    def read(atom: Any) -> Any:
        return values.get(atom) if is_variable(atom) else lift(atom.val)

    for equation in equations:
        # Meshes, compute_on and some flags are part of an equation's context.
        with equation.ctx.manager:
            outputs = on_equation(equation, [read(atom) for atom in equation.invars])
        if outputs is not None:
            values.update(zip(equation.outvars, outputs, strict=True))
        for atom in equation.invars:
            if is_variable(atom) and last.get(atom) is equation:
                values.pop(atom, None)
    return [read(atom) for atom in wanted]


def read_if_needed(equation: JaxprEqn, needed: set[Any]) -> Iterable[Any] | None:
    """Return the operands of `equation`, or None if none of its outputs is `needed`."""
    return None if needed.isdisjoint(equation.outvars) else equation.invars


def live(jaxpr: Jaxpr, wanted: Iterable[Any], reads: Reads = read_if_needed) -> tuple[list[JaxprEqn], set[Any]]:
    """Return the equations of `jaxpr` behind the `wanted` atoms, in order, and the set of variables that they need."""
    needed = set(filter(is_variable, wanted))
    found = []
    for equation in reversed(jaxpr.eqns):
        read = reads(equation, needed)
        if read is not None:
            found.append(equation)
            needed.update(filter(is_variable, read))
    return found[::-1], needed


def inner_jaxprs(equation: JaxprEqn) -> list[ClosedJaxpr]:
    """Return the jaxprs among the parameters of `equation`, in order."""
    lists = (each if isinstance(each, tuple | list) else (each,) for each in equation.params.values())
    inner = [each for parameter in lists for each in parameter if isinstance(each, ClosedJaxpr | Jaxpr)]
    return [each if isinstance(each, ClosedJaxpr) else ClosedJaxpr(each, ()) for each in inner]


def is_variable(atom: Any) -> bool:
    """Return whether `atom` of a jaxpr is a variable, not a literal."""
    return not isinstance(atom, Literal)
