"""Watches operations on narrow floats that a NumPy operand widens: a bfloat16 times ``np.float32(2)``.

Type promotion: https://docs.jax.dev/en/latest/type_promotion.html.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import jax
import msgspec
import numpy as np
from jax._src import array, core, pjit, source_info_util, traceback_util

from explorer import OUR_FILES
from explorer.worker.internals import array_operations
from explorer.worker.internals.guard import Guard
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.internals.spans import innermost_frame

_NAMES = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")
_OPERATORS = {f"__{side}{name}__": bool(side) for name in _NAMES for side in ("", "r")}
"""Whether the array is the right operand."""
FUNCTIONS = {
    "add",
    "subtract",
    "multiply",
    "true_divide",
    "divide",
    "floor_divide",
    "power",
    "remainder",
    "mod",
    "where",
}
FUNCTIONS |= {"maximum", "minimum", "clip", "dot", "matmul", "logaddexp", "hypot", "arctan2", "inner", "outer", "vdot"}
"""Functions of ``jax.numpy`` whose operands are looked at, besides operators."""

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


class WideningOperation(msgspec.Struct, eq=False):
    """An operation that an operand makes wider."""

    name: str
    """Name of the function in ``jax.numpy``."""
    narrow: str
    """The dtype that the operands have without it."""
    wide: str
    """The dtype of the result."""
    place: int
    """Number of the operand."""
    operand: str
    """Its type: ``np.float64``."""
    is_number: bool
    meets_wide: bool = False
    """Whether the result meets a wide array later."""
    is_wide_anyway: bool = False
    """Whether one of these is not computed from it, so that it would have been widened there."""


@contextmanager
def watching(tell: Callable[[FrameType, WideningOperation], None]) -> Iterator[Guard]:
    """Call `tell` for each such operation in the block, with the innermost frame outside of JAX.

    It sees operators, and under a trace functions. What it raises does not reach the program: the guard that is yielded
    has it.
    """
    operations = _Operations(tell)
    primitive: Any = pjit.jit_p
    own, genuine = vars(primitive).get("bind"), primitive.bind
    with ExitStack() as stack:
        guard = stack.enter_context(array_operations.watching(operations.operator))

        def bind(*operands: Any, **about: Any) -> Any:
            made = genuine(*operands, **about)
            guard(operations.function, about, operands, made)
            return made

        primitive.bind = bind
        stack.callback(setattr, primitive, "bind", own) if own else stack.callback(delattr, primitive, "bind")
        yield guard


class _Operations:
    def __init__(self, tell: Callable[[FrameType, WideningOperation], None]) -> None:
        self._tell = tell
        self._made: dict[int, tuple[Any, WideningOperation]] = {}
        """Results by identity, with a reference that does not keep them."""

    def operator(self, frame: FrameType, name: str, one: Any, other: Any, made: Any) -> None:
        """Look at an operator between concrete arrays; under a trace it is a function, too."""
        may_matter = _is(other, np.generic, np.ndarray) or id(one) in self._made or id(other) in self._made
        if may_matter and name in _OPERATORS and _is(one, array.ArrayImpl):
            self._look(frame, name, (other, one) if _OPERATORS[name] else (one, other), made)

    def function(self, about: dict[str, Any], operands: Sequence[Any], made: Sequence[Any]) -> None:
        """Look at a function under `jit` that is called under a trace."""
        name = str(about.get("name", "")).removeprefix("_")
        if name in FUNCTIONS and len(made) == 1 and any(_is(each, core.Tracer) for each in operands):
            self._look(sys._getframe(1), name, operands, made[0])

    def _look(self, frame: FrameType, name: str, operands: Sequence[Any], made: Any) -> None:
        if not _is_of_jax(made) or not _is_float(made.dtype):
            return
        for each in operands:
            known = self._made.get(id(each))
            if known is not None and known[0]() is each:
                others = [other for other in operands if other is not each and _is_of_jax(other)]
                wide = [other for other in others if other.dtype == each.dtype]
                known[1].meets_wide |= bool(wide)
                known[1].is_wide_anyway |= any(_is_given(other, each) for other in wide)
        found = _widened(name, operands, made.dtype)
        outside = innermost_frame(frame, lambda file: not file.startswith((JAX_FILES, OUR_FILES)))
        if found is not None and outside is not None:
            self._made[id(made)] = weakref.ref(made), found
            self._tell(outside, found)


def _is(value: Any, *kinds: type) -> bool:
    # `isinstance` would ask a class of the program for its ``__class__``.
    return issubclass(type(value), kinds)


def _is_given(value: Any, beside: Any) -> bool:
    """Return whether `value` is an input or a constant of the trace that `beside` belongs to."""
    if not _is(beside, core.Tracer):
        return False
    inputs = getattr(getattr(getattr(value, "_trace", None), "frame", None), "invars", ())
    return not _is(value, core.Tracer) or any(each is getattr(value, "val", None) for each in inputs)


def _is_of_jax(value: Any) -> bool:
    return _is(value, core.Tracer, array.ArrayImpl)


def _is_float(dtype: Any) -> bool:
    return bool(jax.numpy.issubdtype(dtype, np.floating))


def _widened(name: str, operands: Sequence[Any], made: Any) -> WideningOperation | None:
    """Return how one of the `operands` of the function `name` gives its result the dtype `made`."""
    is_traced = any(_is(each, core.Tracer) for each in operands)
    arrays, wide = [], []
    for place, each in enumerate(operands):
        if type(each) is np.ndarray or _is(each, np.generic):
            wide.append(place)
        elif is_traced and _is(each, array.ArrayImpl) and each.ndim == 0 and not each.weak_type:
            # A constant of the trace, such as ``jnp.float32(2)`` made outside.
            wide.append(place)
        elif _is_of_jax(each):
            if getattr(each.aval, "weak_type", False):
                continue
            arrays.append(each.dtype)
    wide = [place for place in wide if _is_float(operands[place].dtype)]
    narrow = jax.numpy.result_type(*arrays) if arrays else None
    if len(wide) != 1 or narrow is None or not _is_float(narrow) or narrow.itemsize >= made.itemsize:
        return None
    if narrow.itemsize > 2 and made.itemsize < 8:
        return None
    each = operands[wide[0]]
    module = "jnp" if _is_of_jax(each) else "np"
    return WideningOperation(
        name, narrow.name, made.name, wide[0], f"{module}.{each.dtype.name}", is_number=each.ndim == 0
    )
