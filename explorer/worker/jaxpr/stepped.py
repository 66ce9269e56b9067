"""Control flow of jaxprs on concrete values, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np
from jax.extend.core import jaxpr_as_fun

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
