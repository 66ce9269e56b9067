"""The figures of a timing run as a plain table, with ratios in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QTableView

from explorer.figures.curves import Figures, Series, paired_ratio, seconds_text
from explorer.messages import Measurement, Value
from views.theme import Theme
from views.timing.note_words import note_in_words, reason_in_words
from views.timing.words import TimingWords

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()


@dataclass(frozen=True)
class Column:
    """A heading and the texts under it; numbers stand to the right."""

    heading: str
    texts: tuple[str, ...]
    is_number: bool = True


class Cells(QAbstractTableModel):
    """Columns of texts."""

    def __init__(self) -> None:
        super().__init__()
        self._columns: tuple[Column, ...] = ()

    def show(self, columns: tuple[Column, ...]) -> None:
        """Show these columns, which are equally long, and no others."""
        self.beginResetModel()
        self._columns = columns
        self.endResetModel()

    def says_anything(self, column: int) -> bool:
        """Return whether there is a text in `column`."""
        return any(self._columns[column].texts)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() or not self._columns else len(self._columns[0].texts)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        column = self._columns[index.column()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return column.texts[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.heading
        return _side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None


class TimingTable(QTableView):
    """One row for each point: its figures, its stages, and how it compares with the first series there.

    Signals:
        point_chosen: (Series, Value) of the row that was clicked or entered.
    """

    point_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._words = TimingWords()
        self._cells = Cells()
        self._gap = 0
        self._keys: list[tuple[Series, Value]] = []
        self.setModel(self._cells)
        self.setAccessibleName(self.tr("Timings as a table"))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)

    def show_figures(self, figures: Figures) -> None:
        """Show every point of `figures`, in the order of the sweep."""
        keys = [(series, value) for value in figures.values for series in figures.series]
        keys = [key for key in keys if key in figures.points]
        points = [figures.points[key] for key in keys]
        self._keys = keys
        values = Column(figures.swept, tuple(str(value) for _, value in keys), is_number=False)
        self._cells.show((
            *([values] if figures.swept else []),
            Column(self.tr("variant"), tuple(series.owner for series, _ in keys), is_number=False),
            Column(self.tr("as"), tuple(self._made(series) for series, _ in keys), is_number=False),
            Column(self._heading(figures), tuple(self._ratio(figures, *key) for key in keys), is_number=False),
            Column(self.tr("median"), tuple(_time(point.median_s) for point in points)),
            Column(self.tr("its 95 % interval"), tuple(_range(point.low_s, point.high_s) for point in points)),
            Column(self.tr("quartiles"), tuple(_range(point.q1_s, point.q3_s) for point in points)),
            Column(self.tr("first call"), tuple(_time(point.first_call_s) for point in points)),
            Column(self.tr("trace"), tuple(_time(point.trace_s) for point in points)),
            Column(self.tr("lower"), tuple(_time(point.lower_s) for point in points)),
            Column(self.tr("compile"), tuple(_time(point.compile_s) for point in points)),
            Column(self.tr("samples × calls"), tuple(_samples(point) for point in points)),
            Column(self.tr("device"), tuple(point.device for point in points), is_number=False),
            Column(self.tr("notes"), tuple(_notes(point) for point in points), is_number=False),
        ))  # fmt: skip
        self._fit_columns()

    def show_selected(self, key: tuple[Series, Value] | None) -> None:
        """Select the row of a point, None for none."""
        if key in self._keys:
            self.selectRow(self._keys.index(key))
        else:
            self.clearSelection()

    def out_of_sight(self) -> QSize:
        """Return how much larger this must be to show all of itself."""
        wanted = QSize(
            self.horizontalHeader().length(), self.verticalHeader().length() + self.horizontalHeader().height()
        )
        return (wanted + QSize(2 * self.frameWidth(), 2 * self.frameWidth()) - self.size()).expandedTo(QSize(0, 0))

    def _choose(self, index: QModelIndex) -> None:
        self.point_chosen.emit(self._keys[index.row()])

    def apply_theme(self, theme: Theme) -> None:
        """Take the text size of `theme`."""
        self.setFont(theme.font(0.95))
        self.horizontalHeader().setFont(theme.font(0.95, bold=True))
        self.verticalHeader().setDefaultSectionSize(theme.px(24))
        self.setStyleSheet(f"QTableView::item {{ padding: 0 {theme.px(6)}px; }}")
        self._gap = theme.px(8)
        self._fit_columns()

    def _fit_columns(self) -> None:
        self.resizeColumnsToContents()
        for column in range(self._cells.columnCount()):
            self.setColumnWidth(column, self.columnWidth(column) + self._gap)
            self.setColumnHidden(column, not self._cells.says_anything(column))

    def _made(self, series: Series) -> str:
        """Return under which transforms a point was timed, and with which mistake on purpose."""
        return ", ".join(filter(None, (" + ".join(series.transforms), self._words.wrong(series.wrong_way))))

    def _heading(self, figures: Figures) -> str:
        first = figures.series[0].label if figures.series else ""
        return self.tr("against {first}").format(first=first)

    def _ratio(self, figures: Figures, series: Series, value: Value) -> str:
        first = figures.points.get((figures.series[0], value))
        if first is None or series == figures.series[0]:
            return ""
        return self._words.ratio(paired_ratio(first, figures.points[series, value]))


def _side(column: Column) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def _time(seconds: float | None) -> str:
    return "" if seconds is None else seconds_text(seconds)


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{seconds_text(low)} – {seconds_text(high)}"


def _samples(point: Measurement) -> str:
    return f"{point.samples_s.shape[0]} × {point.calls_per_sample}" if point.samples_s else ""


def _notes(point: Measurement) -> str:
    reason = reason_in_words(point)
    return reason or "; ".join(map(note_in_words, point.notes))
