"""The samples of one point: in the order of the rounds, and beside it how they are distributed, on one scale."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.figures.curves import seconds_text
from explorer.figures.samples import STRAGGLER, Samples
from explorer.messages import Measurement
from views.theme import LIGHT, Theme

BINS = 24
SHARE = 0.68
"""Of the width, for the run sequence; the rest is the histogram's."""
BAND_ALPHA = 40
BARS_ALPHA = 170
LEAST_FOR_BANDS = 8
"""Lines of text that the plot is high before one of them says what the bands are."""


class SamplesPlot(QWidget):
    """Draws a dot for each sample over its round, bars that count them, quartiles as a band, the median as a line."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._point: Measurement | None = None
        self._samples: Samples | None = None
        self._range_s = (0.0, 1.0)
        """Least and most seconds that are shown."""
        self._colour = LIGHT.series_colour(0)
        self.setMinimumHeight(60)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Samples of one point, in order and distributed"))

    def show_point(self, point: Measurement | None, colour: str) -> None:
        """Show the samples of `point`; None for nothing."""
        self._point, self._colour = point, colour
        self._samples = Samples.of(point) if point is not None else None
        if point is not None and self._samples is not None:
            self._range_s = _range_of(point, self._samples)
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self.setFont(theme.font(0.9))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.background))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._samples is None or self._point is None:
            return
        left, right = self._boxes()
        self._draw_known(painter, left.united(right), self._point)
        self._draw_sequence(painter, left, self._samples)
        self._draw_bars(painter, right, self._samples)
        self._draw_axes(painter, left, right, self._samples)

    # -- places -------------------------------------------------------------------------------

    def _boxes(self) -> tuple[QRectF, QRectF]:
        metrics, gap = QFontMetricsF(self.font()), self._theme.px(8)
        start = metrics.horizontalAdvance("888.8 µs") + 2 * gap
        bottom = self.height() - (2 if self._has_room_for_bands() else 1) * metrics.height() - gap
        across = self.width() - start - gap
        left = QRectF(start, gap, across * SHARE, bottom - gap)
        return left, QRectF(left.right() + gap, gap, across * (1 - SHARE) - gap, bottom - gap)

    def _band_words(self) -> str:
        return self.tr("pale band: middle half; dark band: 95 % interval of the median")

    def _has_room_for_bands(self) -> bool:
        metrics = QFontMetricsF(self.font())
        wanted = metrics.horizontalAdvance("888.8 µs" + self._band_words()) + 3 * self._theme.px(8)
        return wanted <= self.width() and self.height() > LEAST_FOR_BANDS * metrics.height()

    def _y(self, seconds: float, box: QRectF) -> float:
        low, high = self._range_s
        return box.bottom() - (min(max(seconds, low), high) - low) / (high - low) * box.height()

    # -- drawing ------------------------------------------------------------------------------

    def _draw_known(self, painter: QPainter, box: QRectF, point: Measurement) -> None:
        """Draw the quartiles as a pale band, the interval of the median as a darker one, the median as a line."""
        colour = QColor(self._colour)
        for low, high, alpha in ((point.q1_s, point.q3_s, BAND_ALPHA), (point.low_s, point.high_s, 2 * BAND_ALPHA)):
            if low is not None and high is not None:
                colour.setAlpha(alpha)
                top, bottom = self._y(high, box), self._y(low, box)
                painter.fillRect(QRectF(box.left(), top, box.width(), max(1.0, bottom - top)), colour)
        painter.setPen(QPen(QColor(self._colour), self._theme.line_width))
        height = self._y(point.median_s or 0.0, box)
        painter.drawLine(QPointF(box.left(), height), QPointF(box.right(), height))

    def _draw_sequence(self, painter: QPainter, box: QRectF, samples: Samples) -> None:
        most = max(1, int(samples.rounds.max()))
        radius = self._theme.px(5) / 2
        painter.setPen(QPen(QColor(self._colour), 1.2))
        for round_number, seconds in zip(samples.rounds, samples.seconds, strict=True):
            straggler = seconds > STRAGGLER * samples.median_s
            place = QPointF(box.left() + box.width() * float(round_number) / most, self._y(float(seconds), box))
            # A straggler lies outside of the picture: a hollow triangle at its edge.
            painter.setBrush(Qt.BrushStyle.NoBrush if straggler else QColor(self._colour))
            if straggler:
                up, across = QPointF(0, -2 * radius), QPointF(radius, 0)
                painter.drawPolygon([place + up, place + across, place - across])
            else:
                painter.drawEllipse(place, radius, radius)

    def _draw_bars(self, painter: QPainter, box: QRectF, samples: Samples) -> None:
        counts, edges = samples.histogram(min(BINS, max(6, round(np.sqrt(len(samples.seconds)) * 2))))
        most, colour = max(1, int(counts.max())), QColor(self._colour)
        colour.setAlpha(BARS_ALPHA)
        for count, low, high in zip(counts, edges[:-1], edges[1:], strict=True):
            top, bottom = self._y(float(high), box), self._y(float(low), box)
            width = box.width() * int(count) / most
            painter.fillRect(QRectF(box.left(), top, width, max(1.0, bottom - top - 1)), colour)

    def _draw_axes(self, painter: QPainter, left: QRectF, right: QRectF, samples: Samples) -> None:
        painter.setFont(self.font())
        painter.setPen(QPen(QColor(self._theme.hairline), 1))
        painter.drawLine(left.bottomLeft(), right.bottomRight())
        painter.setPen(QColor(self._theme.dim))
        metrics = QFontMetricsF(self.font())
        taken: list[float] = []
        for seconds in (samples.median_s, *self._range_s):
            height = self._y(seconds, left)
            if all(abs(height - each) > metrics.height() for each in taken):
                taken.append(height)
                text = QRectF(0, height - metrics.height() / 2, left.left() - self._theme.px(4), metrics.height())
                painter.drawText(text, Qt.AlignmentFlag.AlignRight, seconds_text(seconds))
        under = metrics.height() + self._theme.px(2)
        words = self.tr("round 0 to {last}").format(last=int(samples.rounds.max()))
        painter.drawText(QRectF(left.left(), left.bottom(), left.width(), under), Qt.AlignmentFlag.AlignLeft, words)
        if self._has_room_for_bands():
            place = QRectF(left.left(), left.bottom() + under, self.width() - left.left(), under)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, self._band_words())
        words = metrics.elidedText(self.tr("how many"), Qt.TextElideMode.ElideRight, right.width())
        painter.drawText(QRectF(right.left(), right.bottom(), right.width(), under), Qt.AlignmentFlag.AlignLeft, words)


def _range_of(point: Measurement, samples: Samples) -> tuple[float, float]:
    """Return the least and the most seconds to show; stragglers lie on the upper edge."""
    low = float(samples.seconds.min())
    high = float(samples.seconds[samples.seconds <= STRAGGLER * samples.median_s].max())
    low, high = min(low, point.q1_s or low), max(high, point.q3_s or high)
    margin = max((high - low) * 0.08, samples.median_s * 0.005)
    return low - margin, high + margin
