"""Two rows are compared by their bits, and subtracted."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from explorer.figures.row_letters import RowGroups
from explorer.messages import Array, Picture
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_slice import Cut
from views.noise.arrays.row_pair import RowPair, difference, pair_of, pair_scale, stacked


def picture(values: np.ndarray, groups: list[int] | None = None) -> Picture:
    numbers = Array.of(groups if groups is not None else [], np.int32)
    return Picture("output", "output", values.shape, str(values.dtype), Array.of(values), 0, numbers, 0, "")


PAIRS = {
    "equal": (np.ones((4, 3)), [0, 1, 2, 0], RowPair(0, 3, True, 0, 3)),
    "different": (np.arange(12.0).reshape(4, 3), [0, 1, 2, 3], RowPair(0, 3, False, 3, 3, 9.0)),
    "equal to within rounding": (np.array([[1.0, 2.0], [1.0, 2.5]]), [0, 0], RowPair(0, 1, True, 1, 2, 0.5)),
    "NaN equals NaN": (np.array([[np.nan], [np.nan]]), [], RowPair(0, 1, True, 0, 1)),
    "minus zero differs": (np.array([[0.0], [-0.0]]), [], RowPair(0, 1, False, 1, 1)),
    "different where it is not shown": (np.ones((2, 1)), [0, 1], RowPair(0, 1, False, 0, 1)),
    "beyond those that were compared": (np.ones((3, 2)), [0, 1], RowPair(0, 2, True, 0, 2)),
    "single values": (np.array([1, 1]), [0, 0], RowPair(0, 1, True, 0, 1)),
    "infinity is no distance": (np.array([[1.0, np.inf], [2.0, 3.0]]), [], RowPair(0, 1, False, 2, 2, 1.0)),
    "truth values": (np.array([[True, True], [False, True]]), [], RowPair(0, 1, False, 1, 2)),
    "bytes without a sign": (np.array([[200], [100]], np.uint8), [], RowPair(0, 1, False, 1, 1, 100.0)),
}


@pytest.mark.parametrize(("values", "groups", "pair"), PAIRS.values(), ids=PAIRS)
def test_first_and_last_are_compared_by_their_bits(values: np.ndarray, groups: list[int], pair: RowPair) -> None:
    assert pair_of(picture(values, groups), 0) == pair


@pytest.mark.parametrize("shape", [(), (0, 3), (1, 3), (3, 0)])
def test_without_two_rows_there_is_nothing_to_compare(shape: tuple[int, ...]) -> None:
    assert pair_of(picture(np.zeros(shape)), 0) is None


def test_rows_beyond_the_last_stand_for_the_last() -> None:
    pair = pair_of(picture(np.zeros((4, 2))), 0, 2, 99)
    assert pair is not None
    assert (pair.first, pair.last) == (2, 3)


DIFFERENCES = {
    "floats": (np.array([1.0, 2.0]), np.array([4.0, 0.0]), [3.0, -2.0]),
    "bytes": (np.array([250], np.uint8), np.array([5], np.uint8), [-245]),
    "truth values": (np.array([True, False]), np.array([True, True]), [False, True]),
    "equal infinities": (np.array([np.inf, np.nan]), np.array([np.inf, np.nan]), [0.0, 0.0]),
}


@pytest.mark.parametrize(("first", "last", "distances"), DIFFERENCES.values(), ids=DIFFERENCES)
def test_difference_never_wraps_around(first: np.ndarray, last: np.ndarray, distances: list[float]) -> None:
    assert difference(first, last).tolist() == distances


def test_the_difference_stands_under_the_two_rows() -> None:
    values = np.arange(6.0).reshape(3, 2)
    pair = pair_of(picture(values), 0)
    assert pair is not None
    assert stacked(picture(values), Cut(0), pair).tolist() == [[0, 1], [4, 5], [4, 4]]
    assert pair_scale(Scale("sequential", 0, 1), [pair]) == Scale("diverging", -4, 4)
    assert pair_scale(Scale("sequential", 0, 9), [RowPair(0, 1, True, 0, 2)]) == Scale("sequential", 0, 9)


def test_rows_along_any_axis_are_grouped() -> None:
    values = np.array([[1.0, 2.0, 1.0], [3.0, 4.0, 3.0]])
    groups = RowGroups()
    assert groups.of(picture(values, [0, 1]), 0).tolist() == [0, 1]
    assert groups.of(picture(values, [0, 1]), 1).tolist() == [0, 1, 0]


def test_rows_of_which_a_part_is_here_are_equal_in_that_part() -> None:
    whole = picture(np.ones((3, 4)), [0, 0, 1])
    beginning = msgspec.structs.replace(whole, values=Array.of(np.ones((2, 2))))
    along_columns = pair_of(beginning, 1)
    assert along_columns == RowPair(0, 1, True, 0, 2, whole=False)
    assert pair_of(beginning, 0) == RowPair(0, 1, True, 0, 2)
