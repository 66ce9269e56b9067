"""A plot with its legend under it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from views.theme import Theme
from views.timing.line_legend import LegendEntry, LineLegend
from views.timing.log_plot.log_axis import Words
from views.timing.log_plot.log_plot import LogPlot
from views.timing.log_plot.plot_items import Line

LEGEND_SHARE = 0.3
"""The largest share of the height for the legend."""
MARGIN_PX = 8


class LegendedPlot(QWidget):
    """Lines on logarithmic axes, and their legend below."""

    def __init__(self, name: str, x_words: Words, y_words: Words) -> None:
        super().__init__()
        self.plot = LogPlot(x_words, y_words)
        self.plot.setAccessibleName(name)
        self.legend = LineLegend()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.plot, 1)
        self._scroll = QScrollArea(widgetResizable=True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self.legend)
        self._scroll.setViewportMargins(MARGIN_PX, 0, 0, MARGIN_PX // 2)
        self._scroll.viewport().setAutoFillBackground(False)
        self.legend.setAutoFillBackground(False)
        layout.addWidget(self._scroll)

    def show_lines(
        self, lines: Sequence[Line], entries: Sequence[LegendEntry], floor: tuple[float, LegendEntry] | None = None
    ) -> None:
        """Draw `lines`, and the `floor` at its height where it is near; explain them by `entries`."""
        self.plot.show_lines(lines)
        seen = self.plot.show_floor(floor[0] if floor is not None else None)
        self.legend.show_entries([*entries, floor[1]] if floor is not None and seen else entries)
        self._share_height()

    def take_legend(self) -> tuple[LegendEntry, ...]:
        """Show the plot alone from now on, and return its legend."""
        self._scroll.hide()
        return self.legend.entries

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self.plot.apply_theme(theme)
        self.legend.apply_theme(theme)
        self._share_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        """Leave most of the height to the plot; a long legend is scrolled."""
        wanted = self.legend.heightForWidth(self.width() - MARGIN_PX) + MARGIN_PX // 2
        self._scroll.setFixedHeight(min(wanted, round(self.height() * LEGEND_SHARE)))
