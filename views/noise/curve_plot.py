"""CurvePlot: one small plot for each array of a loop, all over the same iterations."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.figures.call_curves import curve_range, height_share, stretches, width_share
from explorer.messages import CALLS, Array, Curve, Iterations
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap.cell_geometry import CENTRE, draw_frame, ticks, write_below, write_left
from views.theme import Theme, Themed

LEAST_HEIGHT = 34
"""Pixels of the plot of one array."""
TEXT = 0.95
"""Size of the words, relative to the interface's."""
MOST_DOTS = 40
"""The most points that are also drawn as dots."""
BAND_ALPHA, BAD_ALPHA = 60, 36
NO_ITERATIONS = Iterations("", 0, 0, Array.of(()))


class CurvePoint(NamedTuple):
    """One array in one iteration."""

    curve: Curve
    iteration: int
    """From 0."""


class CurvePlot(Themed, QWidget):
    """Draws mean, least and most of each array as a line in a band, and marks NaN and infinity.

    Signals:
        chosen: the Chosen that was clicked, or taken by Enter.
        hovered: words on the point under the pointer or the keyboard's cursor, '' for none.
    """

    chosen = Signal(object)
    hovered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._iterations = NO_ITERATIONS
        self._shown_step = -1
        self._cursor: tuple[int, int] | None = None
        """Index of a curve and of a point."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleName(self.tr("Curves over the iterations"))

    def show_iterations(self, iterations: Iterations | None, step: int) -> None:
        """Show the curves of `iterations`; `step` is the iteration whose value is shown elsewhere, -1 for none."""
        if iterations is not self._iterations:
            self._cursor = None
        self._iterations, self._shown_step = iterations or NO_ITERATIONS, step
        self.setMinimumHeight(self.least_height())
        self.update()

    def apply_theme(self, _theme: Theme) -> None:
        """Take colours and text size from `theme`."""
        self.setMinimumHeight(self.least_height())

    def least_height(self) -> int:
        """Return the pixels that all curves need."""
        words = QFontMetricsF(self.theme.font(TEXT)).height()
        return round(len(self._iterations.curves) * (words + self.theme.px(LEAST_HEIGHT)) + words + 6)

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.least_height())

    def point_words(self, chosen: CurvePoint) -> str:
        """Return the numbers of an array in an iteration, which is one of the points."""
        curve, iteration = chosen
        place = int(np.searchsorted(self._iterations.numbers.numpy(), iteration))
        mean, least, most, norm = (
            value_words(float(getattr(curve, each).numpy()[place])) for each in ("mean", "least", "most", "norm")
        )
        bad = int(curve.not_finite.numpy()[place])
        if curve.size == 1:
            is_call = self._iterations.primitive == CALLS
            words = (
                self.tr("{name} in call {number}: {value}")
                if is_call
                else self.tr("{name} in iteration {number}: {value}")
            )
            value = self.tr("NaN or infinity") if bad else mean
            return words.format(name=curve.name, number=f"{iteration + 1:,}", value=value)
        words = self.tr("{name} in iteration {number}: mean {mean}, from {least} to {most}, norm {norm}")
        words = words.format(name=curve.name, number=f"{iteration + 1:,}", mean=mean, least=least, most=most, norm=norm)
        if bad:
            more = self.tr("NaN or infinite elements: {count} of {size}")
            words = f"{words}; {more.format(count=f'{bad:,}', size=f'{curve.size:,}')}"
        return words

    # -- painting ---------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._iterations.length:
            return
        painter, box = QPainter(self), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.theme.font(TEXT))
        for number, curve in enumerate(self._iterations.curves):
            _CurvePainting(painter, self.theme, self._plot(box, number), self._iterations, curve).paint(
                self.theme.series_colour(number), focused=self._cursor is not None and self._cursor[0] == number
            )
        first, last = self._plot(box, 0), self._plot(box, len(self._iterations.curves) - 1)
        self._draw_line(painter, first, last, self._iterations.first_not_finite, self.theme.bug)
        self._draw_line(painter, first, last, self._shown_step, self.theme.focus)
        if self._cursor is not None and self.hasFocus():
            number = int(self._iterations.numbers.numpy()[self._cursor[1]])
            self._draw_line(painter, first, last, number, self.theme.dim)
        painter.setPen(QColor(self.theme.dim))
        self._label_iterations(painter, last, box.right())

    def _label_iterations(self, painter: QPainter, plot: QRectF, right: float) -> None:
        """Write the numbers of the first and the last iteration below `plot`, and round ones between them."""
        length, metrics = self._iterations.length, QFontMetricsF(painter.font())
        name = self.tr("call") if self._iterations.primitive == CALLS else self.tr("iteration")
        first, last = f"{name} 1", f"{length:,}"
        if length == 1 or metrics.horizontalAdvance(f"{first}  {last}") > plot.width():
            first = "1"
        room = metrics.horizontalAdvance(f"{last}  ")
        start, end = self._x(plot, 0) + metrics.horizontalAdvance(first) / 2 + room, plot.right() - 1.5 * room
        numbers = ticks(0, length, plot.width() / length, 2 * room)
        between = {f"{each:,}": self._x(plot, each - 1) for each in numbers}
        labels = {text: x for text, x in between.items() if start < x < end}
        for text, x in {**labels, last: self._x(plot, length - 1), first: self._x(plot, 0)}.items():
            write_below(painter, plot, x, text, right)

    def _draw_line(self, painter: QPainter, first: QRectF, last: QRectF, iteration: int, colour: str) -> None:
        if iteration >= 0:
            x = self._x(first, iteration)
            painter.setPen(QPen(QColor(colour), 1.5 * self.theme.scale, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(x, first.top(), x, last.bottom()))

    def _plot(self, box: QRectF, number: int) -> QRectF:
        """Return the rectangle of the plot of curve `number` in `box`, without its heading."""
        metrics = QFontMetricsF(self.theme.font(TEXT))
        ends = (value_words(each, 3) for curve in self._iterations.curves for each in curve_range(curve))
        left = max(map(metrics.horizontalAdvance, ends)) + self.theme.px(8)
        words = metrics.height()
        high = (box.height() - words - 6) / max(1, len(self._iterations.curves))
        top = box.top() + number * high + words
        return QRectF(box.left() + left, top, max(1.0, box.width() - left - 6), max(1.0, high - words - 3))

    def _x(self, plot: QRectF, iteration: Any) -> Any:
        return x_of(plot, self._iterations, iteration)

    # -- pointing and choosing ------------------------------------------------------------------------------

    def at(self, where: QPointF) -> tuple[int, int] | None:
        """Return the index of the curve and of the point that are nearest to a position in the widget."""
        if not self._iterations.numbers.shape[0] or not self._iterations.curves:
            return None
        box = QRectF(self.rect())
        # Each curve has its heading above it.
        number = sum(where.y() > self._plot(box, place).bottom() for place in range(len(self._iterations.curves) - 1))
        places = self._x(self._plot(box, number), self._iterations.numbers.numpy())
        return number, int(np.abs(places - where.x()).argmin())

    def _chosen(self, at: tuple[int, int]) -> CurvePoint:
        return CurvePoint(self._iterations.curves[at[0]], int(self._iterations.numbers.numpy()[at[1]]))

    def _move_to(self, at: tuple[int, int] | None) -> None:
        if at != self._cursor:
            self._cursor = at
            self.hovered.emit(self.point_words(self._chosen(at)) if at is not None else "")
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._move_to(self.at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at = self.at(event.position())
        if at is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(self._chosen(at))

    def leaveEvent(self, _event: QEvent) -> None:
        self._move_to(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._iterations.numbers.shape[0] or not self._iterations.curves:
            super().keyPressEvent(event)
            return
        number, point = self._cursor or (0, 0)
        key, last = Qt.Key(event.key()), self._iterations.numbers.shape[0] - 1
        moves = {
            Qt.Key.Key_Left: (number, point - 1),
            Qt.Key.Key_Right: (number, point + 1),
            Qt.Key.Key_Up: (number - 1, point),
            Qt.Key.Key_Down: (number + 1, point),
            Qt.Key.Key_Home: (number, 0),
            Qt.Key.Key_End: (number, last),
        }
        if key in moves:
            number, point = moves[key]
            self._move_to((min(max(number, 0), len(self._iterations.curves) - 1), min(max(point, 0), last)))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self._chosen((number, point)))
        else:
            super().keyPressEvent(event)


def x_of(plot: QRectF, iterations: Iterations, iteration: Any) -> Any:
    """Return the pixel of the middle of an iteration, or of each of an array of them."""
    return plot.left() + width_share(iterations, iteration) * plot.width()


class _CurvePainting:
    """The painting of one curve."""

    def __init__(self, painter: QPainter, theme: Theme, plot: QRectF, iterations: Iterations, curve: Curve) -> None:
        self._painter, self.theme, self._plot, self._curve = painter, theme, plot, curve
        self._xs = x_of(plot, iterations, iterations.numbers.numpy())
        self._half = plot.width() / max(1, len(self._xs)) / 2
        self._low, self._high = curve_range(curve)

    def paint(self, colour: str, *, focused: bool) -> None:
        painter, plot, theme = self._painter, self._plot, self.theme
        metrics = QFontMetricsF(painter.font())
        heading = QRectF(plot.left(), plot.top() - metrics.height(), plot.width(), metrics.height())
        words = ": ".join(filter(None, (self._curve.name, self._curve.type)))
        painter.setPen(QColor(theme.text))
        painter.drawText(heading, metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, heading.width()))
        painter.fillRect(plot, QColor(theme.background))
        self._draw_bad()
        painter.setPen(QColor(theme.dim))
        for value in dict.fromkeys((self._high, self._low)):
            write_left(painter, plot, self._y(value), value_words(value, 3))
        self._draw_band(colour)
        self._draw_mean(colour)
        draw_frame(painter, theme, plot, focused=focused)

    def _draw_bad(self) -> None:
        """Tint the points with NaN or infinity, and write so into the first stretch where it fits."""
        bad = self._curve.not_finite.numpy() > 0
        if not bad.any():
            return
        fill = QColor(self.theme.bug)
        fill.setAlpha(BAD_ALPHA)
        edges = np.flatnonzero(np.diff(np.concatenate(([0], bad.astype(np.int8), [0]))))
        for start, stop in edges.reshape(-1, 2).tolist():
            left, right = self._xs[start] - self._half, self._xs[stop - 1] + self._half
            stretch = QRectF(left, self._plot.top(), right - left, self._plot.height())
            self._painter.fillRect(stretch, fill)
            words = "NaN/inf"
            if QFontMetricsF(self._painter.font()).horizontalAdvance(words) < stretch.width():
                self._painter.setPen(QColor(self.theme.bug))
                self._painter.drawText(stretch, CENTRE, words)

    def _draw_band(self, colour: str) -> None:
        low, high = self._curve.least.numpy(), self._curve.most.numpy()
        if (low == high).all() or self._curve.size == 1:
            return
        fill = QColor(colour)
        fill.setAlpha(BAND_ALPHA)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(fill)
        for places in stretches(np.isfinite(low)):
            xs = self._xs[places].tolist()
            tops, bottoms = self._y(high[places]).tolist(), self._y(low[places]).tolist()
            if len(xs) == 1:
                xs, tops, bottoms = [xs[0] - 1, xs[0] + 1], tops * 2, bottoms * 2
            points = [*zip(xs, tops, strict=True), *zip(xs[::-1], bottoms[::-1], strict=True)]
            self._painter.drawPolygon(QPolygonF([QPointF(*each) for each in points]))
        self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _draw_mean(self, colour: str) -> None:
        mean = self._curve.mean.numpy()
        self._painter.setPen(QPen(QColor(colour), self.theme.line_width * self.theme.scale))
        for places in stretches(np.isfinite(mean)):
            points = [QPointF(*each) for each in zip(self._xs[places], self._y(mean[places]), strict=True)]
            self._painter.drawLines([QLineF(*ends) for ends in pairwise(points)])
            if len(self._xs) <= MOST_DOTS:
                self._painter.setBrush(QColor(colour))
                for point in points:
                    self._painter.drawEllipse(point, 1.5 * self.theme.scale, 1.5 * self.theme.scale)
                self._painter.setBrush(Qt.BrushStyle.NoBrush)

    def _y(self, value: Any) -> Any:
        margin = self.theme.px(4)
        inner = self._plot.height() - 2 * margin
        return self._plot.bottom() - margin - height_share(value, self._low, self._high) * inner
