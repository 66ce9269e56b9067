"""Fixed-pitch text whose lines carry colours, signs and marks: the ground of the editor and of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QToolTip, QWidget

from explorer.messages import Level
from views.theme import LIGHT, Theme

BAR_WIDTH = 4
LEAST_HEIGHT = 40
"""Pixels; Qt's own least height is that of three lines."""
VEIL_ALPHA = 150
DIFFERENCE_ALPHA = 22


class LineText(QPlainTextEdit):
    """A plain text with a margin. What the lines mean is its owner's concern.

    With `numbered`, the margin counts the lines; else it gives the number of the line that each comes from.

    Signals:
        row_chosen: the row, counted from 0, that the person went to with keys or clicked.
        rested: the QPoint in the viewport where the pointer has come to rest.
    """

    row_chosen = Signal(object)
    rested = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, numbered: bool) -> None:
        super().__init__(parent)
        self.numbered = numbered
        self.theme = LIGHT
        self.tip_of_row: Callable[[int], str] | None = None
        self._row = 0
        self.watched = True
        self._told = False
        self._origins: Sequence[int] = ()
        self._colours: Mapping[int, int] = {}
        self._marked: frozenset[int] = frozenset()
        self._only_here: Mapping[int, str] = {}
        self._kept: tuple[int, int] | None = None
        """Rows to keep on screen when the room for them changes."""
        self._counts: Mapping[int, str] = {}
        self._signs: Mapping[int, Level] = {}
        self._veiled = False
        self._view = (0, 0.0, 0, 0)
        self._rows: dict[int, tuple[float, float]] = {}
        """Top and height of each row on screen, while the view is that one."""
        self._changed: set[int] = set()
        """Rows whose text has changed since."""
        self._margin = self.make_margin()
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        # It fills itself: else Qt would paint all that lies beneath it too, at every keystroke.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._connect()
        self.apply_theme(LIGHT)

    def _connect(self) -> None:
        self.blockCountChanged.connect(self._resize_margin)
        self.verticalScrollBar().valueChanged.connect(self._forget_kept)
        self.document().contentsChange.connect(self._on_contents_change)
        self.updateRequest.connect(self._update_margin)
        self.cursorPositionChanged.connect(self._on_cursor_moved)

    def make_margin(self) -> Margin:
        """Return the widget beside the text."""
        return Margin(self)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Change text or cursor without that counting as something the person did."""
        self.watched = False
        try:
            yield
        finally:
            self.watched = True
            self._row = self.textCursor().blockNumber()

    def show_origins(self, origins: Sequence[int]) -> None:
        """Show for each line the colour of line `origins[row]` of the program; 0 is none."""
        if origins != self._origins:
            self._origins = origins
            self._resize_margin()
            self._margin.update()

    def show_colours(self, colours: Mapping[int, int]) -> None:
        """Give the lines of the program the colours with these numbers."""
        if colours != self._colours:
            self._colours = colours
            self._margin.update()

    def colour_of(self, origin: int) -> QColor:
        """Return the colour of line `origin` of the program."""
        return QColor(self.theme.series_colour(self._colours.get(origin, origin)))

    def show_marked(self, rows: frozenset[int]) -> None:
        """Outline `rows`, counted from 0."""
        if rows != self._marked:
            self._marked = rows
            self._repaint_lines()

    def marked(self) -> frozenset[int]:
        """Return the rows that are outlined."""
        return self._marked

    def show_signs(self, signs: Mapping[int, Level]) -> None:
        """Show a sign of this level beside these rows."""
        if signs != self._signs:
            self._signs = signs
            self._margin.update()

    def show_only_here(self, signs: Mapping[int, str]) -> None:
        """Mark rows as lacking in what is compared with: "+" for what is new, "-" for what went, else neither."""
        if signs != self._only_here:
            self._only_here = signs
            self.viewport().update()

    def show_counts(self, counts: Mapping[int, str]) -> None:
        """Write at the right end of these rows how often something happened."""
        if counts != self._counts:
            self._counts = counts
            self.viewport().update()

    def counts(self) -> Mapping[int, str]:
        """Return what is written at the right end of rows."""
        return self._counts

    @property
    def clearness(self) -> float:
        """How clearly the text is seen, from 0 to 1: it may lie below the veil."""
        return 1 - VEIL_ALPHA / 255 if self._veiled else 1.0

    def show_veil(self, veiled: bool) -> None:
        """Grey the text, where it is not the present one."""
        if veiled != self._veiled:
            self._veiled = veiled
            self.viewport().update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and the text size of `theme`."""
        self.theme = theme
        self.setFont(theme.mono_font())
        self.setMinimumHeight(theme.px(LEAST_HEIGHT))
        self._view = (0, 0.0, 0, 0)
        self.setTabStopDistance(4 * QFontMetricsF(self.font()).horizontalAdvance(" "))
        self.setCursorWidth(theme.px(2))
        self._margin.setFont(theme.mono_font(0.9))
        self._resize_margin()
        self.viewport().update()
        self._margin.update()

    def origin(self, row: int) -> int:
        """Return the program line that `row` comes from, 0 for none."""
        return self._origins[row] if row < len(self._origins) else 0

    def sign(self, row: int) -> Level | None:
        """Return the level of the sign beside `row`, None without one."""
        return self._signs.get(row)

    def is_marked(self, row: int) -> bool:
        """Return whether `row` is outlined."""
        return row in self._marked

    def visible_rows(self, within: QRect | None = None) -> Iterator[tuple[int, QRectF]]:
        """Yield the rows on screen and their places, as wide as the viewport; only those that touch `within`."""
        inside = self.viewport().rect() if within is None else within
        width, above, below = self.viewport().width(), inside.top(), inside.bottom()
        for row, top, height in self._rows_on_screen():
            if top <= below and top + height > above:
                yield row, QRectF(0, top, width, height)

    def _rows_on_screen(self) -> Sequence[tuple[int, float, float]]:
        """Return row, top and height of what is on screen: painting asks several times, and asking Qt is slow."""
        first = self.firstVisibleBlock()
        view = first.blockNumber(), self.contentOffset().y(), self.viewport().height(), self.blockCount()
        if view != self._view or not self._rows_fit():
            self._view, self._rows = view, dict(self._measured(first))
        self._changed.clear()
        return [(row, top, height) for row, (top, height) in self._rows.items()]

    def _measured(self, block: QTextBlock) -> Iterator[tuple[int, tuple[float, float]]]:
        """Yield each row from `block` to the lower edge with its top and its height."""
        row, top, bottom = block.blockNumber(), self.contentOffset().y(), self.viewport().height()
        if block.isValid():
            top += self.blockBoundingGeometry(block).top()
        while block.isValid() and top <= bottom:
            if block.isVisible():
                # Asking Qt for the whole geometry of each line takes four times as long.
                height = self.blockBoundingRect(block).height()
                yield row, (top, height)
                top += height
            block, row = block.next(), row + 1

    def _rows_fit(self) -> bool:
        """Return whether the rows that have changed are as high as they were; most are, whatever is written there."""
        find = self.document().findBlockByNumber
        return all(
            self.blockBoundingRect(find(row)).height() == self._rows[row][1]
            for row in self._changed
            if row in self._rows
        )

    def _on_contents_change(self, position: int, _removed: int, added: int) -> None:
        find = self.document().findBlock
        first, last = find(position).blockNumber(), find(position + added).blockNumber()
        if last < first:
            # Behind the last letter there is no line.
            last = self.document().blockCount() - 1
        self._changed.update(range(first, last + 1))

    def show_first(self, row: int) -> None:
        """Scroll so that `row` is the first on screen, as far as the text reaches."""
        self.verticalScrollBar().setValue(row)

    def show_row(self, row: int) -> None:
        """Scroll so far that `row` is on screen, and not at all where it is already."""
        shown = [number for number, place in self.visible_rows() if place.bottom() <= self.viewport().height()]
        if shown and not shown[0] <= row <= shown[-1]:
            self.verticalScrollBar().setValue(max(0, row - len(shown) // 3))
        self._kept = (row, row)

    def show_rows(self, first: int, last: int) -> None:
        """Scroll as little as brings `first` to `last` on screen; where they are more than fit, `first` to the top.

        They stay there when what opens below takes room away, until somebody scrolls.
        """
        self._scroll_to(first, last)
        self._kept = (first, last)

    def _forget_kept(self) -> None:
        self._kept = None

    def _scroll_to(self, first: int, last: int) -> None:
        shown = [number for number, place in self.visible_rows() if place.bottom() <= self.viewport().height()]
        if shown and not shown[0] <= first <= last <= shown[-1]:
            top = first - 1 if first < shown[0] else last + 2 - len(shown)
            self.verticalScrollBar().setValue(max(0, min(top, first - 1)))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        self._paint_lines(painter, event.rect())
        painter.end()
        super().paintEvent(event)
        self._paint_counts()
        self._paint_difference_signs()
        if self._veiled:
            veil = QColor(self.theme.background)
            veil.setAlpha(VEIL_ALPHA)
            painter = QPainter(self.viewport())
            painter.fillRect(self.viewport().rect(), veil)
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_margin()
        if self._kept is not None:
            self.show_rows(*self._kept)
        if self.numbered and self.hasFocus():
            # What opens below the code must not hide the line that is being written.
            self.ensureCursorVisible()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._told = False
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A click on the row that the cursor is on already chooses it anew.
        if event.button() == Qt.MouseButton.LeftButton and not self._told and not self.textCursor().hasSelection():
            self.row_chosen.emit(self._row)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.tip_of_row:
            row = self.cursorForPosition(event.pos()).blockNumber()
            QToolTip.showText(event.globalPos(), self.tip_of_row(row), self)
            self.rested.emit(event.pos())
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Text grows with the theme, everywhere at once; Qt would enlarge this text alone.
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def _on_cursor_moved(self) -> None:
        row = self.textCursor().blockNumber()
        if row == self._row:
            return
        self._repaint_lines()
        if self.watched:
            self._row = row
            self._told = True
            self.row_chosen.emit(row)

    def _paint_lines(self, painter: QPainter, within: QRect) -> None:
        current = self.textCursor().blockNumber() if self.hasFocus() or self.numbered else -1
        for row, place in self.visible_rows(within):
            if row in self._only_here:
                painter.fillRect(place, self._difference_tint(self._only_here[row]))
            if row in self._marked:
                painter.fillRect(place, self.theme.focus_fill())
                self._outline(painter, row, place)
            elif row == current:
                painter.fillRect(place, QColor(self.theme.panel))

    def _paint_difference_signs(self) -> None:
        """Write the sign of each line that the other text lacks at its right end, over text that goes on there."""
        if not self._only_here:
            return
        painter = QPainter(self.viewport())
        painter.setFont(self.theme.mono_font())
        wide = painter.fontMetrics().horizontalAdvance("+") + self.theme.px(8)
        for row, place in self.visible_rows():
            if sign := self._only_here.get(row):
                # Inside of the outline that the line may have.
                tag = QRectF(place.right() - wide - 3, place.top() + 2, wide, place.height() - 4)
                painter.fillRect(tag, QColor(self.theme.background))
                painter.fillRect(tag, self._difference_tint(sign))
                painter.setPen(self._difference_colour(sign))
                painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, sign.replace("-", "\u2212"))
        painter.end()

    def _paint_counts(self) -> None:
        """Write the count of each line into a frame near its right end, left of the sign of a difference."""
        if not self._counts:
            return
        painter = QPainter(self.viewport())
        painter.setFont(self.theme.font(0.9))
        metrics = painter.fontMetrics()
        for row, place in self.visible_rows():
            if text := self._counts.get(row):
                wide = metrics.horizontalAdvance(text) + self.theme.px(10)
                left = place.right() - wide - self.theme.px(26)
                tag = QRectF(left, place.top() + 1, wide, place.height() - 2)
                painter.setPen(QPen(QColor(self.theme.note), 1))
                painter.setBrush(QColor(self.theme.background))
                painter.drawRoundedRect(tag, self.theme.px(3), self.theme.px(3))
                painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _difference_colour(self, sign: str) -> QColor:
        return QColor({"+": self.theme.good, "-": self.theme.bug}.get(sign, self.theme.dim))

    def _difference_tint(self, sign: str) -> QColor:
        tint = self._difference_colour(sign)
        tint.setAlpha(DIFFERENCE_ALPHA)
        return tint

    def _outline(self, painter: QPainter, row: int, place: QRectF) -> None:
        """Draw the part of the outline around a run of marked rows that belongs to `row`."""
        width = self.theme.px(2)
        painter.setPen(QPen(QColor(self.theme.focus), width))
        inner = place.adjusted(width / 2, width / 2, -width / 2, -width / 2)
        painter.drawLine(inner.topLeft(), inner.bottomLeft())
        painter.drawLine(inner.topRight(), inner.bottomRight())
        if row - 1 not in self._marked:
            painter.drawLine(inner.topLeft(), inner.topRight())
        if row + 1 not in self._marked:
            painter.drawLine(inner.bottomLeft(), inner.bottomRight())

    def _repaint_lines(self) -> None:
        self.viewport().update()
        self._margin.update()

    def _resize_margin(self) -> None:
        self.setViewportMargins(self._margin.sizeHint().width(), 0, 0, 0)
        self._place_margin()

    def _place_margin(self) -> None:
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), self._margin.sizeHint().width(), inside.height()))

    def _update_margin(self, rect: QRect, dy: int) -> None:
        if dy:
            self._margin.scroll(0, dy)
        else:
            self._margin.update(0, rect.y(), self._margin.width(), rect.height())

    def largest_label(self) -> int:
        """Return the largest number that the margin shows."""
        return self.blockCount() if self.numbered else max(self._origins, default=0)


class Margin(QWidget):
    """Numbers, coloured bars and signs beside the lines of a LineText."""

    def __init__(self, text: LineText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        theme = self._text.theme
        digits = max(2, len(str(self._text.largest_label())))
        sign = self._sign_width() if self._text.numbered else 0
        numbers = self.fontMetrics().horizontalAdvance("9" * digits)
        return QSize(sign + numbers + theme.px(BAR_WIDTH) + 3 * theme.px(4), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._text.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current = self._text.textCursor().blockNumber()
        for row, place in self._text.visible_rows(event.rect()):
            origin, above = self._text.origin(row), self._text.origin(row - 1) if row else 0
            if origin:
                self._paint_bar(painter, place, self._text.colour_of(origin))
            if self._text.numbered:
                colour = theme.text if row == current or self._text.is_marked(row) else theme.dim
                self._paint_number(painter, place, row + 1, QColor(colour), bold=self._text.is_marked(row))
                self._paint_sign(painter, place, self._text.sign(row))
            elif origin and origin != above:
                self._paint_number(painter, place, origin, self._text.colour_of(origin))
        painter.end()

    def _sign_width(self) -> int:
        return self.fontMetrics().height()

    def _paint_bar(self, painter: QPainter, place: QRectF, colour: QColor) -> None:
        width = self._text.theme.px(BAR_WIDTH)
        painter.fillRect(QRectF(self.width() - width, place.top(), width, place.height()), colour)

    def _paint_number(
        self, painter: QPainter, place: QRectF, number: int, colour: QColor, *, bold: bool = False
    ) -> None:
        theme = self._text.theme
        right = self.width() - theme.px(BAR_WIDTH) - theme.px(4)
        if painter.font().bold() != bold:
            font = QFont(self.font())
            font.setBold(bold)
            painter.setFont(font)
        painter.setPen(colour)
        box = QRectF(0, place.top(), right, place.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _paint_sign(self, painter: QPainter, place: QRectF, level: Level | None) -> None:
        """A bug and a warning are filled discs with "!", a note is a ring with "i"."""
        if level is None:
            return
        theme = self._text.theme
        size = min(place.height(), self._sign_width()) - theme.px(3)
        disc = QRectF(theme.px(3), place.center().y() - size / 2, size, size)
        colour = QColor(theme.bug if level == "bug" else theme.note)
        painter.setPen(QPen(colour, theme.px(1.5)))
        is_filled = level != "note"
        painter.setBrush(colour if is_filled else QColor(theme.panel))
        painter.drawEllipse(disc)
        font, before = QFont(self.font()), painter.font()
        font.setBold(True)
        font.setPixelSize(max(6, round(size * 0.75)))
        painter.setFont(font)
        painter.setPen(QColor(theme.background) if is_filled else colour)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "!" if is_filled else "i")
        painter.setFont(before)
