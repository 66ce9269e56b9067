from __future__ import annotations

import numpy as np
from pytestqt.qtbot import QtBot

from explorer.messages import Report, Snapshot
from tests.views.noise.test_noise_view import picture, report, snapshot
from views.noise import paper
from views.noise.noise_view import NoiseView
from views.theme import LIGHT


def shown(qtbot: QtBot, *reports: Report) -> tuple[NoiseView, Snapshot]:
    found = snapshot(*reports)
    view = NoiseView()
    qtbot.addWidget(view)
    view.show_snapshot(found)
    return view, found


def test_a_caption_names_the_array_where_there_are_several(qtbot: QtBot) -> None:
    several = report("a", picture(np.eye(3), "3 examples", "output['x']"))
    alone = report("b", picture(np.eye(3), "3 examples"))
    first, second = paper.drawings(*shown(qtbot, several, alone), LIGHT)
    assert first.caption.startswith("output['x']: 3 examples.")
    assert second.caption.startswith("3 examples.")
    assert first.has_cells


def test_a_line_has_no_cells_and_takes_the_colours_of_a_dark_page(qtbot: QtBot) -> None:
    (line,) = paper.drawings(*shown(qtbot, report("a", picture(np.arange(5.0), "5 values"))), LIGHT)
    assert not line.has_cells


def test_what_has_no_picture_is_reported_in_words(qtbot: QtBot) -> None:
    value = report("a", picture(np.array(True), "one value: True", "output['deleted']"))
    view, found = shown(qtbot, value, report("b"))
    texts = paper.instead(view, found, LIGHT)
    assert texts[0] == "a: output['deleted']: one value: True."
    assert texts[1].startswith("b: ")
    assert paper.drawings(view, found, LIGHT) == ()
