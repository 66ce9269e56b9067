"""Labels next to and under keys: of several wordings, the longest that fits."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from views.theme import Theme

TEXT = 1.0
"""Text in the picture, relative to the interface's: as large as that of the story."""

Style = Literal["plain", "bold", "digits"]
Side = Literal["left", "centre", "right"]
Line = tuple[list[str], Style, str]
"""The ways to say one thing, longest first; how it is set; its colour."""


class Lettering:
    """The fonts of a picture, ready to write with."""

    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self._painter = painter
        self._fonts: dict[Style, QFont] = {
            "plain": theme.font(TEXT),
            "bold": theme.font(TEXT, bold=True),
            "digits": theme.mono_font(TEXT),
        }
        self._metrics = {style: QFontMetricsF(font) for style, font in self._fonts.items()}
        self.height = self._metrics["plain"].height()
        """Pixels from one line to the next."""

    def width(self, words: str, style: Style = "plain") -> float:
        return self._metrics[style].horizontalAdvance(words)

    def fitting(self, line: Line, room: float) -> str:
        """Return the longest variant of the text within `room` pixels, empty where none fits."""
        choices, style, _ = line
        return next((words for words in choices if self.width(words, style) <= room), "")

    def write(self, line: Line, x: float, top: float, room: float, side: Side = "centre") -> QRectF | None:
        """Write a line at `x`, aligned left, centred or right; return its area, None without room."""
        words = self.fitting(line, room)
        if not words:
            return None
        _, style, colour = line
        width = self.width(words, style)
        shift = {"left": 0.0, "centre": 0.5, "right": 1.0}[side] * width
        self._painter.setFont(self._fonts[style])
        self._painter.setPen(QColor(colour))
        self._painter.drawText(QPointF(x - shift, top + self._metrics[style].ascent()), words)
        return QRectF(x - shift, top, width, self.height)

    def write_lines(
        self, lines: list[Line], x: float, top: float, room: float, side: Side = "centre", bottom: float = 1e9
    ) -> list[QRectF | None]:
        """Write lines below each other down to `bottom`, skipping those without room. Return their areas."""
        rooms = []
        for line in lines:
            written = self.write(line, x, top, room, side) if top + self.height <= bottom else None
            top += self.height if written else 0.0
            rooms.append(written)
        return rooms
