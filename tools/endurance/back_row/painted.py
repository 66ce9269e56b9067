"""Every painted text of a window: its font, position and colour, and the part that is cut off.

The window is rendered into a device that draws nothing and records each text, so the texts of Qt's own widgets and of
pyqtgraph are found too, without changes to the views.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPaintDevice,
    QPaintEngine,
    QPaintEngineState,
    QPixmap,
    QRegion,
    QTextItem,
    QTransform,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget

LEAST_OVERHANG = 0.15
"""Of the height of a capital: less than that of a letter beyond its edge is not cut. It is smoothing, or the hook of
a J, which hangs out to the left of where its word begins (0.14 in DejaVu Sans Bold)."""


@dataclass(frozen=True)
class Text:
    """One text as it was painted, in pixels of the window."""

    words: str
    widget: QWidget
    """Which painted it."""
    capital: float
    """Height of its capital letters."""
    ink: QRectF
    """The area of its letters."""
    colour: QColor
    """With the opacity that it was painted with."""
    seen: QRectF
    """The part of the window in which its widget, and its painter, let it be seen."""
    here: QRectF
    """The part of `seen` that has this colour: of a selected text each side is painted by itself."""

    @property
    def beyond(self) -> tuple[float, float]:
        """How many pixels of its letters are cut off at the sides, and above or below."""
        ink, seen = self.ink, self.seen
        return (
            max(0.0, seen.left() - ink.left(), ink.right() - seen.right()),
            max(0.0, seen.top() - ink.top(), ink.bottom() - seen.bottom()),
        )

    @property
    def is_cut(self) -> bool:
        """Whether a part of its letters is cut off, or all of them."""
        return max(self.beyond) > LEAST_OVERHANG * self.capital


def painted(window: QWidget) -> tuple[list[Text], QPixmap]:
    """Return the texts that `window` paints, and its picture."""
    application = QApplication.instance()
    painter_of, device = _Painting(), _Device(window)
    picture = window.grab()
    application.installEventFilter(painter_of)
    device.engine.widget_of = painter_of
    try:
        window.render(device, QPoint())
    finally:
        application.removeEventFilter(painter_of)
    return list(_whole(device.engine.texts)), picture


def _whole(texts: Sequence[Text]) -> Iterator[Text]:
    """Yield `texts`; one that is painted part by part, as on both sides of a selection, is seen in all of them."""
    parts: dict[tuple[object, ...], QRectF] = {}
    for text in texts:
        place = (text.words, text.widget, text.ink.left(), text.ink.top())
        parts[place] = parts[place].united(text.seen) if place in parts else text.seen
    for text in texts:
        yield replace(text, seen=parts[text.words, text.widget, text.ink.left(), text.ink.top()])


def _within(clip: QRegion, ink: QRectF) -> QRectF:
    """Return the bounding box of `ink` clipped by `clip`; an empty one where nothing is left."""
    return QRectF(clip.intersected(ink.toRect()).boundingRect())


def scrolls(widget: QWidget) -> tuple[bool, bool]:
    """Return whether the content of `widget` can be scrolled sideways, and up or down."""
    sideways = upwards = False
    for each in _upwards(widget):
        if isinstance(each, QAbstractScrollArea):
            across, along = each.horizontalScrollBar(), each.verticalScrollBar()
            sideways |= across.maximum() > across.minimum()
            upwards |= along.maximum() > along.minimum()
    return sideways, upwards


def _upwards(widget: QWidget) -> Iterator[QWidget]:
    at: QWidget | None = widget
    while at is not None:
        yield at
        at = None if at.isWindow() else at.parentWidget()


def _common(one: QRectF, other: QRectF) -> QRectF:
    """Return the intersection of `one` and `other`; an empty one keeps the side on which they part."""
    right, bottom = min(one.right(), other.right()), min(one.bottom(), other.bottom())
    left, top = min(right, max(one.left(), other.left())), min(bottom, max(one.top(), other.top()))
    return QRectF(QPointF(left, top), QPointF(right, bottom))


class _Painting(QObject):
    """Knows which widget is painting."""

    def __init__(self) -> None:
        super().__init__()
        self.widget: QWidget | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self.widget = watched
        return False


class _Engine(QPaintEngine):
    """Draws nothing, and records each text."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(QPaintEngine.PaintEngineFeature.AllFeatures)
        self.texts: list[Text] = []
        self.widget_of = _Painting()
        self._window = window
        self._seen: dict[QWidget, QRectF] = {}
        self._placed = QTransform()
        self._colour, self._opacity = QColor(), 1.0

    def drawTextItem(self, where: QPointF, item: QTextItem) -> None:  # noqa: N802
        widget, words = self.widget_of.widget, item.text()
        if widget is None or not words.replace("\u200b", "").strip():
            return
        painter = self.painter()
        placed = self._placed
        metrics = QFontMetricsF(item.font())
        ink = metrics.tightBoundingRect(words.rstrip()).translated(where)
        seen = self._seen_of(widget)
        here = seen
        if painter.hasClipping():
            seen = _common(seen, placed.mapRect(painter.clipBoundingRect()))
            here = _common(seen, placed.mapRect(_within(painter.clipRegion(), ink)))
        # What a transform makes of a line that stands upright.
        upright = metrics.capHeight() * math.hypot(placed.m21(), placed.m22())
        colour = QColor(self._colour)
        colour.setAlphaF(colour.alphaF() * self._opacity)
        self.texts.append(Text(words, widget, upright, placed.mapRect(ink), colour, seen, here))

    def updateState(self, state: QPaintEngineState) -> None:  # noqa: N802
        flags = state.state()
        if flags & QPaintEngine.DirtyFlag.DirtyTransform:
            self._placed = state.transform()
        if flags & QPaintEngine.DirtyFlag.DirtyPen:
            self._colour = state.pen().color()
        if flags & QPaintEngine.DirtyFlag.DirtyOpacity:
            self._opacity = state.opacity()

    def _seen_of(self, widget: QWidget) -> QRectF:
        """Return the visible part of `widget` within all its ancestors."""
        if widget not in self._seen:
            # A window that is higher than the screen goes on below its edge.
            seen = QRectF(QRect(QPoint(), self._window.size().boundedTo(self._window.screen().size())))
            for each in _upwards(widget):
                seen = _common(seen, QRectF(QRect(each.mapTo(self._window, QPoint()), each.size())))
            self._seen[widget] = seen
        return self._seen[widget]

    # -- what else a painter does: nothing of it is text

    def begin(self, _device: QPaintDevice) -> bool:
        return True

    def end(self) -> bool:
        return True

    def type(self) -> QPaintEngine.Type:
        return QPaintEngine.Type.User

    def _draw_nothing(self, *_what: object) -> None:
        pass

    drawPixmap = drawImage = drawTiledPixmap = drawPath = drawPolygon = _draw_nothing  # noqa: N815
    drawRects = drawLines = drawEllipse = drawPoints = _draw_nothing  # noqa: N815


class _Device(QPaintDevice):
    """A device of the size and density of `window`, so that it has the same fonts."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self.engine = _Engine(window)
        self._window = window

    def paintEngine(self) -> QPaintEngine:  # noqa: N802
        return self.engine

    def metric(self, asked: QPaintDevice.PaintDeviceMetric) -> int:
        window, metric = self._window, QPaintDevice.PaintDeviceMetric
        widgets = {
            metric.PdmWidth: window.width(),
            metric.PdmHeight: window.height(),
            metric.PdmWidthMM: window.widthMM(),
            metric.PdmHeightMM: window.heightMM(),
            metric.PdmDpiX: window.logicalDpiX(),
            metric.PdmDpiY: window.logicalDpiY(),
            metric.PdmPhysicalDpiX: window.physicalDpiX(),
            metric.PdmPhysicalDpiY: window.physicalDpiY(),
            metric.PdmDevicePixelRatio: 1,
            metric.PdmDevicePixelRatioScaled: round(self.devicePixelRatioFScale()),
            metric.PdmNumColors: 2**31 - 1,
            metric.PdmDepth: 32,
        }
        return widgets.get(asked, 0)
