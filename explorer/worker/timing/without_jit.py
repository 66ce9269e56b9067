"""A function without the jit around it, and the jits that remain inside."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

import jax

from explorer import OUR_FILES
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.timing.first_call import transformed

_JAX = str(Path(jax.__file__).parent)
"""jax.numpy has jits of its own, which no one can leave out."""


def without_jit(function: Any) -> Callable[..., Any] | None:
    """Return the function that jit was put around; `function` itself without a jit, None if it cannot be found.

    Besides JAX's own, this holds for the jit of Equinox and Flax: objects with `lower` that keep what they wrap.
    """
    if isinstance(function, MethodType):
        inner = without_jit(function.__func__)
        return function if inner is function.__func__ else inner and MethodType(inner, function.__self__)
    if all(hasattr(function, name) for name in ("func", "args", "keywords")):
        inner = without_jit(function.func)
        if inner is None or inner is function.func:
            return inner and function
        return functools.partial(inner, *function.args, **function.keywords)
    # A plain function with `lower` is a pmap: it would do something else without.
    if not isinstance(function, FunctionType) and hasattr(function, "lower"):
        wrapped = getattr(function, "__wrapped__", None)
        return wrapped and without_jit(wrapped)
    return function  # type: ignore[no-any-return]


def jits_inside(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the jitted functions that `function` calls; () if it cannot be traced."""
    try:
        trace = transformed(function, arguments, ("jit",)).trace
        equations = trace().jaxpr.jaxpr.eqns if trace is not None else []
    except Interrupt:
        raise
    except BaseException:
        return ()
    calls = [each.params for each in equations if each.primitive.name == "jit"]
    files = {each["name"]: each["jaxpr"].jaxpr.debug_info.func_filename or "" for each in calls}
    return tuple(name for name, file in files.items() if not file.startswith((_JAX, OUR_FILES)))
