"""The lines of the timing plot: medians over the swept parameter."""

from __future__ import annotations

import math

import numpy as np

from explorer.figures.curves import Figures, Series, is_unstable
from explorer.messages import Measurement, Value
from views.theme import Theme
from views.timing.log_plot.plot_items import Line, Values
from views.timing.series_look import NOBODY, Names, look, names_of
from views.timing.timing_words import TimingWords


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


def drawn_series(figures: Figures, hidden: Names = NOBODY) -> list[Series]:
    """Return the series that have a curve, the highest first; those that go by a name in `hidden` have none."""
    shown = [series for series in figures.series if not names_of(series, figures) & hidden]
    drawn = [series for series in shown if _heights(figures, series)]
    return sorted(drawn, key=lambda series: -_heights(figures, series)[-1])


def curves(
    figures: Figures, theme: Theme, words: TimingWords, strong: Names = NOBODY, hidden: Names = NOBODY
) -> list[Line]:
    """Return the medians of each of `drawn_series` over the values, quartiles as bars.

    The curves of the variants in `strong` are drawn stronger.
    """
    xs = np.array(places(figures.values))
    return [_curve(figures, series, xs, theme, words, strong) for series in drawn_series(figures, hidden)]


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
