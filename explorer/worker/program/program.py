"""One variant as a Program: its jaxpr, StableHLO or optimised HLO; its compiled call, and its outputs' mapped axes.

Jaxprs: https://docs.jax.dev/en/latest/jaxpr.html.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from typing import Any

import jax
import numpy as np
from jax.extend.core import ClosedJaxpr, Var, jaxpr_as_fun
from jax.extend.source_info_util import register_exclusion
from jax.sharding import Sharding

from explorer import OUR_FILES
from explorer.messages import Applied, Form, Program
from explorer.worker.code.calls import placed
from explorer.worker.errors.failure import failure
from explorer.worker.internals.batching.axes import BatchAxes
from explorer.worker.internals.compiled import compiled_text, cost
from explorer.worker.internals.jaxprs import anywhere
from explorer.worker.internals.shared_compiles import compiled_uncached
from explorer.worker.program.equations import has_vmap, text_and_equations
from explorer.worker.program.hlo_lines import hlo_lines, stablehlo_lines
from explorer.worker.program.line_types import line_types_noted
from explorer.worker.recording.interrupt import Interrupt

_SHARDINGS = ("in_shardings", "out_shardings", "sharding", "devices")
"""Parameters that hold shardings: of jit, with_sharding_constraint and device_put."""


def _count(parameters: dict[str, Any]) -> int:
    """Return the largest number of devices in any parameter of an equation."""
    counts = [getattr(parameters.get("mesh"), "size", 1), parameters.get("global_axis_size") or 1]
    for name in _SHARDINGS:
        value = parameters.get(name)
        given = value if isinstance(value, tuple | list) else (value,)
        counts += [each.num_devices if isinstance(each, Sharding) else 1 for each in given]
    return max(each for each in counts if isinstance(each, int))


is_spread = anywhere(lambda equation: _count(equation.params) > 1)
"""Whether any equation of a jaxpr uses more than one device."""


# Otherwise JAX treats the worker's own frames as user code and writes them into the text.
register_exclusion(OUR_FILES)

Call = Callable[..., Any]
VMAP = "vmap("
"""Part of the name of each operation under a vmap, also in compiler texts."""
_SPREAD = re.compile(r"mhlo\.num_(?:partitions|replicas) = (?!1 )")


def program(
    call: Call, inputs: Mapping[str, Any], form: Form, is_user_code: Callable[[str], bool], *, line_types: bool = False
) -> Program:
    """Return the program of `call` with the arguments `inputs`, as text printed by JAX itself.

    Arrays anywhere in `inputs` are traced; numbers, strings, functions and all other values are constants.
    `is_user_code` decides by file name. With `line_types` the trace is observed line by line. A call that cannot be
    traced, lowered or compiled gives a Program with a failure and without text.
    """
    args, keywords = _arguments(call, inputs)
    observed = line_types_noted(is_user_code) if line_types else nullcontext(dict)
    try:
        if form == "jaxpr":
            with observed as noted:
                jaxpr, _ = traced(call, inputs)
            text, equations, lines = text_and_equations(jaxpr, is_user_code)
            mapped, spread = has_vmap(jaxpr.jaxpr), is_spread(jaxpr.jaxpr)
            return Program(form, text, equations, lines, mapped=mapped, spread=spread, line_types=noted())
        with observed as noted:
            lowered = jax.jit(call).lower(*args, **keywords)
        if form == "stablehlo":
            text, debug_text = lowered.as_text(), lowered.as_text(debug_info=True)
            lines, spread = stablehlo_lines(text, debug_text, is_user_code), bool(_SPREAD.search(text))
            return Program(form, text, lines=lines, mapped=VMAP in debug_text, spread=spread, line_types=noted())
        compiled = compiled_uncached(lowered)
        text = compiled_text(compiled)
        lines, costs = hlo_lines(text, is_user_code), cost(compiled, text)
        mapped, spread = VMAP in text, costs.devices > 1
        return Program(form, text, lines=lines, cost=costs, mapped=mapped, spread=spread, line_types=noted())
    except Interrupt:
        raise
    except BaseException as error:
        return Program(form, "", failure=failure(error, is_user_code))


def compiled_call(call: Call, inputs: Mapping[str, Any]) -> Any:
    """Return `call` under jit, compiled for `inputs`; it donates what the jits in it donate. Raises its exceptions."""
    args, keywords = _arguments(call, inputs)
    donated = _donated(jax.make_jaxpr(call)(*args, **keywords).jaxpr)
    first = 0
    positions: list[int] = []
    names: list[str] = []
    for name, argument in (*enumerate(args), *sorted(keywords.items())):
        count = len(jax.tree.leaves(argument))
        if count and donated.issuperset(range(first, first + count)):
            (names if isinstance(name, str) else positions).append(name)  # type: ignore[arg-type]
        first += count
    return compiled_uncached(jax.jit(call, donate_argnums=positions, donate_argnames=names).lower(*args, **keywords))


def _donated(jaxpr: Any) -> set[int]:
    """Return the numbers of the inputs that the only call which reads them donates."""
    readers = Counter(each for equation in jaxpr.eqns for each in equation.invars if isinstance(each, Var))
    readers.update(each for each in jaxpr.outvars if isinstance(each, Var))
    return {
        number
        for number, each in enumerate(jaxpr.invars)
        for equation in jaxpr.eqns
        if readers[each] == 1
        for given, is_donated in zip(equation.invars, equation.params.get("donated_invars", ()), strict=False)
        if given is each and is_donated
    }


def compiled_jaxpr(closed: ClosedJaxpr, values: Sequence[Any]) -> Any:
    """Return `closed` as a compiled program, which takes the arguments `values` and donates as above."""
    donated = sorted(_donated(closed.jaxpr))
    return compiled_uncached(jax.jit(jaxpr_as_fun(closed), donate_argnums=donated).lower(*values))


def traced(call: Call, inputs: Mapping[str, Any]) -> tuple[ClosedJaxpr, list[Any]]:
    """Return the jaxpr of `call` with `inputs`, and its array arguments in order. Raises the call's exceptions."""
    args, keywords = _arguments(call, inputs)
    return jax.make_jaxpr(call)(*args, **keywords), jax.tree.leaves((args, keywords))


class Given:
    """One argument, as a pytree of its arrays only: JAX traces these, and the rest stays unchanged.

    The argument is rebuilt from arrays or tracers only, never from objects of ours: its classes belong to the user.
    """

    def __init__(self, value: Any) -> None:
        self.value = value
        self._form: Any = None
        found: list[tuple[Any, Any]] = []
        with suppress(Exception):  # a dict with unsortable keys, or a failing user class
            found, self._form = jax.tree_util.tree_flatten_with_path(value)
        self._leaves = [leaf for _, leaf in found]
        self._places = [place for place, leaf in enumerate(self._leaves) if _is_array(leaf)]
        self.arrays = [(jax.tree_util.keystr(found[place][0]), self._leaves[place]) for place in self._places]
        """(path, array) for each, in the order in which JAX traces them."""

    @property
    def is_whole(self) -> bool:
        return self._form is not None and len(self._places) == len(self._leaves)

    def holding(self, arrays: Iterable[Any]) -> Any:
        """Return the argument with its arrays replaced by `arrays`."""
        if self._form is None:
            return self.value
        filled = list(self._leaves)
        for place, each in zip(self._places, arrays, strict=True):
            filled[place] = each
        return jax.tree.unflatten(self._form, filled)


jax.tree_util.register_pytree_with_keys(
    Given, lambda given: (given.arrays, given), lambda given, arrays: given.holding(arrays)
)


def _arguments(call: Call, inputs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return placed(call, {name: _as_given(value) for name, value in inputs.items()})


def _as_given(value: Any) -> Any:
    """Return `value`, wrapped if it holds more than arrays."""
    given = Given(value)
    return value if given.is_whole else given


def _is_array(leaf: Any) -> bool:
    numeric = isinstance(leaf, np.ndarray) and leaf.dtype.kind not in "OSUmM"
    return numeric or isinstance(leaf, jax.Array | jax.ShapeDtypeStruct)


WORD = "out_axes"
"""Without it, vmap puts the examples first."""


def may_lie_elsewhere(source: str, applied: tuple[Applied, ...]) -> bool:
    """Return whether a vmap in or around the program may put examples along another axis than the first."""
    return WORD in source or any(each.out_axes for each in applied)


def output_axes(call: Call, inputs: Mapping[str, Any]) -> tuple[int | None, ...]:
    """Return the example axis of each output leaf of `call`, None if unknown. Traces it; its exceptions are raised."""
    axes = BatchAxes()
    with axes.watching_traces():
        jaxpr, _ = traced(call, inputs)
    axes.carry_on(jaxpr.jaxpr)
    found = (axes.of(variable) for variable in jaxpr.jaxpr.outvars)
    return tuple(each[0] if each else None for each in found)
