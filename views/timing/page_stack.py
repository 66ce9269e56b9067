"""The pages of the timing pane: one for each view of a run's figures."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QStackedWidget

from explorer.figures.curves import Figures, Series
from explorer.messages import Value
from views.theme import Theme
from views.timing.pages.bars_page import BarsPage
from views.timing.pages.break_even_page import BreakEvenPage
from views.timing.pages.call_words import CallWords
from views.timing.pages.curves_page import CurvesPage
from views.timing.pages.memory_words import MemoryWords
from views.timing.pages.point_page import PointPage
from views.timing.pages.traces_page import TracesPage
from views.timing.pages.trust_page import TrustPage

CURVES, ONE_CALL, ONE_POINT, BREAK_EVEN, MEMORY, TRUST, TRACES, WAITING = range(8)
PLOTS = {
    CURVES: "curves",
    ONE_CALL: "one-call",
    ONE_POINT: "one-point",
    BREAK_EVEN: "break-even",
    MEMORY: "memory",
    TRUST: "trust",
}
"""Pages that are a picture of a run, each with a name for its file."""
PAGES = {**PLOTS, TRACES: "traces"}
"""Those and the others that a step of a story can name."""


class Pages(QStackedWidget):
    """All pages, with one visible; the last one says why there is nothing to show.

    Attributes:
        curves, break_even, traces: the pages on which something can be chosen or hovered over.
    """

    def __init__(self) -> None:
        super().__init__()
        self._call_words, self._memory_words = CallWords(), MemoryWords()
        self.curves, self.break_even, self.traces = CurvesPage(), BreakEvenPage(), TracesPage()
        self._calls = BarsPage(self.tr("One call, stage by stage"))
        self._memory = BarsPage(self.tr("Memory of one call"))
        self._point, self._trust = PointPage(), TrustPage()
        self._waiting = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._waiting.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._waiting.setAccessibleName(self.tr("State of the timing"))
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        for page in (
            self.curves,
            self._calls,
            self._point,
            self.break_even,
            self._memory,
            self._trust,
            self.traces,
            self._waiting,
        ):
            self.addWidget(page)

    def show_page(self, page: int, figures: Figures) -> None:
        """Show `page`; slow pages are filled with `figures` only when they are shown."""
        if page == MEMORY:
            self._memory.show_groups(self._memory_words.groups(figures), self._memory_words.remark(figures))
        if page == TRUST:
            self._trust.show_figures(figures)
        self.setCurrentIndex(page)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the visible page: the words on another one should not push the panes around."""
        return self.currentWidget().minimumSizeHint()

    def show_point(self, figures: Figures, series: Series | None, value: Value | None) -> None:
        """Show one point on the visible page, if that is about one."""
        page = self.currentIndex()
        if page == ONE_CALL:
            timed = figures.timed(value) if value is not None else []
            rightly = [(each, point) for each, point in timed if not each.wrong_way]
            groups = [self._call_words.anatomy(each, point) for each, point in rightly]
            self._calls.show_groups(groups, self._call_words.lead() if groups else "")
        elif page == BREAK_EVEN:
            self.break_even.show_point(figures, value)
        elif page == ONE_POINT:
            self._point.show_point(figures, (series, value) if series is not None and value is not None else None)

    def show_waiting(self, text: str) -> None:
        """Say `text` on the last page."""
        self._waiting.setText(text)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        for part in (self.curves, self._calls, self._point, self.break_even, self._memory, self._trust, self.traces):
            part.apply_theme(theme)
        self._waiting.setFont(theme.font(1.1))
