"""Reports dtypes narrowed at JAX's inputs and arrays read by Python; what may run again; removal of dead code."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Protocol

import jax
import numpy as np
from jax._src import array, dtypes
from jax._src.interpreters import partial_eval
from jax.extend.core import ClosedJaxpr, Jaxpr, JaxprEqn, jaxpr_as_fun

from explorer.worker.internals.guard import replaced

_REFUSED = re.compile(r"requested dtype (\w+).* truncated to dtype (\w+)")
_DEBUG_EFFECTS = ("DebugEffect", "OrderedDebugEffect")
"""Effects without influence on results: prints."""


class Listener(Protocol):
    """Observer of values on their way into JAX and out of it."""

    def on_dtype(self, asked: str, given: str) -> None:
        """Record that the program requested the dtype `asked` and received `given`."""

    def on_narrowed(self, values: Any, given: np.dtype[Any]) -> None:
        """Check NumPy `values` that are converted to the narrower dtype `given`."""

    def on_read(self, read: Any) -> None:
        """Record that Python reads the values of the array `read`."""


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Report to `listener` in the block."""
    with ExitStack() as stack:
        for place, name, replacement in (
            (dtypes, "warnings", _Warnings(listener)),
            (dtypes, "canonicalize_value", _narrowing(listener)),
            (array.ArrayImpl, "_value", _reading(listener)),
        ):
            stack.enter_context(replaced(place, name, replacement))
        yield


class _Warnings:
    """Replacement for the module ``warnings`` in ``jax._src.dtypes``: it warns as before and calls the listener.

    Warnings themselves are unreliable: Python shows each one once, or as its filters say.
    """

    def __init__(self, listener: Listener) -> None:
        self._listener = listener

    def warn(self, message: Any, category: type[Warning] | None = None, stacklevel: int = 1, **options: Any) -> None:
        refused = _REFUSED.search(str(message))
        if refused:
            self._listener.on_dtype(refused[1], refused[2])
        warnings.warn(message, category, stacklevel + 1, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(warnings, name)


def _narrowing(listener: Listener) -> Callable[[Any], Any]:
    canonical = dtypes.canonicalize_value

    def canonicalize_value(value: Any) -> Any:
        given = canonical(value)
        if isinstance(value, np.ndarray | np.generic) and value.dtype != given.dtype:
            listener.on_narrowed(value, given.dtype)
        return given

    return canonicalize_value


def _reading(listener: Listener) -> property:
    value: Any = array.ArrayImpl._value

    def read(self: Any) -> Any:
        listener.on_read(self)
        return value.fget(self)

    return property(read)


def may_run_again(jaxpr: Jaxpr) -> bool:
    """Return whether `jaxpr` only computes and prints, so that it can run a second time."""
    return all(type(effect).__name__ in _DEBUG_EFFECTS for effect in jaxpr.effects)


def only_prints(equation: JaxprEqn) -> bool:
    """Return whether `equation` is a debug print without outputs."""
    return not equation.outvars and any(type(effect).__name__ in _DEBUG_EFFECTS for effect in equation.effects)


def without_dead_code(function: Callable[..., Any], arguments: Sequence[Any]) -> Callable[..., Any]:
    """Return `function`, which returns one array, as a jitted function without dead code."""
    closed = jax.make_jaxpr(function)(*arguments)
    with suppress(AttributeError, TypeError):
        live: Any = partial_eval.dce_jaxpr(closed.jaxpr, [True], instantiate=True)[0]
        # Since JAX 0.11 every jaxpr is closed.
        closed = live if hasattr(live, "consts") else ClosedJaxpr(live, closed.consts)
    run = jaxpr_as_fun(closed)
    return jax.jit(lambda *given: run(*given)[0])
