"""Watches Python operators on arrays, such as ``a - b``, and updates of them: ``x.at[i].set(v)``, each with its frame.

Updates: https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import FrameType
from typing import Any

import numpy as np
from jax._src import array, core, source_info_util, traceback_util
from jax._src.ops import scatter

from explorer.worker.internals.guard import Guard, replaced

_NAMES = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
OPERATORS = tuple(f"__{side}{name}__" for name in _NAMES for side in ("", "r"))
OPERATORS += tuple(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge"))

Shape = tuple[int, ...]

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


_NUMBERS = frozenset({int, float, bool, complex})
_Look = Callable[[FrameType, str, Any, Any, Any], None]
_looks: list[_Look] = []
"""Those that see each operator. There is one wrapper for all, so that the frame is the operator's."""


@contextmanager
def watching(look: _Look) -> Iterator[Guard]:
    """Call `look` after each operator in the block with its frame, its name, its operands and its result.

    What it raises does not reach the program: the guard that is yielded has it.
    """
    guard = Guard()

    def guarded(*given: Any) -> None:
        guard(look, *given)

    with ExitStack() as stack:
        if not _looks:
            for owner in (array.ArrayImpl, core.Tracer):
                for name in OPERATORS:
                    genuine = vars(owner).get(name)
                    if callable(genuine):
                        setattr(owner, name, _watched(name, genuine))
                        stack.callback(setattr, owner, name, genuine)
        _looks.append(guarded)
        stack.callback(_looks.remove, guarded)
        yield guard


def _watched(name: str, genuine: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operator(self: Any, other: Any) -> Any:
        made = genuine(self, other)
        # A Python number has no shape and widens nothing.
        if type(other) not in _NUMBERS and made is not NotImplemented:
            frame = sys._getframe(1)
            for look in _looks:
                look(frame, name, self, other, made)
        return made

    return operator


def all_pairs_watched(tell: Callable[[FrameType, Shape, Shape], None]) -> AbstractContextManager[Guard]:
    """Call `tell` after each operator in the block that combines every element of one array with every one of another.

    It gets the frame of the operator, and the shapes of both, which have as many elements and not as many axes: the
    one of more axes first. What it raises does not reach the program: the guard that is yielded has it.
    """
    arrays: tuple[type, ...] = (array.ArrayImpl, core.Tracer, np.ndarray)

    def look(frame: FrameType, _: str, one: Any, other: Any, made: Any) -> None:
        # Anything else may count how often it is asked for its shape, or have none.
        if issubclass(type(made), arrays) and issubclass(type(other), arrays) and one.shape != made.shape:
            first, second = sorted((one.shape, other.shape), key=len, reverse=True)
            count = one.size
            if len(first) > len(second) and count == other.size and 1 < count < made.size == count * count:
                tell(frame, first, second)

    return watching(look)


# -- updates ---------------------------------------------------------------------------------------------------------


_METHODS = "_IndexUpdateRef."
"""Prefix of the qualified names of the methods behind ``x.at[index]``. Other functions call `scatter`, too."""


@contextmanager
def updates_watched(tell: Callable[[FrameType], None]) -> Iterator[Guard]:
    """Call `tell` after each update in the block with the frame that called the method, possibly one of JAX's own.

    Exceptions of `tell` do not reach the program: the yielded guard keeps the first one, and reports stop.
    """
    genuine: Any = scatter._scatter_update
    guard = Guard()

    def _scatter_update(*given: Any, **named: Any) -> Any:
        made = genuine(*given, **named)
        method = sys._getframe(1)
        if method.f_code.co_qualname.startswith(_METHODS) and method.f_back is not None:
            guard(tell, method.f_back)
        return made

    with replaced(scatter, "_scatter_update", _scatter_update):
        yield guard
