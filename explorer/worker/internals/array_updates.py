"""Where a changed copy of an array is made: ``x.at[index].set(values)`` and its relatives."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from jax._src import source_info_util, traceback_util
from jax._src.ops import scatter

from explorer.worker.internals.guard import Guard

_METHODS = "_IndexUpdateRef."
"""What the names of the methods behind ``x.at[index]`` begin with. `scatter` is also asked in other ways."""

source_info_util.register_exclusion(__file__)
traceback_util.register_exclusion(__file__)


@contextmanager
def watching(tell: Callable[[FrameType], None]) -> Iterator[Guard]:
    """Call `tell` after each update in the block, with the frame that called its method; that may be JAX's own.

    What that raises does not reach the program: the guard that is yielded has it, and reports end. Where this
    version of JAX updates elsewhere, nothing is reported.
    """
    module: Any = scatter
    genuine, guard = getattr(module, "_scatter_update", None), Guard()
    if genuine is None:
        yield guard
        return

    def _scatter_update(*given: Any, **named: Any) -> Any:
        made = genuine(*given, **named)
        method = sys._getframe(1)
        if method.f_code.co_qualname.startswith(_METHODS) and method.f_back is not None:
            guard(tell, method.f_back)
        return made

    module._scatter_update = _scatter_update
    try:
        yield guard
    finally:
        if module._scatter_update is _scatter_update:
            module._scatter_update = genuine
