"""Ticks of a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPen

from views.theme import Theme

Words = Callable[[float], str]
"""Says a value in words, for a tick."""

SUBDIVISIONS = (2, 5)
FEWEST = 2
"""The fewest visible ticks at powers of ten and at 2 and 5 times these; with fewer, closer ticks are used."""

GAP_PX = 6


def without_overlaps(
    places: Sequence[tuple[float, str]], pixels: float, width: Callable[[str], float]
) -> list[tuple[float, str]]:
    """Return `places` without the texts that would cover the previous one; the last one always stays.

    `pixels` is the length of the axis from 0 to 1, `width` returns the pixels of a text.
    """
    labelled = list(places)
    ends = -math.inf
    last = len(places) - 1
    last_starts = (places[last][0] * pixels - width(places[last][1]) / 2) if places else 0.0
    for number, (place, text) in enumerate(places):
        start, end = place * pixels - width(text) / 2, place * pixels + width(text) / 2
        if number != last and (start < ends + GAP_PX or end > last_starts - GAP_PX):
            labelled[number] = (place, "")
        else:
            ends = end
    return labelled


def dress(axis: pg.AxisItem, theme: Theme) -> None:
    """Apply the colours and sizes of `theme` to `axis`."""
    axis.setPen(QPen(QColor(theme.dim), 1))
    axis.setTextPen(QColor(theme.text))
    axis.setTickFont(theme.font(0.9))
    axis.setStyle(tickTextOffset=theme.px(4), tickLength=-theme.px(4))


class LogAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks at powers of ten, and at 2 and 5 between them where few powers are in sight."""

    def __init__(self, orientation: str, words: Words) -> None:
        super().__init__(orientation)
        self._words = words
        self._room_px = 40
        self._places: list[tuple[float, str]] | None = None
        self.enableAutoSIPrefix(False)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        metrics = QFontMetrics(theme.font(0.9))
        across = self.orientation == "bottom"
        self._room_px = metrics.horizontalAdvance("1,000,000") if across else metrics.height() * 4 // 3
        dress(self, theme)

    def show_ticks(self, places: Sequence[tuple[float, str]]) -> None:
        """Put ticks at these places only, from left to right."""
        self._places = list(places)
        self.picture = None
        self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N802, N803
        if self._places is not None:
            return [(1.0, [place for place, _ in self._places])]
        powers = range(math.floor(minVal), math.ceil(maxVal) + 1)
        texts = max(1.0, size / self._room_px)
        every = math.ceil((maxVal - minVal) / texts)
        if 3 * (maxVal - minVal) > texts:
            return [(float(every), [float(power) for power in powers if power % every == 0])]
        between = [power + math.log10(each) for power in powers for each in SUBDIVISIONS]
        if sum(minVal <= each <= maxVal for each in (*powers, *between)) < FEWEST:
            # An axis without a number would not say how large anything is.
            return [(0.1, _close(minVal, maxVal, min(texts, 5.0)))]
        return [(1.0, [float(power) for power in powers]), (0.3, between)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: N802, ARG002
        if self._places is None:
            return [self._words(10.0**value) for value in values]
        pixels = self.size().width() / max(self.range[1] - self.range[0], 1e-9)
        metrics = QFontMetrics(self.style["tickFont"] or QFont())
        texts = dict(without_overlaps(self._places, pixels, metrics.horizontalAdvance))
        return [texts.get(value, "") for value in values]


def _close(low: float, high: float, texts: float) -> list[float]:
    """Return the places of some equally spaced round values between those of `low` and `high`."""
    least, most = 10.0**low, 10.0**high
    least_distance = max((most - least) / max(texts, 1.0), least * 1e-6)
    power = 10.0 ** math.floor(math.log10(least_distance))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least_distance)
    return [math.log10(number * step) for number in range(math.ceil(least / step), math.floor(most / step) + 1)]
