"""ScatterPage: a scatter plot of two pictures and their correlation; partners(): which can be compared."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.figures.call_curves import height_share
from explorer.messages import Picture
from views.noise.arrays.picture_choice import shown_name, value_words
from views.noise.heatmap.cell_geometry import (
    CENTRE,
    TEXT,
    draw_frame,
    index_after_key,
    plot_room,
    write_below,
    write_left,
)
from views.noise.pages.page import NO_SIGHT, PicturePage, PictureView

Values = npt.NDArray[np.float64]
Range = tuple[float, float]


class ScatterPoints(msgspec.Struct, frozen=True):
    """Places of two arrays: the values of both."""

    x: Values
    y: Values
    shape: tuple[int, ...]
    """The shape of the pictures; x and y hold their elements in C order."""
    correlation: float
    """Pearson's correlation, over the finite pairs; NaN where one side is constant."""
    pairs: int
    """How many pairs are finite."""

    @property
    def chance(self) -> float:
        """The limit, positive and negative, of 95 % of the correlations of independent values."""
        return float(1.96 / np.sqrt(max(1, self.pairs)))

    def rows(self, axis: int) -> npt.NDArray[np.intp]:
        """Return int[points]: the index of each point along `axis`."""
        if axis >= len(self.shape):
            return np.zeros(len(self.x), np.intp)
        return np.unravel_index(np.arange(len(self.x)), self.shape)[axis]


def match(x: Picture, y: Picture) -> bool:
    """Return whether the elements of `x` and `y` can be paired: equal shapes, or equally many values, all available."""
    if not x.shape or not y.shape or 0 in x.shape:
        return False
    whole = x.shape == x.values.shape and y.shape == y.values.shape
    return x.shape == y.shape or (whole and np.prod(x.shape) == np.prod(y.shape))


def partners(x: Picture, pictures: Sequence[Picture]) -> list[Picture]:
    """Return those of `pictures` that `x` can be compared with."""
    return [each for each in pictures if each is not x and match(x, each)]


def points_of(x: Picture, y: Picture) -> ScatterPoints:
    """Return the points of two pictures that match."""
    first, second = x.values.numpy(), y.values.numpy()
    if x.shape == y.shape:
        common = tuple(slice(min(sizes)) for sizes in zip(first.shape, second.shape, strict=True))
        first, second = first[common], second[common]
    left, right = (np.ascontiguousarray(each, np.float64).reshape(-1) for each in (first, second))
    finite = np.isfinite(left) & np.isfinite(right)
    pairs = int(np.count_nonzero(finite))
    return ScatterPoints(left, right, first.shape, correlation(left[finite], right[finite]), pairs)


def correlation(x: Values, y: Values) -> float:
    """Return Pearson's coefficient, NaN for fewer than two points or a side that is constant."""
    if len(x) < 2 or x.min() == x.max() or y.min() == y.max():
        return float("nan")
    # To the size of 1, so that the largest numbers do not overflow when they are squared.
    x, y = x / np.abs(x).max(), y / np.abs(y).max()
    x, y = x - x.mean(), y - y.mean()
    return float(np.clip((x @ y) / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def range_of(values: Values) -> Range:
    """Return the least and the greatest finite value, made to differ."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


MOST_DISCS = 5000
"""The most points drawn as discs; more are drawn as pixels, darker where more overlap."""
REACH_PIXELS = 12.0
"""The pointer finds a point so near."""
INSET = 4
"""Pixels between the frame and the outermost points."""


class ScatterPage(PicturePage):
    """Left and right go from point to point."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points = points_of(NO_SIGHT.picture, NO_SIGHT.picture)
        self.ranges: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        """Least and greatest value across and upwards."""
        self._rows: npt.NDArray[np.intp] = np.empty(0, np.intp)
        self._cursor = 0
        self.setAccessibleName(self.tr("Scatter plot, one point for each index"))

    def show_view(self, view: PictureView) -> None:
        is_other = _axes_of(view) != _axes_of(self._view)
        super().show_view(view)
        if is_other:
            assert view.against is not None
            self._points = points_of(view.picture, view.against)
            self._rows = self._points.rows(view.axis)
            self.ranges = (range_of(self._points.x), range_of(self._points.y))
            self._cursor = 0
        self.setAccessibleDescription(self.words)

    def set_ranges(self, ranges: tuple[Range, Range]) -> None:
        """Set the `ranges` of the axes to those of a plot next to this one."""
        self.ranges = ranges
        self.update()

    # -- words --------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """The correlation, next to its chance level."""
        if math.isnan(self._points.correlation):
            return self.tr("No correlation: one of the two holds a single value only.")
        numbers = (f"{self._points.correlation:.2f}", value_words(self._points.chance, 2))
        words = self.tr("Correlation {} (chance: ±{})")
        return words.format(*numbers)

    @property
    def notes(self) -> str:
        notes = self.tr("Chance: 95 % of correlations of {} independent pairs are in this range.").format(
            f"{self._points.pairs:,}"
        )
        missing = len(self._points.x) - self._points.pairs
        if not missing:
            return notes
        return " ".join((notes, self.tr("Pairs that are not finite and left out: {}.").format(f"{missing:,}")))

    def _say(self, point: int | None) -> None:
        if point is None:
            self.hovered.emit("")
            return
        x, y = (value_words(each[point], 4) for each in (self._points.x, self._points.y))
        where = ", ".join(str(int(place)) for place in np.unravel_index(point, self._points.shape))
        self.hovered.emit(self.tr("index {}: {} across, {} up").format(where, x, y))

    # -- painting -----------------------------------------------------------------------------

    def _plot(self) -> QRectF:
        return plot_room(self.theme, self.size(), (value_words(end, 3) for end in self.ranges[1]))

    def _pixels(self) -> tuple[Values, Values]:
        """Return the pixel of each point; NaN for points that are not finite."""
        across, upwards = self.ranges
        return self._x(height_share(self._points.x, *across)), self._y(height_share(self._points.y, *upwards))

    def _x(self, part: Any) -> Any:
        inner = self._plot().adjusted(INSET, INSET, -INSET, -INSET)
        return inner.left() + part * inner.width()

    def _y(self, part: Any) -> Any:
        inner = self._plot().adjusted(INSET, INSET, -INSET, -INSET)
        return inner.bottom() - part * inner.height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self._plot()
        painter.fillRect(plot, QColor(self.theme.background))
        self._draw_axes(painter, plot)
        painter.setClipRect(plot)
        x, y = self._pixels()
        seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        colour = QColor(self.theme.series_colour(0))
        if len(seen) <= MOST_DISCS:
            colour.setAlpha(150)
            self._draw_discs(painter, x[seen], y[seen], colour, 2.5)
        else:
            self._draw_cloud(painter, plot, x[seen], y[seen], colour)
        marked = seen[np.isin(self._rows[seen], sorted(self._marked))] if self._view.rows_are_examples else seen[:0]
        self._draw_discs(painter, x[marked[:MOST_DISCS]], y[marked[:MOST_DISCS]], QColor(self.theme.focus), 4.5)
        if self.hasFocus() and self._cursor in seen:
            painter.setPen(QPen(QColor(self.theme.text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(float(x[self._cursor]), float(y[self._cursor])), 7, 7)
        self._draw_names(painter, plot)
        painter.setClipping(False)
        draw_frame(painter, self.theme, plot, focused=self.hasFocus())
        painter.end()

    def _draw_discs(self, painter: QPainter, x: Values, y: Values, colour: QColor, radius: float) -> None:
        large = radius > 3
        painter.setPen(QPen(QColor(self.theme.background), 1.5) if large else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        radius *= self.theme.scale
        for at in zip(x.tolist(), y.tolist(), strict=True):
            painter.drawEllipse(QPointF(*at), radius, radius)

    def _draw_cloud(self, painter: QPainter, plot: QRectF, x: Values, y: Values, colour: QColor) -> None:
        """Draw a pixel for each point, more opaque where more overlap."""
        width, height = int(plot.width()) + 1, int(plot.height()) + 1
        cells = (y - plot.top()).astype(np.intp).clip(0, height - 1) * width
        counts = np.bincount(cells + (x - plot.left()).astype(np.intp).clip(0, width - 1), minlength=width * height)
        opacity = np.where(counts > 0, 70 + 185 * np.log1p(counts) / np.log1p(max(1, int(counts.max()))), 0)
        pixels = (opacity.astype(np.uint32) << 24) | np.uint32(colour.rgb() & 0xFFFFFF)
        image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
        painter.drawImage(plot.topLeft(), image)

    def _draw_names(self, painter: QPainter, plot: QRectF) -> None:
        """Write the names of the axes in the corners, on their own ground over the points."""
        painter.setFont(self.theme.font(TEXT))
        metrics = QFontMetricsF(painter.font())
        if plot.height() < 4 * metrics.height():
            # They would hide the points; the line above the plot names the array too.
            return
        across, upwards = shown_name(self._view.picture.name), shown_name(self._view.against_name)
        paper = QColor(self.theme.background)
        paper.setAlpha(200)
        for name, at_right in ((f"↑ {upwards}", False), (f"{across} →", True)):
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, plot.width() - 12)
            place = QRectF(plot.left() + 4, plot.top() + 3, metrics.horizontalAdvance(text) + 4, metrics.height())
            if at_right:
                place.moveBottomRight(plot.bottomRight() - QPointF(4, 3))
            painter.fillRect(place, paper)
            painter.setPen(QColor(self.theme.dim))
            painter.drawText(place, CENTRE, text)

    def _draw_axes(self, painter: QPainter, plot: QRectF) -> None:
        painter.setFont(self.theme.font(TEXT))
        across, upwards = self.ranges
        painter.setPen(QColor(self.theme.hairline))
        if across[0] < 0 < across[1]:
            x = self._x(height_share(0.0, *across))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        if upwards[0] < 0 < upwards[1]:
            y = self._y(height_share(0.0, *upwards))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        painter.setPen(QColor(self.theme.dim))
        for end, x, y in zip((0, 1), self._x(np.arange(2.0)).tolist(), self._y(np.arange(2.0)).tolist(), strict=True):
            write_below(painter, plot, x, value_words(across[end], 3), self.width())
            write_left(painter, plot, y, value_words(upwards[end], 3))

    # -- mouse and keys -----------------------------------------------------------------------

    def _point_at(self, at: QPointF) -> int | None:
        x, y = self._pixels()
        distances = np.where(np.isfinite(x) & np.isfinite(y), np.hypot(x - at.x(), y - at.y()), np.inf)
        return int(np.argmin(distances)) if distances.min(initial=np.inf) <= REACH_PIXELS else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._say(self._point_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = self._point_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            self._go_to(point)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        point = index_after_key(event, self._cursor, len(self._points.x))
        if point is None:
            super().keyPressEvent(event)
        else:
            self._go_to(point)

    def _go_to(self, point: int) -> None:
        self._cursor = point
        self._say(point)
        self.update()
        if self._view.rows_are_examples:
            self.row_chosen.emit(int(self._rows[point]))


def _axes_of(view: PictureView) -> tuple[object, ...]:
    return view.picture, view.against, view.axis
