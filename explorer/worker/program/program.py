"""One variant as a Program: the jaxpr, the StableHLO or the optimised HLO that JAX makes of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr
from jax.extend.source_info_util import register_exclusion

from explorer import OUR_FILES
from explorer.messages import Form, Program
from explorer.worker.code.calls import placed
from explorer.worker.errors.failure import failure
from explorer.worker.internals.compiled import compiled_text, cost
from explorer.worker.program.equations import has_vmap, text_and_equations
from explorer.worker.program.hlo_lines import hlo_lines, stablehlo_lines
from explorer.worker.program.spreading import is_spread
from explorer.worker.recording.interrupt import Interrupt

# Otherwise JAX takes the worker's own frames for the person's and writes them into the text.
register_exclusion(OUR_FILES)

Call = Callable[..., Any]
VMAP = "vmap("
"""Stands in the name of each operation that a vmap was around, in the texts of the compiler too."""
_SPREAD = re.compile(r"mhlo\.num_(?:partitions|replicas) = (?!1 )")


def program(call: Call, inputs: Mapping[str, Any], form: Form, is_persons: Callable[[str], bool]) -> Program:
    """Return what JAX makes of `call` with its arguments `inputs`, in the text that JAX itself prints.

    Arrays anywhere in `inputs` are traced; numbers, strings, functions and everything else are constants.
    `is_persons` says of a file name whether it is the person's code. A call that cannot be traced, lowered
    or compiled gives a Program without text whose failure says why.
    """
    args, keywords = _arguments(call, inputs)
    try:
        if form == "jaxpr":
            jaxpr, _ = traced(call, inputs)
            text, equations, lines = text_and_equations(jaxpr, is_persons)
            return Program(form, text, equations, lines, mapped=has_vmap(jaxpr.jaxpr), spread=is_spread(jaxpr.jaxpr))
        lowered = jax.jit(call).lower(*args, **keywords)
        if form == "stablehlo":
            text, told = lowered.as_text(), lowered.as_text(debug_info=True)
            lines, spread = stablehlo_lines(text, told, is_persons), bool(_SPREAD.search(text))
            return Program(form, text, lines=lines, mapped=VMAP in told, spread=spread)
        compiled = lowered.compile()
        text = compiled_text(compiled)
        lines, costs = hlo_lines(text, is_persons), cost(compiled, text)
        return Program(form, text, lines=lines, cost=costs, mapped=VMAP in text, spread=costs.devices > 1)
    except Interrupt:
        raise
    except BaseException as error:
        return Program(form, "", failure=failure(error, is_persons))


def traced(call: Call, inputs: Mapping[str, Any]) -> tuple[ClosedJaxpr, list[Any]]:
    """Return the jaxpr of `call` with `inputs`, and the arrays among them in its order. Raises what the call raises."""
    args, keywords = _arguments(call, inputs)
    return jax.make_jaxpr(call)(*args, **keywords), jax.tree.leaves((args, keywords))


class _Constant:
    """A leaf of the inputs that JAX must not trace: a pytree node without children that unfolds to its value."""

    def __init__(self, value: Any) -> None:
        self.value = value


jax.tree_util.register_pytree_node(_Constant, lambda constant: ((), constant), lambda constant, _: constant.value)


def _arguments(call: Call, inputs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return placed(call, {name: _as_given(value) for name, value in inputs.items()})


def _as_given(value: Any) -> Any:
    """Return `value` with its arrays as they are and all else as constants; whole as one where it is no tree."""
    try:
        return jax.tree.map(_traced_or_constant, value)
    except (TypeError, ValueError):  # a dict whose keys cannot be sorted
        return _Constant(value)


def _traced_or_constant(leaf: Any) -> Any:
    numeric = isinstance(leaf, np.ndarray) and leaf.dtype.kind not in "OSUmM"
    return leaf if numeric or isinstance(leaf, jax.Array) else _Constant(leaf)
