"""Finds equal rows, groups neighbours, and gives equal ones the same letter."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.figures.equal_rows import bit_equal_rows
from explorer.messages import Picture

Ints = npt.NDArray[np.integer[Any]]


class Runs(msgspec.Struct, frozen=True):
    """Stretches of neighbouring rows, in order, none overlapping another."""

    first: Ints
    last: Ints
    """int[runs]: first and last row of each, both included."""

    def between(self, top: float, bottom: float) -> slice:
        """Return the runs that touch the rows from `top` to `bottom`."""
        start = np.searchsorted(self.last, np.floor(top))
        return slice(int(start), int(np.searchsorted(self.first, np.ceil(bottom))))


def runs_of(rows: Collection[int], count: int) -> Runs:
    """Return the runs that the row numbers `rows` make, of those below `count`."""
    ordered = np.sort(np.fromiter(rows, np.int64, len(rows)))
    ordered = ordered[: np.searchsorted(ordered, count)]
    starts = np.flatnonzero(np.diff(ordered, prepend=-2) != 1)
    ends = np.append(starts[1:], len(ordered))[: len(starts)] - 1
    return Runs(ordered[starts], ordered[ends])


class RowLetters(msgspec.Struct, frozen=True):
    """The letters of all rows, and the runs of neighbouring rows that carry the same one."""

    of_row: Ints
    """int[n]: number of the row's letter, -1 where no other row is equal to it."""
    runs: Runs
    numbers: Ints
    """int[runs]: number of each run's letter."""

    def of(self, row: int) -> str:
        """Return the letter of `row`, '' for a row that is like no other."""
        known = 0 <= row < len(self.of_row) and self.of_row[row] >= 0
        return letter(int(self.of_row[row])) if known else ""


def row_letters(groups: Ints) -> RowLetters:
    """Return letters for rows with group numbers `groups`: A for the first group that has two rows or more."""
    if not len(groups):
        nothing = np.empty(0, np.int64)
        return RowLetters(nothing, Runs(nothing, nothing), nothing)
    several = np.bincount(groups) > 1
    # Small numbers: there may be a million rows, and the window waits.
    of_row = np.where(several, np.cumsum(several) - 1, -1).astype(np.int32)[groups]
    first = np.append(0, np.flatnonzero(of_row[1:] != of_row[:-1]) + 1)
    last = np.append(first[1:], len(of_row)) - 1
    lettered = of_row[first] >= 0
    return RowLetters(of_row, Runs(first[lettered], last[lettered]), of_row[first][lettered])


def letter(number: int) -> str:
    """Return A for 0, Z for 25, AA for 26, as the columns of a spreadsheet."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = chr(ord("A") + digit) + text
    return text


class RowGroups:
    """Caches the letters of the pictures on screen, so that moving a slider does not compare again."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[Picture, Ints]] = {}

    def of(self, picture: Picture, row_axis: int) -> Ints:
        """Return int[rows]: rows along `row_axis` with equal values have the same number.

        Along the picture's own axis the worker has compared whole examples; along another one the available values are
        compared, bit for bit. Empty where nothing was compared: complex values are available as magnitudes only.
        """
        if row_axis == picture.axis or len(picture.shape) < 2:
            return picture.groups.numpy()
        if picture.dtype.startswith("complex"):
            return np.empty(0, np.int32)
        place = (id(picture), row_axis)
        if place not in self._known:
            if len(self._known) >= 8:
                self._known.clear()
            values = np.moveaxis(picture.values.numpy(), row_axis, 0)
            self._known[place] = (picture, bit_equal_rows(values.reshape(len(values), -1)))
        return self._known[place][1]
