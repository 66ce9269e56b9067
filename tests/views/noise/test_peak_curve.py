"""A long row of numbers keeps its peaks on screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.views.made import hold
from tools.endurance.back_row.painted import painted
from views.noise.arrays.heat_colours import Scale
from views.noise.heatmap.peak_curve import PeakCurve, peaks
from views.theme import LIGHT, apply_to_tree

SCALE = Scale("diverging", -5.0, 5.0)


@given(st.integers(1, 300), st.integers(1, 50))
def test_no_peak_is_lost(count: int, pixels: int) -> None:
    values = np.random.default_rng(count).normal(size=count)
    low, high = peaks(values, min(pixels, count))
    assert low.min() == values.min()
    assert high.max() == values.max()
    assert np.all(low <= high)


def test_what_is_not_finite_leaves_a_gap() -> None:
    low, high = peaks(np.array([1.0, np.nan, np.inf, np.nan]), 2)
    assert (low[0], high[0]) == (1.0, 1.0)
    assert np.isnan(low[1])
    assert np.isnan(high[1])


@pytest.fixture
def curve(qtbot: QtBot) -> PeakCurve:
    made = hold(qtbot, PeakCurve(), 400, 200)
    apply_to_tree(made, LIGHT)
    made.show_values(np.zeros(100_000, np.float32), SCALE)
    return made


def picture_of(curve: PeakCurve) -> QImage:
    return curve.grab().toImage()


@pytest.mark.parametrize(("place", "value"), [(54_321, 4.0), (1, np.nan)])
def test_one_value_among_a_hundred_thousand_is_seen(curve: PeakCurve, place: int, value: float) -> None:
    flat = picture_of(curve)
    values = np.zeros(100_000, np.float32)
    values[place] = value
    curve.show_values(values, SCALE)
    assert picture_of(curve) != flat


def test_a_click_chooses_the_value_there(qtbot: QtBot, curve: PeakCurve) -> None:
    place = curve.geometry_of_cells().plot.center().toPoint()
    with qtbot.waitSignal(curve.row_chosen) as chosen:
        qtbot.mouseClick(curve, Qt.MouseButton.LeftButton, pos=place)
    assert chosen.args[0] == pytest.approx(50_000, abs=500)


def test_keys_step_through_the_values_and_zoom(qtbot: QtBot, curve: PeakCurve) -> None:
    with qtbot.waitSignal(curve.row_chosen) as chosen:
        qtbot.keyClick(curve, Qt.Key.Key_End)
    assert chosen.args == [99_999]
    qtbot.keyClick(curve, Qt.Key.Key_Plus)
    assert curve.geometry_of_cells().window.left > 0
    qtbot.keyClick(curve, Qt.Key.Key_0)
    assert curve.geometry_of_cells().window.left == 0


def test_a_marked_value_beyond_the_edge_is_brought_into_view(qtbot: QtBot, curve: PeakCurve) -> None:
    for _ in range(20):
        qtbot.keyClick(curve, Qt.Key.Key_Plus)
    before = curve.geometry_of_cells().window
    assert before.right < 50_000
    without = picture_of(curve)
    curve.mark_rows({50_000})
    assert picture_of(curve) != without
    window = curve.geometry_of_cells().window
    assert window.left <= 50_000 < window.right
    assert window.right - window.left == pytest.approx(before.right - before.left)


@pytest.mark.parametrize(
    ("width", "values", "words"),
    [
        (400, [0.73612, 1.66312, np.nan], ["0.7361", "1.663", "NaN"]),
        (140, [0.73612, 1.66312, -3.4419, 1.1599], ["0.7", "1.66", "-3", "1.16"]),
        (400, range(6), ["5"]),
    ],
)
def test_a_few_values_carry_their_numbers_with_as_many_digits_as_there_is_room_for(
    curve: PeakCurve, width: int, values: Sequence[float], words: list[str]
) -> None:
    curve.resize(width, 200)
    curve.show_values(np.array(values, np.float64), SCALE)
    texts = [text for text in painted(curve)[0] if text.colour == QColor(LIGHT.text)]
    assert [text.words for text in texts] == words
    assert not any(text.is_cut for text in texts)


def test_no_line_joins_a_few_values(curve: PeakCurve) -> None:
    curve.show_values(np.array([-4.0, 4.0]), SCALE)
    image, places = picture_of(curve), curve.geometry_of_cells()
    middle = places.plot.center().toPoint()
    around = {image.pixel(middle.x() + x, middle.y() + 20) for x in range(-30, 30)}
    assert len(around) == 1
