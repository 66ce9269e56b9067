"""MenuButton, HairlineSplitter, SelfArranging; text_button(), fill(), scrolled(), read_on(), actions_above()."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QBoxLayout,
    QFrame,
    QLayout,
    QScrollArea,
    QSplitter,
    QSplitterHandle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)


def fill(layout: QBoxLayout, *parts: QWidget | QLayout | tuple[QWidget, int], spacing: int = 0) -> QBoxLayout:
    """Return `layout`, which gets no margins, with `parts` in it; one with a number stretches by it."""
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(spacing)
    for part in parts:
        if isinstance(part, QLayout):
            layout.addLayout(part)
        else:
            layout.addWidget(*(part if isinstance(part, tuple) else (part,)))
    return layout


class SelfArranging(QWidget):
    """Lays itself out at each new size, and when its parts or its letters ask for other room."""

    def lay_out(self) -> None:
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.lay_out()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.lay_out()
        return super().event(event)


def text_button(text: str, tip: str) -> QToolButton:
    """Return a button with `text`, which the keyboard reaches; `tip` says what it does."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setAccessibleName(text)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


def scrolled(inside: QWidget) -> QScrollArea:
    """Return an area that scrolls `inside` up and down, without a frame, a ground or the keyboard of its own."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inside)
    for ground in (area.viewport(), inside):
        ground.setAutoFillBackground(False)
    return area


def actions_above(widget: QWidget) -> Iterator[QAction]:
    """Yield the actions of the ancestors of `widget`, from the inside out, without those of the window."""
    above = widget.parentWidget()
    while above is not None and not above.isWindow():
        yield from above.actions()
        above = above.parentWidget()


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


def name(part: QWidget, words: str) -> None:
    part.setAccessibleName(words)
    part.setToolTip(words)


def read_on(area: QAbstractScrollArea) -> bool:
    """Scroll `area` to what is cut below; return whether there was something."""
    bar = area.verticalScrollBar()
    seen = bar.value()
    if area.isVisible():
        bar.setValue(seen + bar.pageStep())
    return bar.value() > seen


class MenuButton(QToolButton):
    """Opens its menu by Return and the down arrow too; Qt alone opens it by the space bar only."""

    def __init__(self) -> None:
        super().__init__()
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:  # noqa: N802
        """Leave out Qt's arrow: the text has one. A style sheet would keep the colours of an earlier theme."""
        super().initStyleOption(option)
        option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.showMenu()
        else:
            super().keyPressEvent(event)
