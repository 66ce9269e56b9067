"""A splitter whose handles are thin lines."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle


class HairlineSplitter(QSplitter):
    """A splitter without Fusion's dots; Qt lets a thin handle be dragged from next to it, too."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        super().__init__(orientation)
        self.setHandleWidth(1)

    def createHandle(self) -> QSplitterHandle:  # noqa: N802
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.contentsRect(), self.palette().mid())
        painter.end()
