"""Ticks of a logarithmic axis."""

from __future__ import annotations

import math
from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtGui import QColor, QFontMetrics, QPen

from views.theme import Theme

Words = Callable[[float], str]
"""Says a value in words, for a tick."""

SUBDIVISIONS = (2, 5)


class LogAxis(pg.AxisItem):  # type: ignore[misc]
    """Ticks at powers of ten, and at 2 and 5 between them where few powers are in sight."""

    def __init__(self, orientation: str, words: Words) -> None:
        super().__init__(orientation)
        self._words = words
        self._room_px = 40
        self.enableAutoSIPrefix(False)

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        metrics = QFontMetrics(theme.font(0.9))
        across = self.orientation == "bottom"
        self._room_px = metrics.horizontalAdvance("1,000,000") if across else metrics.height() * 4 // 3
        self.setPen(QPen(QColor(theme.dim), 1))
        self.setTextPen(QColor(theme.text))
        self.setTickFont(theme.font(0.9))
        self.setStyle(tickTextOffset=theme.px(4), tickLength=-theme.px(4))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:  # noqa: N802, N803
        powers = range(math.floor(minVal), math.ceil(maxVal) + 1)
        texts = max(1.0, size / self._room_px)
        every = math.ceil((maxVal - minVal) / texts)
        if 3 * (maxVal - minVal) > texts:
            return [(float(every), [float(power) for power in powers if power % every == 0])]
        between = [power + math.log10(each) for power in powers for each in SUBDIVISIONS]
        return [(1.0, [float(power) for power in powers]), (0.3, between)]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:  # noqa: N802, ARG002
        return [self._words(10.0**value) for value in values]
