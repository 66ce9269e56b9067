"""Which page of the timing pane is shown: tabs where they fit side by side, a list to choose from where not."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QTabBar, QWidget

from views.parts.naming import name
from views.theme import LIGHT, Theme


class PageBar(QWidget):
    """Names of pages, with one chosen, followed by the widgets that belong to all pages.

    Signals:
        page_chosen: the number of the page that the user chose.
    """

    page_chosen = Signal(object)

    def __init__(self, names: Sequence[str], others: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._theme = LIGHT
        self._others = tuple(others)
        self.tabs = QTabBar()
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.box = QComboBox()
        for page in names:
            self.tabs.addTab(page)
            self.box.addItem(page)
        for part in (self.tabs, self.box):
            name(part, self.tr("Timing page"))
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.addWidget(self.tabs)
        self._layout.addWidget(self.box)
        self._layout.addStretch(1)
        for other in others:
            self._layout.addWidget(other)
        self.tabs.currentChanged.connect(self._choose)
        self.box.activated.connect(self._choose)

    def show_page(self, page: int) -> None:
        """Show that `page` is the chosen one."""
        with QSignalBlocker(self.tabs):
            self.tabs.setCurrentIndex(page)
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(page)

    def apply_theme(self, theme: Theme) -> None:
        """Apply the sizes of `theme`."""
        self._theme = theme
        self._layout.setSpacing(theme.px(4))
        for part in (self.tabs, self.box, *self._others):
            part.setFont(theme.font(0.95))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _choose(self, page: int) -> None:
        self.show_page(page)
        self.page_chosen.emit(page)

    def _fit(self) -> None:
        gap = self._theme.px(4)
        room = self.width() - sum(other.sizeHint().width() + gap for other in self._others)
        fits = self.tabs.sizeHint().width() <= room
        self.tabs.setVisible(fits)
        self.box.setVisible(not fits)
        self._layout.setContentsMargins(*((0, 0, gap, 0) if fits else (2 * gap, gap, gap, gap // 2)))
