"""The samples of one point: in the order of the repeats, and next to it their distribution, on one scale."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QResizeEvent

from explorer.figures.curves import seconds_text
from explorer.figures.samples import STRAGGLER, Samples
from explorer.messages import Measurement
from views.theme import LIGHT, Theme
from views.timing.log_plot.log_axis import dress

BINS = 24
BARS_FROM, BARS_TO = 1.04, 1.46
"""The horizontal range of the histogram, the run sequence being 0 to 1."""
ALPHAS = (40, 80, 170)
"""Opacity of the middle half, of the interval of the median and of the bars, of 255."""
MARGIN_PX = 8
LEAST_DISTANCE = 0.15
"""The share of the height that two texts next to it need between them."""
LEAST_FOR_BANDS_PX = (420, 160)
"""Least width and height in pixels of a plot with labels of the bands."""


class SamplesPlot(pg.PlotWidget):  # type: ignore[misc]
    """Draws a dot for each sample over its repeat, bars that count them, quartiles as a band, the median as a line."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self._theme = LIGHT
        self._rectangles = pg.BarGraphItem(x0=[], y0=[], width=[], height=[])
        self._median = pg.InfiniteLine(angle=0)
        self._dots = pg.ScatterPlotItem(antialias=True)
        for item in (self._rectangles, self._median, self._dots):
            self.addItem(item, ignoreBounds=True)
        self.plotItem.setMenuEnabled(False)
        self.plotItem.hideButtons()
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseEnabled(x=False, y=False)
        self.setXRange(0, BARS_TO, padding=0.02)
        self.setMinimumHeight(60)
        self.plotItem.setContentsMargins(MARGIN_PX, 0, MARGIN_PX, 0)
        self.setAccessibleName(self.tr("Samples of one point, in order and distributed"))

    def show_point(self, point: Measurement | None, colour: str) -> None:
        """Show the samples of `point`; empty for None."""
        samples = Samples.of(point) if point is not None else None
        self.plotItem.setVisible(samples is not None)
        if point is None or samples is None:
            return
        low, high = _range_of(point, samples)
        self.setYRange(low, high, padding=0.04)
        self._median.setValue(samples.median_s)
        self._median.setPen(pg.mkPen(colour, width=self._theme.line_width))
        self._draw_rectangles(point, samples, colour)
        late = samples.seconds > STRAGGLER * samples.median_s
        self._dots.setData(
            x=samples.repeats / max(1, int(samples.repeats.max())),
            # A straggler lies outside of the picture: a hollow triangle at its edge.
            y=np.minimum(samples.seconds, high),
            symbol=np.where(late, "t1", "o"),
            brush=[pg.mkBrush(None if each else colour) for each in late],
            pen=pg.mkPen(colour, width=1.2),
            size=self._theme.px(5),
        )
        self._write_axes(samples, low, high)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._theme = theme
        self.setBackground(theme.background)
        for side in ("left", "bottom"):
            dress(self.getAxis(side), theme)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this before the constructor is done.
        if hasattr(self, "_theme"):
            self._fit_label()

    def _draw_rectangles(self, point: Measurement, samples: Samples, colour: str) -> None:
        """Draw the quartiles as a pale band, the interval of the median as a darker one, and the histogram."""
        counts, edges = samples.histogram(min(BINS, max(6, round(np.sqrt(len(samples.seconds)) * 2))))
        widths = (BARS_TO - BARS_FROM) * counts / max(1, int(counts.max()))
        bands = [(point.q1_s, point.q3_s, ALPHAS[0]), (point.low_s, point.high_s, ALPHAS[1])]
        rectangles = [(0.0, low, BARS_TO, high - low, alpha) for low, high, alpha in bands if low and high]
        steps = zip(edges[:-1], widths, np.diff(edges) * 0.95, strict=True)
        rectangles += [(BARS_FROM, low, width, height, ALPHAS[2]) for low, width, height in steps]
        x0, y0, width, height, alphas = zip(*rectangles, strict=True)
        fills = [QColor(colour) for _ in alphas]
        for fill, alpha in zip(fills, alphas, strict=True):
            fill.setAlpha(alpha)
        nothing = pg.mkPen(None)
        self._rectangles.setOpts(x0=x0, y0=y0, width=width, height=height, brushes=fills, pens=[nothing] * len(fills))

    def _write_axes(self, samples: Samples, low: float, high: float) -> None:
        middle = samples.median_s
        ends = [each for each in (low, high) if abs(each - middle) > LEAST_DISTANCE * (high - low)]
        self.getAxis("left").setTicks([[(each, seconds_text(each)) for each in (middle, *ends)]])
        repeats = self.tr("iteration 0 to {last}").format(last=int(samples.repeats.max()))
        counts = (BARS_FROM + BARS_TO) / 2, self.tr("count")
        self.getAxis("bottom").setTicks([[(0.5, repeats), counts]])
        words = self.tr("pale band: middle half; dark band: 95 % interval of the median")
        size = f"{self._theme.font(0.9).pointSizeF():.1f}pt"
        self.setLabel("bottom", words, color=self._theme.dim, **{"font-size": size})
        self._fit_label()

    def _fit_label(self) -> None:
        width, height = map(self._theme.px, LEAST_FOR_BANDS_PX)
        self.getAxis("bottom").showLabel(self.width() >= width and self.height() >= height)


def _range_of(point: Measurement, samples: Samples) -> tuple[float, float]:
    """Return the least and the most seconds to show; stragglers are on the upper edge."""
    low = float(samples.seconds.min())
    high = float(samples.seconds[samples.seconds <= STRAGGLER * samples.median_s].max())
    low, high = min(low, point.q1_s or low), max(high, point.q3_s or high)
    margin = max((high - low) * 0.08, samples.median_s * 0.005)
    return low - margin, high + margin
