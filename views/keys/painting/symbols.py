"""Draws a key by its state: shape first, colour second; and a pin at a key too narrow to be seen."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPolygonF

from explorer.messages import KeyState
from views.keys.painting.lettering import Lettering, Line
from views.theme import Theme

LINE = 1.6
"""Pixels of an outline at text size 1."""
FILLED: tuple[KeyState, ...] = ("drawn", "shared", "reused")


def state_colour(theme: Theme, state: KeyState) -> QColor:
    colours = {"drawn": theme.good, "reused": theme.bug, "shared": theme.bug, "unused": theme.dim}
    return QColor(colours.get(state, theme.text))


def state_pen(theme: Theme, state: KeyState, factor: float = 1.0) -> QPen:
    """Return the outline of a state: dashed where the key is unused."""
    pen = QPen(state_colour(theme, state), LINE * factor * theme.scale)
    if state == "unused":
        pen.setDashPattern([2.0, 2.0])
    return pen


def many_brush(theme: Theme, state: KeyState) -> QBrush:
    """Return the fill of a stretch of keys too narrow to be drawn each for itself; hollow ones are pale."""
    colour = state_colour(theme, state)
    colour.setAlpha(255 if state in FILLED else 90)
    return QBrush(colour)


def fill_many(painter: QPainter, theme: Theme, stretch: QRectF, state: KeyState) -> None:
    """Fill a stretch of keys that are too narrow for themselves, as a comb in the colour of `state`."""
    painter.fillRect(stretch, many_brush(theme, state))
    painter.fillRect(stretch, QBrush(QColor(theme.background), Qt.BrushStyle.VerPattern))


def draw_symbol(painter: QPainter, theme: Theme, state: KeyState, middle: QPointF, radius: float) -> None:
    """Draw a key as a symbol of this radius around `middle`."""
    painter.setPen(state_pen(theme, state, min(1.0, radius / 5)))
    painter.setBrush(state_colour(theme, state) if state in FILLED else QColor(theme.background))
    if state == "orphan":
        painter.drawPolygon(_diamond(middle, radius))
    elif state == "reused":
        _draw_double_ring(painter, middle, radius)
    else:
        painter.drawEllipse(middle, radius, radius)
    if state == "split" and radius >= 5:
        _draw_fork(painter, middle, radius)


def draw_bracket(painter: QPainter, pen: QPen, left: float, right: float, y: float, height: float) -> None:
    """Draw a bracket that opens downward, from `left` to `right`, its spine at `y`."""
    painter.setPen(pen)
    painter.drawLines(
        [QLineF(left, y, right, y), QLineF(left, y, left, y + height), QLineF(right, y, right, y + height)]
    )


def draw_legend_symbol(painter: QPainter, theme: Theme, state: KeyState, middle: QPointF, radius: float) -> None:
    """Draw a symbol for a legend, including the bracket of a shared key."""
    if state != "shared":
        draw_symbol(painter, theme, state, middle, radius)
        return
    draw_symbol(painter, theme, state, middle - QPointF(0, radius * 0.4), radius * 0.75)
    low = middle.y() + radius * 0.75
    draw_bracket(painter, state_pen(theme, state), middle.x() - radius, middle.x() + radius, low, radius * 0.4)


def _draw_double_ring(painter: QPainter, middle: QPointF, radius: float) -> None:
    """Draw a filled disc with a ring around it, both within `radius`."""
    brush = QBrush(painter.brush())
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(middle, radius, radius)
    painter.setBrush(brush)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawEllipse(middle, radius * 0.55, radius * 0.55)


def _draw_fork(painter: QPainter, middle: QPointF, radius: float) -> None:
    arm = radius * 0.5
    low = middle + QPointF(0, -arm * 0.1)
    painter.drawLines(
        [
            QLineF(middle - QPointF(0, arm), low),
            QLineF(low, middle + QPointF(-arm, arm)),
            QLineF(low, middle + QPointF(arm, arm)),
        ]
    )


def _diamond(middle: QPointF, radius: float) -> QPolygonF:
    far = radius * 1.15
    corners = [QPointF(0, -far), QPointF(far, 0), QPointF(0, far), QPointF(-far, 0)]
    return QPolygonF([middle + corner for corner in corners])


def inset(rectangle: QRectF, pixels: float) -> QRectF:
    """Return `rectangle` reduced by `pixels` on each side."""
    return rectangle.adjusted(pixels, pixels, -pixels, -pixels)


NARROW = 9.0
"""Pixels below which a key needs a pin, at text size 1."""
SMALL = 16.0
"""Pixels of a cell in a block below which a key needs one."""
TALL = 9.0
"""Pixels from the tip of the pin to its label, at text size 1."""


def draw_pin(painter: QPainter, theme: Theme, letters: Lettering, tip: QPointF, words: list[str], width: float) -> None:
    """Draw a pin that points down at `tip`, with the `words` that fit above it, on a picture `width` pixels wide."""
    tall = TALL * theme.scale
    line: Line = (words, "digits", theme.text)
    text = letters.fitting(line, width)
    room = letters.width(text, "digits") + 8
    left = min(max(1.0, tip.x() - room / 2), max(1.0, width - room - 1))
    label = QRectF(left, tip.y() - tall - letters.height, room, letters.height)
    painter.setPen(QPen(QColor(theme.focus), 1.5 * theme.scale))
    painter.setBrush(QColor(theme.background))
    painter.drawRect(label)
    painter.setBrush(QColor(theme.focus))
    painter.drawPolygon(QPolygonF([tip, tip + QPointF(-tall * 0.6, -tall), tip + QPointF(tall * 0.6, -tall)]))
    letters.write(line, label.center().x(), label.top(), width)
