from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from views.story.vote_bars import _in_lines
from views.theme import LIGHT

WORDS = "sample(jax.random.key(0), shape=(1000, 3)) draws three numbers for each of a thousand examples"


@pytest.mark.parametrize("width", range(60, 700, 7))
def test_no_line_is_cut_while_there_are_further_lines(qapp: QApplication, width: int) -> None:
    metrics = QFontMetricsF(LIGHT.font())
    lines = _in_lines(WORDS, metrics, width, 100)
    assert max(map(metrics.horizontalAdvance, lines)) <= width
    assert "".join(lines).replace(" ", "") == WORDS.replace(" ", "")


@pytest.mark.parametrize("width", [0, 20, 60, 200])
def test_only_the_last_line_is_cut_where_there_are_no_more(qapp: QApplication, width: int) -> None:
    lines = _in_lines(WORDS, QFontMetricsF(LIGHT.font()), width, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…") or not width
