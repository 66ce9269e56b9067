"""LogPlot: a plot with logarithmic axes, whose points are chosen by mouse and keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontMetrics, QKeyEvent, QPen, QResizeEvent

from views.theme import Theme, Themed
from views.timing.plot_items import GAP_PX, DrawnLine, Line, LogAxis, Words, shifts_with_room

REACH_PX = 24
"""Pixels around a point that count as on the point."""
RING_PX = 19
FLOOR_REACH = 1.2
"""The most powers of ten of the floor below the lowest point; further below, it would only flatten the curves."""
FLOOR_DASH = Qt.PenStyle.DotLine
MOST_REACH = 0.5
"""The most of the width that is left to the words at the ends of lines."""
LEFT_SHARE = 0.12
"""The largest share of the width left of the first points: padding, and the size of the points."""
STEPS = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0), Qt.Key.Key_Down: (1, 0)}
"""Lines are ordered from the highest, points from left to right."""


class LogPlot(Themed, pg.PlotWidget):  # type: ignore[misc]
    """Draws lines on logarithmic axes.

    Attributes:
        floor: the line below which no point can be, if it is near enough.
        ring: the mark around the selected point, if any.

    Signals:
        hover_text: the text of the hovered point; empty for none.
        point_chosen: (line, point) numbers of the point that was clicked or gone to by the arrow keys.
    """

    hover_text = Signal(str)
    point_chosen = Signal(object)

    def __init__(self, x_words: Words, y_words: Words) -> None:
        self.x_axis, self._y_axis = LogAxis("bottom", x_words), LogAxis("left", y_words)
        super().__init__(axisItems={"bottom": self.x_axis, "left": self._y_axis}, enableMenu=False)
        self._lines: tuple[Line, ...] = ()
        self._drawn: list[DrawnLine] = []
        self._labels = ("", "")
        self._hovered = ""
        self._ring_at: tuple[int, int] | None = None
        self.floor = pg.InfiniteLine(angle=0)
        self.floor.hide()
        self.plotItem.addItem(self.floor)
        self.ring = pg.ScatterPlotItem(antialias=True)
        self.ring.setZValue(1)
        self.plotItem.addItem(self.ring, ignoreBounds=True)
        self._room = pg.PlotCurveItem(pen=None)
        """A point that is not drawn: the axes include it, beyond the last points."""
        self.plotItem.addItem(self._room)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.plotItem.setMenuEnabled(False)
        self.plotItem.hideButtons()
        self.plotItem.vb.setDefaultPadding(0.06)
        self.plotItem.showGrid(x=True, y=True, alpha=0.18)
        self.plotItem.vb.sigRangeChanged.connect(self._spread_ends)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        self.scene().sigMouseClicked.connect(self._on_mouse_clicked)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Draw exactly these `lines`."""
        self._lines = tuple(lines)
        while len(self._drawn) < len(lines):
            self._drawn.append(DrawnLine(self.plotItem))
        for number, drawn in enumerate(self._drawn):
            drawn.show(lines[number] if number < len(lines) else None, self.theme)
        self._spread_ends()
        self._draw_ring()

    def show_ring(self, place: tuple[int, int] | None) -> None:
        """Ring the point (line, point), None for none."""
        if place != self._ring_at:
            self._ring_at = place
            self._draw_ring()

    def show_floor(self, height: float | None) -> bool:
        """Draw a line at `height`, a logarithm, and return True; None, or one far below the lines, draws nothing."""
        seen = height is not None and self._heights()[0] - height < FLOOR_REACH
        self.floor.setVisible(seen)
        if seen:
            self.floor.setPen(pg.mkPen(self.theme.dim, width=self.theme.line_width / 2, style=FLOOR_DASH))
            self.floor.setValue(height)
        return seen

    def show_labels(self, x_label: str, y_label: str) -> None:
        """Name the axes."""
        self._labels = (x_label, y_label)
        size = f"{self.theme.font(0.95).pointSizeF():.1f}pt"
        for axis, text in zip((self.x_axis, self._y_axis), self._labels, strict=True):
            axis.setLabel(text, color=self.theme.text, **{"font-size": size})
        self._show_y_label_where_it_fits()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self.setBackground(theme.background)
        for axis in (self.x_axis, self._y_axis):
            axis.apply_theme(theme)
        self.show_labels(*self._labels)
        self.show_lines(self._lines)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        # pyqtgraph calls this before the constructor is done.
        if hasattr(self, "_ring_at"):
            self._show_y_label_where_it_fits()
            self._spread_ends()

    def _show_y_label_where_it_fits(self) -> None:
        room = self.height() - self.theme.px(50)
        self._y_axis.showLabel(QFontMetrics(self.theme.font(0.95)).horizontalAdvance(self._labels[1]) < room)

    def _heights(self) -> tuple[float, float]:
        """Return the lowest and the highest point, as logarithms; infinite where there is none."""
        found = [line.ys[np.isfinite(line.ys)] for line in self._lines if np.isfinite(line.ys).any()]
        return (float(min(map(np.min, found))), float(max(map(np.max, found)))) if found else (np.inf, -np.inf)

    def _make_room(self) -> None:
        """Extend the axes to the right of the last points as far as their labels need."""
        ends = [(line.xs.max(), line.end) for line in self._lines if line.end and len(line.xs)]
        first = min((line.xs.min() for line in self._lines if len(line.xs)), default=0.0)
        last = max((x for x, _ in ends), default=0.0)
        metrics = QFontMetrics(self.theme.font(0.85, italic=True))
        wide = max((metrics.horizontalAdvance(text) for x, text in ends if x == last), default=0)
        # pyqtgraph adds its own padding at both sides: at the left it is taken from that of the words.
        share = min(
            MOST_REACH, (wide + 2 * self.theme.px(GAP_PX)) / (1 - LEFT_SHARE) / max(1, self.plotItem.vb.width())
        )
        lowest = self._heights()[0]
        is_needed = last > first and np.isfinite(lowest)
        self._room.setData(*([last + (last - first) * share / (1 - share)], [lowest]) if is_needed else ([], []))

    def _spread_ends(self) -> None:
        """Separate labels at the ends of lines that would overlap; those of highlighted lines have room first.

        Lines that end together and have the same label share one.
        """
        self._make_room()
        box, height = self.plotItem.vb, QFontMetrics(self.theme.font(0.85, italic=True)).height()
        (low, high), pixel = box.viewRange()[1], box.viewPixelSize()[1]
        if not pixel > 0:
            return
        strong = [bool(line.strong) for line in self._lines]
        ends = [(drawn, first) for drawn, first in zip(self._drawn, strong, strict=False) if drawn.has_end]
        shown: list[DrawnLine] = []
        places: list[tuple[float, float]] = []
        for drawn, _ in sorted(ends, key=lambda each: not each[1]):
            x, y = drawn.end.pos().x(), drawn.end.pos().y() / pixel
            alike = [at for each, at in zip(shown, places, strict=True) if each.words == drawn.words]
            if any(at[0] == x and abs(at[1] - y) < height for at in alike):
                drawn.shift_end(None)
            else:
                shown.append(drawn)
                places.append((x, y))
        room = low / pixel + height / 2, high / pixel - height / 2
        for drawn, shift in zip(shown, shifts_with_room(places, height, room), strict=True):
            drawn.shift_end(shift)

    def _draw_ring(self) -> None:
        place = self._ring_at
        if place is None or not self._is_point(*place):
            self.ring.setData(x=[], y=[])
            return
        line, theme = self._lines[place[0]], self.theme
        pen = pg.mkPen(theme.focus, width=theme.line_width * 1.25)
        at = {"x": [line.xs[place[1]]], "y": [line.ys[place[1]]]}
        self.ring.setData(**at, symbol="o", size=theme.px(RING_PX), pen=pen, brush=theme.focus_fill())

    def _is_point(self, line: int, point: int) -> bool:
        if not 0 <= line < len(self._lines):
            return False
        ys = self._lines[line].ys
        return 0 <= point < len(ys) and bool(np.isfinite(ys[point]))

    def _points(self) -> Iterator[tuple[int, int]]:
        every = ((line, point) for line in range(len(self._lines)) for point in range(len(self._lines[line].ys)))
        return (place for place in every if self._is_point(*place))

    # -- keys ---------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = STEPS.get(Qt.Key(event.key()))
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            step = (0, 0)
        if step is None:
            super().keyPressEvent(event)
        elif found := self._neighbour(*step):
            self.hover_text.emit(self._lines[found[0]].says(found[1]))
            self.point_chosen.emit(found)

    def _neighbour(self, down: int, right: int) -> tuple[int, int] | None:
        """Return the next point in this direction; the first of all where none is selected."""
        if self._ring_at is None or not self._is_point(*self._ring_at):
            return next(self._points(), None)
        line, point = self._ring_at
        while 0 <= line + down < len(self._lines) and 0 <= point + right < len(self._lines[line].ys):
            line, point = line + down, point + right
            if self._is_point(line, point):
                return line, point
            if not (down or right):
                break
        return self._ring_at

    def focusInEvent(self, event: QFocusEvent) -> None:
        # Here and not before, since it takes time to say all of it.
        texts = [self._lines[line].says(point) for line, point in self._points()]
        self.setAccessibleDescription(". ".join(texts))
        super().focusInEvent(event)
        self._show_keyboard(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_keyboard(False)

    def _show_keyboard(self, here: bool) -> None:
        """Frame the plot while the arrow keys go to it."""
        colour = QColor(self.theme.focus) if here else None
        self.plotItem.vb.setBorder(QPen(colour, 2) if colour else None)

    # -- mouse --------------------------------------------------------------------------------

    def _on_mouse_moved(self, position: QPointF) -> None:
        found = self._nearest(position)
        text = self._lines[found[0]].says(found[1]) if found else ""
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
        nearest, reach = None, float(self.theme.px(REACH_PX))
        for number, line in enumerate(self._lines):
            distances = np.hypot((line.xs - here.x()) / across, (line.ys - here.y()) / up)
            if np.isfinite(distances).any() and (least := float(np.nanmin(distances))) < reach:
                nearest, reach = (number, int(np.nanargmin(distances))), least
        return nearest
