"""The legend of a key picture: the states that occur, each with its symbol and its word."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.messages import KeyState
from views.keys.symbols import draw_legend_symbol
from views.theme import LIGHT, Theme

TEXT = 0.85
RADIUS = 5.5


class KeyLegend(QWidget):
    """A line of symbols with words, which wraps."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._entries: tuple[tuple[KeyState, str], ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Legend"))

    def show_states(self, entries: tuple[tuple[KeyState, str], ...]) -> None:
        """Show these states with their words."""
        self._entries = entries
        self.setAccessibleDescription(", ".join(words for _, words in entries))
        self.setVisible(bool(entries))
        self._resized()

    def apply_theme(self, theme: Theme) -> None:
        """Recolour and rescale."""
        self._theme = theme
        self._resized()

    def sizeHint(self) -> QSize:
        return QSize(300, self.heightForWidth(300))

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (the name is Qt's)
        return int((self._places(width)[-1][1] + 1) * self._line) if self._entries else 0

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._theme.font(TEXT))
        radius, ascent = RADIUS * self._theme.scale, QFontMetricsF(self._theme.font(TEXT)).ascent()
        for (state, words), (x, row) in zip(self._entries, self._places(self.width()), strict=True):
            middle = QPointF(x + radius * 1.4, (row + 0.5) * self._line)
            draw_legend_symbol(painter, self._theme, state, middle, radius)
            painter.setPen(QColor(self._theme.dim))
            painter.drawText(QPointF(x + radius * 3.4, row * self._line + ascent + 1), words)
        painter.end()

    @property
    def _line(self) -> float:
        return QFontMetricsF(self._theme.font(TEXT)).height() + 2

    def _places(self, width: float) -> list[tuple[float, int]]:
        """Return where each entry begins, in pixels, and its line."""
        metrics, gap = QFontMetricsF(self._theme.font(TEXT)), self._theme.px(14)
        x, row, places = 0.0, 0, []
        for _, words in self._entries:
            needed = RADIUS * 3.4 * self._theme.scale + metrics.horizontalAdvance(words)
            if x and x + needed > width:
                x, row = 0.0, row + 1
            places.append((x, row))
            x += needed + gap
        return places

    def _resized(self) -> None:
        self.updateGeometry()
        self.update()
