"""The values of one picture over those of another, element by element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.messages import Picture

Values = npt.NDArray[np.float64]
Range = tuple[float, float]


@dataclass(frozen=True)
class Points:
    """Places of two arrays: the values of both."""

    x: Values
    y: Values
    shape: tuple[int, ...]
    """The shape of the pictures; x and y hold their elements in C order."""
    correlation: float
    """Pearson's correlation, over the finite pairs; NaN where one side is constant."""
    pairs: int
    """How many pairs are finite."""

    @property
    def chance(self) -> float:
        """The limit, positive and negative, of 95 % of the correlations of independent values."""
        return float(1.96 / np.sqrt(max(1, self.pairs)))

    def rows(self, axis: int) -> npt.NDArray[np.intp]:
        """Return int[points]: the index of each point along `axis`."""
        if axis >= len(self.shape):
            return np.zeros(len(self.x), np.intp)
        each = int(np.prod(self.shape[axis + 1 :], dtype=np.int64))
        return np.arange(len(self.x)) // max(1, each) % max(1, self.shape[axis])


def match(x: Picture, y: Picture) -> bool:
    """Return whether the elements of `x` and `y` can be paired: equal shapes, or equally many values, all available."""
    if not x.shape or not y.shape or 0 in x.shape:
        return False
    whole = x.shape == x.values.shape and y.shape == y.values.shape
    return x.shape == y.shape or (whole and np.prod(x.shape) == np.prod(y.shape))


def partners(x: Picture, pictures: Sequence[Picture]) -> list[Picture]:
    """Return those of `pictures` that `x` can be compared with."""
    return [each for each in pictures if each is not x and match(x, each)]


def points_of(x: Picture, y: Picture) -> Points:
    """Return the points of two pictures that match."""
    first, second = x.values.numpy(), y.values.numpy()
    if x.shape == y.shape:
        common = tuple(slice(min(sizes)) for sizes in zip(first.shape, second.shape, strict=True))
        first, second = first[common], second[common]
    return _points(first, second, first.shape)


def points_of_rows(first: npt.NDArray[Any], second: npt.NDArray[Any]) -> Points:
    """Return the points of two rows of values, which are numbered through."""
    return _points(first, second, (first.size,))


def _points(first: npt.NDArray[Any], second: npt.NDArray[Any], shape: tuple[int, ...]) -> Points:
    x, y = (np.ascontiguousarray(each, np.float64).reshape(-1) for each in (first, second))
    finite = np.isfinite(x) & np.isfinite(y)
    return Points(x, y, shape, correlation(x[finite], y[finite]), int(np.count_nonzero(finite)))


def correlation(x: Values, y: Values) -> float:
    """Return Pearson's coefficient, NaN for fewer than two points or a side that is constant."""
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    # To the size of 1, so that the largest numbers do not overflow when they are squared.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    x, y = x - x.mean(), y - y.mean()
    return float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def range_of(values: Values) -> Range:
    """Return the least and the greatest finite value, made to differ."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def share(values: Values, ends: Range) -> Values:
    """Return the positions of `values` between `ends`, 0 to 1; halved first, so that the largest do not overflow."""
    low, high = ends[0] / 2, ends[1] / 2
    with np.errstate(invalid="ignore"):
        shares: Values = (values / 2 - low) / ((high - low) or 1.0)
    return shares
