"""The axes of a traced program's values that hold examples of a vmap, read from JAX's own batching."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from jax._src.interpreters import batching
from jax.extend.core import Jaxpr, JaxprEqn, Literal, Var, jaxprs_in_params

from explorer.worker.internals.batching.levels import Genuine, IsolatedTraces, instead, seen_through

Axes = tuple[int, ...]
"""For one value, the example axis of each vmap around it, outermost first."""

_SAME_PLACES = {
    "abs", "add", "add_any", "and", "atan2", "bitcast_convert_type", "ceil", "clamp", "convert_element_type",
    "copy", "cos", "cosh", "div", "eq", "erf", "erf_inv", "exp", "exp2", "expm1", "floor", "ge", "gt", "imag",
    "integer_pow", "is_finite", "le", "log", "log1p", "logistic", "lt", "max", "min", "mul", "ne", "neg",
    "nextafter", "not", "optimization_barrier", "or", "pow", "real", "reduce_precision", "rem", "round", "rsqrt",
    "select_n", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign", "sin", "sinh", "sqrt",
    "square", "stop_gradient", "sub", "tan", "tanh", "xor",
}  # fmt: skip
"""Elementwise primitives: an output element depends only on the operand elements at the same index."""


_CALLS = {"jit", "pjit", "closed_call", "core_call", "checkpoint", "remat2", "custom_jvp_call", "custom_vjp_call"}
"""Primitives that return the outputs of their single inner jaxpr."""


class BatchAxes:
    """The example axes of one program, by variable."""

    def __init__(self) -> None:
        self._isolated = IsolatedTraces()
        self._known: dict[Var, Axes | None] = {}
        """None for a variable that vmaps map along different axes."""

    def of(self, variable: Any) -> Axes:
        """Return the example axes of `variable`, () if there are none or they are unknown."""
        return () if isinstance(variable, Literal) else self._known.get(variable) or ()

    def add(self, variable: Var, axes: Axes) -> None:
        """Record the `axes` that a vmap reports for `variable`; an inner vmap knows the outer axes too."""
        known = self._known.setdefault(variable, axes)
        if known is None or known == axes or (len(axes) < len(known) and set(axes) < set(known)):
            return
        self._known[variable] = axes if set(known) < set(axes) else None

    def carry_on(self, jaxpr: Jaxpr) -> None:
        """Propagate known axes through equations that vmap and its surroundings add without reporting their axes."""
        for each in _inner_first(jaxpr):
            for equation in each.eqns:
                for place, variable in enumerate(equation.outvars):
                    if variable not in self._known and (found := self._carried(equation, place)):
                        self._known[variable] = found

    def _carried(self, equation: JaxprEqn, place: int) -> Axes:
        name, parameters, output = equation.primitive.name, equation.params, equation.outvars[place]
        if name in _CALLS:
            inner = [each for each in jaxprs_in_params(parameters) if len(each.outvars) == len(equation.outvars)]
            return self.of(inner[0].outvars[place]) if inner else ()
        if name in _SAME_PLACES:
            alike = (each for each in equation.invars if _shape(each) == _shape(output))
            return next((found for each in alike if (found := self.of(each))), ())
        if name == "transpose":
            return tuple(parameters["permutation"].index(axis) for axis in self.of(equation.invars[0]))
        if name == "broadcast_in_dim":
            return tuple(parameters["broadcast_dimensions"][axis] for axis in self.of(equation.invars[0]))
        return ()

    @contextmanager
    def watching_traces(self) -> Iterator[None]:
        """Record the axes of everything that this thread traces in the block."""

        def made(genuine: Genuine, tracer: Any, *arguments: Any) -> None:
            genuine(tracer, *arguments)
            tracers, variable = seen_through(tracer)
            if variable is not None:
                self.add(variable, _axes(tracers))

        with instead(batching.BatchTracer, "__init__", made), self._isolated.in_force():
            yield


def _axes(tracers: Sequence[Any]) -> Axes:
    """Return the axes of the vmaps that `tracers` belong to, in the numbering of the traced value, outermost first."""
    found: list[int] = []
    for each in tracers:
        axis = each.batch_dim
        if isinstance(axis, int):
            # For the inner vmaps this axis is removed.
            found = [axis, *(inner + (inner >= axis) for inner in found)]
    return tuple(found)


def _inner_first(jaxpr: Jaxpr) -> list[Jaxpr]:
    """Return `jaxpr` and all nested jaxprs, without repetitions, inner ones first."""
    found, left = {id(jaxpr): jaxpr}, [jaxpr]
    while left:
        inner = [each for equation in left.pop().eqns for each in jaxprs_in_params(equation.params)]
        left += [each for each in inner if id(each) not in found]
        found.update({id(each): each for each in inner})
    return list(found.values())[::-1]


def _shape(variable: Any) -> tuple[int, ...]:
    return getattr(variable.aval, "shape", ())
