"""Where an operator of Python's combines an array with something: ``a - b``, ``a == b``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Any

import numpy as np
from jax._src import array, core, source_info_util, traceback_util

from explorer.worker.internals.guard import Guard

_NAMES = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor")
OPERATORS = tuple(f"__{side}{name}__" for name in _NAMES for side in ("", "r"))
OPERATORS += tuple(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge"))

Shape = tuple[int, ...]

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


@contextmanager
def all_pairs_watched(tell: Callable[[FrameType, Shape, Shape], None]) -> Iterator[Guard]:
    """Call `tell` after each operator in the block that combines every element of one array with every one of another.

    It gets the frame of the operator, and the shapes of both, which have as many elements and not as many axes: the
    one of more axes first. What it raises does not reach the program: the guard that is yielded has it.
    """
    guard = Guard()
    arrays: tuple[type, ...] = (array.ArrayImpl, core.Tracer, np.ndarray)

    def look(frame: FrameType, one: Any, other: Any, made: Any) -> None:
        # Anything else may count how often it is asked for its shape, or have none.
        if issubclass(type(made), arrays) and issubclass(type(other), arrays) and one.shape != made.shape:
            first, second = sorted((one.shape, other.shape), key=len, reverse=True)
            count = one.size
            if len(first) > len(second) and count == other.size and 1 < count < made.size == count * count:
                tell(frame, first, second)

    def watched(genuine: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def operator(self: Any, other: Any) -> Any:
            made = genuine(self, other)
            if made is not NotImplemented:
                guard(look, sys._getframe(1), self, other, made)
            return made

        return operator

    with ExitStack() as stack:
        for owner in (array.ArrayImpl, core.Tracer):
            for name in OPERATORS:
                genuine = vars(owner).get(name)
                if callable(genuine):
                    setattr(owner, name, watched(genuine))
                    stack.callback(setattr, owner, name, genuine)
        yield guard
