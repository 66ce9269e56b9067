"""look() of a curve: colour by transform for one variant, by variant for several, symbol; legend() of all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.figures.curves import Figures, Series, doubt
from views.theme import Theme, blended

STRONG = 1.75
"""The factor of the width of a highlighted line."""

PALE = {"eager": 0.7, "vmap": 0.85}
"""How much of its colour a curve of these transforms has, over the background: those of jit have all of it."""
DEEP = {"jit(vmap)": 0.6}
"""The same over the colour of the text."""
LONE = {"jit": 0, "eager": 1, "vmap": 3, "jit(vmap)": 2, "loop": 1}
"""The number of the colour of each transform where there is one variant: jit is blue and eager orange."""
WORDS_SHARE = 0.65
"""How much of the colour of their curve words have, over that of the text: slanted ones need a contrast of 5 to 1."""
Names = frozenset[str]
NOBODY: Names = frozenset()


def look(figures: Figures, series: Series, theme: Theme) -> dict[str, Any]:
    """Return colour and symbol of the curve of `series`; an unreliable curve has no colour."""
    number = figures.owners.index(series.owner)
    if doubt(figures, series):
        colour = shade(theme.dim, series.transforms, theme)
    elif is_lone(figures):
        colour = theme.series_colour(LONE.get(series.transforms[-1], 0))
    else:
        colour = shade(theme.series_colour(number), series.transforms, theme)
    return {"colour": colour, "symbol": theme.symbol(number)}


def shade(colour: str, transforms: Sequence[str], theme: Theme) -> str:
    """Return `colour` in the shade of `transforms`."""
    made = transforms[-1]
    if made in PALE:
        return blended(colour, theme.background, PALE[made]).name()
    return blended(colour, theme.text, DEEP[made]).name() if made in DEEP else colour


def is_lone(figures: Figures) -> bool:
    """Return whether there is one variant on one device, so that transforms alone name the curves."""
    return len(figures.owners) <= 1


class LineSample(msgspec.Struct, frozen=True):
    """A piece of some lines: their colour and symbol, their dash, or all of them."""

    colour: str
    symbol: str = ""
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine
    strong: bool = False
    """Whether they are highlighted."""

    def draw(self, painter: QPainter, theme: Theme, room: QRectF) -> None:
        painter.setPen(QPen(QColor(self.colour), theme.line_width * (STRONG if self.strong else 1), self.dash))
        painter.drawLine(QPointF(room.left(), room.center().y()), QPointF(room.right(), room.center().y()))
        if self.symbol:
            painter.save()
            painter.translate(room.center())
            drawSymbol(painter, self.symbol, theme.px(9), pg.mkPen(None), pg.mkBrush(self.colour))
            painter.restore()


def legend(figures: Figures, theme: Theme, strong: Names = NOBODY) -> dict[str, LineSample]:
    """Return the legend of the curves: a sample for each word; those of the variants in `strong` are highlighted."""
    entries: dict[str, LineSample] = {}
    first = next(iter(figures.series), None)
    symbol = theme.symbol(0) if is_lone(figures) else ""
    if not is_lone(figures):
        for number, owner in enumerate(figures.owners):
            bold = any(series.variant in strong for series in figures.series if series.owner == owner)
            entries[owner] = LineSample(theme.series_colour(number), theme.symbol(number), strong=bold)
    ways = dict.fromkeys(series.transforms for series in figures.series)
    # A transform that all curves share does not distinguish them.
    for made in ways if is_lone(figures) or len(ways) > 1 else ():
        one = next((series for series in figures.series if series.transforms == made), first)
        colour = look(figures, one, theme)["colour"] if one and is_lone(figures) else shade(theme.text, made, theme)
        bold = is_lone(figures) and one is not None and one.variant in strong
        entries[" + ".join(made)] = LineSample(colour, symbol, strong=bold)
    return entries
