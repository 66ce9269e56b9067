"""The layout of the images of a gallery."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

LEAST_TILE = 28
"""Images are drawn no smaller than this many pixels; more than fit are scrolled."""
LARGEST_TILE = 480


@dataclass(frozen=True)
class Tiles:
    """The layout: rows of tiles, as large as possible, each below its caption."""

    width: float
    height: float
    """The height of an image."""
    caption: float
    gap: float
    across: int
    count: int

    @property
    def step(self) -> float:
        """Pixels from one row of tiles to the next."""
        return self.height + self.caption + self.gap

    @property
    def bottom(self) -> float:
        """Where the last row of tiles ends."""
        return math.ceil(self.count / self.across) * self.step - self.gap

    def place(self, number: int) -> QRectF:
        """Return the rectangle of image `number`, before scrolling."""
        down, right = divmod(number, self.across)
        return QRectF(right * (self.width + self.gap), self.caption + down * self.step, self.width, self.height)

    def at(self, point: QPointF) -> int | None:
        """Return the number of the tile at `point`, None where there is none."""
        down, right = int(point.y() // self.step), int(point.x() // (self.width + self.gap))
        number = down * self.across + right
        return number if 0 <= right < self.across and 0 <= number < self.count else None

    def between(self, top: float, bottom: float) -> range:
        """Return the tiles that are at least partly between these heights."""
        first, last = int(top // self.step), int(bottom // self.step)
        return range(max(0, first) * self.across, min(self.count, (last + 1) * self.across))


def tiles_for(count: int, aspect: float, width: float, height: float, caption: float, gap: float) -> Tiles:
    """Return the largest tiles that show `count` images at once, or the smallest where they cannot.

    `aspect` is the width of an image over its height; the longer side is that of the tile.
    """
    wide, high = min(1.0, aspect), min(1.0, 1 / aspect)
    best, best_across = float(LEAST_TILE), max(1, int((width + gap) // (LEAST_TILE * wide + gap)))
    for across in range(1, count + 1):
        lines = math.ceil(count / across)
        side_across = (width - (across - 1) * gap) / across / wide
        side = min(side_across, ((height - (lines - 1) * gap) / lines - caption) / high, LARGEST_TILE)
        if side > best:
            best, best_across = side, across
        if side_across < LEAST_TILE:
            break
    return Tiles(best * wide, best * high, caption, gap, best_across, count)
