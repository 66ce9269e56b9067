"""Arrays are cut to rows and columns, and coloured."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.figures.row_letters import RowGroups
from tests.views.made import picture
from views.noise.arrays.heat_colours import NOT_FINITE, Kind, Scale, colour_table, levels, scale_of, scale_of_curves
from views.noise.arrays.picture_choice import PictureSlice, cell_words, matrix_of
from views.theme import DARK, LIGHT, Theme


def test_rows_along_any_axis_are_grouped() -> None:
    values = np.array([[1.0, 2.0, 1.0], [3.0, 4.0, 3.0]])
    groups = RowGroups()
    assert groups.of(picture(values), 0).tolist() == [0, 1]
    assert groups.of(picture(values), 1).tolist() == [0, 1, 0]


# -- any picture, cut to rows and columns -----------------------------------------------------------------------------


CUBE = np.arange(24).reshape(2, 3, 4)
CUTS = {
    "rows along axis 0": (CUBE, PictureSlice(0, {1: 2}), CUBE[:, 2, :]),
    "rows along axis 1": (CUBE, PictureSlice(1, {0: 1}), CUBE[1]),
    "rows along the last axis": (CUBE, PictureSlice(2), CUBE[0].T),
    "a place beyond the end": (CUBE, PictureSlice(0, {1: 9}), CUBE[:, 2, :]),
    "a matrix": (CUBE[0], PictureSlice(0), CUBE[0]),
    "a matrix on its side": (CUBE[0], PictureSlice(1), CUBE[0].T),
    "single values": (CUBE[0, 0], PictureSlice(0), CUBE[0, 0, :, np.newaxis]),
    "one number": (np.array(5), PictureSlice(0), np.array([[5]])),
}


@pytest.mark.parametrize(("values", "cut", "matrix"), CUTS.values(), ids=CUTS)
def test_rows_and_columns_are_those_of_the_cut(values: np.ndarray, cut: PictureSlice, matrix: np.ndarray) -> None:
    assert matrix_of(picture(values), cut).tolist() == matrix.tolist()


WORDS = {
    "one value per example": (np.array([0.5, -0.25]), PictureSlice(0), (1, 0), "example 1: -0.25"),
    "a feature of an example": (np.array([[1.0, 2.0]]), PictureSlice(0), (0, 1), "example 0, feature 1: 2"),
    "NaN": (np.array([[np.nan]]), PictureSlice(0), (0, 0), "example 0, feature 0: NaN"),
    "a truth value": (np.array([[True]]), PictureSlice(0), (0, 0), "example 0, feature 0: True"),
    "more axes": (CUBE, PictureSlice(0, {1: 2}), (1, 3), "example 1, axis 1 at 2, axis 2 at 3: 23"),
    "rows that are no examples": (CUBE, PictureSlice(1), (2, 0), "axis 1 at 2, axis 0 at 0, axis 2 at 0: 8"),
}


@pytest.mark.parametrize(("values", "cut", "cell", "words"), WORDS.values(), ids=WORDS)
def test_a_cell_is_reported_in_words(values: np.ndarray, cut: PictureSlice, cell: tuple[int, int], words: str) -> None:
    assert cell_words(picture(values), cut, *cell) == words


# -- the scale of the values and its colours --------------------------------------------------------------------------


MANY = np.linspace(0.0, 2.0, 100).reshape(50, 2)
SCALES = {
    "signed values are centred on zero": ([np.array([-1.0, 3.0])], Scale("diverging", -3.0, 3.0)),
    "few values without a sign may have one": ([np.array([1.0, 3.0])], Scale("diverging", -3.0, 3.0)),
    "many values without a sign have none": ([MANY], Scale("sequential", 0.0, 2.0)),
    "counts start at zero": ([np.array([2, 9])], Scale("sequential", 0.0, 9.0)),
    "signed integers": ([np.array([-2, 1])], Scale("diverging", -2.0, 2.0)),
    "truth values": ([np.array([True, False])], Scale("two-valued", 0.0, 1.0)),
    "two pictures share one scale": ([MANY, np.array([-5.0, 1.0])], Scale("diverging", -5.0, 5.0)),
    "nothing but zeros": ([np.zeros((9, 9))], Scale("sequential", 0.0, 1.0)),
    "no picture": ([], Scale("diverging", -1.0, 1.0)),
}


@pytest.mark.parametrize(("arrays", "scale"), SCALES.values(), ids=SCALES)
def test_scale_fits_the_values(arrays: list[np.ndarray], scale: Scale) -> None:
    assert scale_of([picture(array) for array in arrays]) == scale


def test_curves_without_a_negative_value_begin_at_zero() -> None:
    few, signed = picture(np.array([1.0, 3.0])), picture(np.array([-1.0, 2.0]))
    assert (scale_of_curves([few]).low, scale_of_curves([few]).high) == (0.0, 3.0)
    assert (scale_of_curves([few, signed]).low, scale_of_curves([few, signed]).high) == (-3.0, 3.0)


def test_differences_are_centred_on_zero_always() -> None:
    assert scale_of([picture(MANY, role="difference")]).kind == "diverging"


def test_levels_put_zero_in_the_middle_and_separate_nan() -> None:
    values = np.array([-2.0, 0.0, 2.0, 9.0, np.nan, np.inf], np.float32)
    assert levels(values, Scale("diverging", -2.0, 2.0)).tolist() == [0, 128, 255, 255, NOT_FINITE, NOT_FINITE]


def test_levels_of_the_largest_numbers_do_not_overflow() -> None:
    largest = np.finfo(np.float64).max
    assert levels(np.array([-largest, largest]), Scale("diverging", -largest, largest)).tolist() == [0, 255]


def lightness(table: np.ndarray) -> np.ndarray:
    """Return CIE L* of pixels 0xffRRGGBB."""
    channels = np.stack([(table >> shift) & 255 for shift in (16, 8, 0)], 1) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return 116 * np.cbrt(linear @ [0.2126, 0.7152, 0.0722]) - 16


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("kind", ["diverging", "sequential"])
def test_lightness_alone_shows_how_far_a_value_is_from_zero(theme: Theme, kind: Kind) -> None:
    away_from_paper = lightness(colour_table(kind, theme)[:256]) * (1 if theme.dark else -1)
    arms = [away_from_paper] if kind == "sequential" else [away_from_paper[127::-1], away_from_paper[128:]]
    for arm in arms:
        assert np.all(np.diff(arm) > -0.5)
        assert arm[-1] - arm[0] > 60


def test_truth_values_have_two_colours() -> None:
    assert len(np.unique(colour_table("two-valued", LIGHT)[:256])) == 2
