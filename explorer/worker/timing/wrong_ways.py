"""The classic timing mistakes, made on purpose to compare their figures with the right ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import Transform, WrongWay
from explorer.worker.timing.first_call import Call, transformed
from explorer.worker.timing.sampling import Track

CALLS_WITH_COMPILE = 10
"""Number of calls in the mean; the first one includes the compilation."""


def can_be_made(way: WrongWay, transform: Transform) -> bool:
    """Return whether mistake `way` is possible under `transform`: only jit has a compiled program to reuse."""
    return transform.startswith("jit") or way not in ("with-compile", "fresh-lambda")


def arguments_for(way: WrongWay, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `arguments` as passed by mistake `way`: as NumPy arrays, or unchanged."""
    return jax.tree.map(_as_numpy, dict(arguments)) if way == "numpy-inputs" else arguments


def track_for(
    way: WrongWay, call: Call, function: Callable[..., Any], arguments: Mapping[str, Any], transform: Transform
) -> Track:
    """Return the track of `call`, which is `function` under `transform`, with mistake `way`."""

    def anew() -> Callable[[], Any]:
        return transformed(function, arguments, (transform,)).run

    def in_vain() -> Any:
        return anew()()

    if way == "no-block":
        return Track(call.run, waits=False)
    if way == "fresh-lambda":
        return Track(in_vain, compiles_always=True)
    if way == "with-compile":
        return Track(call.run, calls=CALLS_WITH_COMPILE, compiles_always=True, renewed=anew)
    return Track(call.run)


def _as_numpy(leaf: Any) -> Any:
    is_key = isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return np.asarray(leaf) if isinstance(leaf, jax.Array) and not is_key else leaf
