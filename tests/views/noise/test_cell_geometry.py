"""Zoom and pan keep to the matrix, and pixels and cells agree."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF

from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow, ticks

WHOLE = CellWindow.whole(100, 50)


def test_zoom_keeps_the_cell_under_the_pointer() -> None:
    window = WHOLE.zoomed(0.5, 20, 10, 100, 50)
    assert (window.top, window.bottom) == (10, 60)
    assert (window.left, window.right) == (5, 30)


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0, 100), st.floats(0, 3)), max_size=10))
def test_no_zoom_leaves_the_matrix(steps: list[tuple[float, float, float]]) -> None:
    window = CellWindow.whole(100, 3)
    for factor, row, column in steps:
        window = window.zoomed(factor, row, column, 100, 3).moved(row - 50, column, 100, 3)
        assert -1e-6 <= window.top < window.bottom <= 100 + 1e-6
        assert -1e-6 <= window.left < window.right <= 3 + 1e-6


def test_a_row_out_of_view_is_brought_in_by_the_shortest_way() -> None:
    window = CellWindow(10, 20, 0, 50)
    assert window.showing(15, 0, 100, 50) == window
    assert window.showing(30, 0, 100, 50).bottom == 31
    assert window.showing(3, 0, 100, 50).top == 3


def test_cells_and_pixels_agree() -> None:
    geometry = CellGeometry(QRectF(20, 10, 500, 300), CellWindow(0, 30, 0, 50), 30, 50)
    assert geometry.cell_at(QPointF(20.5, 10.5)) == (0, 0)
    assert geometry.cell_at(QPointF(519, 309)) == (29, 49)
    assert geometry.cell_at(QPointF(10, 50)) is None
    assert geometry.cell_rectangle(1, 2, 3, 3) == QRectF(50, 20, 10, 20)


def test_every_row_is_drawn_where_there_are_pixels_for_it() -> None:
    geometry = CellGeometry(QRectF(0, 0, 100, 100), WHOLE, 100, 50)
    assert (geometry.rows_drawn(), geometry.columns_drawn()) == (range(100), range(50))


def test_every_kth_row_is_drawn_where_there_are_too_many_and_panning_draws_the_same_ones() -> None:
    window = CellWindow.whole(4096, 4096)
    still = CellGeometry(QRectF(0, 0, 100, 100), window, 4096, 4096)
    assert still.rows_drawn().step == 41
    zoomed = window.zoomed(0.5, 2000, 2000, 4096, 4096)
    drawn = [
        set(CellGeometry(QRectF(0, 0, 100, 100), zoomed.moved(by, 0, 4096, 4096), 4096, 4096).rows_drawn())
        for by in (0, 1, 2, 3)
    ]
    assert all(len(one ^ other) <= 2 for one, other in pairwise(drawn))


@pytest.mark.parametrize(("pixels_each", "expected"), [(30, [0, 1, 2, 3]), (10, [0, 2]), (1, [0])])
def test_ticks_are_round_and_far_enough_apart(pixels_each: float, expected: list[int]) -> None:
    assert list(ticks(0, 4, pixels_each, 20)) == expected
