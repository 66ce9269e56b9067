"""The part of a picture that is on screen, as a matrix of rows; a value under vmap for one example."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from explorer.messages import Array, Picture
from views.noise.arrays.picture_choice import value_words

Examples = tuple[int | None, ...]
"""For each vmap around a value, the outermost first, the chosen example, None for all of them."""

_SHORT = {"float": "f", "bfloat": "bf", "int": "i", "uint": "u", "complex": "c"}


def choices(picture: Picture | None) -> tuple[int, ...]:
    """Return the number of examples of each vmap; () where one example is a single row anyway."""
    if picture is None or len(picture.shape) < 2:
        return ()
    return tuple(picture.values.shape[axis] for axis in picture.mapped)


def chosen(picture: Picture, examples: Examples) -> dict[int, int]:
    """Return the chosen example by axis of `picture`; the last one where there are fewer."""
    pairs = zip(picture.mapped, choices(picture), examples, strict=False)
    return {axis: min(example, count - 1) for axis, count, example in pairs if example is not None and count}


def one_example(picture: Picture, examples: Examples) -> Picture:
    """Return `picture` as the chosen examples see it; its rows are examples only where a vmap is left whole."""
    places = chosen(picture, examples)
    if not places:
        return picture
    left = [axis for axis in range(len(picture.shape)) if axis not in places]
    mapped = tuple(left.index(axis) for axis in picture.mapped if axis in left)
    values = picture.values.numpy()[tuple(places.get(axis, slice(None)) for axis in range(len(picture.shape)))]
    finite = values[np.isfinite(values)]
    seen = msgspec.structs.replace(
        picture,
        shape=tuple(picture.shape[axis] for axis in left),
        values=Array.of(np.ascontiguousarray(values).reshape(values.shape)),
        axis=mapped[0] if mapped else -1,
        groups=Array.of(np.empty(0, np.int32)),
        distinct=0,
        low=float(finite.min()) if finite.size else 0.0,
        high=float(finite.max()) if finite.size else 0.0,
        not_finite=int(values.size - finite.size),
        mapped=mapped,
    )
    return msgspec.structs.replace(seen, verdict=_verdict(seen, list(places.values()), values))


def _verdict(seen: Picture, examples: Sequence[int], values: npt.NDArray[Any]) -> str:
    numbers = ", ".join(map(str, examples))
    title = QCoreApplication.translate("one_example", "{name} of example {examples}").format(
        name=seen.name, examples=numbers
    )
    title = f"{title}: {_short_type(seen)}"
    if not values.size:
        return title
    if not values.ndim:
        return f"{title} = {value_words(values[()])}"
    if values.dtype == bool:
        words = QCoreApplication.translate("one_example", "{title}, {true} of {all} true")
        return words.format(title=title, true=f"{int(values.sum()):,}", all=f"{values.size:,}")
    words = QCoreApplication.translate("one_example", "{title} from {low} to {high}")
    text = words.format(title=title, low=f"{seen.low:.4g}", high=f"{seen.high:.4g}")
    if not seen.not_finite:
        return text
    missing = QCoreApplication.translate("one_example", "{count} NaN or infinite")
    return f"{text}, {missing.format(count=f'{seen.not_finite:,}')}"


def _short_type(picture: Picture) -> str:
    """Return the type as JAX writes it: ``f32[10]``."""
    letters, bits = re.fullmatch(r"([a-z]*)(.*)", picture.dtype).groups()  # type: ignore[union-attr]
    return f"{_SHORT.get(letters, letters)}{bits}[{','.join(map(str, picture.shape))}]"


Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class PictureSlice:
    """The axis of the rows, and the indices along axes that are neither rows nor columns."""

    row_axis: int = 0
    places: Mapping[int, int] = field(default_factory=dict)
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
