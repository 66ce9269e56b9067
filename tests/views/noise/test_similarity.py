"""Rows are compared each with each, and equal ones are marked by shape."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.messages import Array, Picture
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_slice import Cut
from views.noise.heatmap.cell_marks import EQUAL, NAN
from views.noise.pages.similarity import rows_compared, similarity_of
from views.noise.pages.similarity_page import SimilarityPage, equality_marks
from views.noise.sight import Sight

ROWS = np.random.default_rng(0).normal(size=(6, 50)).astype(np.float32)


def sight(values: np.ndarray, groups: list[int]) -> Sight:
    numbers = np.array(groups, np.int32)
    made = Picture("output", "output", values.shape, str(values.dtype), Array.of(values), 0, Array.of(numbers), 0, "")
    return Sight(made, "similarity", Cut(), Scale("diverging", -1, 1), numbers)


def test_correlations_are_those_of_numpy() -> None:
    found = similarity_of(ROWS)
    assert found.matrix == pytest.approx(np.corrcoef(ROWS), abs=1e-6)
    others = np.corrcoef(ROWS)[np.triu_indices(6, 1)]
    assert (found.low, found.high, found.mean) == pytest.approx((others.min(), others.max(), others.mean()), abs=1e-6)
    assert found.chance == pytest.approx(1.96 / np.sqrt(50))


ODD = {
    "constant rows": np.ones((3, 5)),
    "values that are not finite": np.array([[1, 2, np.nan], [1, 2, np.inf], [1, 2, 3]]),
}


@pytest.mark.parametrize("rows", ODD.values(), ids=ODD)
def test_rows_without_a_correlation_have_none(rows: np.ndarray) -> None:
    found = similarity_of(rows)
    assert np.isnan(found.matrix[0]).all()
    assert np.isnan(found.mean)


def test_the_largest_numbers_do_not_overflow() -> None:
    assert similarity_of(np.array([[1e308, -1e308, 0], [1e308, -1e308, 0]])).matrix[0, 1] == pytest.approx(1)


def test_long_batches_and_long_rows_are_bounded() -> None:
    assert rows_compared(100_000, 10) == 512
    assert rows_compared(1000, 2**20) == 22
    assert len(similarity_of(np.zeros((600, 4))).matrix) == 512


def test_equal_rows_are_marked_off_the_diagonal_and_nan_where_nothing_is_equal() -> None:
    rows = ROWS.copy()
    rows[4] = rows[1]
    rows[5] = 0
    marks = equality_marks(similarity_of(rows), np.array([0, 1, 2, 3, 1, 5]))
    equal = marks.kinds == EQUAL
    assert set(zip(marks.rows[equal].tolist(), marks.columns[equal].tolist(), strict=True)) == {(1, 4), (4, 1)}
    assert marks.counts[NAN] == 11


def test_a_cell_holds_its_two_rows_against_each_other(qtbot: QtBot) -> None:
    page = SimilarityPage()
    qtbot.addWidget(page)
    page.resize(300, 300)
    page.show_sight(sight(ROWS, [0, 1, 2, 3, 1, 5]))
    page.grab()
    cell = page.heatmap.geometry_of_cells().cell_rectangle(4, 4, 1, 1).center().toPoint()
    with qtbot.waitSignal(page.hovered) as told, qtbot.waitSignal(page.row_chosen) as chosen:
        qtbot.mouseClick(page.heatmap, Qt.MouseButton.LeftButton, pos=cell)
    assert chosen.args == [4]
    correlation = np.corrcoef(ROWS)[4, 1]
    assert told.args == [f"row 4 and row 1: correlation {correlation:.3g}, equal"]
    with qtbot.waitSignal(page.pair_chosen) as pair:
        qtbot.mouseClick(page.heatmap, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, cell)
    assert pair.args == [(4, 1)]


def test_what_is_left_out_is_told(qtbot: QtBot) -> None:
    page = SimilarityPage()
    qtbot.addWidget(page)
    page.show_sight(sight(np.random.default_rng(1).normal(size=(600, 4)), list(range(600))))
    assert "The first 512 of 600 rows." in page.notes
    assert page.words.startswith("Rows correlate -1 to 1 (chance: ±0.98)")
