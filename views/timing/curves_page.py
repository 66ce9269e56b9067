"""CurvesPage: the medians of every curve over the swept parameter, the floor below them, the legend."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series, is_unstable, tick_text
from explorer.messages import Measurement, Value
from views.parts.controls import fill, scrolled
from views.parts.legend import Legend, LegendEntry
from views.theme import Theme, Themed
from views.timing.log_plot import FLOOR_DASH, LogPlot
from views.timing.plot_items import Line, Values
from views.timing.series_look import NOBODY, LineSample, Names, legend, look
from views.timing.timing_words import TimingWords

LEGEND_SHARE, LEGEND_ON_STAGE = 0.3, 0.4
"""The largest share of the height for the legend; an audience cannot scroll what is cut."""
FEW_ENTRIES = 320
"""Pixels, at text size 1: a lower page has no entries for what stands at the end of each line."""
MARGIN_PX = 8
SAMPLE_PX, LEGEND_TEXT = 26, 0.95
"""Pixels of a sample in the legend, at text size 1; the size of its words, relative to the interface's."""


class CurvesPage(Themed, QWidget):
    """Curves, and the legend below, with a ring around the selected point.

    Signals:
        point_chosen: (Series, Value) of the point that was clicked or gone to by the arrow keys.
        hover_text: the text of the hovered point; empty for none.
    """

    point_chosen = Signal(object)
    hover_text = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.plot = LogPlot("{:g}".format, tick_text)
        self.plot.setAccessibleName(self.tr("Time of a call over the parameter"))
        self.legend = Legend(SAMPLE_PX, LEGEND_TEXT)
        self._scroll = scrolled(self.legend)
        self._scroll.setViewportMargins(MARGIN_PX, 0, 0, MARGIN_PX // 2)
        fill(QVBoxLayout(self), (self.plot, 1), self._scroll)
        self._words = TimingWords()
        self._figures = Figures.of(())
        self._strong = NOBODY
        self._samples: dict[str, LineSample] = {}
        self._ringed: tuple[Series, Value] | None = None
        self.plot.point_chosen.connect(self._on_point_chosen)
        self.plot.hover_text.connect(self.hover_text)

    def show_figures(self, figures: Figures) -> None:
        """Draw every curve of `figures`."""
        self._figures = figures
        self._refresh()

    def show_strong(self, variants: Names) -> None:
        """Draw the curves of `variants` stronger than the others."""
        if variants != self._strong:
            self._strong = variants
            self._refresh()

    def show_point(self, key: tuple[Series, Value] | None) -> None:
        """Ring the point `key`, if it is drawn; None for none."""
        self._ringed = key
        drawn = drawn_series(self._figures)
        is_drawn = key is not None and key[0] in drawn
        place = (drawn.index(key[0]), self._figures.values.index(key[1])) if key is not None and is_drawn else None
        self.plot.show_ring(place)

    def apply_theme(self, _theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._refresh()

    def take_legend(self) -> Legend:
        """Show the plot alone from now on, and return its whole legend."""
        self.legend.show_entries(_entries(self._samples))
        self._scroll.setWidgetResizable(False)
        self._scroll.hide()
        return self.legend

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _refresh(self) -> None:
        figures, theme, words = self._figures, self.theme, self._words
        self.plot.show_labels(figures.swept, self.tr("time of a call"))
        self.plot.x_axis.show_ticks(ticks(figures.values) if figures.swept else [(0.0, "")])
        self._samples = legend(figures, theme, self._strong)
        self.plot.show_lines(curves(figures, theme, words, self._strong))
        floor_s = figures.floor_s
        if self.plot.show_floor(math.log10(floor_s) if floor_s else None) and floor_s:
            self._samples[words.floor(floor_s)] = LineSample(theme.dim, dash=FLOOR_DASH)
        self._share_height()
        self.show_point(self._ringed)

    def _share_height(self) -> None:
        """Leave most of the height to the plot; a long legend is scrolled."""
        is_low = self.height() < self.theme.px(FEW_ENTRIES)
        named = {words: each for words, each in self._samples.items() if each.symbol or not is_low}
        self.legend.show_entries(_entries(named or self._samples))
        wanted = self.legend.heightForWidth(self.width() - MARGIN_PX) + MARGIN_PX // 2
        room = round(self.height() * (LEGEND_ON_STAGE if self.theme.on_stage else LEGEND_SHARE))
        self._scroll.setFixedHeight(min(wanted, room))
        # A bar that was needed once narrows the legend, which then always needs it.
        policy = Qt.ScrollBarPolicy
        self._scroll.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if wanted <= room else policy.ScrollBarAsNeeded
        )

    def _on_point_chosen(self, line_and_point: tuple[int, int]) -> None:
        line, point = line_and_point
        self.point_chosen.emit((drawn_series(self._figures)[line], self._figures.values[point]))


def _entries(samples: Mapping[str, LineSample]) -> list[LegendEntry]:
    return [LegendEntry(words, sample) for words, sample in samples.items()]


def places(values: tuple[Value, ...]) -> list[float]:
    """Return the position of each value on the axis: its logarithm, or its index where it has none."""
    positive = all(isinstance(each, int | float) and not isinstance(each, bool) and each > 0 for each in values)
    return [math.log10(each) for each in values] if positive else [float(each) for each in range(len(values))]  # type: ignore[arg-type]


def ticks(values: tuple[Value, ...]) -> list[tuple[float, str]]:
    """Return a tick at each value, with its text."""
    return [(place, _short(value)) for place, value in zip(places(values), values, strict=True)]


def _short(value: Value) -> str:
    """Return `value` as a short tick label: ``10k``, ``1M``."""
    if isinstance(value, int) and not isinstance(value, bool):
        for size, letter in ((1_000_000, "M"), (1_000, "k")):
            if abs(value) >= 10_000 and value % size == 0:
                return f"{value // size}{letter}"
    return str(value)


def drawn_series(figures: Figures) -> list[Series]:
    """Return the series that have a curve, the highest first."""
    drawn = [series for series in figures.series if _heights(figures, series)]
    return sorted(drawn, key=lambda series: -_heights(figures, series)[-1])


def curves(figures: Figures, theme: Theme, words: TimingWords, strong: Names = NOBODY) -> list[Line]:
    """Return the medians of each of `drawn_series` over the values, quartiles as bars.

    The curves of the variants in `strong` are drawn stronger.
    """
    xs = np.array(places(figures.values))
    return [_curve(figures, series, xs, theme, words, strong) for series in drawn_series(figures)]


def _heights(figures: Figures, series: Series) -> list[float]:
    points = [figures.points.get((series, value)) for value in figures.values]
    return [point.median_s for point in points if point is not None and point.median_s]


def _curve(figures: Figures, series: Series, xs: Values, theme: Theme, words: TimingWords, strong: Names) -> Line:
    points = [figures.points.get((series, value)) for value in figures.values]
    q1, middle, q3 = (_logarithms(points, name) for name in ("q1_s", "median_s", "q3_s"))
    return Line(
        xs=xs,
        ys=middle,
        reach=(middle - q1, q3 - middle),
        hollow=np.array([point is not None and is_unstable(point) for point in points]),
        says=lambda number: words.point(figures, series, figures.values[number]),
        strong=series.variant in strong,
        end=words.end(figures, series) or _name_at_end(figures, series),
        **look(figures, series, theme),
    )


def _name_at_end(figures: Figures, series: Series) -> str:
    """Return the label at the end of the curve: its name, or its transforms where another curve has its variant."""
    if not figures.swept:
        return series.label
    ways = {each.transforms for each in figures.series if each.owner == series.owner}
    return " + ".join(series.transforms) if len(ways) > 1 else ""


def _logarithms(points: list[Measurement | None], name: str) -> Values:
    found = [getattr(point, name) if point is not None else None for point in points]
    return np.array([math.log10(each) if each else math.nan for each in found])
