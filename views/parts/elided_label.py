"""One line of text that ends in an ellipsis where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """One line that gives way to its neighbours; the tooltip has the whole text."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._whole_only = False
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self._elide()

    def show_whole_only(self, whole_only: bool) -> None:
        """Show nothing where there is no room for all of it."""
        self._whole_only = whole_only
        self._elide()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._text, Qt.TextElideMode.ElideRight, max(0, self.contentsRect().width())
        )
        self.setText("" if self._whole_only and shown != self._text else shown)
        self.setToolTip(self._text if shown != self._text else "")
