"""Words next to a curve are legible in every theme, also where the curve is pale."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor

from tests.views.contrast import contrast
from views.theme import THEMES, ThemeName
from views.timing.series_look import of_words, shade


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("transform", ["eager", "vmap", "jit", "jit(vmap)"])
def test_words_next_to_a_curve_are_read(name: ThemeName, transform: str) -> None:
    theme = THEMES[name]
    for colour in (*theme.series, theme.bug, theme.dim):
        words = of_words(shade(colour, (transform,), theme), theme)
        assert contrast(words, QColor(theme.background)) > 5
