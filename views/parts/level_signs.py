"""The signs of the list of findings: a shape and a colour for each level."""

from __future__ import annotations

import functools
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from views.theme import Theme

Kind = Literal["error", "bug", "warning", "note", "unseen", "fine", "waiting", "jax"]
KINDS: tuple[Kind, ...] = ("error", "bug", "warning", "note", "jax", "unseen", "fine", "waiting")
"""The most serious first; answers of JAX, which were asked for, before what is clean: a stage has room for two rows."""
SIZE = 14
"""Pixels."""
PIXMAP_SCALE = 4
"""Drawn larger than shown, so that it stays sharp on dense screens."""


def level_colour(kind: Kind, theme: Theme) -> str:
    """Return the colour of the word and the sign of `kind`."""
    colours = {"error": theme.bug, "bug": theme.bug, "warning": theme.note, "note": theme.note, "fine": theme.good}
    return colours.get(kind, theme.dim)


@functools.cache
def sign(kind: Kind, theme: Theme) -> QIcon:
    """Return the sign of `kind`: each has its own shape, so that none depends on colour alone.

    A cross for an error, a filled octagon for a bug, a filled triangle for a warning, a hollow one for a note, a tick
    for clean, a dashed circle for unchecked parts, dots for running, a speech bubble for answers of JAX.
    """
    size = theme.px(SIZE) * PIXMAP_SCALE
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / SIZE, size / SIZE)
    colour = QColor(level_colour(kind, theme))
    painter.setPen(QPen(colour, 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    if kind in ("bug", "warning"):
        painter.setBrush(colour)
    _draw_shape(painter, kind)
    painter.end()
    return QIcon(pixmap)


def _draw_shape(painter: QPainter, kind: Kind) -> None:
    if kind == "error":
        painter.drawLine(QPointF(3, 3), QPointF(11, 11))
        painter.drawLine(QPointF(3, 11), QPointF(11, 3))
    elif kind == "bug":
        corners = ((4.5, 2), (9.5, 2), (12, 4.5), (12, 9.5), (9.5, 12), (4.5, 12), (2, 9.5), (2, 4.5))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    elif kind in ("warning", "note"):
        painter.drawPolygon(QPolygonF([QPointF(7, 2), QPointF(12.5, 12), QPointF(1.5, 12)]))
    elif kind == "fine":
        painter.drawPolyline(QPolygonF([QPointF(2, 7.5), QPointF(5.5, 11), QPointF(12, 3)]))
    elif kind == "unseen":
        for start in range(0, 360, 72):
            painter.drawArc(QRectF(2, 2, 10, 10), start * 16, 40 * 16)
    elif kind == "jax":
        bubble = ((2, 2.5), (12, 2.5), (12, 9), (7, 9), (4, 12), (4, 9), (2, 9))
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in bubble]))
    else:
        for x in (2.5, 7.0, 11.5):
            painter.drawEllipse(QRectF(x - 0.5, 6.5, 1, 1))
