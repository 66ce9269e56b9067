"""A plot with logarithmic axes whose lines are made once and then only given new points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QPen, QResizeEvent

from views.theme import LIGHT, Theme
from views.timing.log_axis import LogAxis, Words

Values = npt.NDArray[np.float64]

REACH_PX = 24
"""How near the pointer must come to a point to mean it."""
STRONG = 1.75
RING_PX = 19
ROOM_FOR_WORDS = 0.3
FLOOR_REACH = 1.2
"""Powers of ten that the floor may lie under the lowest point; further below, it would only press the curves flat."""
STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
"""Lines come the highest first, points from left to right."""


@dataclass(frozen=True)
class Line:
    """One curve with its points. Coordinates are logarithms to base 10; a NaN in `ys` is a gap."""

    xs: Values
    ys: Values
    below: Values
    """How far the error bar of each point reaches down, 0 for none."""
    above: Values
    hollow: npt.NDArray[np.bool_]
    """Points whose figure is not sure."""
    texts: tuple[str, ...]
    """What each point says when the pointer is on it."""
    colour: str
    symbol: str
    """One of pyqtgraph's, or empty for a bare line."""
    dash: Qt.PenStyle
    strong: bool = False
    end: str = ""
    """A few words at the last point: why the curve goes no further."""

    def pen(self, theme: Theme, dash: Qt.PenStyle) -> QPen:
        """Return a pen of the line's colour and strength."""
        pen = QPen(QColor(self.colour), theme.line_width * (STRONG if self.strong else 1.0), dash)
        pen.setCosmetic(True)
        return pen


class _Drawn:
    """The plot items of one line."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._bars = pg.ErrorBarItem(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0))
        self._curve = pg.PlotCurveItem(antialias=True)
        self._points = pg.ScatterPlotItem(antialias=True)
        self.end = pg.TextItem(anchor=(0.0, 0.5))
        for item in (self._bars, self._curve, self._points):
            plot.addItem(item)
        plot.addItem(self.end, ignoreBounds=True)

    def show(self, line: Line | None, theme: Theme) -> None:
        """Give the items the points and looks of `line`; None empties them."""
        if line is None:
            self._curve.setData([], [])
            self._points.setData(x=[], y=[])
            self._bars.setData(x=np.empty(0), y=np.empty(0), top=np.empty(0), bottom=np.empty(0))
            self.end.hide()
            return
        solid = line.pen(theme, Qt.PenStyle.SolidLine)
        self._curve.setData(line.xs, line.ys, pen=line.pen(theme, line.dash), connect="finite")
        self._show_end(line, theme)
        there = np.isfinite(line.ys) if line.symbol else np.zeros(len(line.ys), np.bool_)
        brushes = [QColor(theme.background if hollow else line.colour) for hollow in line.hollow[there]]
        self._points.setData(
            x=line.xs[there], y=line.ys[there], symbol=line.symbol or None, size=theme.px(9), pen=solid, brush=brushes
        )
        self._bars.setData(
            x=line.xs[there], y=line.ys[there], top=line.above[there], bottom=line.below[there], pen=solid, beam=0.0
        )

    def _show_end(self, line: Line, theme: Theme) -> None:
        finite = np.flatnonzero(np.isfinite(line.ys))
        self.end.setVisible(bool(line.end) and bool(finite.size))
        if line.end and finite.size:
            self.end.setFont(theme.font(0.85, italic=True))
            last = finite[-1]
            # Beside the point, and over it where the plot ends there.
            self.end.setAnchor((1.0, 1.2) if line.xs[last] == line.xs.max() else (0.0, 0.5))
            self.end.setText(f"  {line.end}", QColor(line.colour))
            self.end.setPos(line.xs[last], line.ys[last])


class Floor:
    """A line from end to end under which no point can be, with its words."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self.line = pg.PlotDataItem()
        self.words = pg.TextItem(anchor=(0.0, 0.0))
        plot.addItem(self.line)
        plot.addItem(self.words, ignoreBounds=True)

    def show(self, height: float | None, xs: Values, words: str, theme: Theme) -> None:
        """Draw it at `height` across `xs`; None for nothing."""
        self.words.setVisible(height is not None)
        if height is None:
            self.line.setData([], [])
            return
        pen = QPen(QColor(theme.dim), theme.line_width / 2, Qt.PenStyle.DotLine)
        pen.setCosmetic(True)
        # The last point is not drawn: it makes room for the words.
        heights = [height, height, height - ROOM_FOR_WORDS]
        self.line.setData([xs.min(), xs.max(), xs.max()], heights, pen=pen, connect=np.array([1, 0, 0], np.int32))
        self.words.setFont(theme.font(0.85))
        self.words.setText(words, QColor(theme.dim))
        self.words.setPos(xs.min(), height)


class LogPlot(pg.PlotWidget):  # type: ignore[misc]
    """Draws lines on logarithmic axes.

    Attributes:
        ring: around the point that is selected, where one is.

    Signals:
        hover_text: what the point under the pointer says; empty when there is none.
        point_chosen: (line, point) numbers of the point that was clicked or gone to by the arrow keys.
    """

    hover_text = Signal(str)
    point_chosen = Signal(object)

    def __init__(self, x_words: Words, y_words: Words) -> None:
        self._x_axis, self._y_axis = LogAxis("bottom", x_words), LogAxis("left", y_words)
        super().__init__(axisItems={"bottom": self._x_axis, "left": self._y_axis})
        self._theme = LIGHT
        self._lines: tuple[Line, ...] = ()
        self._drawn: list[_Drawn] = []
        self._labels = ("", "")
        self._hovered = ""
        self._ring_at: tuple[int, int] | None = None
        self.floor = Floor(self.plotItem)
        self.ring = pg.ScatterPlotItem(antialias=True)
        self.ring.setZValue(1)
        self.plotItem.addItem(self.ring, ignoreBounds=True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plotItem.setMenuEnabled(False)
        self.plotItem.hideButtons()
        self.plotItem.vb.setDefaultPadding(0.06)
        self.plotItem.showGrid(x=True, y=True, alpha=0.18)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Draw `lines` and nothing else."""
        self._lines = tuple(lines)
        while len(self._drawn) < len(lines):
            self._drawn.append(_Drawn(self.plotItem))
        for number, drawn in enumerate(self._drawn):
            drawn.show(lines[number] if number < len(lines) else None, self._theme)
        self._draw_ring()

    def show_ring(self, place: tuple[int, int] | None) -> None:
        """Ring the point (line, point), None for none."""
        if place != self._ring_at:
            self._ring_at = place
            self._draw_ring()

    def show_floor(self, height: float | None, words: str = "") -> None:
        """Draw a line at `height`, a logarithm, with its words; None, or one far below the lines, draws nothing."""
        lowest = min((float(np.nanmin(line.ys)) for line in self._lines if np.isfinite(line.ys).any()), default=None)
        seen = height is not None and lowest is not None and lowest - height < FLOOR_REACH
        xs = np.concatenate([line.xs for line in self._lines]) if seen else np.empty(0)
        self.floor.show(height if seen else None, xs, words, self._theme)

    def show_labels(self, x_label: str, y_label: str) -> None:
        """Name the axes."""
        self._labels = (x_label, y_label)
        size = f"{self._theme.font(0.95).pointSizeF():.1f}pt"
        for axis, text in zip((self._x_axis, self._y_axis), self._labels, strict=True):
            axis.setLabel(text, color=self._theme.text, **{"font-size": size})
        self._show_y_label_where_it_fits()

    def show_x_ticks(self, ticks: Sequence[tuple[float, str]]) -> None:
        """Put ticks of the lower axis at these places only."""
        self._x_axis.setTicks([list(ticks)])

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self.setBackground(theme.background)
        for axis in (self._x_axis, self._y_axis):
            axis.apply_theme(theme)
        self.show_labels(*self._labels)
        self.show_lines(self._lines)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this before the constructor is done.
        if hasattr(self, "_labels"):
            self._show_y_label_where_it_fits()

    def _show_y_label_where_it_fits(self) -> None:
        room = self.height() - self._theme.px(50)
        self._y_axis.showLabel(QFontMetrics(self._theme.font(0.95)).horizontalAdvance(self._labels[1]) < room)

    def _draw_ring(self) -> None:
        place = self._ring_at
        if place is None or not self._is_point(*place):
            self.ring.setData(x=[], y=[])
            return
        line, theme = self._lines[place[0]], self._theme
        pen = QPen(QColor(theme.focus), theme.line_width * 1.25)
        pen.setCosmetic(True)
        at = {"x": [line.xs[place[1]]], "y": [line.ys[place[1]]]}
        self.ring.setData(**at, symbol="o", size=theme.px(RING_PX), pen=pen, brush=theme.focus_fill())

    def _is_point(self, line: int, point: int) -> bool:
        if not 0 <= line < len(self._lines):
            return False
        ys = self._lines[line].ys
        return 0 <= point < len(ys) and bool(np.isfinite(ys[point]))

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            step = (0, 0)
        if step is None:
            super().keyPressEvent(event)
        elif found := self._beside(*step):
            self.hover_text.emit(self._lines[found[0]].texts[found[1]])
            self.point_chosen.emit(found)

    def _beside(self, down: int, right: int) -> tuple[int, int] | None:
        """Return the next point that there is in this direction; the first of all where none is ringed."""
        if self._ring_at is None or not self._is_point(*self._ring_at):
            every = ((line, point) for line in range(len(self._lines)) for point in range(len(self._lines[line].ys)))
            return next((place for place in every if self._is_point(*place)), None)
        line, point = self._ring_at
        while 0 <= line + down < len(self._lines) and 0 <= point + right < len(self._lines[line].ys):
            line, point = line + down, point + right
            if self._is_point(line, point):
                return line, point
            if not (down or right):
                break
        return self._ring_at

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_keyboard(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_keyboard(False)

    def _show_keyboard(self, here: bool) -> None:
        """Frame the plot while the arrow keys go to it."""
        colour = QColor(self._theme.focus) if here else None
        self.plotItem.vb.setBorder(QPen(colour, 2) if colour else None)

    # -- mouse --------------------------------------------------------------------------------

    def _on_mouse_moved(self, position: QPointF) -> None:
        found = self._nearest(position)
        text = self._lines[found[0]].texts[found[1]] if found else ""
        if text != self._hovered:
            self._hovered = text
            self.hover_text.emit(text)

    def _on_mouse_clicked(self, event: Any) -> None:
        if event.double():
            self.plotItem.enableAutoRange()
        elif found := self._nearest(event.scenePos()):
            self.point_chosen.emit(found)

    def _nearest(self, position: QPointF) -> tuple[int, int] | None:
        """Return (line, point) of the point nearest to `position` in the scene, or None where none is near."""
        box = self.plotItem.vb
        if not box.sceneBoundingRect().contains(position):
            return None
        here = box.mapSceneToView(position)
        across, up = box.viewPixelSize()
        nearest, reach = None, float(self._theme.px(REACH_PX))
        for number, line in enumerate(self._lines):
            distances = np.hypot((line.xs - here.x()) / across, (line.ys - here.y()) / up)
            if np.isfinite(distances).any() and (least := float(np.nanmin(distances))) < reach:
                nearest, reach = (number, int(np.nanargmin(distances))), least
        return nearest
