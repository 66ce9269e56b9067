"""The pages of the timing pane: one for each view of a run's figures."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QStackedWidget, QWidget

from views.parts.tabs import Tabs
from views.theme import Theme
from views.timing.call_page import CallPage
from views.timing.curves_page import CurvesPage

CURVES, ONE_CALL, WAITING = range(3)
PAGES = {CURVES: "curves", ONE_CALL: "one-call"}
"""Names of the pages for steps of a story and for files."""


class PageStack(QStackedWidget):
    """All pages, with one visible; the last one says why there is nothing to show.

    Attributes:
        curves, call: the pages with figures.
    """

    def __init__(self) -> None:
        super().__init__()
        self.curves, self.call = CurvesPage(), CallPage()
        self._waiting = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8)
        self._waiting.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._waiting.setAccessibleName(self.tr("State of the timing"))
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        for page in (self.curves, self.call, self._waiting):
            self.addWidget(page)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the visible page: the words on another one should not push the panes around."""
        return self.currentWidget().minimumSizeHint()

    def show_waiting(self, text: str) -> None:
        """Say `text` on the last page."""
        self._waiting.setText(text)

    def apply_theme(self, theme: Theme) -> None:
        self._waiting.setFont(theme.font(1.1))


class PageBar(QWidget):
    """Names of pages, with one chosen, followed by the widgets that belong to all pages.

    Signals:
        page_chosen: the number of the page that the user chose.
    """

    page_chosen = Signal(object)

    def __init__(self, names: Sequence[str], others: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._tabs, self._others = Tabs(names), tuple(others)
        self._tabs.setAccessibleName(self.tr("Timing page"))
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._tabs, 1)
        for other in others:
            self._layout.addWidget(other)
        self._tabs.chosen.connect(self.page_chosen)

    def show_page(self, page: int) -> None:
        """Show that `page` is the chosen one."""
        self._tabs.choose(page)

    def apply_theme(self, theme: Theme) -> None:
        self._layout.setSpacing(theme.px(4))
        self._layout.setContentsMargins(theme.px(4), 0, theme.px(4), 0)
        for part in self._others:
            part.setFont(theme.font(0.95))
