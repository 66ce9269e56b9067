"""Values are counted in even bins, row by row and together."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.messages import Array, Picture
from views.noise.arrays.heat_colours import Scale, scale_of
from views.noise.arrays.picture_slice import Cut
from views.noise.arrays.row_pair import pair_of
from views.noise.pages.histogram import MOST_ROWS, counts_of, edges_for, histogram_of
from views.noise.pages.histogram_page import HistogramPage
from views.noise.sight import Sight

VALUES = np.random.default_rng(0).normal(size=(40, 25)).astype(np.float32)


def picture(values: np.ndarray) -> Picture:
    finite = values[np.isfinite(values)]
    low, high, missing = float(finite.min()), float(finite.max()), values.size - finite.size
    groups = Array.of(np.arange(len(values)), np.int32)
    return Picture(
        *("output", "output", values.shape, str(values.dtype), Array.of(values), 0, groups, 0, ""),
        low=low,
        high=high,
        not_finite=missing,
    )


def page_of(qtbot: QtBot, values: np.ndarray, *, paired: bool = False) -> HistogramPage:
    page = HistogramPage()
    qtbot.addWidget(page)
    page.resize(400, 200)
    made = picture(values)
    pair = pair_of(made, 0) if paired else None
    page.show_sight(Sight(made, "histogram", Cut(), scale_of([made]), made.groups.numpy(), pair))
    page.grab()
    return page


def test_bins_count_as_numpy_does() -> None:
    edges = np.linspace(-4, 4, 17)
    assert counts_of(VALUES, edges).tolist() == np.histogram(VALUES, edges)[0].tolist()


EDGES = {
    "truth values": (Scale("two-valued", 0, 1), np.bool_, [-0.5, 0.5, 1.5]),
    "a few whole numbers": (Scale("sequential", 0, 3), np.int32, [-0.5, 0.5, 1.5, 2.5, 3.5]),
    "few values": (Scale("diverging", -4, 4), np.float32, [-4, -3, -2, -1, 0, 1, 2, 3, 4]),
}


@pytest.mark.parametrize(("scale", "dtype", "edges"), EDGES.values(), ids=EDGES)
def test_edges_suit_the_values(scale: Scale, dtype: type, edges: list[float]) -> None:
    assert edges_for(scale, np.dtype(dtype), 10).tolist() == edges


def test_edges_of_the_largest_numbers_do_not_overflow() -> None:
    assert np.isfinite(edges_for(Scale("diverging", -1.7e308, 1.7e308), np.dtype(float), 100)).all()


def test_mean_and_deviation_are_those_of_the_finite_values() -> None:
    odd = np.array([[1.0, 3.0], [np.nan, 5.0], [np.inf, np.nan]])
    found = histogram_of(odd, Scale("diverging", -4, 4))
    assert (found.total, found.beyond) == (3, 1)
    assert (found.mean, found.row_low, found.row_high) == (3.0, 2.0, 5.0)
    assert found.deviation == pytest.approx(np.std([1, 3, 5]))


def test_masks_tell_the_share_that_was_kept(qtbot: QtBot) -> None:
    mask = np.array([[True, True, True, False], [True, False, False, False]])
    assert page_of(qtbot, mask).words == "50 % are True; row by row 25 % to 75 %"


def test_so_many_rows_have_a_line_and_two_that_are_compared(qtbot: QtBot) -> None:
    page = page_of(qtbot, VALUES)
    assert len(page.curves) == MOST_ROWS
    assert "Lines: rows 0 to 23." in page.notes
    assert all(curve.sum() == pytest.approx(1) for curve in page.curves)
    paired = page_of(qtbot, VALUES, paired=True)
    assert next(curve.tolist() for curve in paired.curves) == page.curves[0].tolist()
    assert len(paired.curves) == 2


def test_keys_walk_the_bins_and_the_rows(qtbot: QtBot) -> None:
    page = page_of(qtbot, np.array([[1, 2], [2, 2], [3, 3]]))
    with qtbot.waitSignal(page.row_chosen) as chosen:
        qtbot.keyClick(page, Qt.Key.Key_Down)
    assert chosen.args == [1]
    told: list[str] = []
    page.hovered.connect(told.append)
    for _ in range(2):
        qtbot.keyClick(page, Qt.Key.Key_Right)
    assert told[-1] == "1.5 to 2.5: 3 values (50 %), 2 of them in row 1"


def test_a_marked_row_is_drawn_in_bold(qtbot: QtBot) -> None:
    page = page_of(qtbot, VALUES)
    without = page.grab().toImage()
    page.mark_rows(frozenset({30}))
    assert page.grab().toImage() != without
