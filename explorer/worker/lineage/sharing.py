"""The draws of one operation (`draws`), and where examples of a batch, or devices, draw with one key at once."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.equal_rows import Integers
from explorer.worker.lineage.key_uses import KeyOperation, flat


class SharedAxis(msgspec.Struct, frozen=True):
    """An axis along which several examples or devices share a key."""

    level: int | None
    """Number of the vmap, counted from the outermost; None for devices."""
    size: int
    """Number of examples or devices that draw along it."""
    distinct: int
    """Number of distinct keys among them."""


class OperationDraws(msgspec.Struct, frozen=True):
    """The draws of one operation, one row per key and moment."""

    keys: Integers
    """int32[draws]"""
    example: Integers
    """int32[draws]: index along the outermost axis on which the keys differ, -1 without such an axis."""
    serves: Integers
    """int64[draws]: number of examples or devices that receive the numbers of this draw."""
    moments: Integers
    """int64[draws]"""
    shared: tuple[SharedAxis, ...]
    """Outermost first."""


BATCHED_TOGETHER = ("rbg", "unsafe_rbg")
"""Generators that draw from the first key of a vmapped batch only: equal keys do not mean equal numbers.

See https://github.com/jax-ml/jax/pull/20094 and https://docs.jax.dev/en/latest/jax.random.html.
"""
_NONE = np.zeros(0, np.int32)
NO_DRAWS = OperationDraws(_NONE, _NONE, _NONE, _NONE, ())


def draws(uses: KeyOperation) -> OperationDraws:
    """Return the draws of `uses`, with the number of examples that each one serves.

    An axis is shared if vmap does not map the key over it: JAX draws once. It is also shared if vmap maps equal keys,
    as after repeating or broadcasting a key; the equal draws then count as one, except for generators in
    BATCHED_TOGETHER. Axes over tangent directions are shared by design.
    """
    keys = uses.keys
    assert keys is not None
    shared = [
        (number, SharedAxis(number, level.size, 1))
        for number, level in enumerate(uses.call_site.levels)
        if level.axis is None and level.size > 1 and not level.tangents
    ]
    serves = np.full((1,) * keys.ndim, math.prod(axis.size for _, axis in shared), np.int64)
    axes = list(range(1, keys.ndim))
    if keys.ndim > 1 and not uses.all_different and uses.event.implementation not in BATCHED_TOGETHER:
        for axis, lane in enumerate(uses.lanes, 1):
            sharing, is_constant = _along(keys, axis)
            if sharing is None:
                continue
            if not lane.tangents:
                shared.append((-1 if lane.level is None else lane.level, SharedAxis(lane.level, *sharing)))
            if is_constant:
                serves = serves * (np.maximum((keys >= 0).sum(axis, keepdims=True), 1) if not lane.tangents else 1)
                keys = keys.max(axis, keepdims=True)
                axes.remove(axis)
        serves = serves * _multiplicity(keys)
    example = _indices(keys.shape, axes[0]) if axes else np.int32(-1)
    moments = uses.moments.reshape(-1, *(1,) * (keys.ndim - 1))
    here = None if uses.valid is None else keys >= 0
    of_keys, examples, served, when = (flat(each, keys.shape, here) for each in (keys, example, serves, moments))
    shared.sort(key=lambda each: each[0])
    return OperationDraws(of_keys, examples, served, when, tuple(axis for _, axis in shared))


def once_an_iteration(uses: KeyOperation) -> tuple[Integers, npt.NDArray[np.bool_] | None]:
    """Return the keys of `uses`, int32[rounds, lanes], and a mask with each key once per round; None for all."""
    assert uses.keys is not None
    rows = _rows(uses.keys)
    here = None if uses.valid is None else rows >= 0
    if rows.shape[1] > 1 and not uses.all_different:
        rows = np.sort(rows, axis=1)
        here = rows >= 0
        here[:, 1:] &= rows[:, 1:] != rows[:, :-1]
    return rows, here


def _rows(keys: Integers) -> Integers:
    """Return `keys` with all lanes on one axis."""
    return keys.reshape(len(keys), math.prod(keys.shape[1:]))


def _along(keys: Integers, axis: int) -> tuple[tuple[int, int] | None, bool]:
    """Return (examples, distinct keys) of the line along `axis` that shares most, and whether every line has one key.

    The pair is None if no line has a key twice.
    """
    values = np.sort(keys, axis=axis)
    first, rest = np.split(values, [1], axis)
    new = (rest != np.delete(values, -1, axis)) & (rest >= 0)
    distinct = new.sum(axis) + (first >= 0).any(axis)
    count = (values >= 0).sum(axis)
    is_shared = distinct < count
    if not is_shared.any():
        return None, False
    most = np.argmax(count - distinct)
    return (int(count.flat[most]), int(distinct.flat[most])), bool((distinct <= 1).all())


def _multiplicity(keys: Integers) -> Integers:
    """Return the number of occurrences of each key in its round, int[rounds, lanes...]."""
    rows = _rows(keys)
    if rows.shape[1] <= 1:
        return np.ones((1,) * keys.ndim, np.int32)
    spread = rows + np.arange(len(rows), dtype=np.int64)[:, None] * (int(rows.max()) + 2)
    _, inverse, counts = np.unique(spread, return_inverse=True, return_counts=True)
    result: Integers = counts[inverse].reshape(keys.shape)
    return result


def _indices(shape: tuple[int, ...], axis: int) -> Integers:
    places = np.arange(shape[axis], dtype=np.int32)
    return places.reshape([-1 if each == axis else 1 for each in range(len(shape))])
