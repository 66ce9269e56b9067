"""Which examples of a batch, or devices, draw with the same key at the same time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer.figures.equal_rows import Integers
from explorer.worker.lineage.key_uses import Uses, flat


@dataclass(frozen=True)
class SharedAxis:
    """An axis along which one key serves several."""

    level: int | None
    """Number of the vmap, counted from the outermost; None for devices."""
    size: int
    """How many draw along it at once."""
    distinct: int
    """How many different keys they draw with."""


@dataclass(frozen=True)
class Draws:
    """The draws of one place, one row for each key that was drawn with at one moment."""

    keys: Integers
    """int32[draws]"""
    example: Integers
    """int32[draws]: place along the outermost axis on which the keys differ, -1 where there is none."""
    serves: Integers
    """int64[draws]: how many examples or devices see the numbers of this draw."""
    moments: Integers
    """int64[draws]"""
    shared: tuple[SharedAxis, ...]
    """Outermost first."""


BATCHED_TOGETHER = ("rbg", "unsafe_rbg")
"""Generators whose draws under vmap come from the first key of the batch alone: equal keys do not mean equal numbers.

See https://github.com/jax-ml/jax/pull/20094 and https://docs.jax.dev/en/latest/jax.random.html.
"""
_NONE = np.zeros(0, np.int32)
NO_DRAWS = Draws(_NONE, _NONE, _NONE, _NONE, ())


def draws(uses: Uses) -> Draws:
    """Return what the draws of `uses` served.

    An axis that vmap does not map the key over is shared: JAX draws once. So is one that it does map, if the keys
    along it are equal, which is what repeating or broadcasting a key before vmap comes to; then the equal draws
    count as one, unless the generator is one of BATCHED_TOGETHER. Axes over directions of a derivative are meant to
    be shared.
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
        before = len(shared)
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
        if len(shared) == before and (alike := _across(keys, uses)):
            shared.append(alike)
        serves = serves * _multiplicity(keys)
    example = _indices(keys.shape, axes[0]) if axes else np.int32(-1)
    moments = uses.moments.reshape(-1, *(1,) * (keys.ndim - 1))
    here = None if uses.valid is None else keys >= 0
    of_keys, examples, served, when = (flat(each, keys.shape, here) for each in (keys, example, serves, moments))
    shared.sort(key=lambda each: each[0])
    return Draws(of_keys, examples, served, when, tuple(axis for _, axis in shared))


def once_an_iteration(uses: Uses) -> tuple[Integers, Integers]:
    """Return (keys, rounds) of `uses`, each key once for each round: lanes with equal keys do one thing together."""
    keys = uses.keys
    assert keys is not None
    rows = _rows(keys)
    here = None if uses.valid is None else rows >= 0
    if rows.shape[1] > 1 and not uses.all_different:
        rows = np.sort(rows, axis=1)
        here = rows >= 0
        here[:, 1:] &= rows[:, 1:] != rows[:, :-1]
    iterations = np.arange(len(rows), dtype=np.int32)[:, None]
    return flat(rows, rows.shape, here), flat(iterations, rows.shape, here)


def _rows(keys: Integers) -> Integers:
    """Return `keys` with all lanes on one axis."""
    return keys.reshape(len(keys), math.prod(keys.shape[1:]))


def _along(keys: Integers, axis: int) -> tuple[tuple[int, int] | None, bool]:
    """Return (examples, different keys) of the line along `axis` with most sharing, and if all lines have one key.

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


def _across(keys: Integers, uses: Uses) -> tuple[int, SharedAxis] | None:
    """Return the sharing between examples that differ in their place on more than one axis."""
    sharing, _ = _along(_rows(keys), 1)
    if sharing is None:
        return None
    level = uses.lanes[0].level
    return -1 if level is None else level, SharedAxis(level, *sharing)


def _multiplicity(keys: Integers) -> Integers:
    """Return how often each key stands in its round."""
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
