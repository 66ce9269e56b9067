"""An icicle of very many levels as an image: a row of pixels for each level."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QColor, QImage

from explorer.figures.forest.collapsing import Booleans
from views.keys.forest.screen import Screen
from views.keys.painting.columns import GRAVITY, RANK, Ranks, worst_by_column
from views.keys.painting.symbols import many_brush
from views.theme import Theme

LEAST_WIDTH = 4.0
"""Pixels from which on a key is separated from its left neighbour by an empty column."""
LIT = len(GRAVITY) + 1
"""The rank of marked keys, above all others."""


def overview(screen: Screen, theme: Theme, marked: Booleans) -> QImage:
    """Return an image of the visible levels, one pixel high each and as wide as the screen.

    Each pixel has the colour of the worst of its keys; marked keys take precedence.
    """
    ranks = np.stack([_level(screen, level, marked) for level in screen.level_range])
    pixels = np.ascontiguousarray(_colours(theme)[ranks])
    height, width = pixels.shape
    image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
    return image.copy()


def _level(screen: Screen, level: int, marked: Booleans) -> Ranks:
    """Return int8[pixels]: the rank that each pixel of a level shows, 0 for none."""
    layout = screen.layout
    places = layout.between(level, *screen.slots)
    left, right = screen.x(layout.left[places]), screen.x(layout.right[places])
    rank = np.where(marked[places], LIT, RANK[layout.state[places]]).astype(np.int8)
    shown = worst_by_column(left, right, rank, screen.width, 1.0)
    begins = left[(right - left >= LEAST_WIDTH) & (left > 0) & (left < shown.size)]
    shown[begins.astype(np.int64)] = 0
    return shown


def _colours(theme: Theme) -> npt.NDArray[np.uint32]:
    """Return uint32[ranks]: the ARGB colour of each rank; none for rank 0."""
    states = [many_brush(theme, state).color().rgba() for state in GRAVITY]
    return np.array([0, *states, QColor(theme.focus).rgba()], np.uint32)
