"""Preparation of one array for a picture: copy, conversion, range, cropping, and the room that each array gets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax.numpy as jnp
import msgspec
import numpy as np
import numpy.typing as npt

from explorer.messages import Array

FEWEST_ROWS = 256
"""Smallest number of rows to keep before the other axes are cropped."""

NDArray = npt.NDArray[Any]


class Range(msgspec.Struct, frozen=True):
    """Smallest and largest finite value of an array, and its number of non-finite values."""

    low: float
    high: float
    not_finite: int


def host(array: Any) -> NDArray:
    """Return `array` in host memory, in native byte order and in a dtype without padding bytes."""
    here = np.asarray(array)
    if here.dtype.kind == "f" and here.dtype.itemsize > 8:
        return here.astype(np.float64)
    if here.dtype.kind == "c" and here.dtype.itemsize > 16:
        return here.astype(np.complex128)
    return here.astype(here.dtype.newbyteorder("="), copy=False)


def shown(array: NDArray) -> NDArray:
    """Return `array` as bool, integer, float32 or float64, which every consumer supports; complex as magnitudes."""
    if array.dtype.kind == "c":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.abs(array)
    if array.dtype.kind in "biu" or array.dtype in (np.float32, np.float64):
        return array
    return array.astype(np.float32 if jnp.issubdtype(array.dtype, np.floating) else np.int32)


def difference(output: NDArray, argument: NDArray) -> NDArray:
    """Return `output` minus `argument`; infinity minus infinity is NaN, without a warning."""
    with np.errstate(invalid="ignore", over="ignore"):
        return output - argument


def value_range(values: NDArray) -> Range:
    """Return the range of `values`; (0.0, 0.0) if none is finite."""
    if values.size == 0:
        return Range(0.0, 0.0, 0)
    with np.errstate(invalid="ignore"):
        low, high = float(values.min()), float(values.max())
    if math.isfinite(low) and math.isfinite(high):
        return Range(low, high, 0)
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return Range(0.0, 0.0, values.size)
    return Range(float(finite.min()), float(finite.max()), values.size - finite.size)


def value_bits(dtype: Any, shown: NDArray, scope: Range) -> float:
    """Return the number of random bits that one value can hold."""
    if shown.dtype.kind in "biu":
        return math.log2(scope.high - scope.low + 1)
    if scope.not_finite == 0 and bool(np.all((shown == scope.low) | (shown == scope.high))):
        return 1.0
    return -math.log2(spacing(dtype))


def spacing(dtype: Any) -> float:
    """Return the machine epsilon of a floating-point dtype."""
    return float(jnp.finfo(dtype).eps)  # type: ignore[no-untyped-call]


def rows(array: NDArray, axis: int) -> NDArray:
    """Return `array` as a matrix, one row per slice along `axis`; a scalar becomes [1, 1]."""
    if array.ndim == 0:
        return array.reshape(1, 1)
    return np.moveaxis(array, axis, 0).reshape(array.shape[axis], _width(array.shape, axis))


def _width(shape: Sequence[int], axis: int) -> int:
    return math.prod(size for number, size in enumerate(shape) if number != axis)


def rooms(sizes: Sequence[int], most: int, together: int) -> list[int]:
    """Return the number of values to send of each array: small ones whole, equal shares for the others."""
    found = [0] * len(sizes)
    left = together
    for done, place in enumerate(sorted(range(len(sizes)), key=lambda place: sizes[place])):
        found[place] = min(most, left // (len(sizes) - done))
        left -= min(found[place], sizes[place])
    return found


def cropped_shape(shape: Sequence[int], axis: int, room: int) -> list[int]:
    """Return the number of entries to send along each axis, at most about `room` values in total.

    Rows are cropped first, then the longest axes.
    """
    stops = list(shape)
    if math.prod(shape) <= room:
        return stops
    stops[axis] = min(shape[axis], max(FEWEST_ROWS, room // max(1, _width(shape, axis))))
    while math.prod(stops) > room:
        longest = stops.index(max(stops))
        others = math.prod(stops) // stops[longest]
        stops[longest] = max(stops[longest] // 2, room // others)
    return stops


def sent(values: NDArray, stops: Sequence[int]) -> Array:
    """Return a copy of the start of `values`, safe from later changes by the program."""
    return Array.of(values[tuple(slice(stop) for stop in stops)].copy())
