"""Which page of the timing pane is shown, and the widgets that belong to all pages."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from views.parts.tabs import Tabs
from views.theme import Theme


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
        """Apply the sizes of `theme`."""
        self._layout.setSpacing(theme.px(4))
        self._layout.setContentsMargins(theme.px(4), 0, theme.px(4), 0)
        self._tabs.apply_theme(theme)
        for part in self._others:
            part.setFont(theme.font(0.95))
