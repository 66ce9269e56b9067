"""LensModel: the rows of a lens for Qt's own table, the lit ones, and the colours of their lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from explorer.messages.lenses import Cell, Row, Table

Index = QModelIndex | QPersistentModelIndex
LINE = 0
"""The column with the user's lines; those of the Table follow."""


class LensModel(QAbstractTableModel):
    """The contents of a Table, its highlights, and the colours of its lines."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table()
        self.lit: frozenset[int] = frozenset()
        self.colours: Mapping[int, int] = {}

    def show_table(self, table: Table) -> None:
        self.beginResetModel()
        self.table = table
        self.endResetModel()

    def row(self, number: int) -> Row | None:
        """Return the row of this number, None where there is none."""
        return self.table.rows[number] if 0 <= number < len(self.table.rows) else None

    def cell(self, index: Index) -> Cell:
        """Return the cell at `index`; an empty one in the column of the lines."""
        row = self.row(index.row())
        return row.cells[index.column() - 1] if row is not None and index.column() != LINE else Cell()

    def begins_line(self, number: int) -> bool:
        """Return whether row `number` is the first of those of its line."""
        before, row = self.row(number - 1), self.row(number)
        return row is not None and bool(row.line) and (before is None or before.line != row.line)

    # -- what Qt asks -----------------------------------------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.table.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.table.headings) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or not index.isValid():
            return None
        row = self.row(index.row())
        if index.column() == LINE:
            return str(row.line) if row is not None and row.line else ""
        return self.cell(index).text

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not self.table.headings:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap
        if role == Qt.ItemDataRole.AccessibleTextRole and section == LINE:
            return self.tr("line")
        headers = {Qt.ItemDataRole.DisplayRole: self.table.headings, Qt.ItemDataRole.ToolTipRole: self.table.tips}
        texts = headers.get(Qt.ItemDataRole(role))
        if texts is None:
            return None
        return "" if section == LINE else str(texts[section - 1])
