"""size(), paint(), tip() of a Grid: a field for each part, in it a share for each device that has it."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from explorer.messages.lenses import Grid, Share
from views.theme import Theme, blended

SHARE_WIDTH = 20
"""Pixels of the share of one device, where there is room."""
LEAST_SHARES = 3
"""The width of a grid with several rows, in shares."""
FIELD_HEIGHT = 18
MOST_ROWS = 8
"""The most fields of full height; more of them make all lower."""
GAP = 2
"""Between fields."""
HATCH = 6
"""Between two lines."""
PALE = 0.22
"""How much of the colour of its device the ground of a copy has."""


def size(grid: Grid, theme: Theme) -> QSizeF:
    """Return how large `grid` is where it has the room."""
    shares = max((len(field) for field in grid.fields), default=1)
    width = grid.columns * (max(1, shares) * theme.px(SHARE_WIDTH) + theme.px(GAP))
    if grid.rows > 1:
        width = max(width, LEAST_SHARES * theme.px(SHARE_WIDTH))
    return QSizeF(width, min(grid.rows, MOST_ROWS) * (theme.px(FIELD_HEIGHT) + theme.px(GAP)))


def paint(painter: QPainter, box: QRectF, grid: Grid, theme: Theme) -> None:
    """Paint `grid` into `box`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    font = theme.mono_font(0.9)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    for place, share, copies in _shares(box, grid, theme):
        colour = QColor(theme.series_colour(share.device))
        hatched = grid.hatched and copies > 1
        painter.fillRect(place, blended(colour.name(), theme.background, PALE) if hatched else colour)
        text = str(share.device)
        wide = metrics.horizontalAdvance(text)
        fits = wide <= place.width() - 2 and metrics.ascent() <= place.height()
        if hatched:
            painter.setPen(QPen(colour, 1))
            painter.drawLines(list(_hatching(place, theme.px(HATCH))))
            painter.drawRect(place.adjusted(0, 0, -1, -1))
            if fits:
                ground = QRectF(0, 0, wide + 2, min(place.height() - 2, metrics.ascent() + 2))
                ground.moveCenter(place.center())
                painter.fillRect(ground, QColor(theme.background))
        if fits:
            painter.setPen(QColor(theme.text if hatched else theme.background))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def tip(box: QRectF, grid: Grid, where: QPointF, theme: Theme) -> str:
    """Return the tip for the share at `where` in a grid that is painted into `box`; empty outside of the shares."""
    return next((str(share.tip) for place, share, _ in _shares(box, grid, theme) if place.contains(where)), "")


def _shares(box: QRectF, grid: Grid, theme: Theme) -> Iterator[tuple[QRectF, Share, int]]:
    """Yield where each share is, itself, and how many share its field."""
    gap = theme.px(GAP)
    width, height = box.width() / grid.columns, box.height() / max(1, grid.rows)
    gaps = gap if min(width, height) > 3 * gap else 0
    for number, field in enumerate(grid.fields):
        row, column = divmod(number, grid.columns)
        left, top = box.left() + column * width, box.top() + row * height
        each = (width - gaps) / max(1, len(field))
        for place, share in enumerate(field):
            yield QRectF(left + place * each, top, each, max(1.0, height - gaps)), share, len(field)


def _hatching(place: QRectF, step: int) -> Iterator[QLineF]:
    """Yield lines that rise to the right, clipped to `place`: SVG has no pattern brushes."""
    width, height = place.width(), place.height()
    reach = step
    while reach < width + height:
        yield QLineF(
            place.left() + max(0.0, reach - height),
            place.top() + min(height, reach),
            place.left() + min(width, reach),
            place.top() + max(0.0, reach - width),
        )
        reach += step
