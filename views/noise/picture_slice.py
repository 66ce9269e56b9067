"""The part of a picture that is on screen: a matrix of rows, and two rows held against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.messages import Picture
from views.noise.cell_words import value_words

Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class Cut:
    """Which axis makes the rows, and where the axes stand that are neither rows nor columns."""

    row_axis: int = 0
    places: Mapping[int, int] = field(default_factory=dict)
    """Place along each axis that has a slider; 0 where nothing is said."""

    def column_axis(self, rank: int) -> int | None:
        """Return the last axis that is not that of the rows."""
        rest = [axis for axis in range(rank) if axis != self.row_axis]
        return rest[-1] if rest else None

    def slider_axes(self, rank: int) -> list[int]:
        """Return the axes that a slider sets, in order."""
        return [axis for axis in range(rank) if axis not in (self.row_axis, self.column_axis(rank))]

    def place(self, axis: int, size: int) -> int:
        """Return the place along `axis`, the last one where it is shorter than that."""
        return max(0, min(self.places.get(axis, 0), size - 1))


def matrix_of(picture: Picture, cut: Cut) -> Matrix:
    """Return the rows and columns that `cut` shows, without a copy; one value makes one row of one column."""
    values = picture.values.numpy()
    if values.ndim < 2:
        return values.reshape(-1, 1)
    sliders = cut.slider_axes(values.ndim)
    where = tuple(cut.place(axis, size) if axis in sliders else slice(None) for axis, size in enumerate(values.shape))
    matrix = values[where]
    return matrix if cut.row_axis < (cut.column_axis(values.ndim) or 0) else matrix.T


def cell_words(picture: Picture, cut: Cut, row: int, column: int) -> str:
    """Return which cell this is and its value: ``example 5, feature 3: -0.42``."""
    matrix = matrix_of(picture, cut)
    value = value_words(matrix[row, column])
    if not picture.shape:
        return value
    where = f"example {row}" if cut.row_axis == picture.axis else f"axis {cut.row_axis} at {row}"
    column_axis = cut.column_axis(len(picture.shape))
    for axis in cut.slider_axes(len(picture.shape)):
        where += f", axis {axis} at {cut.place(axis, picture.values.shape[axis])}"
    if column_axis is not None:
        plain = len(picture.shape) == 2 and column_axis == 1
        where += f", feature {column}" if plain else f", axis {column_axis} at {column}"
    return f"{where}: {value}"


@dataclass(frozen=True)
class RowPair:
    """The first example held against the last."""

    first: int
    last: int
    equal: bool
    """Whether the worker found them equal, which is to within rounding for a difference."""
    differing: int
    """In how many of the values that are here their bits differ."""
    values: int


def first_and_last(picture: Picture, row_axis: int) -> RowPair | None:
    """Return how the first and the last row along `row_axis` compare, None where there are not two."""
    shape = picture.values.shape
    if not shape or shape[row_axis] < 2 or 0 in shape:
        return None
    last = shape[row_axis] - 1
    rows = np.moveaxis(picture.values.numpy(), row_axis, 0)
    bits = np.dtype(f"u{rows.dtype.itemsize}")
    top, bottom = (np.ascontiguousarray(row).view(bits) for row in (rows[0], rows[last]))
    differing = int(np.count_nonzero(top != bottom))
    groups = picture.groups.numpy()
    compared = row_axis == picture.axis and last < len(groups)
    equal = bool(groups[0] == groups[last]) if compared else differing == 0
    return RowPair(0, last, equal, differing, top.size)
