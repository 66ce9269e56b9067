"""One line of text that is elided where there is no room; on a stage nothing is cut."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from views.parts.outside.plain_tip import plain_tip

Fit = Literal["elided", "wrapped", "whole or nothing"]
"""The handling of a text that does not fit in one line."""


class ElidedLabel(QLabel):
    """One line that shrinks in favour of its neighbours; the tooltip has the whole text."""

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self._fit: Fit = "elided"
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self._elide()

    def fit(self, how: Fit) -> None:
        """Elide a text that does not fit in one line, wrap it, or hide it."""
        self._fit = how
        self.setWordWrap(how == "wrapped")
        self._elide()

    def resizeEvent(self, _event: QResizeEvent) -> None:
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._elide()

    def _elide(self) -> None:
        shown = self._text
        if self._fit != "wrapped":
            room = max(0, self.contentsRect().width())
            shown = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        if self._fit == "whole or nothing" and shown != self._text:
            shown = ""
        self.setText(shown)
        self.setToolTip(plain_tip(self._text) if shown != self._text else "")
