"""Rows are equal bit for bit, or to within rounding, and numbered in order of first appearance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from explorer.figures import equal_rows
from explorer.figures.equal_rows import bit_equal_rows, close_rows

NAN = float("nan")

BIT_EQUAL = {
    "no rows": (np.zeros((0, 3)), []),
    "rows without columns are equal": (np.zeros((3, 0)), [0, 0, 0]),
    "far apart": (np.array([[1, 2], [3, 4], [1, 2], [5, 6]]), [0, 1, 0, 2]),
    "NaN equals NaN": (np.array([[NAN, 1.0], [NAN, 1.0]]), [0, 0]),
    "zero and minus zero differ": (np.array([[0.0], [-0.0]]), [0, 1]),
    "two signs flipped": (np.array([[1, 1], [-1, -1]], np.float32), [0, 1]),
    "odd number of bytes": (np.array([[True, False, True], [True, False, False], [True, False, True]]), [0, 1, 0]),
}


@pytest.mark.parametrize(("rows", "groups"), BIT_EQUAL.values(), ids=BIT_EQUAL)
def test_rows_with_the_same_bytes_share_a_number(rows: np.ndarray, groups: list[int]) -> None:
    assert bit_equal_rows(rows).tolist() == groups


@given(hnp.arrays(np.int16, st.tuples(st.integers(0, 40), st.integers(0, 5)), elements=st.integers(0, 1)))
def test_grouping_agrees_with_comparing_every_row(rows: np.ndarray) -> None:
    numbers: dict[tuple[int, ...], int] = {}
    expected = [numbers.setdefault(tuple(row), len(numbers)) for row in rows.tolist()]
    assert bit_equal_rows(rows).tolist() == expected


@pytest.mark.parametrize("width", [1, 2, 3, 4, 9, 10])
@pytest.mark.parametrize("values", [2, 40, 2**32])
@pytest.mark.parametrize("rows", [0, 1, 2, 3000])
def test_repeated_rows_are_those_that_a_dictionary_finds(rows: int, values: int, width: int) -> None:
    words = np.random.default_rng(rows).integers(0, values, (rows, width), dtype=np.uint32)
    assert_repeats(words)


def test_different_rows_with_equal_hashes_are_distinguished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equal_rows, "_hashes", lambda packed: packed[:, 0] & np.uint64(3))
    for width in (2, 5):
        assert_repeats(np.random.default_rng(0).integers(0, 5, (3000, width), dtype=np.uint32))


def assert_repeats(words: np.ndarray) -> None:
    firsts: dict[bytes, int] = {}
    expected = [(place, firsts.setdefault(row.tobytes(), place)) for place, row in enumerate(words)]
    rows, found = equal_rows.repeats(words)
    in_order = sorted(zip(rows.tolist(), found.tolist(), strict=True))
    assert in_order == [(row, first) for row, first in expected if row != first]


def test_a_million_rows_are_distinguished() -> None:
    rows = np.arange(2_000_000, dtype=np.int32).reshape(-1, 2)
    rows[-1] = rows[0]
    groups = bit_equal_rows(rows)
    assert groups[-1] == groups[0]
    assert groups.max() + 1 == len(rows) - 1


CLOSE = {
    "within the tolerance": ([[1.0, 2.0], [1.05, 2.05]], [0, 0]),
    "one column is apart": ([[1.0, 2.0], [1.05, 2.5]], [0, 1]),
    "closeness is passed on": ([[1.0, 0.0], [1.16, 0.0], [1.08, 0.0]], [0, 0, 0]),
    "order of rows does not matter": ([[5.0, 5.0], [1.0, 1.0], [5.05, 5.0], [1.0, 1.05]], [0, 1, 0, 1]),
    "NaN is close to nothing": ([[NAN, 1.0], [NAN, 1.0]], [0, 1]),
}


@pytest.mark.parametrize(("rows", "groups"), CLOSE.values(), ids=CLOSE)
def test_rows_within_the_tolerance_share_a_number(rows: list[list[float]], groups: list[int]) -> None:
    values = np.array(rows)
    assert close_rows(values, np.full(values.shape, 0.1)).tolist() == groups
