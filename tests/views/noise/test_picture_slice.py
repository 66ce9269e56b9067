"""Any picture is cut to rows and columns."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.messages import Array, Picture
from views.noise.arrays.picture_slice import Cut, block_of, cell_words, matrix_of


def picture(values: np.ndarray, groups: list[int] | None = None, axis: int = 0) -> Picture:
    numbers = np.array(groups if groups is not None else [], np.int32)
    return Picture(
        "output", "output", values.shape, str(values.dtype), Array.of(values), axis, Array.of(numbers), 0, ""
    )


CUBE = np.arange(24).reshape(2, 3, 4)
CUTS = {
    "rows along axis 0": (CUBE, Cut(0, {1: 2}), CUBE[:, 2, :]),
    "rows along axis 1": (CUBE, Cut(1, {0: 1}), CUBE[1]),
    "rows along the last axis": (CUBE, Cut(2), CUBE[0].T),
    "a place beyond the end": (CUBE, Cut(0, {1: 9}), CUBE[:, 2, :]),
    "a matrix": (CUBE[0], Cut(0), CUBE[0]),
    "a matrix on its side": (CUBE[0], Cut(1), CUBE[0].T),
    "single values": (CUBE[0, 0], Cut(0), CUBE[0, 0, :, np.newaxis]),
    "one number": (np.array(5), Cut(0), np.array([[5]])),
}


@pytest.mark.parametrize(("values", "cut", "matrix"), CUTS.values(), ids=CUTS)
def test_rows_and_columns_are_those_of_the_cut(values: np.ndarray, cut: Cut, matrix: np.ndarray) -> None:
    assert matrix_of(picture(values), cut).tolist() == matrix.tolist()


def test_cutting_makes_no_copy() -> None:
    assert np.shares_memory(matrix_of(picture(CUBE), Cut(1)), CUBE)


WORDS = {
    "one value per example": (np.array([0.5, -0.25]), Cut(0), (1, 0), "example 1: -0.25"),
    "a feature of an example": (np.array([[1.0, 2.0]]), Cut(0), (0, 1), "example 0, feature 1: 2"),
    "NaN": (np.array([[np.nan]]), Cut(0), (0, 0), "example 0, feature 0: NaN"),
    "a truth value": (np.array([[True]]), Cut(0), (0, 0), "example 0, feature 0: True"),
    "more axes": (CUBE, Cut(0, {1: 2}), (1, 3), "example 1, axis 1 at 2, axis 2 at 3: 23"),
    "rows that are no examples": (CUBE, Cut(1), (2, 0), "axis 1 at 2, axis 0 at 0, axis 2 at 0: 8"),
}


@pytest.mark.parametrize(("values", "cut", "cell", "words"), WORDS.values(), ids=WORDS)
def test_a_cell_is_reported_in_words(values: np.ndarray, cut: Cut, cell: tuple[int, int], words: str) -> None:
    assert cell_words(picture(values), cut, *cell) == words


def test_places_of_an_axis_stand_side_by_side() -> None:
    cut = Cut(0, spread=frozenset({1}))
    assert matrix_of(picture(CUBE), cut).tolist() == CUBE.reshape(2, 12).tolist()
    assert block_of(picture(CUBE), cut) == 4
    assert cell_words(picture(CUBE), cut, 1, 7) == "example 1, axis 1 at 1, axis 2 at 3: 19"
    assert block_of(picture(CUBE), Cut(0)) == 0
