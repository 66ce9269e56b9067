"""The histogram of a picture: all rows as a filled shape, each of a few rows as a line."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.messages import Picture
from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale
from views.noise.heatmap.plot_frame import TEXT, draw_frame, plot_room, write_below, write_beside
from views.noise.pages.histogram import MOST_ROWS, Histogram, Shares, histogram_of, rows_drawn
from views.noise.sight import Matrix, Sight
from views.theme import LIGHT, Theme


class HistogramPage(QWidget):
    """Left and right go from bin to bin, up and down from row to row.

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
        self._rows: Matrix = np.zeros((0, 0))
        self._found: Histogram | None = None
        self._known: tuple[Picture, int, Scale] | None = None
        self._curves: list[Shares] = []
        self._marked: frozenset[int] = frozenset()
        self._peak = 0.0
        self._bin, self._row = 0, 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Histogram of the values, row by row"))

    def show_sight(self, sight: Sight) -> None:
        self._sight = sight
        known = (sight.picture, sight.axis, sight.scale)
        if self._known is None or self._known[0] is not known[0] or self._known[1:] != known[1:]:
            self._known, self._rows = known, sight.whole_rows()
            self._found = histogram_of(self._rows, sight.scale)
        found = self._histogram
        numbers = rows_drawn(len(self._rows), sight.chosen_rows()) if self._rows.shape[1] > 1 else []
        self._curves = [found.shares(found.of_row(self._rows[number])) for number in numbers]
        self._peak = max(float(each.max(initial=0.0)) for each in [found.shares(found.counts), *self._curves])
        self._bin = min(self._bin, len(found.counts) - 1)
        self.setAccessibleDescription(self.words)
        self.update()

    @property
    def _histogram(self) -> Histogram:
        assert self._found is not None
        return self._found

    @property
    def peak(self) -> float:
        """The share that the vertical axis reaches to."""
        return self._peak

    def set_peak(self, peak: float) -> None:
        """Let the vertical axis reach to `peak`, as that of a histogram beside this one does."""
        self._peak = peak
        self.update()

    @property
    def curves(self) -> list[Shares]:
        """The shares of each row that has a line."""
        return self._curves

    def mark_rows(self, rows: frozenset[int]) -> None:
        self._marked = rows
        if rows:
            self._row = min(rows)
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
        """Mean and spread; of truth values, how many were kept."""
        found, sight = self._found, self._sight
        if found is None or sight is None or not found.total:
            return self.tr("No value is finite.") if found is not None else ""
        if sight.scale.kind == "two-valued":
            numbers = [f"{100 * each:.3g}" for each in (found.mean, found.row_low, found.row_high)]
            return self.tr("{} % are True; row by row {} % to {} %").format(*numbers)
        numbers = [value_words(each, 2) for each in (found.mean, found.deviation, found.row_low, found.row_high)]
        return self.tr("Mean {}, std {}; row means {} to {}").format(*numbers)

    @property
    def notes(self) -> str:
        found, sight = self._found, self._sight
        if found is None or sight is None:
            return ""
        notes = []
        lines = len(self._curves)
        if lines and sight.pair is None:
            shown = min(lines, MOST_ROWS)
            notes.append(self.tr("Filled: all rows. Lines: rows 0 to {}.").format(f"{shown - 1:,}"))
        elif lines:
            notes.append(self.tr("Filled: all rows. Lines: the two rows."))
        if found.rows < len(self._rows):
            notes.append(self.tr("Counted: the first {} of {} rows.").format(f"{found.rows:,}", f"{len(self._rows):,}"))
        if found.beyond:
            notes.append(self.tr("{} values lie beyond the axis.").format(f"{found.beyond:,}"))
        if sight.picture.not_finite:
            notes.append(self.tr("{} values are NaN or infinite.").format(f"{sight.picture.not_finite:,}"))
        return " ".join(notes)

    def _say_bin(self, place: int | None) -> None:
        found, sight = self._found, self._sight
        if found is None or sight is None or place is None:
            self.hovered.emit("")
            return
        count, share = int(found.counts[place]), 100 * found.counts[place] / max(1, found.total)
        words = self.tr("{}: {} values ({} %)").format(self._bin_name(place), f"{count:,}", f"{share:.3g}")
        if self._rows.shape[1] > 1 and self._row < len(self._rows):
            own = int(found.of_row(self._rows[self._row])[place])
            words = self.tr("{}, {} of them in row {}").format(words, f"{own:,}", f"{self._row:,}")
        self.hovered.emit(words)

    def _bin_name(self, place: int) -> str:
        found, sight = self._histogram, self._sight
        if sight is not None and sight.scale.kind == "two-valued":
            return ("False", "True")[place]
        low, high = (value_words(each, 3) for each in found.edges[place : place + 2])
        return self.tr("{} to {}").format(low, high)

    # -- painting -----------------------------------------------------------------------------

    def plot(self) -> QRectF:
        """Return where the bins lie."""
        return plot_room(self._theme, self.size(), ("100 %",))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._found is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self.plot()
        painter.fillRect(plot, QColor(self._theme.background))
        self._draw_axes(painter, plot)
        painter.setClipRect(plot)
        self._draw_pooled(painter, plot)
        for curve in self._curves:
            self._draw_line(painter, plot, curve, QColor(self._theme.series_colour(0)), 1.0)
        for row in sorted(self._marked)[:MOST_ROWS]:
            if row < len(self._rows) and self._rows.shape[1] > 1 and self._sight and self._sight.rows_are_examples:
                shares = self._found.shares(self._found.of_row(self._rows[row]))
                self._draw_line(painter, plot, shares, QColor(self._theme.focus), 3.0)
        painter.setClipping(False)
        draw_frame(painter, self._theme, plot, focused=self.hasFocus())
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
            left, right = self._xs(plot)[self._bin : self._bin + 2]
            painter.drawRect(QRectF(left, plot.top(), right - left, plot.height()))
        painter.end()

    def _xs(self, plot: QRectF) -> list[float]:
        """Return where the edges of the bins lie; bins are equally wide."""
        count = len(self._histogram.counts)
        return [plot.left() + plot.width() * place / count for place in range(count + 1)]

    def _ys(self, plot: QRectF, shares: npt.NDArray[np.float64]) -> list[float]:
        return [float(y) for y in plot.bottom() - shares / max(1.08 * self._peak, 1e-9) * plot.height()]

    def _draw_axes(self, painter: QPainter, plot: QRectF) -> None:
        painter.setFont(self._theme.font(TEXT))
        painter.setPen(QColor(self._theme.dim))
        for share in (0.0, self._peak):
            (y,) = self._ys(plot, np.array([share]))
            write_beside(painter, plot, y, f"{100 * share:.2g} %" if share < 0.995 else "100 %")
        for x, name in self._names(plot):
            write_below(painter, plot, x, name, self.width())

    def _names(self, plot: QRectF) -> list[tuple[float, str]]:
        """Return where along the axis which value is written."""
        edges = self._histogram.edges
        if self._sight is not None and self._sight.scale.kind == "two-valued":
            return [(plot.left() + plot.width() * place, name) for place, name in ((0.25, "False"), (0.75, "True"))]
        values = (edges[0], edges[0] / 2 + edges[-1] / 2, edges[-1])
        places = (plot.left(), plot.center().x(), plot.right())
        return [(x, value_words(value, 3)) for x, value in zip(places, values, strict=True)]

    def _draw_pooled(self, painter: QPainter, plot: QRectF) -> None:
        found = self._histogram
        xs, ys = self._xs(plot), self._ys(plot, found.shares(found.counts))
        fill = QColor(self._theme.dim)
        fill.setAlpha(70)
        painter.setPen(Qt.PenStyle.NoPen)
        for left, right, top in zip(xs, xs[1:], ys, strict=False):
            painter.fillRect(QRectF(left, top, right - left, plot.bottom() - top), fill)
        painter.setPen(QPen(QColor(self._theme.dim), 1))
        painter.drawLines([QLineF(left, top, right, top) for left, right, top in zip(xs, xs[1:], ys, strict=False)])

    def _draw_line(self, painter: QPainter, plot: QRectF, shares: Shares, colour: QColor, width: float) -> None:
        if width < 2 and len(self._curves) > 4:
            colour.setAlpha(120)
        painter.setPen(QPen(colour, width * self._theme.scale))
        xs, ys = self._xs(plot), self._ys(plot, shares)
        painter.drawPolyline(
            [
                point
                for left, right, y in zip(xs, xs[1:], ys, strict=False)
                for point in (QPointF(left, y), QPointF(right, y))
            ]
        )

    # -- mouse and keys -----------------------------------------------------------------------

    def _bin_at(self, point: QPointF) -> int | None:
        plot = self.plot()
        if self._found is None or not plot.contains(point):
            return None
        return min(len(self._found.counts) - 1, int((point.x() - plot.left()) / plot.width() * len(self._found.counts)))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._say_bin(self._bin_at(event.position()))

    def leaveEvent(self, _event: QEvent) -> None:
        self.hovered.emit("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        bins = {Qt.Key.Key_Left: self._bin - 1, Qt.Key.Key_Right: self._bin + 1}
        rows = {Qt.Key.Key_Up: self._row - 1, Qt.Key.Key_Down: self._row + 1}
        rows.update({Qt.Key.Key_Home: 0, Qt.Key.Key_End: len(self._rows) - 1})
        if self._found is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in bins:
            self._bin = max(0, min(len(self._found.counts) - 1, bins[key]))
            self._say_bin(self._bin)
            self.update()
        elif key in rows:
            self._row = max(0, min(len(self._rows) - 1, rows[key]))
            self._say_bin(self._bin)
            if self._sight is not None and self._sight.rows_are_examples:
                self.row_chosen.emit(self._row)
        else:
            super().keyPressEvent(event)
