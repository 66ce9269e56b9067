"""After how many calls jit has paid for its compilation: in words, and as time spent over calls."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, tick_text
from explorer.messages import Measurement, Value
from views.theme import LIGHT, Theme
from views.timing.line_legend import LegendEntry
from views.timing.log_plot.legended_plot import LegendedPlot
from views.timing.log_plot.lines import FRESH, spent_over_calls
from views.timing.series_look import shade
from views.timing.timing_words import TimingWords

LEAST_PLOT_PX = 100


class BreakEvenPage(QWidget):
    """Words first; the plot is shown where there is room for it.

    Signals:
        hover_text: the text of the hovered point; empty for none.
    """

    hover_text = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._words = TimingWords()
        self._has_lines = False
        self._sentence = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._sentence.setAccessibleName(self.tr("Break-even"))
        self._spent: LegendedPlot | None = None
        """The plot, which takes long to make, from the first lines on."""
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self._sentence)

    def show_point(self, figures: Figures, value: Value | None) -> None:
        """Show the break-even of every variant at `value`; None where there is no point yet."""
        pairs = {} if value is None else figures.pairs(value)
        self._has_lines = bool(pairs)
        self._sentence.setText(self._words.break_evens(pairs))
        if self._spent is None and pairs:
            self._spent = self._plot()
        if self._spent is not None:
            lines = spent_over_calls(pairs, figures, self._theme, self._words)
            self._spent.show_lines(lines, self._entries(figures, pairs))
        self._show_plot_where_it_fits()

    def _plot(self) -> LegendedPlot:
        made = LegendedPlot(self.tr("Time spent over the number of calls"), _calls_text, tick_text)
        made.apply_theme(self._theme)
        made.plot.show_labels(self.tr("calls"), self.tr("time spent in all"))
        made.plot.hover_text.connect(self.hover_text)
        self._column.addWidget(made, 1)
        return made

    @property
    def is_empty(self) -> bool:
        """Whether the page has only a sentence."""
        return not self._has_lines

    def _entries(self, figures: Figures, pairs: Mapping[str, tuple[Measurement, Measurement]]) -> list[LegendEntry]:
        """Return the legend of the lines: colours where there are several, shades, and one dash."""
        theme, colour = self._theme, self._theme.text
        owners = [LegendEntry(owner, theme.series_colour(figures.owners.index(owner))) for owner in pairs]
        if len(owners) == 1:
            colour = owners.pop().colour
        pale = shade(colour, ("eager",), theme)
        ways = (
            LegendEntry(self.tr("eager"), pale),
            LegendEntry(self.tr("eager, fresh process"), pale, dash=FRESH),
            LegendEntry(self.tr("jit"), colour),
        )
        return [*owners, *ways] if pairs else []

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`; the lines follow when they are shown again."""
        self._theme = theme
        self._sentence.setFont(theme.font())
        if self._spent is not None:
            self._spent.apply_theme(theme)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the words: the plot is hidden where there is too little room."""
        return self._sentence.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_plot_where_it_fits()

    def _show_plot_where_it_fits(self) -> None:
        room = self.height() - self._sentence.heightForWidth(self.width())
        if self._spent is not None:
            self._spent.setVisible(self._has_lines and room >= self._theme.px(LEAST_PLOT_PX))


def _calls_text(calls: float) -> str:
    return f"{calls:,.0f}" if calls > 0.99 else ""
