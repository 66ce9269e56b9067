"""PictureSlice, matrix_of(): the part of a picture on screen as a matrix; cell_words() of one cell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from explorer.messages import Picture
from views.noise.arrays.picture_choice import value_words

Matrix = npt.NDArray[Any]


class PictureSlice(msgspec.Struct, frozen=True):
    """The axis of the rows, and the indices along axes that are neither rows nor columns."""

    row_axis: int = 0
    places: Mapping[int, int] = {}
    """Index along each axis with a slider; 0 by default."""

    def column_axis(self, rank: int) -> int | None:
        """Return the last axis that is not that of the rows."""
        rest = [axis for axis in range(rank) if axis != self.row_axis]
        return rest[-1] if rest else None

    def further_axes(self, rank: int) -> list[int]:
        """Return the axes that are neither rows nor columns, in order."""
        return [axis for axis in range(rank) if axis not in (self.row_axis, self.column_axis(rank))]

    def place(self, axis: int, size: int) -> int:
        """Return the index along `axis`, clipped to its size."""
        return max(0, min(self.places.get(axis, 0), size - 1))


def matrix_of(picture: Picture, cut: PictureSlice) -> Matrix:
    """Return the matrix of `cut`, a view; one value is a matrix of shape (1, 1)."""
    values = picture.values.numpy()
    if values.ndim < 2:
        return values.reshape(-1, 1)
    rank = values.ndim
    sliders = cut.further_axes(rank)
    where = tuple(cut.place(axis, size) if axis in sliders else slice(None) for axis, size in enumerate(values.shape))
    left = [axis for axis in range(rank) if axis not in sliders]
    order = [cut.row_axis, cut.column_axis(rank)]
    return values[where].transpose([left.index(axis) for axis in order if axis is not None])


def cell_words(picture: Picture, cut: PictureSlice, row: int, column: int) -> str:
    """Return the position and the value of a cell: ``example 5, feature 3: -0.42``."""
    matrix, shape = matrix_of(picture, cut), picture.values.shape
    value = value_words(matrix[row, column])
    if not shape:
        return value
    if cut.row_axis == picture.axis:
        parts = [QCoreApplication.translate("picture_slice", "example {}").format(row)]
    else:
        parts = [_along(cut.row_axis, row)]
    column_axis = cut.column_axis(len(shape))
    parts += [_along(axis, cut.place(axis, shape[axis])) for axis in cut.further_axes(len(shape))]
    if column_axis is not None:
        plain = len(shape) == 2 and column_axis == 1
        feature = QCoreApplication.translate("picture_slice", "feature {}").format(column)
        parts.append(feature if plain else _along(column_axis, column))
    return f"{', '.join(parts)}: {value}"


def _along(axis: int, place: int) -> str:
    return QCoreApplication.translate("picture_slice", "axis {} at {}").format(axis, place)
