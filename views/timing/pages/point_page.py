"""One point: its samples one by one and distributed, and in words whether it is stable."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series
from explorer.messages import Value
from views.theme import LIGHT, Theme
from views.timing.pages.samples_plot import SamplesPlot
from views.timing.series_look import look
from views.timing.timing_words import TimingWords


class PointPage(QWidget):
    """Words first, the samples below."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._words = TimingWords()
        self._sentence = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentence.setAccessibleName(self.tr("The point in words"))
        self._samples: SamplesPlot | None = None
        """The plot, which takes long to make, from the first point on."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._sentence)

    def show_point(self, figures: Figures, key: tuple[Series, Value] | None) -> None:
        """Show the samples of one point; None where there is none."""
        if self._samples is None:
            self._samples = SamplesPlot()
            self._samples.apply_theme(self._theme)
            self._column.addWidget(self._samples, 1)
        point = figures.points.get(key) if key is not None else None
        self._sentence.setText(
            self._words.samples(point) if point is not None else self.tr("This point has no samples.")
        )
        colour = look(figures, key[0], self._theme)["colour"] if key is not None and point is not None else ""
        self._samples.show_point(point, colour or self._theme.dim)
        self._samples.setAccessibleDescription(self._sentence.text())

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`; the samples follow when they are shown again."""
        self._theme = theme
        self._sentence.setFont(theme.font(0.95))
        if self._samples is not None:
            self._samples.apply_theme(theme)
