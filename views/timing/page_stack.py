"""PageStack: the pages of the timing pane (PAGES), or why there is nothing to show."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QStackedWidget

from views.theme import grounded, lettered
from views.timing.call_page import CallPage
from views.timing.curves_page import CurvesPage

CURVES, ONE_CALL, WAITING = range(3)
PAGES = {CURVES: "curves", ONE_CALL: "one-call"}
"""Names of the pages for steps of a story and for files."""


class PageStack(QStackedWidget):
    """All pages, with one visible; the last one says why there is nothing to show.

    Attributes:
        curves, call: the pages with figures.
        waiting: the last page.
    """

    def __init__(self) -> None:
        super().__init__()
        self.curves, self.call = CurvesPage(), CallPage()
        self.waiting = lettered(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True, margin=8), 1.1)
        self.waiting.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.waiting.setAccessibleName(self.tr("State of the timing"))
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        grounded(self, lambda theme: theme.background)
        for page in (self.curves, self.call, self.waiting):
            self.addWidget(page)

    def minimumSizeHint(self) -> QSize:
        """Return the size of the visible page: the words on another one should not push the panes around."""
        return self.currentWidget().minimumSizeHint()
