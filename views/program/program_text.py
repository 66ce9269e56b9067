"""ProgramText: a program on screen: folded lines, names under the pointer, and a copy that is exactly JAX's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QMenu, QTextEdit, QToolTip, QWidget

from explorer.messages import Form
from explorer.messages.changed_middle import changed_middle
from views.parts.controls import actions_above
from views.parts.own_document import plain_tip
from views.program.fold_end import FoldEnd
from views.program.folds import VisibleLines
from views.text.document_edits import characters, replace_changed_middle, utf16_length
from views.text.highlighters import ProgramHighlighter
from views.text.line_text import LineText, Margin
from views.theme import Theme

Place = tuple[int, int]
"""A line on screen and a column in characters, both from 0."""

# Qt would begin a new line at these; JAX prints them as they stand in a string of the user's.
_BREAKS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufdd0\ufdd1", "\ufffd"))


class ProgramText(LineText):
    """Shows the lines of a program that are not folded.

    Signals:
        fold_asked: the line on screen to fold, or to open.
        pointed_at: the Place under the pointer, None when it left the text.
        cursor_at: the Place of the keyboard's cursor, when the user moved it.
    """

    fold_asked = Signal(object)
    pointed_at = Signal(object)
    cursor_at = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._shown = VisibleLines()
        self._text_shown = ""
        self._is_painted = True
        self._metrics = QFontMetricsF(QFont())
        super().__init__(parent, numbered=False)
        self.exact_text: Callable[[Place, Place], str] | None = None
        """Returns the program's own text between two visible places, including folded lines."""
        self.tip_of_place: Callable[[Place], str] | None = None
        """Returns the tip for a visible place."""
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.viewport().setMouseTracking(True)
        self.cursorPositionChanged.connect(self._tell_cursor)

    @cached_property
    def _highlighter(self) -> ProgramHighlighter:
        # Made when it is asked for: LineText applies a theme before all else is there.
        return ProgramHighlighter()

    def make_margin(self) -> FoldMargin:
        made = FoldMargin(self)
        made.arrow_pressed.connect(self.fold_asked)
        made.width_changed.connect(self._resize_margin)
        self._folds = made
        return made

    def apply_theme(self, theme: Theme) -> None:
        super().apply_theme(theme)
        self._highlighter.apply_theme(theme)
        self._metrics = QFontMetricsF(self.font())
        self._wrap_if_needed()

    def show_lines(self, shown: VisibleLines, form: Form, origins: Sequence[int], *, afresh: bool) -> None:
        """Show `shown`, whose lines come from the code lines `origins`, with the colours of `form`.

        Unless `afresh`, only differing lines are replaced, and the scroll position stays.
        """
        self._shown, self._highlighter.form = shown, form
        before, self._text_shown = self._text_shown, shown.text.translate(_BREAKS)
        with self.unwatched():
            if afresh:
                self.setPlainText(self._text_shown)
            elif self._text_shown != before:
                self._replace(before, self._text_shown)
        self._wrap_if_needed()
        self._folds.show_folds(shown.folds)
        self.mark(origins=origins)
        self._is_painted = self._text_shown == before

    def _wrap_if_needed(self) -> None:
        """Wrap long lines on a stage, which cannot be scrolled sideways, and those of a text that has one line."""
        wraps = self.theme.on_stage or (self._text_shown != "" and "\n" not in self._text_shown)
        if self._wraps != wraps:
            self.wrap(wraps)

    def paint_changes(self) -> None:
        """Paint the changed lines at once: the event loop would do so after all other views."""
        if self._is_painted or not self.isVisible():
            self.viewport().update()
        else:
            self._is_painted = True
            self.viewport().repaint()

    def highlight(self, places: Sequence[tuple[Place, int]], definition: int) -> None:
        """Underlay these names, each a Place and a length; the one at index `definition` is framed stronger."""
        self.setExtraSelections(
            [self._selection(place, length, number == definition) for number, (place, length) in enumerate(places)]
        )

    def place_at(self, position: QPoint) -> Place | None:
        """Return the place at `position` of the viewport, None where there is no letter."""
        cursor = self.cursorForPosition(position)
        rect = self.cursorRect(cursor)
        if not (rect.top() <= position.y() < rect.bottom()):
            return None
        column = cursor.positionInBlock()
        # The cursor stands between two letters, whichever gap is nearer.
        if position.x() < rect.left():
            column -= 1
        text = cursor.block().text()
        if not 0 <= column < utf16_length(text):
            return None
        return cursor.blockNumber(), characters(text, column)

    def end_of(self, row: int) -> QRectF:
        """Return the rectangle in the viewport of the count of hidden lines at folded line `row`; a click opens it."""
        block = self.document().findBlockByNumber(row)
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        place.setWidth(self.viewport().width())
        return self._end(row, place).pill

    # -- what the user does ---------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copy the selection to the clipboard, including its folded lines."""
        # Qt's own copy takes what is on screen; handing it other data from Python ends in a crash at exit.
        if text := self.selected_text():
            QGuiApplication.clipboard().setText(text)

    def selected_text(self) -> str:
        """Return the selection as program text, including its folded lines."""
        cursor = self.textCursor()
        if not cursor.hasSelection() or self.exact_text is None:
            return ""
        return self.exact_text(self._place(cursor.selectionStart()), self._place(cursor.selectionEnd()))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copying = menu.addAction(self.tr("Copy"), self.copy)
        copying.setShortcut(QKeySequence.StandardKey.Copy)
        copying.setEnabled(self.textCursor().hasSelection())
        menu.addAction(self.tr("Select all"), self.selectAll).setShortcut(QKeySequence.StandardKey.SelectAll)
        menu.addSeparator()
        menu.addActions(list(actions_above(self)))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if plain and event.text() in (" ", "\r", "\n"):
            self.fold_asked.emit(self.textCursor().blockNumber())
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if not event.buttons():
            row = self._end_at(event.position().toPoint())
            shape = Qt.CursorShape.IBeamCursor if row is None else Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(shape)
            self.pointed_at.emit(self.place_at(event.position().toPoint()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._end_at(event.position().toPoint())
        if row is not None and event.button() == Qt.MouseButton.LeftButton:
            self.fold_asked.emit(row)
        else:
            super().mousePressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self.tip_of_place:
            place = self.place_at(event.pos()) or (self.cursorForPosition(event.pos()).blockNumber(), 0)
            QToolTip.showText(event.globalPos(), plain_tip(self.tip_of_place(place)), self)
            return True
        return super().viewportEvent(event)

    def leaveEvent(self, _event: QEvent) -> None:
        self.pointed_at.emit(None)

    def _tell_cursor(self) -> None:
        if self.watched:
            self.cursor_at.emit(self._place(self.textCursor().position()))

    # -- drawing ----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        # Else Qt would want a line painted again as soon as it has colours.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, True)
        try:
            for row, _ in self.visible_rows(event.rect()):
                self._highlighter.colour(self.document().findBlockByNumber(row))
        finally:
            self.viewport().setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)
        super().paintEvent(event)
        if not self._shown.ends:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        painter.setOpacity(self.marks.clearness)
        rows = list(self.visible_rows(event.rect()))
        # The end of a line that is cut on a stage is not in sight.
        for row, place in rows if self.cut_from(rows) is None else rows[:-1]:
            if row in self._shown.ends:
                self._end(row, place).paint(painter, self.theme)
        painter.end()

    def _end(self, row: int, place: QRectF) -> FoldEnd:
        """Return the end mark of folded line `row`, which is at `place`."""
        block = self.document().findBlockByNumber(row)
        layout = block.layout()
        line = layout.lineAt(layout.lineCount() - 1)
        place = QRectF(place.left(), place.top() + line.y(), place.width(), line.height())
        text_end = self.contentOffset().x() + line.x() + line.naturalTextWidth()
        return FoldEnd(self._shown.ends[row], place, text_end, self._metrics, self.theme.on_stage)

    def _end_at(self, position: QPoint) -> int | None:
        """Return the folded line whose number of hidden lines is at `position`."""
        row = self.cursorForPosition(position).blockNumber()
        return row if row in self._shown.ends and self.end_of(row).contains(position) else None

    def _selection(self, place: Place, length: int, defines: bool) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        look = QTextCharFormat()
        look.setBackground(self.theme.focus_fill())
        look.setFontUnderline(True)
        look.setUnderlineColor(QColor(self.theme.focus))
        if defines:
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
        else:
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        block = self.document().findBlockByNumber(place[0])
        start = block.position() + utf16_length(block.text()[: place[1]])
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        made.cursor, made.format = cursor, look
        return made

    # -- replacing the text -----------------------------------------------------------------------------------

    def _replace(self, old: str, new: str) -> None:
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        top, left = bar.value(), across.value()
        cursor = self.textCursor()
        ends = [self._place(place) for place in (cursor.anchor(), cursor.position())]
        row_now = _moves(old, new)
        replace_changed_middle(self.document(), old, new)
        anchor, position = [self._position(row_now(row), column) for row, column in ends]
        cursor = self.textCursor()
        if (anchor, position) != (cursor.anchor(), cursor.position()):
            cursor.setPosition(anchor)
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            self.setTextCursor(cursor)
        bar.setValue(row_now(top))
        across.setValue(left)

    def _place(self, position: int) -> Place:
        block = self.document().findBlock(position)
        return block.blockNumber(), characters(block.text(), position - block.position())

    def _position(self, row: int, column: int) -> int:
        block = self.document().findBlockByNumber(max(0, min(row, self.blockCount() - 1)))
        return block.position() + utf16_length(block.text()[:column])


def _moves(old: str, new: str) -> Callable[[int], int]:
    """Return where the lines of `old` are in `new`: those after the last change shift, the others stay."""
    _, back = changed_middle(old, new)
    lines = old.count("\n")
    end, by = lines + 1 - old.count("\n", len(old) - back), new.count("\n") - lines
    return lambda row: row + by if row >= end else row


class FoldMargin(Margin):
    """Draws an arrow next to each foldable line: to the right where it is folded, else down.

    Signals:
        arrow_pressed: the line on screen whose arrow was pressed.
        width_changed: the first arrow has appeared, or the last one has gone.
    """

    arrow_pressed = Signal(object)
    width_changed = Signal()

    def __init__(self, text: ProgramText) -> None:
        self._folds: Mapping[int, bool] = {}
        super().__init__(text)
        self.setMouseTracking(True)
        self.setToolTip(self.tr("Fold or open what is inside this line"))

    def show_folds(self, folds: Mapping[int, bool]) -> None:
        """Show arrows at these lines, True for folded."""
        if folds != self._folds:
            had_arrows, self._folds = bool(self._folds), folds
            self.update()
            if had_arrows != bool(folds):
                self.width_changed.emit()

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(self._arrow_width() if self._folds else 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._text.theme.dim), self._text.theme.px(1.5)))
        painter.setBrush(QColor(self._text.theme.dim))
        for row, place in self._text.visible_rows(event.rect()):
            closed = self._folds.get(row)
            if closed is not None:
                painter.drawPolygon(_arrow(place.center().y(), self._arrow_width(), closed=closed))
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._row_at(event) in self._folds
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event)
        if event.button() == Qt.MouseButton.LeftButton and row in self._folds:
            self.arrow_pressed.emit(row)

    def _row_at(self, event: QMouseEvent) -> int:
        height = event.position().y()
        return next((row for row, place in self._text.visible_rows() if place.top() <= height < place.bottom()), -1)

    def _arrow_width(self) -> int:
        return self.fontMetrics().height()


def _arrow(middle: float, width: float, *, closed: bool) -> QPolygonF:
    """Return a triangle of a third of `width` around (width / 2, `middle`)."""
    left, size = width / 2, width / 6
    if closed:
        corners = [(-size, -1.6 * size), (size, 0.0), (-size, 1.6 * size)]
    else:
        corners = [(-1.6 * size, -size), (1.6 * size, -size), (0.0, size)]
    return QPolygonF([QPointF(left + x, middle + y) for x, y in corners])
