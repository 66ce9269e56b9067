"""DrawnLine, LogAxis: lines with points and bars, words at their ends, ticks of logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPen

from views.theme import Theme, blended
from views.timing.series_look import STRONG, WORDS_SHARE

Words = Callable[[float], str]
"""Says a value in words, for a tick."""

SUBDIVISIONS = (2, 5)
FEWEST = 2
"""The fewest visible ticks at powers of ten and at 2 and 5 times these; with fewer, closer ticks are used."""

TICK_GAP_PX = 6


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
        if number != last and (start < ends + TICK_GAP_PX or end > last_starts - TICK_GAP_PX):
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
        # One level: of a second one pyqtgraph drops the words where letters are large.
        return [(0.3, [*map(float, powers), *between])]

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


Values = npt.NDArray[np.float64]

GAP_PX = 9
FURTHEST = 1.25
"""The most of their own height by which words stand above or below the end of their line."""
PAPER = 200
"""Opacity of the ground under words, of 255."""


class Line(msgspec.Struct, frozen=True):
    """One curve with its points. Coordinates are logarithms to base 10; a NaN in `ys` is a gap."""

    xs: Values
    ys: Values
    says: Callable[[int], str]
    """Returns the hover text of a point by its number."""
    colour: str
    symbol: str
    """One of pyqtgraph's."""
    reach: tuple[Values, Values]
    """How far the error bar of each point reaches down and up."""
    hollow: npt.NDArray[np.bool_]
    """Points with uncertain figures."""
    strong: bool = False
    end: str = ""
    """A few words at the last point: why the curve ends there."""

    def pen(self, theme: Theme) -> QPen:
        """Return a pen of the line's colour and strength."""
        return pg.mkPen(self.colour, width=theme.line_width * (STRONG if self.strong else 1.0))  # type: ignore[no-any-return]


class DrawnLine:
    """The plot items of one line."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._bars = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0))
        self._curve = pg.PlotCurveItem(antialias=True)
        self._points = pg.ScatterPlotItem(antialias=True)
        self.end = pg.TextItem(anchor=(0.0, 0.5))
        # A margin would cover the words above and below.
        self.end.textItem.document().setDocumentMargin(0)
        self._anchor = (0.0, 0.5)
        self.has_end = False
        """Whether there are words at the end, if there is room for them."""
        for item in (self._bars, self._curve, self._points):
            plot.addItem(item)
        plot.addItem(self.end, ignoreBounds=True)

    def show(self, line: Line | None, theme: Theme) -> None:
        """Draw the points of `line`; None clears the items."""
        if line is None:
            self._curve.setData([], [])
            self._points.setData(x=[], y=[])
            self._bars.hide()
            self.end.hide()
            self.has_end = False
            return
        pen = line.pen(theme)
        self._curve.setData(line.xs, line.ys, pen=pen, connect="finite")
        self._show_end(line, theme)
        there = np.isfinite(line.ys)
        brushes = [QColor(theme.background if each else line.colour) for each in line.hollow[there]]
        self._points.setData(
            x=line.xs[there], y=line.ys[there], symbol=line.symbol, size=theme.px(9), pen=pen, brush=brushes
        )
        bottom, top = (each[there] for each in line.reach)
        self._bars.setData(x=line.xs[there], y=line.ys[there], top=top, bottom=bottom, pen=pen, beam=0.0)
        # Bars without a point would count as one at the origin when the axes look for their range. New data show them.
        self._bars.setVisible(bool(there.any()))

    def _show_end(self, line: Line, theme: Theme) -> None:
        finite = np.flatnonzero(np.isfinite(line.ys))
        self.has_end = bool(line.end) and bool(finite.size)
        self.end.setVisible(self.has_end)
        if self.has_end:
            self.end.setFont(theme.font(0.85, italic=True))
            last = finite[-1]
            gap = theme.px(GAP_PX) / max(1, QFontMetrics(theme.font(0.85, italic=True)).horizontalAdvance(line.end))
            self._anchor = (-gap, 0.5)
            self.end.setAnchor(self._anchor)
            # Other lines may pass there.
            paper = QColor(theme.background)
            paper.setAlpha(PAPER)
            self.end.fill = QBrush(paper)
            self.end.setText(line.end, blended(line.colour, theme.text, WORDS_SHARE))
            self.end.setPos(line.xs[last], line.ys[last])

    @property
    def words(self) -> str:
        return str(self.end.toPlainText())

    def shift_end(self, pixels: float | None) -> None:
        """Move the words at the end up; None where there is no room for them."""
        self.end.setVisible(pixels is not None)
        if pixels is not None:
            self.end.setAnchor((self._anchor[0], self._anchor[1] + pixels / self.end.boundingRect().height()))


def shifts_with_room(
    places: Sequence[tuple[float, float]], height: float, room: tuple[float, float]
) -> list[float | None]:
    """Return how many pixels up to move each text so that none covers another one at its x; None without room near it.

    `places` are (x, pixels upwards). Earlier texts stay nearer to their places. Places out of sight take no room.
    """
    found: list[float | None] = []
    taken: list[tuple[float, float]] = []
    for x, y in places:
        if not room[0] - height <= y <= room[1] + height:
            found.append(0.0)
            continue
        others = [there for other, there in taken if other == x]
        tried = [max(room[0], min(room[1], y)), *(there + step for there in others for step in (-height, height))]
        free = [each for each in tried if all(abs(each - there) > height - 1 for there in others)]
        near = [each for each in free if room[0] <= each <= room[1] and abs(each - y) <= FURTHEST * height]
        if near:
            taken.append((x, min(near, key=lambda each: abs(each - y))))
        found.append(taken[-1][1] - y if near else None)
    return found
