"""A scatter plot of two pictures, or of two rows of one, and how far they correlate."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.messages import Picture
from views.noise.arrays.array_names import shown_name
from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.row_pair import RowPair
from views.noise.heatmap.plot_frame import CENTRE, TEXT, draw_frame, plot_room, write_below, write_beside
from views.noise.pages.scatter import Points, points_of, points_of_rows
from views.noise.sight import Sight
from views.theme import LIGHT, Theme

MOST_DISCS = 5000
"""More points than this are drawn as pixels, darker where more lie on one another."""
REACH_PIXELS = 12.0
"""The pointer finds a point so near."""

Range = tuple[float, float]


class ScatterPage(QWidget):
    """Left and right go from point to point.

    Signals: as every Page.
    """

    row_chosen = Signal(object)
    pair_chosen = Signal(object)
    hovered = Signal(str)
    said_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight: Sight | None = None
        self._known: tuple[Picture, Picture | None, int, RowPair | None] | None = None
        self._points: Points | None = None
        self._ranges: tuple[Range, Range] = ((0.0, 1.0), (0.0, 1.0))
        self._rows: npt.NDArray[np.intp] = np.empty(0, np.intp)
        self._marked: frozenset[int] = frozenset()
        self._cursor = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Scatter plot, one point for each place"))

    def show_sight(self, sight: Sight) -> None:
        self._sight = sight
        known = (sight.picture, sight.against, sight.axis, sight.pair)
        same = self._known is not None and all(
            old is new or old == new for old, new in zip(self._known[2:], known[2:], strict=True)
        )
        if not same or self._known is None or self._known[0] is not known[0] or self._known[1] is not known[1]:
            self._known, self._points = known, _points_of(sight)
            self._rows = self._found.rows(sight.axis) if sight.pair is None else np.empty(0, np.intp)
            self._ranges = (_range(self._found.x), _range(self._found.y))
            self._cursor = 0
        self.setAccessibleDescription(self.words)
        self.update()

    @property
    def _found(self) -> Points:
        assert self._points is not None
        return self._points

    @property
    def ranges(self) -> tuple[Range, Range]:
        """Least and greatest value across and upwards."""
        return self._ranges

    def set_ranges(self, ranges: tuple[Range, Range]) -> None:
        """Give the axes `ranges`, as those of a plot beside this one."""
        self._ranges = ranges
        self.update()

    def mark_rows(self, rows: frozenset[int]) -> None:
        self._marked = rows
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @property
    def scale(self) -> Scale | None:
        return None

    # -- words --------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """The correlation, beside what chance allows."""
        if self._points is None or self._sight is None:
            return ""
        found = self._points
        if math.isnan(found.correlation):
            return self.tr("No correlation: one of the two holds a single value only.")
        numbers = (f"{found.correlation:.2f}", value_words(found.chance, 2))
        words = self.tr("Correlation {} (chance: ±{})")
        return words.format(*numbers)

    @property
    def notes(self) -> str:
        if self._points is None or self._sight is None:
            return ""
        found = self._points
        notes = self.tr("Chance: where 95 % of {} independent pairs stay.").format(f"{found.pairs:,}")
        missing = len(found.x) - found.pairs
        if not missing:
            return notes
        return " ".join((notes, self.tr("{} pairs are not finite and left out.").format(f"{missing:,}")))

    def _names(self) -> tuple[str, str]:
        sight = self._sight
        assert sight is not None
        if sight.pair is not None:
            return self.tr("row {}").format(sight.pair.first), self.tr("row {}").format(sight.pair.last)
        return shown_name(sight.picture.name), shown_name(sight.against_name)

    def _say(self, point: int | None) -> None:
        if point is None or self._points is None:
            self.hovered.emit("")
            return
        x, y = (value_words(each[point], 4) for each in (self._points.x, self._points.y))
        where = ", ".join(str(int(place)) for place in np.unravel_index(point, self._points.shape))
        self.hovered.emit(self.tr("place {}: {} across, {} upwards").format(where, x, y))

    # -- painting -----------------------------------------------------------------------------

    def plot(self) -> QRectF:
        """Return where the points lie."""
        return plot_room(self._theme, self.size(), (value_words(end, 3) for end in self._ranges[1]))

    def _pixels(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return where each point lies on screen; NaN for those that are not finite."""
        plot = self.plot().adjusted(4, 4, -4, -4)
        across, upwards = (
            _share(values, ends) for values, ends in zip((self._found.x, self._found.y), self._ranges, strict=True)
        )
        return plot.left() + across * plot.width(), plot.bottom() - upwards * plot.height()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._points is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self.plot()
        painter.fillRect(plot, QColor(self._theme.background))
        self._draw_axes(painter, plot)
        painter.setClipRect(plot)
        x, y = self._pixels()
        seen = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        colour = QColor(self._theme.series_colour(0))
        if len(seen) <= MOST_DISCS:
            colour.setAlpha(150)
            self._draw_discs(painter, x[seen], y[seen], colour, 2.5)
        else:
            self._draw_cloud(painter, plot, x[seen], y[seen], colour)
        marked = seen[np.isin(self._rows[seen], sorted(self._marked))] if self._may_choose() else seen[:0]
        self._draw_discs(painter, x[marked[:MOST_DISCS]], y[marked[:MOST_DISCS]], QColor(self._theme.focus), 4.5)
        self._draw_cursor(painter, x, y)
        self._draw_names(painter, plot)
        painter.setClipping(False)
        draw_frame(painter, self._theme, plot, focused=self.hasFocus())
        painter.end()

    def _draw_discs(
        self, painter: QPainter, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], colour: QColor, radius: float
    ) -> None:
        large = radius > 3
        painter.setPen(QPen(QColor(self._theme.background), 1.5) if large else Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        radius *= self._theme.scale
        for at in zip(x.tolist(), y.tolist(), strict=True):
            painter.drawEllipse(QPointF(*at), radius, radius)

    def _draw_cloud(
        self, painter: QPainter, plot: QRectF, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64], colour: QColor
    ) -> None:
        """Draw a pixel for each point, as opaque as points lie on it."""
        width, height = int(plot.width()) + 1, int(plot.height()) + 1
        cells = (y - plot.top()).astype(np.intp).clip(0, height - 1) * width
        counts = np.bincount(cells + (x - plot.left()).astype(np.intp).clip(0, width - 1), minlength=width * height)
        opacity = np.where(counts > 0, 70 + 185 * np.log1p(counts) / np.log1p(max(1, int(counts.max()))), 0)
        pixels = (opacity.astype(np.uint32) << 24) | np.uint32(colour.rgb() & 0xFFFFFF)
        image = QImage(pixels.data, width, height, width * 4, QImage.Format.Format_ARGB32)
        painter.drawImage(plot.topLeft(), image)

    def _draw_cursor(self, painter: QPainter, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> None:
        if self.hasFocus() and self._cursor < len(x) and np.isfinite(x[self._cursor]) and np.isfinite(y[self._cursor]):
            painter.setPen(QPen(QColor(self._theme.text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(float(x[self._cursor]), float(y[self._cursor])), 7, 7)

    def _draw_names(self, painter: QPainter, plot: QRectF) -> None:
        """Write in the corners what lies along each axis, on paper of their own over the points."""
        painter.setFont(self._theme.font(TEXT))
        metrics = QFontMetricsF(painter.font())
        if plot.height() < 4 * metrics.height():
            # They would hide the points; the line above the plot names the array too.
            return
        across, upwards = self._names()
        paper = QColor(self._theme.background)
        paper.setAlpha(200)
        for name, at_right in ((f"↑ {upwards}", False), (f"{across} →", True)):
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, plot.width() - 12)
            place = QRectF(plot.left() + 4, plot.top() + 3, metrics.horizontalAdvance(text) + 4, metrics.height())
            if at_right:
                place.moveBottomRight(plot.bottomRight() - QPointF(4, 3))
            painter.fillRect(place, paper)
            painter.setPen(QColor(self._theme.dim))
            painter.drawText(place, CENTRE, text)

    def _draw_axes(self, painter: QPainter, plot: QRectF) -> None:
        painter.setFont(self._theme.font(TEXT))
        inner = plot.adjusted(4, 4, -4, -4)
        across, upwards = self._ranges
        painter.setPen(QColor(self._theme.hairline))
        if across[0] < 0 < across[1]:
            x = inner.left() + float(_share(np.zeros(1), across)[0]) * inner.width()
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
        if upwards[0] < 0 < upwards[1]:
            y = inner.bottom() - float(_share(np.zeros(1), upwards)[0]) * inner.height()
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
        painter.setPen(QColor(self._theme.dim))
        for x, value in ((inner.left(), across[0]), (inner.right(), across[1])):
            write_below(painter, plot, x, value_words(value, 3), self.width())
        for y, value in ((inner.bottom(), upwards[0]), (inner.top(), upwards[1])):
            write_beside(painter, plot, y, value_words(value, 3))

    # -- mouse and keys -----------------------------------------------------------------------

    def _point_at(self, at: QPointF) -> int | None:
        if self._points is None or not len(self._points.x):
            return None
        x, y = self._pixels()
        apart = np.where(np.isfinite(x) & np.isfinite(y), np.hypot(x - at.x(), y - at.y()), np.inf)
        nearest = int(np.argmin(apart))
        return nearest if apart[nearest] <= REACH_PIXELS else None

    def _may_choose(self) -> bool:
        return self._sight is not None and self._sight.pair is None and self._sight.rows_are_examples

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._say(self._point_at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        point = self._point_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and point is not None:
            self._go_to(point)

    def leaveEvent(self, _event: QEvent) -> None:
        self.hovered.emit("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        count = len(self._points.x) if self._points is not None else 0
        targets = {
            Qt.Key.Key_Left: self._cursor - 1,
            Qt.Key.Key_Right: self._cursor + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: count - 1,
            Qt.Key.Key_Return: self._cursor,
            Qt.Key.Key_Enter: self._cursor,
        }
        key = Qt.Key(event.key())
        if not count or key not in targets or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._go_to(max(0, min(count - 1, targets[key])))

    def _go_to(self, point: int) -> None:
        self._cursor = point
        self._say(point)
        self.update()
        if self._may_choose():
            self.row_chosen.emit(int(self._rows[point]))


def _points_of(sight: Sight) -> Points:
    if sight.pair is not None:
        rows = sight.whole_rows()
        return points_of_rows(rows[sight.pair.first], rows[sight.pair.last])
    assert sight.against is not None
    return points_of(sight.picture, sight.against)


def _range(values: npt.NDArray[np.float64]) -> Range:
    """Return the least and the greatest finite value, a little apart always."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _share(values: npt.NDArray[np.float64], ends: Range) -> npt.NDArray[np.float64]:
    """Return where `values` lie between `ends`, from 0 to 1; halved first, so that the largest do not overflow."""
    low, high = ends[0] / 2, ends[1] / 2
    with np.errstate(invalid="ignore"):
        shares: npt.NDArray[np.float64] = (values / 2 - low) / ((high - low) or 1.0)
    return shares
