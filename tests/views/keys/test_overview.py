from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.layout import lay_out
from tests.views.keys.key_notation import key_graph
from views.keys.forest.screen import Extent, Screen, Viewport
from views.keys.painting.icicle import overview
from views.theme import LIGHT


@pytest.fixture
def screen() -> Screen:
    """Two levels: a split key, and 900 keys drawn once with one reused in their middle."""
    children = ["draw"] * 450 + ["draw x2"] + ["draw"] * 449
    layout = lay_out(KeyIndex(key_graph(f"seed 1 > split 900 > [{', '.join(children)}]")))
    return Screen(layout, Viewport.whole(layout), 300, 200, Extent.of(layout), 1.0, "icicle")


def test_each_level_is_a_row_in_which_the_worst_key_is_seen(qtbot: QtBot, screen: Screen) -> None:
    image = overview(screen, LIGHT, np.zeros(901, bool))
    assert (image.width(), image.height()) == (300, 2)
    middle = int(screen.x(float(screen.layout.left[451])))
    assert image.pixelColor(middle, 1) == QColor(LIGHT.bug)
    assert image.pixelColor(middle + 20, 1) == QColor(LIGHT.good)
    assert image.pixelColor(2, 1).alpha() == 0


def test_marked_keys_outshine_the_others(qtbot: QtBot, screen: Screen) -> None:
    marked = np.zeros(901, bool)
    marked[100] = True
    image = overview(screen, LIGHT, marked)
    assert image.pixelColor(int(screen.x(float(screen.layout.left[100]))), 1) == QColor(LIGHT.focus)
