"""A heatmap draws its matrix cell by cell, and reacts to mouse and keys."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.views.made import hold
from views.noise.arrays.heat_colours import Scale, colour_table, levels
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow, ticks
from views.noise.heatmap.cell_marks import marks_beyond, no_marks
from views.noise.heatmap.heatmap import Heatmap
from views.theme import LIGHT, apply_to_tree

SCALE = Scale("diverging", -1.0, 1.0)
VALUES = np.random.default_rng(0).uniform(-1, 1, (8, 5)).astype(np.float32)
ROW_KEYS = {Qt.Key.Key_Down: 3, Qt.Key.Key_Up: 1, Qt.Key.Key_End: 7, Qt.Key.Key_Home: 0, Qt.Key.Key_Return: 2}


@pytest.fixture
def heatmap(qtbot: QtBot) -> Heatmap:
    made = hold(qtbot, Heatmap(), 400, 300)
    apply_to_tree(made, LIGHT)
    made.show_matrix(VALUES, SCALE)
    return made


def picture_of(heatmap: Heatmap) -> QImage:
    return heatmap.grab().toImage()


def middle_of(heatmap: Heatmap, row: int, column: int) -> QPoint:
    return heatmap.geometry_of_cells().cell_rectangle(row, row, column, column).center().toPoint()


def corner_colour(heatmap: Heatmap, row: int, column: int) -> QColor:
    """Return the colour inside the cell, away from a text in its middle."""
    corner = heatmap.geometry_of_cells().cell_rectangle(row, row, column, column).topLeft().toPoint()
    return picture_of(heatmap).pixelColor(corner + QPoint(4, 4))


def test_every_cell_has_the_colour_of_its_own_value(heatmap: Heatmap) -> None:
    table = colour_table(SCALE.kind, LIGHT)
    for row, column in np.ndindex(VALUES.shape):
        expected = QColor.fromRgb(int(table[levels(VALUES[row, column], SCALE)]))
        assert corner_colour(heatmap, row, column) == expected


def test_no_colour_is_mixed_where_cells_are_more_than_pixels(heatmap: Heatmap) -> None:
    checks = np.where(np.indices((2000, 2000)).sum(0) % 2, 1.0, -1.0)
    heatmap.show_matrix(checks, SCALE)
    image, plot = picture_of(heatmap), heatmap.geometry_of_cells().plot.adjusted(2, 2, -2, -2).toRect()
    seen = {image.pixel(x, y) for x in range(plot.left(), plot.right(), 3) for y in range(plot.top(), plot.bottom(), 3)}
    table = colour_table(SCALE.kind, LIGHT)
    assert seen <= {int(table[0]), int(table[255])}
    assert heatmap.sampling[0] > 1


def test_nan_and_infinity_are_marked_by_shape_also_among_millions_of_cells(heatmap: Heatmap) -> None:
    odd = np.zeros((3, 3))
    plain = picture_of(heatmap)
    pictures = [plain]
    for value in (np.nan, np.inf, -np.inf):
        odd[1, 1] = value
        heatmap.show_matrix(odd.copy(), SCALE)
        pictures.append(picture_of(heatmap))
    assert all(one != other for one in pictures for other in pictures if one is not other)
    large = np.zeros((2000, 2000), np.float32)
    heatmap.show_matrix(large, SCALE)
    without = picture_of(heatmap)
    large[1001, 777] = np.nan
    heatmap.show_matrix(large, SCALE)
    assert picture_of(heatmap) != without


def test_equal_rows_are_lettered_and_a_hundred_thousand_are_drawn_as_a_strip(heatmap: Heatmap) -> None:
    before = heatmap.geometry_of_cells().plot.left()
    heatmap.show_matrix(VALUES, SCALE, np.array([0, 1, 2, 0, 3, 2, 4, 5]))
    assert "".join(heatmap.letters.of(row) or "." for row in range(8)) == "A.BA.B.."
    assert heatmap.geometry_of_cells().plot.left() > before
    heatmap.show_matrix(np.zeros((100_000, 2)), SCALE, np.arange(100_000) // 2)
    image, gutter = picture_of(heatmap), int(heatmap.geometry_of_cells().plot.left())
    assert heatmap.letters.of(99_999) == heatmap.letters.of(99_998) != ""
    assert {image.pixelColor(x, 100).name() for x in range(gutter)} & set(LIGHT.series)


def test_a_click_on_a_row_or_next_to_it_chooses_it(qtbot: QtBot, heatmap: Heatmap) -> None:
    for row, place in ((0, middle_of(heatmap, 0, 2)), (4, QPoint(1, middle_of(heatmap, 4, 0).y()))):
        with qtbot.waitSignal(heatmap.row_chosen) as chosen:
            qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=place)
        assert chosen.args == [row]


@pytest.mark.parametrize(("key", "row"), ROW_KEYS.items())
def test_keys_choose_rows(qtbot: QtBot, heatmap: Heatmap, key: Qt.Key, row: int) -> None:
    qtbot.mouseClick(heatmap, Qt.MouseButton.LeftButton, pos=middle_of(heatmap, 2, 1))
    with qtbot.waitSignal(heatmap.row_chosen) as chosen:
        qtbot.keyClick(heatmap, key)
    assert chosen.args == [row]


def test_keys_stop_at_the_edges(qtbot: QtBot, heatmap: Heatmap) -> None:
    with qtbot.waitSignal(heatmap.cell_hovered) as cell:
        qtbot.keyClick(heatmap, Qt.Key.Key_Up)
    assert cell.args == [(0, 0)]


def test_the_cell_under_the_pointer_is_reported(qtbot: QtBot, heatmap: Heatmap) -> None:
    with qtbot.waitSignal(heatmap.cell_hovered) as hovered:
        move(heatmap, middle_of(heatmap, 6, 4))
    assert hovered.args == [(6, 4)]
    with qtbot.waitSignal(heatmap.cell_hovered) as left:
        QApplication.sendEvent(heatmap, QEvent(QEvent.Type.Leave))
    assert left.args == [None]


def test_wheel_zooms_about_the_pointer_and_a_double_click_shows_all_again(qtbot: QtBot, heatmap: Heatmap) -> None:
    place = middle_of(heatmap, 5, 1)
    turn_wheel(heatmap, place, 120)
    zoomed = heatmap.geometry_of_cells()
    assert zoomed.window.bottom - zoomed.window.top == pytest.approx(8 / 1.25)
    assert zoomed.cell_at(QPointF(place)) == (5, 1)
    qtbot.mouseDClick(heatmap, Qt.MouseButton.LeftButton, pos=place)
    assert heatmap.geometry_of_cells().window == CellWindow.whole(8, 5)


def test_a_mark_leaves_the_number_of_its_cell_readable(heatmap: Heatmap, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = VALUES[:4].copy()
    odd[1, 2] = 10 * SCALE.high
    pictures = []
    for marks in (lambda *_: no_marks(), marks_beyond):
        monkeypatch.setattr("views.noise.heatmap.heatmap.marks_beyond", marks)
        heatmap.show_matrix(odd, SCALE)
        cell = heatmap.geometry_of_cells().cell_rectangle(1, 1, 2, 2)
        number = QRect(0, 0, 24, 14)
        number.moveCenter(cell.center().toPoint())
        pictures.append((picture_of(heatmap).copy(number), picture_of(heatmap).copy(cell.toRect())))
    (number, cell), (number_beside_mark, marked_cell) = pictures
    assert number_beside_mark == number
    assert marked_cell != cell


def test_dragging_moves_the_picture_and_chooses_no_row(qtbot: QtBot, heatmap: Heatmap) -> None:
    turn_wheel(heatmap, middle_of(heatmap, 4, 2), 360)
    before = heatmap.geometry_of_cells()
    with qtbot.assertNotEmitted(heatmap.row_chosen):
        qtbot.mousePress(heatmap, Qt.MouseButton.LeftButton, pos=QPoint(200, 200))
        move(heatmap, QPoint(200, 100))
        qtbot.mouseRelease(heatmap, Qt.MouseButton.LeftButton, pos=QPoint(200, 100))
    assert heatmap.geometry_of_cells().window.bottom == pytest.approx(before.window.bottom + 100 / before.cell_height)


def test_marked_rows_are_outlined_and_brought_into_view(heatmap: Heatmap) -> None:
    without = picture_of(heatmap)
    heatmap.mark_rows({8, 100})
    assert picture_of(heatmap) == without, "they are not there"
    heatmap.mark_rows({6})
    assert picture_of(heatmap) != without
    heatmap.show_window(CellWindow(0, 4, 0, 5))
    heatmap.mark_rows({6})
    assert heatmap.geometry_of_cells().window.bottom == 7


def test_zoom_stays_for_the_same_shape_and_goes_for_another(heatmap: Heatmap) -> None:
    heatmap.show_window(CellWindow(2, 6, 0, 5))
    heatmap.show_matrix(VALUES + 1, SCALE)
    assert heatmap.geometry_of_cells().window == CellWindow(2, 6, 0, 5)
    heatmap.show_matrix(VALUES[:7], SCALE)
    assert heatmap.geometry_of_cells().window == CellWindow.whole(7, 5)


def move(heatmap: Heatmap, place: QPoint) -> None:
    # QTest moves the real pointer, which an offscreen widget that is not shown does not hear of.
    buttons = Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove, QPointF(place), QPointF(place), buttons, buttons, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(heatmap, event)


def turn_wheel(heatmap: Heatmap, place: QPoint, angle: int) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(place),
        QPoint(),
        QPoint(0, angle),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(heatmap, event)


# -- zoom and pan keep to the matrix, and pixels and cells agree ------------------------------------------------------


@given(st.lists(st.tuples(st.floats(0.1, 10), st.floats(0, 100), st.floats(0, 3)), max_size=10))
def test_no_zoom_leaves_the_matrix(steps: list[tuple[float, float, float]]) -> None:
    window = CellWindow.whole(100, 3)
    for factor, row, column in steps:
        window = window.zoomed(factor, row, column, 100, 3).moved(row - 50, column, 100, 3)
        assert -1e-6 <= window.top < window.bottom <= 100 + 1e-6
        assert -1e-6 <= window.left < window.right <= 3 + 1e-6


def test_cells_and_pixels_agree_and_a_row_out_of_view_is_brought_in_by_the_shortest_way() -> None:
    geometry = CellGeometry(QRectF(20, 10, 500, 300), CellWindow(0, 30, 0, 50), 30, 50)
    assert geometry.cell_at(QPointF(20.5, 10.5)) == (0, 0)
    assert geometry.cell_at(QPointF(519, 309)) == (29, 49)
    assert geometry.cell_at(QPointF(10, 50)) is None
    assert geometry.cell_rectangle(1, 2, 3, 3) == QRectF(50, 20, 10, 20)
    window = CellWindow(10, 20, 0, 50)
    assert window.showing(15, 0, 100, 50) == window
    assert window.showing(30, 0, 100, 50).bottom == 31
    assert window.showing(3, 0, 100, 50).top == 3


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
