"""Where the images of a gallery lie."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF

LEAST_TILE = 28
"""Images are drawn no smaller than this many pixels; more than fit are scrolled."""
LARGEST_TILE = 480


@dataclass(frozen=True)
class Tiles:
    """Where the images lie: row after row of tiles, as large as they can be."""

    side: float
    caption: float
    across: int
    count: int
    aspect: float
    """Width over height of an image."""

    @property
    def width(self) -> float:
        return self.side * min(1.0, self.aspect)

    @property
    def height(self) -> float:
        return self.side * min(1.0, 1 / self.aspect)

    @property
    def step(self) -> float:
        return self.height + self.caption

    @property
    def lines(self) -> int:
        return math.ceil(self.count / self.across)

    def place(self, number: int, gap: float) -> QRectF:
        """Return the rectangle of image `number`, before scrolling."""
        down, right = divmod(number, self.across)
        return QRectF(right * (self.width + gap), self.caption + down * (self.step + gap), self.width, self.height)


def tiles_for(count: int, aspect: float, width: float, height: float, caption: float, gap: float) -> Tiles:
    """Return the largest tiles that show `count` images at once, or the smallest where they cannot."""
    best = Tiles(
        LEAST_TILE, caption, max(1, int((width + gap) // (LEAST_TILE * min(1.0, aspect) + gap))), count, aspect
    )
    for across in range(1, count + 1):
        lines = math.ceil(count / across)
        wide = (width - (across - 1) * gap) / across / min(1.0, aspect)
        high = ((height - (lines - 1) * gap) / lines - caption) / min(1.0, 1 / aspect)
        side = min(wide, high, LARGEST_TILE)
        if side > best.side:
            best = Tiles(side, caption, across, count, aspect)
        if wide < LEAST_TILE:
            break
    return best
