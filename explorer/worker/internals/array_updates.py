"""Watches the calls that make a changed copy of an array: ``x.at[index].set(values)`` and its relatives.

These methods: https://docs.jax.dev/en/latest/_autosummary/jax.Array.at.html.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from jax._src import source_info_util, traceback_util
from jax._src.ops import scatter

from explorer.worker.internals.guard import Guard, replaced

_METHODS = "_IndexUpdateRef."
"""Prefix of the qualified names of the methods behind ``x.at[index]``. Other functions call `scatter`, too."""

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


@contextmanager
def watching(tell: Callable[[FrameType], None]) -> Iterator[Guard]:
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
