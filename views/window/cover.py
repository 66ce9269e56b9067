"""Coverable holds a view, or a Cover in its place until a question is answered."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from views.theme import lettered, spaced


class Coverable(QWidget):
    """Holds a view, or in its place the cover."""

    def __init__(self, view: QWidget | None = None) -> None:
        super().__init__()
        self._view = view
        self.cover = Cover()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.cover)
        if view is not None:
            self._column.addWidget(view)

    @property
    def is_covered(self) -> bool:
        return not self.cover.isHidden()

    def set_view(self, view: QWidget) -> None:
        """Put `view` into it; once."""
        self._view = view
        self._column.addWidget(view)
        view.setVisible(not self.is_covered)

    def show_cover(self, covered: bool) -> None:
        """Cover the view, which is not to be read by other means either, or show it."""
        self.cover.setVisible(covered)
        if self._view is not None:
            self._view.setVisible(not covered)


class Cover(QWidget):
    """A sentence, and a button.

    Signals:
        answer_wanted: the user clicked it: first comes the question.
        uncover_wanted: the user wants to see the contents without an answer.
    """

    answer_wanted = Signal()
    uncover_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("cover")
        self.setAutoFillBackground(True)
        words = QLabel(self.tr("After your answer"), alignment=Qt.AlignmentFlag.AlignCenter)
        self._anyway = QPushButton(self.tr("Show it without an answer"))
        self._anyway.setToolTip(self.tr("The question then counts as read, not as answered"))
        self._anyway.clicked.connect(self.uncover_wanted)
        layout = spaced(QVBoxLayout(self), spacing=8)
        layout.addStretch()
        for part in (lettered(words, 1.15, bold=True), self._anyway):
            layout.addWidget(part, alignment=Qt.AlignmentFlag.AlignCenter)
        layout.addStretch()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.answer_wanted.emit()
        event.accept()
