"""Batches of images are distinguished from other arrays, and shown pixel by pixel."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.messages import Picture
from tests.views.made import hold, picture
from views.noise.arrays.heat_colours import Scale, colour_table, levels, scale_of
from views.noise.arrays.picture_choice import PictureSlice
from views.noise.pages.gallery import LEAST_TILE, Gallery, tiles_for
from views.noise.pages.image_batch import ImageAxes, Tones, image_axes, images_of, pixels_of, tones_of
from views.noise.pages.page import PictureView
from views.theme import LIGHT, apply_to_tree

RANDOM = np.random.default_rng(0)
GREY = RANDOM.normal(size=(12, 8, 10)).astype(np.float32)
COLOUR = RANDOM.uniform(size=(5, 8, 8, 3)).astype(np.float32)

SHAPES = {
    "greys": ((32, 28, 28), 0, ImageAxes(1, 2, None)),
    "colours last": ((32, 28, 28, 3), 0, ImageAxes(1, 2, 3)),
    "colours first": ((32, 3, 28, 28), 0, ImageAxes(2, 3, 1)),
    "one channel": ((32, 28, 28, 1), 0, ImageAxes(1, 2, 3)),
    "with transparency": ((4, 16, 16, 4), 0, ImageAxes(1, 2, 3)),
    "examples on another axis": ((28, 32, 28), 1, ImageAxes(0, 2, None)),
    "rows of features": ((32, 10), 0, None),
    "long and thin": ((32, 8, 100), 0, None),
    "too small": ((32, 4, 4), 0, None),
    "two channels": ((32, 28, 28, 2), 0, None),
    "five axes": ((2, 2, 28, 28, 3), 0, None),
    "one number": ((), 0, None),
}


@pytest.mark.parametrize(("shape", "axis", "axes"), SHAPES.values(), ids=SHAPES)
def test_images_are_recognised_by_their_shape(shape: tuple[int, ...], axis: int, axes: ImageAxes | None) -> None:
    assert image_axes(shape, axis) == axes


def test_images_lie_in_order_wherever_the_colours_are() -> None:
    first = picture(COLOUR.transpose(0, 3, 1, 2))
    axes = image_axes(first.shape, 0)
    assert images_of(first, 0, axes).tolist() == COLOUR.tolist()


TONES = {
    "bytes": (np.array([0, 255], np.uint8), Tones(0, 255)),
    "shares": (np.array([0.2, 0.9]), Tones(0, 1)),
    "noise": (np.array([-2.0, 3.0]), Tones(-2, 3)),
    "one value": (np.array([5.0, 5.0]), Tones(5, 6)),
}


@pytest.mark.parametrize(("values", "tones"), TONES.values(), ids=TONES)
def test_tones_suit_the_values(values: np.ndarray, tones: Tones) -> None:
    assert tones_of(picture(values)) == tones


def test_pixels_are_the_values() -> None:
    scale, table = Scale("diverging", -3, 3), colour_table("diverging", LIGHT)
    grey = GREY[0][..., np.newaxis]
    assert pixels_of(grey, scale, table, Tones(0, 1)).tolist() == table[levels(GREY[0], scale)].tolist()
    red = np.array([[[1.0, 0.0, 0.5]]])
    assert pixels_of(red, scale, table, Tones(0, 1)).tolist() == [[0xFFFF0080]]


@pytest.mark.parametrize("count", [1, 2, 7, 32, 500])
@pytest.mark.parametrize("size", [(380.0, 150.0), (1200.0, 700.0)])
def test_tiles_do_not_overlap_and_fit_where_they_can(count: int, size: tuple[float, float]) -> None:
    tiles = tiles_for(count, 1.5, *size, 12.0, 5.0)
    places = [tiles.place(number) for number in range(count)]
    assert not any(one.intersects(other) for one, other in itertools.pairwise(places))
    assert max(place.right() for place in places) <= size[0] + 1
    side = max(tiles.width, tiles.height)
    assert side >= LEAST_TILE
    assert side == LEAST_TILE or max(place.bottom() for place in places) <= size[1] + 1


def gallery_of(qtbot: QtBot, shown: Picture) -> Gallery:
    gallery = hold(qtbot, Gallery(), 420, 320)
    apply_to_tree(gallery, LIGHT)
    gallery.show_view(PictureView(shown, "images", PictureSlice(), scale_of([shown]), shown.groups.numpy()))
    gallery.grab()
    return gallery


def test_every_pixel_has_the_colour_of_its_value(qtbot: QtBot) -> None:
    shown = picture(GREY)
    gallery = gallery_of(qtbot, shown)
    image, place = gallery.grab().toImage(), gallery.tiles().place(3).translated(2, 2)
    table, scale = colour_table("diverging", LIGHT), scale_of([shown])
    for down, right in ((2, 3), (5, 7), (6, 1)):
        x = place.left() + (right + 0.5) * place.width() / 10
        y = place.top() + (down + 0.5) * place.height() / 8
        expected = QColor.fromRgb(int(table[levels(GREY[3, down, right], scale)]))
        assert image.pixelColor(int(x), int(y)) == expected


def test_equal_images_carry_one_letter_and_more_than_fit_are_scrolled_to(qtbot: QtBot) -> None:
    gallery = gallery_of(qtbot, picture(COLOUR, groups=[0, 1, 0, 2, 1]))
    assert [gallery.letters.of(place) for place in range(5)] == ["A", "B", "A", "", "B"]
    gallery = gallery_of(qtbot, picture(np.zeros((2000, 8, 8))))
    assert "Scroll to see all 2,000." in gallery.notes
    before = gallery.grab().toImage()
    qtbot.keyClick(gallery, Qt.Key.Key_End)
    assert gallery.grab().toImage() != before


def test_mouse_and_keys_choose_images(qtbot: QtBot) -> None:
    gallery = gallery_of(qtbot, picture(GREY))
    at = gallery.tiles().place(5).translated(2, 2).center().toPoint()
    with qtbot.waitSignal(gallery.row_chosen) as chosen:
        qtbot.mouseClick(gallery, Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == [5]
    with qtbot.waitSignal(gallery.row_chosen) as chosen:
        qtbot.keyClick(gallery, Qt.Key.Key_Right)
    assert chosen.args == [6]


def test_an_image_with_nan_carries_a_cross(qtbot: QtBot) -> None:
    odd = np.zeros((4, 8, 8))
    plain = gallery_of(qtbot, picture(odd)).grab().toImage()
    odd[2, 4, 4] = np.nan
    gallery = gallery_of(qtbot, picture(odd))
    assert gallery.grab().toImage() != plain
    assert "×" in gallery.notes
