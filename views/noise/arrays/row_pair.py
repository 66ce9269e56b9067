"""The draw that made a row, and the comparison of two rows with their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from explorer.figures.key_tally import served_at_once
from explorer.figures.row_letters import Ints
from explorer.messages import KeyGraph, Picture
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_slice import PictureSlice, matrix_of

Matrix = npt.NDArray[Any]
Keys = Literal["same", "own", ""]


@dataclass(frozen=True)
class RowPair:
    """How two rows compare."""

    first: int
    last: int
    equal: bool
    """Whether the worker found them equal, which is to within rounding for a difference."""
    differing: int
    """The number of available values whose bits differ."""
    values: int
    furthest: float = 0.0
    """The largest distance of their finite values; 0 for truth values."""
    whole: bool = True
    """Whether the comparison covers the whole rows, also where only their beginnings are here."""

    @property
    def names(self) -> tuple[str, str, str]:
        """Return the labels of the first row, the last row and their difference."""
        return f"{self.first:,}", f"{self.last:,}", f"{self.last:,} − {self.first:,}"

    @property
    def groups(self) -> Ints:
        """int[3]: the first, the last and their difference, equal ones by the same number."""
        return np.array([0, 0 if self.equal else 1, 2])


def pair_of(picture: Picture, row_axis: int, first: int = 0, last: int = -1) -> RowPair | None:
    """Return the comparison of rows `first` and `last` along `row_axis`, counted from the end where negative.

    An index beyond the last row means the last row. Returns None where there are not two rows to compare.
    """
    shape = picture.values.shape
    if not shape or shape[row_axis] < 2 or 0 in shape:
        return None
    count = shape[row_axis]
    first, last = (max(0, min(count - 1, row + count if row < 0 else row)) for row in (first, last))
    rows = np.moveaxis(picture.values.numpy(), row_axis, 0)
    bits = np.dtype(f"u{rows.dtype.itemsize}")
    top, bottom = (np.ascontiguousarray(rows[place]).view(bits) for place in (first, last))
    differing = int(np.count_nonzero(top != bottom))
    groups = picture.groups.numpy()
    compared = row_axis == picture.axis and max(first, last) < len(groups)
    equal = bool(groups[first] == groups[last]) if compared else differing == 0
    distances = np.abs(difference(rows[first], rows[last]).astype(np.float64))
    furthest = 0.0 if rows.dtype.kind == "b" else float(np.max(distances, where=np.isfinite(distances), initial=0.0))
    whole = compared or all(
        here == full for axis, (here, full) in enumerate(zip(shape, picture.shape, strict=True)) if axis != row_axis
    )
    return RowPair(first, last, equal, differing, top.size, furthest, whole)


def difference(first: Matrix, last: Matrix) -> Matrix:
    """Return `last` minus `first`, 0 where their bits agree, and for truth values where they differ."""
    if first.dtype.kind == "b":
        return first ^ last
    wide = first.dtype if first.dtype.kind == "f" else np.dtype(np.float64)
    bits = np.dtype(f"u{first.dtype.itemsize}")
    same = np.ascontiguousarray(first).view(bits) == np.ascontiguousarray(last).view(bits)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.where(same.reshape(first.shape), wide.type(0), last.astype(wide) - first.astype(wide))


def stacked(picture: Picture, cut: PictureSlice, pair: RowPair) -> Matrix:
    """Return three rows: the first, the last, and the last minus the first."""
    matrix = matrix_of(picture, cut)
    first, last = matrix[pair.first], matrix[pair.last]
    return np.stack([first, last, difference(first, last)])


def pair_scale(scale: Scale, pairs: Sequence[RowPair]) -> Scale:
    """Return `scale` widened for the differences of `pairs`, which have signs."""
    furthest = max((pair.furthest for pair in pairs), default=0.0)
    if scale.kind == "two-valued" or furthest == 0:
        return scale
    reach = max(scale.high, furthest)
    return Scale("diverging", -reach, reach)


def keys_of_pair(graph: KeyGraph | None, picture: Picture, pair: RowPair) -> Keys:
    """Return whether the draws of the two rows used the same keys or separate ones, '' where it is neither.

    A row of raw noise is one draw; any other row belongs to all draws for its example.
    """
    if graph is None:
        return ""
    keys_of = _keys_of_draw if picture.role == "draw" else _keys_of_example
    first, last = (keys_of(graph, picture, row) for row in (pair.first, pair.last))
    if not len(first) or not len(last):
        return ""
    if np.array_equal(first, last):
        return "same"
    return "" if np.isin(first, last).any() else "own"


def _keys_of_draw(graph: KeyGraph, picture: Picture, row: int) -> npt.NDArray[Any]:
    draw = draw_of_row(graph, picture, row)
    return graph.draw_key.numpy()[[] if draw is None else [draw]]


def _keys_of_example(graph: KeyGraph, _picture: Picture, row: int) -> npt.NDArray[Any]:
    serves = served_at_once(graph)
    chosen = (graph.draw_example.numpy() == row) | ((serves > 1) & (serves > row))
    return np.unique(graph.draw_key.numpy()[chosen])


def draw_of_row(graph: KeyGraph | None, picture: Picture, row: int) -> int | None:
    """Return the index into the draws of `graph` of the draw that made `row`; None where `picture` shows no draws.

    A picture of draws holds those of one line in order, each as often as the number of its examples.
    """
    if graph is None or picture.role != "draw":
        return None
    for number, site in enumerate(graph.sites):
        if site.operation == "draw" and site.span == picture.span and str(picture.name).startswith(site.name):
            draws = np.flatnonzero(graph.draw_site.numpy() == number)
            ends = np.cumsum(served_at_once(graph)[draws])
            place = int(np.searchsorted(ends, row, "right"))
            return int(draws[place]) if place < len(draws) else None
    return None
