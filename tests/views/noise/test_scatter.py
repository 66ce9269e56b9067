"""Two pictures are paired element by element, and their correlation is shown."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.figures.row_letters import RowGroups
from explorer.messages import Picture, Report
from tests.views.made import heard, hold, picture
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_choice import PictureChoice, PictureSlice
from views.noise.choices import NoiseChoices, resolve
from views.noise.pages.page import PictureView
from views.noise.pages.scatter_page import ScatterPage, correlation, match, partners, points_of

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(20, 6))


MATCHES = {
    "one shape": (picture(X), picture(X + 1), True),
    "as many values": (picture(X), picture(X.reshape(-1)), True),
    "as many values, but cropped": (picture(X, shape=(40, 6)), picture(X.reshape(-1)), False),
    "other sizes": (picture(X), picture(X[:5]), False),
    "no values": (picture(X[:0]), picture(X[:0]), False),
    "one shape, cropped differently": (picture(X, shape=(40, 6)), picture(X[:10], shape=(40, 6)), True),
}


@pytest.mark.parametrize(("x", "y", "matches"), MATCHES.values(), ids=MATCHES)
def test_places_are_paired_where_sizes_agree(x: Picture, y: Picture, matches: bool) -> None:
    assert match(x, y) == matches
    assert partners(x, [x, y]) == ([y] if matches else [])


def test_points_keep_their_rows() -> None:
    points = points_of(picture(X, shape=(40, 6)), picture(X[:10] * 2, shape=(40, 6)))
    assert points.x.tolist() == X[:10].reshape(-1).tolist()
    assert points.y.tolist() == (X[:10] * 2).reshape(-1).tolist()
    assert points.rows(0).tolist() == np.repeat(np.arange(10), 6).tolist()
    assert points.rows(1).tolist() == np.tile(np.arange(6), 10).tolist()


def test_correlation_is_that_of_numpy() -> None:
    x, y = X.reshape(-1), X.reshape(-1) + RANDOM.normal(size=120)
    assert correlation(x, y) == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert correlation(1e308 * np.sign(x), x) == pytest.approx(np.corrcoef(np.sign(x), x)[0, 1])
    assert np.isnan(correlation(x, np.ones(120)))


def test_pairs_that_are_not_finite_are_left_out() -> None:
    y = X.copy()
    y[0, 0], y[3, 3] = np.nan, np.inf
    points = points_of(picture(X), picture(y))
    assert points.pairs == 118
    assert points.correlation == pytest.approx(1)


def test_draws_are_compared_with_draws_first_and_with_the_other_variant() -> None:
    own = (picture(X), picture(X, "", "uniform", "draw"), picture(X, "", "normal", "draw"))
    reports = (Report("a", pictures=own), Report("b", pictures=(picture(X + 1),)))
    resolved = resolve(reports, NoiseChoices(PictureChoice("draw"), mode="scatter"), RowGroups())
    assert resolved.partners == ("normal", "output", "b: output")
    assert resolved.leading.against is own[2]


@pytest.fixture
def page(qtbot: QtBot) -> ScatterPage:
    made = hold(qtbot, ScatterPage(), 400, 300)
    numbers = np.arange(20, dtype=np.int32)
    made.show_view(
        PictureView(picture(X), "scatter", PictureSlice(), Scale("diverging", -4, 4), numbers, picture(X**3), "cubes")
    )
    made.grab()
    return made


def test_the_correlation_stands_next_to_what_chance_gives(page: ScatterPage) -> None:
    r = np.corrcoef(X.reshape(-1), X.reshape(-1) ** 3)[0, 1]
    assert page.words == f"Correlation {r:.2f} (chance: ±0.18)"


def test_keys_go_from_point_to_point_and_choose_their_rows(qtbot: QtBot, page: ScatterPage) -> None:
    emitted = heard(page.hovered)
    with qtbot.waitSignal(page.row_chosen) as chosen:
        qtbot.keyClick(page, Qt.Key.Key_End)
    assert chosen.args == [19]
    assert emitted[-1] == f"index 19, 5: {X[19, 5]:.4g} across, {X[19, 5] ** 3:.4g} up"


def test_points_of_a_marked_row_stand_out(page: ScatterPage) -> None:
    without = page.grab().toImage()
    page.mark_rows(frozenset({3}))
    assert page.grab().toImage() != without


def test_a_million_points_are_drawn_as_pixels(page: ScatterPage) -> None:
    many = RANDOM.normal(size=(1000, 1000)).astype(np.float32)
    numbers = np.arange(1000, dtype=np.int32)
    page.show_view(
        PictureView(picture(many), "scatter", PictureSlice(), Scale("diverging", -5, 5), numbers, picture(many))
    )
    image = page.grab().toImage()
    colours = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    assert sum(colour.blue() - colour.red() > 60 for colour in colours) > 150
