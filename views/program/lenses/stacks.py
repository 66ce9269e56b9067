"""LensStack: a Stack as a picture above its table: strips over time, in the colours of their lines."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, qGray
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from explorer.messages.lenses import Stack, Strip
from views.parts.own_document import plain_tip
from views.theme import Theme, Themed, blended, dressed

HEIGHT = 230
"""Pixels that it has in print, and wants on screen."""
LEAST_HEIGHT = 56
MARGIN = 8
AXIS = 5
"""Height of the bar that shows the line of each moment."""
SOLID, PALE = 0.85, 0.42
"""How much of the colour of its line a strip has; the pale ones are temporaries."""
GREY = 0.35
"""How much of the colour of dim words a strip without a line has."""
MIDDLE_GREY = 118
"""Lightness out of 255: black has more contrast on lighter colours, white on darker ones."""
FADED = 0.4
"""How much of that is left while others are lit."""


class LensStack(Themed, QWidget):
    """Shows a Stack.

    Signals:
        row_chosen: the number of the row whose strip was clicked.
    """

    row_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stack: Stack | None = None
        self._colours: Mapping[int, int] = {}
        self._lit: Collection[int] = ()
        self._current = -1
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setSizePolicy(policy)
        dressed(self, lambda stack, theme: stack.setMinimumHeight(theme.px(LEAST_HEIGHT)))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def show_stack(self, stack: Stack | None) -> None:
        """Show `stack`; None for no picture."""
        self._stack = stack
        self.setVisible(stack is not None)
        self.update()

    def show_colours(self, colours: Mapping[int, int]) -> None:
        """Give the lines of the code the colours with these numbers."""
        self._colours = colours
        self.update()

    def show_rows(self, lit: Collection[int], current: int) -> None:
        """Fade all strips but those of the rows `lit`, and outline those of the row `current`."""
        if (lit, current) != (self._lit, self._current):
            self._lit, self._current = lit, current
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.theme.px(200), self.theme.px(HEIGHT))

    def strip_at(self, where: QPointF) -> Strip | None:
        """Return the strip at a position in the widget."""
        if self._stack is None:
            return None
        place = _Place(QRectF(self.rect()), self._stack, self.theme)
        return next((strip for strip, box in place.boxes() if box.contains(where)), None)

    def paint(self, painter: QPainter, box: QRectF) -> None:
        if self._stack is not None:
            _Picture(painter, _Place(box, self._stack, self.theme), self._colours, self._lit).paint(self._current)

    # -- what Qt asks -----------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.background))
        self.paint(painter, QRectF(self.rect()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        strip = self.strip_at(event.position())
        if strip is not None and event.button() == Qt.MouseButton.LeftButton:
            self.row_chosen.emit(strip.row)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            strip = self.strip_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), plain_tip(str(strip.tip)) if strip else "", self)
            return True
        return super().event(event)


class _Place:
    """Where the parts of a Stack lie in a box."""

    def __init__(self, box: QRectF, stack: Stack, theme: Theme) -> None:
        self.stack, self.theme = stack, theme
        self.font = theme.font(0.9)
        self.metrics = QFontMetricsF(self.font)
        margin, words = theme.px(MARGIN), self.metrics.height() + theme.px(2)
        below = theme.px(AXIS) + theme.px(3) + (words if stack.loops else 0.0)
        self.axes = QRectF()
        """For the names of both axes, where there is room."""
        if stack.axes and box.height() > theme.px(LEAST_HEIGHT) + words:
            self.axes = box.adjusted(margin, box.height() - words, -margin, 0)
            below += words
        self.box = box.adjusted(margin, words + theme.px(2), -margin, -below - theme.px(3))

    def x(self, moment: float) -> float:
        return self.box.left() + moment / max(1, self.stack.moments) * self.box.width()

    def y(self, height: float) -> float:
        return self.box.bottom() - height / (self.stack.top or 1.0) * self.box.height()

    def boxes(self) -> Iterator[tuple[Strip, QRectF]]:
        """Yield each stretch of each strip."""
        for strip in self.stack.strips:
            for first, last, bottom in strip.steps:
                top = self.y(bottom + strip.height)
                yield strip, QRectF(QPointF(self.x(first), top), QPointF(self.x(last + 1), self.y(bottom)))


class _Picture:
    """One painting of a Stack."""

    def __init__(self, painter: QPainter, place: _Place, colours: Mapping[int, int], lit: Collection[int]) -> None:
        self._painter, self._place, self._colours, self._lit = painter, place, colours, lit
        self.theme, self._stack = place.theme, place.stack

    def paint(self, current: int) -> None:
        painter, theme = self._painter, self.theme
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._place.font)
        edge = QPen(QColor(theme.background), 1)
        outlined = []
        for strip, box in self._place.boxes():
            painter.setPen(edge if box.height() > 3 else Qt.PenStyle.NoPen)
            painter.setBrush(self._fill(strip))
            painter.drawRect(box)
            if strip.row == current:
                outlined.append(box)
        painter.setPen(QPen(QColor(theme.focus), theme.px(2)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRects(outlined)
        self._label_strips()
        self._axis()
        self._marks()
        painter.restore()

    def _fill(self, strip: Strip) -> QColor:
        number = self._colours.get(strip.line)
        colour, share = self.theme.dim, GREY
        if number is not None:
            colour, share = self.theme.series_colour(number), PALE if strip.kind == "temporary" else SOLID
        faded = FADED if self._lit and strip.row not in self._lit else 1.0
        return blended(colour, self.theme.background, share * faded)

    def _label_strips(self) -> None:
        """Write the text of each strip into its longest stretch, where it fits."""
        longest: dict[int, tuple[Strip, QRectF]] = {}
        for strip, box in self._place.boxes():
            if id(strip) not in longest or longest[id(strip)][1].width() < box.width():
                longest[id(strip)] = strip, box
        metrics = self._place.metrics
        for strip, box in longest.values():
            inner = box.adjusted(self.theme.px(4), 0, -self.theme.px(4), 0)
            if metrics.height() <= box.height() and metrics.horizontalAdvance(strip.text) <= inner.width():
                self._painter.setPen(_ink_on(self._fill(strip)))
                self._painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, strip.text)

    def _axis(self) -> None:
        """Paint the lines of the moments below the stack, and the loops."""
        painter, place, theme = self._painter, self._place, self.theme
        top, height = place.box.bottom() + theme.px(3), theme.px(AXIS)
        for moment, line in enumerate(self._stack.lines):
            if line in self._colours:
                box = QRectF(QPointF(place.x(moment), top), QPointF(place.x(moment + 1), top + height))
                painter.fillRect(box, QColor(theme.series_colour(self._colours[line])))
        painter.setPen(QPen(QColor(theme.dim), 1))
        if place.axes.isValid():
            axes = place.metrics.elidedText(str(self._stack.axes), Qt.TextElideMode.ElideRight, place.axes.width())
            painter.drawText(place.axes, Qt.AlignmentFlag.AlignCenter, axes)
        for first, last, text in self._stack.loops:
            left, right, low = place.x(first), place.x(last + 1), top + height + theme.px(3)
            painter.drawLine(QPointF(left + 1, low), QPointF(right - 1, low))
            painter.drawText(
                QRectF(left, low, max(right - left, place.metrics.horizontalAdvance(text)), place.metrics.height()),
                Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop,
                text,
            )

    def _marks(self) -> None:
        """Mark the levels over all moments, and the peak."""
        painter, place, theme, stack = self._painter, self._place, self.theme, self._stack
        metrics, area, x = place.metrics, place.box, place.x(stack.peak + 0.5)
        taken: list[QRectF] = []
        painter.setPen(QPen(QColor(theme.dim), 1, Qt.PenStyle.DashLine))
        for height, words in stack.levels:
            level = max(place.y(height), area.top())
            text = str(words) if height <= stack.top else f"\N{UPWARDS ARROW} {words}"
            if height <= stack.top:
                painter.drawLine(QPointF(area.left(), level), QPointF(area.right(), level))
            box = QRectF(area.left(), level - metrics.height() - 1, metrics.horizontalAdvance(text), metrics.height())
            if x < area.center().x():
                box.moveRight(area.right())
            for below in taken:
                if box.intersects(below):
                    # Levels close to each other: the text of the higher one goes to the free side.
                    box.moveLeft(area.left() if below.right() >= area.right() else area.right() - box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
            taken.append(box)
        top = place.y(stack.peak_height)
        painter.setPen(QPen(QColor(theme.text), theme.px(1)))
        painter.drawLine(QPointF(x, top), QPointF(x, area.bottom()))
        peak_text = str(stack.peak_text)
        label = QRectF(0, 0, metrics.horizontalAdvance(peak_text) + theme.px(6), metrics.height())
        # Above what is live, whose names are below the line.
        label.moveBottomLeft(
            QPointF(min(max(x - label.width() / 2, area.left()), area.right() - label.width()), top - 1)
        )
        for each in reversed(taken):
            if label.intersects(each):
                label.moveLeft(min(each.right() + theme.px(MARGIN), area.right() - label.width()))
        if any(map(label.intersects, taken)):
            label.moveTop(top + theme.px(2))
        painter.fillRect(label, QColor(theme.background))
        painter.drawText(label, Qt.AlignmentFlag.AlignCenter, peak_text)


def _ink_on(fill: QColor) -> QColor:
    """Return black or white, which can be read on `fill`."""
    return QColor("#000000" if qGray(fill.rgb()) > MIDDLE_GREY else "#ffffff")
