"""Which page of the timing pane is shown, and the widgets that belong to all pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QWidget

from views.parts.naming import name
from views.theme import Theme


class PageBar(QWidget):
    """Names of pages, with one chosen, followed by the widgets that belong to all pages.

    Signals:
        page_chosen: the number of the page that the user chose.
    """

    page_chosen = Signal(object)

    def __init__(self, names: Sequence[str], others: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._tabs, self._others = QTabBar(), tuple(others)
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        for page in names:
            self._tabs.addTab(page)
        name(self._tabs, self.tr("Timing page"))
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._tabs)
        self._layout.addStretch(1)
        for other in others:
            self._layout.addWidget(other)
        self._tabs.currentChanged.connect(self.page_chosen.emit)

    def show_page(self, page: int) -> None:
        """Show that `page` is the chosen one."""
        with QSignalBlocker(self._tabs):
            self._tabs.setCurrentIndex(page)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the sizes of `theme`."""
        self._layout.setSpacing(theme.px(4))
        self._layout.setContentsMargins(0, 0, theme.px(4), 0)
        for part in (self._tabs, *self._others):
            part.setFont(theme.font(0.95))
