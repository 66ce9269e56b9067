"""LineText: fixed-pitch text whose lines have colours, signs and marks: the base of editor and program."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QMimeData, QPoint, QRect, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextDocumentLayout, QPlainTextEdit, QToolTip, QWidget

from explorer.messages import Level
from explorer.messages.lenses import LineCost
from views.parts.own_document import plain_tip
from views.text.line_marks import (
    LineMarks,
    difference_colour,
    outline_width,
    paint_counts,
    paint_types,
    paint_under,
    paint_veil,
)
from views.text.whole_words import WholeWords
from views.theme import LIGHT, Theme, Themed, lettered

LEAST_HEIGHT = 40
"""Least pixels of the height; Qt's own minimum is three lines."""

ROWS_AFTER = 2
"""Rows that stay visible below a row that is scrolled into view."""
GAP = 8
"""Pixels between a row that was scrolled to and the edge."""


class LineText(Themed, QPlainTextEdit):
    """A plain text with a margin. The owner decides about the meaning of its lines.

    With `numbered`, the margin counts the lines; else it gives the number of the line that each comes from.

    Signals:
        row_chosen: the row, counted from 0, that the user clicked or reached by keys.
        menu_wanted: the place on screen of a menu for the cursor.
        rested: the QPoint in the viewport where the pointer has come to rest.
    """

    row_chosen = Signal(object)
    rested = Signal(object)
    menu_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, numbered: bool) -> None:
        super().__init__(parent)
        self.numbered = numbered
        self.tip_of_row: Callable[[int], str] | None = None
        self.may_paste: Callable[[str], bool] | None = None
        """Whether a text may be pasted, asked before it is."""
        self._row = self._scrolled = 0
        self.watched = True
        self._row_reported = False
        self.marks = LineMarks()
        self._show_again: Callable[[], None] | None = None
        """Scrolls to what stays visible when the room changes, until the user scrolls or moves the cursor."""
        self._margin = lettered(self.make_margin(), 0.9, code=True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # It fills itself: else Qt would paint all that lies beneath it too, at every keystroke.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._connect()
        lettered(self, code=True)
        self.apply_theme(LIGHT)

    def _connect(self) -> None:
        self.blockCountChanged.connect(self._resize_margin)
        self.verticalScrollBar().valueChanged.connect(self._forget_shown)
        self.verticalScrollBar().valueChanged.connect(self._show_first_whole, Qt.ConnectionType.QueuedConnection)
        self.updateRequest.connect(self._update_margin)
        self.cursorPositionChanged.connect(self._on_cursor_moved)

    def take_over(self, other: LineText) -> None:
        """Show the document of `other` with its history of undo, as far down and with the same cursor."""
        cursor, down = other.textCursor(), other.verticalScrollBar().value()
        # The two swap documents, so that neither keeps one whose layout is no longer its own.
        own, document = self.document(), other.document()
        own.setParent(other)
        document.setParent(self)
        other.setDocument(own)
        # Qt wraps lines anew only for the first view of a layout, and that is about to be deleted: it needs another.
        document.setDocumentLayout(QPlainTextDocumentLayout(document))
        self.setDocument(document)
        self._keep_words_whole(self.theme.on_stage or self._wraps)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(down)

    def make_margin(self) -> Margin:
        """Return the widget next to the text."""
        return Margin(self)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """Change text or cursor without that counting as something the user did."""
        before, self.watched = self.watched, False
        try:
            yield
        finally:
            self.watched = before
            self._row = self.textCursor().blockNumber()

    def mark(self, **changes: Any) -> None:
        """Show other marks: `changes` are fields of LineMarks."""
        before, self.marks = self.marks, replace(self.marks, **changes)
        if self.marks != before:
            self._repaint_lines()
            if {"origins", "costs"} & changes.keys():
                self._resize_margin()

    def colour_of(self, origin: int) -> QColor:
        """Return the colour of line `origin` of the program."""
        return QColor(self.theme.series_colour(self.marks.colours.get(origin, origin)))

    # -- looks --------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and the text size of `theme`."""
        show_again = self._show_again
        self.setMinimumHeight(theme.px(LEAST_HEIGHT))
        self.setTabStopDistance(4 * QFontMetricsF(self.font()).horizontalAdvance(" "))
        self.setCursorWidth(theme.px(2))
        self._keep_words_whole(theme.on_stage or self._wraps)
        self._resize_margin()
        self._repaint_lines()
        if show_again is not None:
            show_again()

    def _keep_words_whole(self, whole: bool) -> None:
        """Break long lines at brackets where there is no space, or as Qt does."""
        document = self.document()
        if isinstance(document.documentLayout(), WholeWords) == whole:
            return
        cursor, first = self.textCursor(), self.first_row
        with self.unwatched(), QSignalBlocker(self):
            document.setDocumentLayout(WholeWords(document) if whole else QPlainTextDocumentLayout(document))
            self.setDocument(document)
            self.setTextCursor(cursor)
        self._scroll_to(first)

    def wrap(self, wraps: bool) -> None:
        """Wrap long lines, or stop wrapping them."""
        if wraps == self._wraps:
            return
        first, show_again = self.first_row, self._show_again
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wraps else mode.NoWrap)
        self._keep_words_whole(self.theme.on_stage or wraps)
        self.show_first(first)
        self._show_again = show_again or self._show_again

    # -- where rows stand ---------------------------------------------------------------------

    def visible_rows(self, within: QRect | None = None) -> Iterator[tuple[int, QRectF]]:
        """Yield the visible rows and their rectangles, as wide as the viewport; only those that touch `within`."""
        inside = self.viewport().rect() if within is None else within
        block, width = self.firstVisibleBlock(), self.viewport().width()
        row, top = block.blockNumber(), self.contentOffset().y() + self.blockBoundingGeometry(block).top()
        while block.isValid() and top <= inside.bottom():
            # Asking Qt for the whole geometry of each line takes four times as long.
            height = self.blockBoundingRect(block).height()
            # A folded block has no height.
            if height and top + height > inside.top():
                yield row, QRectF(0, top, width, height)
            block, row, top = block.next(), row + 1, top + height

    @property
    def first_row(self) -> int:
        return self.firstVisibleBlock().blockNumber()

    def show_first(self, row: int) -> None:
        """Scroll so that `row` is the first one, as far as the text reaches, until the user scrolls."""
        self._scroll_to(row)
        self._show_again = partial(self.show_first, row)

    def go_to(self, cursor: QTextCursor) -> None:
        """Focus the text, move its cursor to `cursor`, and scroll there with some lines around it."""
        self.setFocus()
        self._row_reported = False
        self.setTextCursor(cursor)
        self.show_row(cursor.blockNumber())
        self.ensureCursorVisible()

    def show_row(self, row: int) -> None:
        """Scroll so far that `row` is on screen, and not at all where it is already."""
        shown = self._whole_rows()
        if shown and row not in shown:
            self._scroll_to(self._top_of(row, row) if self._wraps else max(0, row - len(shown) // 3))
        if row != self.textCursor().blockNumber():
            self._show_across(row)
        self._show_again = partial(self.show_rows, row, row)

    def show_most(self, rows: Iterable[int], chosen: int) -> None:
        """Scroll so that `chosen` is visible, and with it as many of `rows` as fit."""
        fitting = [[row for row in sorted(rows) if first <= row < first + self._room] for first in sorted(rows)]
        most = max((each for each in fitting if chosen in each), key=len, default=[chosen])
        self.show_rows(most[0], most[-1])
        self.show_row(chosen)
        self._show_again = partial(self.show_most, rows, chosen)

    def show_rows(self, first: int, last: int) -> None:
        """Scroll by the smallest distance that shows `first` to `last`; where they do not fit, `first` to the top.

        They stay visible when a widget opens below, until the user scrolls or moves the cursor.
        """
        shown = self._whole_rows()
        after = min(last + ROWS_AFTER, self.blockCount() - 1)
        if shown and not shown[0] <= first <= after <= shown[-1]:
            above = last - first + 1 != self._room
            top = first - above if first < shown[0] else last + 2 - len(shown)
            self._scroll_to(self._top_of(first, after) if self._wraps else max(0, min(top, first - above)))
        self._show_again = partial(self.show_rows, first, last)

    def _scroll_to(self, row: int) -> None:
        """Scroll `row` to the top, as far as the text reaches; the scroll bar counts a wrapped line as several."""
        block = self.document().findBlockByNumber(row)
        if self._wraps:
            before = self.document().begin()
            while before.isValid() and before.blockNumber() <= row:
                # Qt counts the lines of a block only where it has laid it out.
                self.blockBoundingRect(before)
                before = before.next()
        self.verticalScrollBar().setValue(block.firstLineNumber() if block.isValid() else row)

    def _show_across(self, row: int) -> None:
        """Scroll sideways until all of `row` is seen, or else its beginning, with those of others if possible."""
        text, bar, gap = self.document().findBlockByNumber(row).text(), self.horizontalScrollBar(), self.theme.px(GAP)
        left = self._letter_at(row, len(text) - len(text.lstrip())).left() - gap
        right = self._letter_at(row, len(text)).right() + gap
        width, scrolled = self.viewport().width(), bar.value()
        if right > width or left < 0:
            fits, is_near = right - left <= width, scrolled + left < width / 2
            bar.setValue(int(scrolled + min(left, right - width)) if fits or not is_near else 0)

    def _letter_at(self, row: int, column: int) -> QRectF:
        """Return the rectangle in the viewport of the letter at `column` of `row`."""
        cursor = QTextCursor(self.document().findBlockByNumber(row))
        cursor.movePosition(QTextCursor.MoveOperation.Right, n=column)
        return QRectF(self.cursorRect(cursor))

    @property
    def _wraps(self) -> bool:
        return self.lineWrapMode() is not QPlainTextEdit.LineWrapMode.NoWrap

    @property
    def _room(self) -> int:
        """The number of rows that fit, where none is wrapped."""
        return self.viewport().height() // self.fontMetrics().lineSpacing()

    def _top_of(self, first: int, last: int) -> int:
        """Return the row to begin with, so that a third of what `first` to `last` leave shows what stands above.

        Rows that are wrapped take more room than others.
        """
        left = (self.viewport().height() - self._height(first, last)) / 3
        block = self.document().findBlockByNumber(first).previous()
        while block.isValid() and (left := left - self.blockBoundingRect(block).height()) >= 0:
            block = block.previous()
        return block.blockNumber() + 1

    def has_room(self, first: int, last: int) -> bool:
        """Return whether `first` to `last` can be seen at once."""
        return self._height(first, last) <= self.viewport().height()

    def _height(self, first: int, last: int) -> float:
        blocks = map(self.document().findBlockByNumber, range(first, last + 1))
        return sum(self.blockBoundingRect(block).height() for block in blocks)

    def _whole_rows(self) -> list[int]:
        return [row for row, place in self.visible_rows() if place.bottom() <= self.viewport().height()]

    def _forget_shown(self) -> None:
        self._show_again = None

    def _show_first_whole(self) -> None:
        """Let a line that wraps begin at the top instead of in its middle: when Qt says so, it is about to scroll."""
        self._repaint_on_stage()
        value = self.verticalScrollBar().value()
        down, self._scrolled = value >= self._scrolled, value
        block = self.firstVisibleBlock()
        if self._wraps and block.firstLineNumber() < value and block.lineCount() < self.verticalScrollBar().pageStep():
            whole = block.firstLineNumber() + (block.lineCount() if down else 0)
            if whole <= self.verticalScrollBar().maximum():
                show_again = self._show_again
                self.verticalScrollBar().setValue(whole)
                self._show_again = show_again

    # -- events -------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        current = self.textCursor().blockNumber() if self.hasFocus() or self.numbered else -1
        # The outline of the row above reaches into this one.
        above = outline_width(self.theme)
        rows = list(self.visible_rows(event.rect().adjusted(0, -above, 0, 0)))
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self.palette().base())
        paint_under(painter, self.theme, self.marks, rows, current)
        painter.end()
        super().paintEvent(event)
        if self.marks.counts or self.marks.types or self.marks.veiled:
            painter = QPainter(self.viewport())
            ends = [
                (row, self._letter_at(row, len(self.document().findBlockByNumber(row).text())))
                for row, _ in rows
                if row in self.marks.counts or row in self.marks.types
            ]
            paint_types(painter, self.theme, self.marks, ends)
            paint_counts(painter, self.theme, self.marks, ends, current if self.hasFocus() else -1)
            if self.marks.veiled:
                paint_veil(painter, self.theme, event.rect())
            painter.end()
        if (cut := self.cut_from(rows)) is not None:
            painter = QPainter(self.viewport())
            painter.fillRect(self.viewport().rect().adjusted(0, cut, 0, 0), self.palette().base())
            painter.end()

    def cut_from(self, rows: Sequence[tuple[int, QRectF]]) -> int | None:
        """Return where, on a stage, a line begins that is cut at the end of the visible `rows`: it is not painted."""
        if not (self.theme.on_stage and rows):
            return None
        (row, place), bottom = rows[-1], self.viewport().height()
        layout = self.document().findBlockByNumber(row).layout()
        lines = (layout.lineAt(number) for number in range(layout.lineCount()))
        tops = (place.top() + line.y() for line in lines if place.top() + line.y() + line.height() > bottom + 1)
        cut = math.ceil(next(tops, bottom))
        return cut if 0 < cut < bottom else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Qt scrolls by itself where the room changes, without a user action.
        show_again = self._show_again
        super().resizeEvent(event)
        self._repaint_on_stage()
        self._place_margin()
        if show_again is not None:
            show_again()
        elif self.numbered and self.hasFocus():
            # A widget that opens below the code must not hide the cursor's line.
            self.ensureCursorVisible()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._row_reported = False
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        # A click on the cursor's row selects it again.
        if (
            event.button() == Qt.MouseButton.LeftButton
            and not self._row_reported
            and not self.textCursor().hasSelection()
        ):
            self.row_chosen.emit(self._row)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            self._point_at(self.viewport().mapFromGlobal(event.globalPos()))
        self.menu_wanted.emit(event.globalPos())

    def press_sign(self, place: QPoint) -> bool:
        """Ask for a menu at the sign next to `place` on screen; return whether there is one."""
        inside = self.viewport().mapFromGlobal(place)
        row = self.cursorForPosition(inside).blockNumber()
        if row in self.marks.signs:
            self._point_at(inside)
            self.menu_wanted.emit(place)
        return row in self.marks.signs

    def _point_at(self, place: QPoint) -> None:
        """Move the cursor to `place`, unless that is in the selection."""
        there, here = self.cursorForPosition(place), self.textCursor()
        if not here.selectionStart() <= there.position() <= here.selectionEnd() or not here.hasSelection():
            with self.unwatched():
                self.setTextCursor(there)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802
        # A file that is dropped is to be opened, by the window.
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802
        if self.may_paste is None or self.may_paste(source.text()):
            super().insertFromMimeData(source)

    def viewportEvent(self, event: QEvent) -> bool:
        if self.show_tip(event) and isinstance(event, QHelpEvent):
            self.rested.emit(event.pos())
            return True
        return super().viewportEvent(event)

    def show_tip(self, event: QEvent) -> bool:
        """Show the tip of the row that `event` asks about, if it does; return whether it does."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent) or self.tip_of_row is None:
            return False
        row = self.cursorForPosition(event.pos()).blockNumber()
        QToolTip.showText(event.globalPos(), plain_tip(self.tip_of_row(row)), self)
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Text grows with the theme, everywhere at once; Qt would enlarge this text alone.
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            event.ignore()
        else:
            super().wheelEvent(event)

    def _on_cursor_moved(self) -> None:
        if self.watched:
            self._show_again = None
        row = self.textCursor().blockNumber()
        if row == self._row:
            return
        self._repaint_lines()
        if self.watched:
            self._row = row
            self._row_reported = True
            self.row_chosen.emit(row)

    def _repaint_on_stage(self) -> None:
        """Paint anew where another line is the last whole one: Qt moves what it has painted."""
        if self.theme.on_stage:
            self._repaint_lines()

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


BAR_WIDTH = 4
LEAST_COST = 48
"""Pixels of the longest bar of a line's cost, at least."""
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Margin(QWidget):
    """Counts the lines of a numbered LineText; else shows the program line of each row."""

    def __init__(self, text: LineText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        theme, text = self._text.theme, self._text
        largest = text.blockCount() if text.numbered else max(text.marks.origins, default=0)
        numbers = self.fontMetrics().horizontalAdvance("9" * max(2, len(str(largest))))
        sign = self._sign_width() if text.numbered else 0
        return QSize(
            self._cost_width() + sign + numbers + self._difference_width() + theme.px(BAR_WIDTH) + 3 * theme.px(4), 0
        )

    def event(self, event: QEvent) -> bool:
        return self._text.show_tip(event) or super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        left = event.button() == Qt.MouseButton.LeftButton
        event.setAccepted(left and self._text.press_sign(event.globalPosition().toPoint()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, marks = self._text.theme, self._text.marks
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        current, column = self._text.textCursor().blockNumber(), self._cost_width()
        rows = list(self._text.visible_rows(event.rect()))
        for row, place in rows:
            origin = marks.origin(row)
            if origin:
                width = theme.px(BAR_WIDTH)
                bar = QRectF(self.width() - width, place.top(), width, place.height())
                painter.fillRect(bar, self._text.colour_of(origin))
            # For a wrapped line, they are drawn next to its beginning.
            place.setHeight(min(place.height(), self._text.fontMetrics().lineSpacing()))
            if cost := marks.costs.get(row):
                self._paint_cost(painter, place, cost, column)
            if difference := marks.only_here.get(row):
                self._paint_difference(painter, place, difference)
            if self._text.numbered:
                colour = theme.text if row == current or row in marks.marked else theme.dim
                self._paint_number(painter, place, row + 1, QColor(colour))
                if level := marks.signs.get(row):
                    self._paint_sign(painter, place, level, column)
            elif origin and origin != marks.origin(row - 1):
                self._paint_number(painter, place, origin, self._text.colour_of(origin))
        if (cut := self._text.cut_from(rows)) is not None:
            painter.fillRect(self.rect().adjusted(0, cut, 0, 0), QColor(theme.panel))
        painter.end()

    def _sign_width(self) -> int:
        return self._text.fontMetrics().lineSpacing() if self._text.theme.on_stage else self.fontMetrics().height()

    def _cost_width(self) -> int:
        """Return the width of the column of bars, 0 without any."""
        theme, costs = self._text.theme, self._text.marks.costs.values()
        widest = max((self.fontMetrics().horizontalAdvance(each.text) for each in costs), default=0)
        return max(widest, theme.px(LEAST_COST)) + 3 * theme.px(4) if costs else 0

    def _paint_cost(self, painter: QPainter, place: QRectF, cost: LineCost, column: int) -> None:
        """Draw the bar of a line in its `column`, paler for what it has in common with others, and its figure on it."""
        theme = self._text.theme
        gap = theme.px(4)
        room = QRectF(gap, place.top() + 1, column - 2 * gap, place.height() - 2)
        for share, strength in ((cost.most, 45), (cost.share, 55)):
            colour = QColor(theme.focus)
            colour.setAlpha(strength)
            painter.fillRect(QRectF(room.left(), room.top(), room.width() * share, room.height()), colour)
        painter.setPen(QColor(theme.text))
        painter.drawText(room.adjusted(0, 0, -gap / 2, 0), _RIGHT, cost.text)

    def _difference_width(self) -> int:
        gap = 0 if self._text.numbered else self._text.theme.px(4)
        return self.fontMetrics().horizontalAdvance("+") + gap

    def _paint_difference(self, painter: QPainter, place: QRectF, sign: str) -> None:
        """Write the sign of a line that the compared text lacks."""
        wide = self._difference_width()
        left = self.width() - self._text.theme.px(BAR_WIDTH) - wide - self._text.theme.px(2)
        painter.setPen(difference_colour(self._text.theme, sign))
        box = QRectF(left, place.top(), wide, place.height())
        painter.drawText(box, _RIGHT, sign.replace("-", "\u2212"))

    def _paint_number(self, painter: QPainter, place: QRectF, number: int, colour: QColor) -> None:
        theme = self._text.theme
        right = self.width() - theme.px(BAR_WIDTH) - theme.px(4) - self._difference_width()
        painter.setPen(colour)
        # For a wrapped line, next to its beginning.
        box = QRectF(0, place.top(), right, min(place.height(), self._text.fontMetrics().lineSpacing() + 1))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))

    def _paint_sign(self, painter: QPainter, place: QRectF, level: Level, left: int) -> None:
        """A bug and a warning are filled discs with "!", a note is a ring with "i"."""
        theme = self._text.theme
        on_stage = theme.on_stage
        size = min(place.height(), self._sign_width()) - (1 if on_stage else theme.px(3))
        line = min(place.height(), self._text.fontMetrics().lineSpacing() + 1)
        disc = QRectF(left + theme.px(3), place.top() + (line - size) / 2, size, size)
        colour = QColor(theme.bug if level == "bug" else theme.note)
        painter.setPen(QPen(colour, theme.px(1.5)))
        is_filled = level != "note"
        painter.setBrush(colour if is_filled else QColor(theme.panel))
        painter.drawEllipse(disc)
        font, before = QFont(self.font()), painter.font()
        font.setBold(True)
        if not on_stage:
            # On a stage, the disc is as large as the line numbers, and so is the letter.
            font.setPixelSize(max(6, round(size * 0.75)))
        painter.setFont(font)
        painter.setPen(QColor(theme.background) if is_filled else colour)
        painter.drawText(disc, Qt.AlignmentFlag.AlignCenter, "!" if is_filled else "i")
        painter.setFont(before)
