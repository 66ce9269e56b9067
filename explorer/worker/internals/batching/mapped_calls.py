"""Watches the calls of functions under ``jax.vmap``: what is mapped, over which axes of which values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import jax
import msgspec
from jax._src import api, core, traceback_util

from explorer import OUR_FILES
from explorer.worker.internals.guard import replaced

_OF_VMAP = (api.__file__, traceback_util.__file__)
"""Files with a frame between a vmap and its caller."""


class MappedCall(msgspec.Struct, frozen=True):
    """One call of a function under vmap."""

    function: Callable[..., Any]
    structure: Any
    """The pytree structure of (positional, named) arguments."""
    leaves: tuple[Any, ...]
    axes: tuple[int | None, ...]
    """The axis of the examples in each leaf, None if it is not mapped."""

    @property
    def name(self) -> str:
        """Return the name of the function in a method, a partial or a transform."""
        function = self.function
        while callable(inner := getattr(function, "func" if isinstance(function, partial) else "__wrapped__", None)):
            function = inner
        return str(getattr(function, "__qualname__", type(function).__name__)).rpartition("<locals>.")[2]

    @property
    def examples(self) -> int:
        found = (leaf.shape[axis] for leaf, axis in zip(self.leaves, self.axes, strict=True) if axis is not None)
        return int(next(found))

    def values(self) -> tuple[Any, ...] | None:
        """Return the leaves as arrays, those of derivatives without their slopes; None if one is not computed yet."""
        found = tuple(map(_value, self.leaves))
        return None if any(isinstance(each, core.Tracer) for each in found) else found

    def called(self, leaves: Any) -> Any:
        """Return the result of the function under vmap for `leaves`."""
        return jax.vmap(self.one, in_axes=(list(self.axes),))(list(leaves))

    def one(self, leaves: Any) -> Any:
        """Return the result of the function for the `leaves` of one example."""
        by_position, by_name = jax.tree.unflatten(self.structure, leaves)
        return self.function(*by_position, **by_name)


def _value(leaf: Any) -> Any:
    while isinstance(leaf, core.Tracer) and hasattr(leaf, "primal"):
        leaf = leaf.primal
    return leaf


@contextmanager
def watched(tell: Callable[[MappedCall, int], None], is_user_code: Callable[[str], bool]) -> Iterator[None]:
    """Call `tell` with each call under vmap that user code makes in the block, and its line, before it begins.

    Exceptions of `tell` reach the program.
    """
    genuine: Any = api._mapped_axis_size

    def _mapped_axis_size(
        function: Any, structure: Any, leaves: Any, axes: Any, name: str, *more: Any, **named: Any
    ) -> Any:
        size = genuine(function, structure, leaves, axes, name, *more, **named)
        if name == "vmap":
            caller = sys._getframe(1)
            while caller.f_back is not None and caller.f_code.co_filename in _OF_VMAP:
                caller = caller.f_back
            file = caller.f_code.co_filename
            if is_user_code(file) or file.startswith(OUR_FILES):
                tell(MappedCall(function, structure, tuple(leaves), tuple(axes)), caller.f_lineno)
        return size

    with replaced(api, "_mapped_axis_size", _mapped_axis_size):
        yield
