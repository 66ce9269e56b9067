"""LensTable: the table of a lens, walked by arrow keys and drawn whole for print; shared_out() widths."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QAction, QColor, QFocusEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QStyleOptionViewItem, QTableView, QWidget

from explorer.messages import Focus, Marks
from explorer.messages.lenses import Piece, Table, lit_rows
from views.program.lenses.cell_painter import CellPainter
from views.program.lenses.model import LINE, Index, LensModel
from views.program.notice import UNBOUNDED
from views.theme import Theme, Themed, lettered

LEAST_ROWS = 3
"""The least number of rows that are visible, whatever is around the table."""
MOST_WRAPPED = 400
"""The most rows of a table whose cells are wrapped on a stage."""
HEADING_EDGE = 4
"""Pixels around a heading."""


class LensTable(Themed, QTableView):
    """Shows a Table and paints only its visible part.

    Signals:
        focus_requested: a Focus on the equation of the row that the user went to, or else on its line.
        copy_wanted: the whole table as text.
        row_changed: another row was selected.
    """

    focus_requested = Signal(object)
    copy_wanted = Signal()
    row_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._variant = ""
        self._marks = Marks()
        self._needed: list[float] = []
        """How wide each column has to be for its longest cell."""
        self._tall: set[int] = set()
        """The rows that are higher than others."""
        self._rows = LensModel()
        self._painter = CellPainter(self._rows)
        self.setModel(self._rows)
        self.setItemDelegate(self._painter)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        lettered(self.horizontalHeader(), 0.95)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setMinimumSectionSize(1)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setSectionsClickable(False)
        self.clicked.connect(self._on_clicked)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        copying = QAction(self.tr("Copy the table as text"), self)
        copying.triggered.connect(self.copy_wanted)
        self.addAction(copying)

    # -- what it shows ----------------------------------------------------------------------------------------

    def show_table(self, table: Table, variant: str) -> None:
        """Show the rows of `variant`; another table of the same variant keeps its scroll position."""
        if variant == self._variant and table == self._rows.table:
            return
        current = self.currentIndex().row()
        same, self._variant = variant == self._variant, variant
        # Qt resizes the table while it takes the rows, whose widths are measured afterwards.
        self._needed = []
        self._rows.show_table(table)
        self._rows.lit = self._lit()
        self._measure()
        if not same:
            self.scrollToTop()
        if same and 0 <= current < len(table.rows):
            self._go_to(current)
        else:
            self._go_to_lit()

    def detail(self) -> tuple[Piece, ...]:
        """Return the details of the row that the user went to."""
        row = self._rows.row(self.currentIndex().row())
        return row.detail if row is not None else ()

    def show_colours(self, colours: Mapping[int, int]) -> None:
        """Colour the lines of the code by these numbers."""
        self._rows.colours = colours
        self.viewport().update()

    def show_marks(self, marks: Marks) -> None:
        """Mark the rows of the selection; a selection from elsewhere is scrolled into view."""
        before, self._marks = self._marks.focus, marks
        self._rows.lit = self._lit()
        self.viewport().update()
        if marks.focus != before:
            self._go_to_lit()

    def _go_to_lit(self) -> None:
        """Go to the selection, which came from elsewhere, unless the user is there: to its draw, if there is one."""
        lit = self._rows.lit
        if lit and self.currentIndex().row() not in lit:
            self.scrollTo(self._rows.index(min(lit), LINE))
            self._go_to(min(lit, key=lambda row: (not self._rows.table.rows[row].is_draw, row)))
        self._follow()

    @property
    def lit(self) -> frozenset[int]:
        return self._rows.lit

    def _lit(self) -> frozenset[int]:
        return lit_rows(self._rows.table, self._marks.equations.get(self._variant, ()), self._marks.lines)

    def _go_to(self, row: int) -> None:
        """Make `row` the one that the arrow keys start from, without choosing it."""
        blocked = self.selectionModel().blockSignals(True)
        self.setCurrentIndex(self._rows.index(row, max(1, self.currentIndex().column())))
        self.selectionModel().blockSignals(blocked)
        self._painter.current = row
        self.row_changed.emit()
        self.viewport().update()

    # -- what the user does ---------------------------------------------------------------------------------

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802
        super().currentChanged(current, previous)
        self._painter.current = current.row()
        self.row_changed.emit()
        self.viewport().update()
        if current.isValid() and previous.row() != current.row():
            self._choose(current.row())

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def choose(self, row: int) -> None:
        """Go to the row of this number, as a click on it does."""
        self.setCurrentIndex(self._rows.index(row, 1))
        self._choose(row)

    def _on_clicked(self, index: QModelIndex) -> None:
        self._choose(index.row())

    def _choose(self, number: int) -> None:
        row = self._rows.row(number)
        wanted = None
        if row is not None and row.equation >= 0:
            wanted = Focus("equation", row.equation, self._variant)
        elif row is not None and row.line:
            wanted = Focus("line", row.line, self._variant)
        if wanted is not None and wanted != self._marks.focus:
            self.focus_requested.emit(wanted)

    # -- as a picture -----------------------------------------------------------------------------------------

    def whole_size(self) -> QSize:
        """Return the size that all rows and their headings have, each column as wide as its longest text."""
        lines = 1 + sum(row.height for row in self._rows.table.rows)
        return QSize(sum(self._whole_widths()), lines * self._painter.height)

    def draw_whole(self, painter: QPainter) -> None:
        """Paint all rows under their headings, also those that are not in sight."""
        height, left = self._painter.height, 0
        painter.fillRect(QRect(QPoint(), self.whole_size()), QColor(self.theme.background))
        for column, width in enumerate(self._whole_widths()):
            painter.setFont(self.theme.font(0.95))
            painter.setPen(QColor(self.theme.dim))
            heading = self._rows.headerData(column, Qt.Orientation.Horizontal) or ""
            painter.drawText(QRect(left + self.theme.px(4), 0, width, height), Qt.AlignmentFlag.AlignVCenter, heading)
            option = QStyleOptionViewItem()
            top = height
            for number, row in enumerate(self._rows.table.rows):
                option.rect = QRect(left, top, width, row.height * height)
                self._painter.paint(painter, option, self._rows.index(number, column))
                top += row.height * height
            left += width

    def _whole_widths(self) -> list[int]:
        columns = range(len(self._rows.table.headings))
        return [self._painter.line_width(), *(round(self._painter.needed(column)) for column in columns)]

    # -- looks ------------------------------------------------------------------------------------------------

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and text size of `theme`."""
        self._painter.apply_theme(theme)
        # On a stage the first row in sight is whole.
        modes = QAbstractItemView.ScrollMode
        self.setVerticalScrollMode(modes.ScrollPerItem if theme.on_stage else modes.ScrollPerPixel)
        header = self.horizontalHeader()
        header.setTextElideMode(Qt.TextElideMode.ElideNone if theme.on_stage else Qt.TextElideMode.ElideRight)
        header.setMinimumHeight(0)
        header.setMaximumHeight(UNBOUNDED)
        self.setMinimumHeight((LEAST_ROWS + 1) * self._painter.height)
        self._measure()
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        last, seen = self.rowAt(self.viewport().height() - 1), self.viewport().rect()
        top = self.rowViewportPosition(last)
        if self.theme.on_stage and last >= 0 and top > 0 and top + self.rowHeight(last) > seen.height():
            # An audience reads no half rows.
            painter = QPainter(self.viewport())
            painter.fillRect(seen.adjusted(0, top, 0, 0), self.palette().base())
            painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()
        self._follow()

    def _follow(self) -> None:
        """Keep the row in sight that the words below the table are about: they come and go, and rows change height."""
        if self.currentIndex().row() in self._rows.lit:
            self.scrollTo(self.currentIndex())

    def _share_out(self) -> None:
        """Make the columns as wide as they need and may be."""
        if not self._needed:
            return
        first = self._painter.line_width()
        self.setColumnWidth(LINE, first)
        room = self.viewport().width() - first
        wraps = self.theme.on_stage and len(self._rows.table.rows) <= MOST_WRAPPED
        least = [self._painter.least(column) if wraps else 0.0 for column in range(len(self._needed))]
        for column, width in enumerate(shared_out(room, self._needed, self._rows.table.shares, least)):
            self.setColumnWidth(column + 1, width)
        self._share_out_height()

    def _share_out_height(self) -> None:
        """On a stage, make each row as high as its cells need in lines, and the headings, too."""
        header, rows = self.horizontalHeader(), self._rows.table.rows
        if not self.theme.on_stage or len(rows) > MOST_WRAPPED:
            return
        columns = range(1, len(self._rows.table.headings) + 1)
        widths = [self.columnWidth(column) for column in columns]
        for number, row in enumerate(rows):
            cells = zip(row.cells, widths, strict=True)
            lines = max(self._painter.lines_of(cell, width) for cell, width in cells)
            height = max(row.height * self._painter.height, self._painter.height_of(lines))
            self.verticalHeader().resizeSection(number, height)
            if lines > 1:
                self._tall.add(number)
        metrics, wraps = header.fontMetrics(), Qt.TextFlag.TextWordWrap
        texts = zip(map(str, self._rows.table.headings), widths, strict=True)
        boxes = [metrics.boundingRect(QRect(0, 0, width - 2 * HEADING_EDGE, 1), wraps, text) for text, width in texts]
        header.setFixedHeight(max(box.height() for box in boxes) + 2 * HEADING_EDGE)

    def _measure(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._painter.height)
        rows = self._rows.table.rows
        tall = {number for number, row in enumerate(rows) if row.height > 1}
        # Qt keeps the height of a row although its contents changed.
        for number in tall | {each for each in self._tall if each < len(rows)}:
            self.verticalHeader().resizeSection(number, rows[number].height * self._painter.height)
        self._tall = tall
        columns = range(len(self._rows.table.headings))
        self._needed = [self._painter.needed(column) for column in columns]
        self._share_out()


def shared_out(room: float, needed: Sequence[float], shares: Sequence[float], least: Sequence[float] = ()) -> list[int]:
    """Return the width of each column in `room` pixels: its need, up to its share plus the unneeded room of others.

    No column is narrower than its `least` width; where these have no room, the narrow ones have theirs. Room that no
    column needs goes to the last one.
    """
    room = max(0.0, room)
    lows = [0.0] * len(needed)
    for number, column in enumerate(sorted(range(len(least)), key=least.__getitem__)):
        lows[column] = min(least[column], (room - sum(lows)) / (len(least) - number))
    widths = [max(low, min(room * share, need)) for share, need, low in zip(shares, needed, lows, strict=True)]
    for column, low in enumerate(lows):
        widths[column] -= min(max(0.0, sum(widths) - room), widths[column] - low)
    left = room - sum(widths)
    for column, need in enumerate(needed):
        more = min(left, need - widths[column])
        widths[column] += more
        left -= more
    rounded = [round(each) for each in widths[:-1]]
    return [*rounded, max(0, round(room) - sum(rounded))]
