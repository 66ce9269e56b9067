"""Comparison of the outputs of two calls: equal within rounding, or different."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.text.text import Text, say

LARGEST_BYTES = 16 * 2**20
"""Largest outputs to compare, in bytes: beyond that, the comparison would take longer than the measurement."""
ROUNDINGS = 200
"""Differences up to this many epsilons, relative to the largest value, may come from another order of operations."""
LARGEST_ROUNDING = 0.05
"""But no more than this share of it: 200 epsilons of a bfloat16 are more than the value itself."""

Outputs = list[np.ndarray[Any, Any]]


def on_host(outputs: Any) -> Outputs | None:
    """Return the arrays of `outputs` as NumPy arrays, with key data for keys; None above LARGEST_BYTES."""
    leaves = [_data(leaf) for leaf in jax.tree.leaves(outputs)]
    if sum(getattr(leaf, "nbytes", 0) for leaf in leaves) > LARGEST_BYTES:
        return None
    return [np.asarray(leaf) for leaf in leaves]


def difference(mine: Outputs | None, other: Outputs | None) -> Text | None:
    """Return how two outputs differ, in a phrase; None if they agree up to rounding, or if one is unknown."""
    if mine is None or other is None:
        return None
    if [each.shape for each in mine] != [each.shape for each in other]:
        return say("{mine} and {other}", mine=_shapes(mine), other=_shapes(other))
    pairs = list(zip(mine, other, strict=True))
    if all(one.dtype == two.dtype and one.tobytes() == two.tobytes() for one, two in pairs):
        return None
    gaps = [_gap(one, two) for one, two in pairs]
    if all(same for _, same in gaps):
        return None
    worst = max(size for size, _ in gaps)
    if not np.isfinite(worst):
        return say("not the same values")
    return say("by {worst} of the largest value", worst=f"{worst:.2g}")


def _gap(one: np.ndarray[Any, Any], two: np.ndarray[Any, Any]) -> tuple[float, bool]:
    """Return the largest difference of two arrays, relative to the largest value, and whether rounding explains it."""
    if not (_is_number(one) and _is_number(two)):
        return (0.0, True) if np.array_equal(one, two) else (np.inf, False)
    precision = max(_precision(one), _precision(two))
    first, second = one.astype(np.complex128), two.astype(np.complex128)
    finite = np.isfinite(first)
    if not (
        np.array_equal(finite, np.isfinite(second)) and np.array_equal(first[~finite], second[~finite], equal_nan=True)
    ):
        return np.inf, False
    scale = float(np.abs(np.concatenate([first[finite], second[finite]])).max(initial=0.0)) or 1.0
    gaps = float(np.abs(first[finite] - second[finite]).max(initial=0.0)) / scale
    return gaps, gaps <= min(ROUNDINGS * precision, LARGEST_ROUNDING)


def _precision(values: np.ndarray[Any, Any]) -> float:
    finfo: Any = jnp.finfo
    return float(finfo(values.dtype).eps) if jnp.issubdtype(values.dtype, jnp.inexact) else 0.0


def _is_number(values: np.ndarray[Any, Any]) -> bool:
    return bool(jnp.issubdtype(values.dtype, jnp.number)) or values.dtype == np.bool_


def _data(leaf: Any) -> Any:
    is_key = isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf


def _shapes(outputs: Sequence[np.ndarray[Any, Any]]) -> str:
    return "(" + ", ".join(f"{each.dtype}{list(each.shape)}" for each in outputs) + ")"
