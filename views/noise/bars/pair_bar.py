"""Which two rows are compared."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSpinBox, QWidget

from views.noise.arrays.row_pair import RowPair
from views.parts.naming import name


class PairBar(QWidget):
    """Two fields for row numbers.

    Signals:
        pair_changed: (row, row) after the user set one of them.
    """

    pair_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first, self.last = QSpinBox(), QSpinBox()
        name(self.first, self.tr("First row of the two"))
        name(self.last, self.tr("Second row of the two"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for words, field in ((self.tr("Row"), self.first), (self.tr("against row"), self.last)):
            label = QLabel(words)
            label.setBuddy(field)
            row.addWidget(label)
            row.addWidget(field)
            field.setKeyboardTracking(False)
            field.valueChanged.connect(self._tell)
        row.addStretch(1)

    def show_pair(self, pair: RowPair | None, rows: int) -> None:
        """Show the numbers of `pair` out of `rows`; hidden without a pair."""
        self.setVisible(pair is not None)
        if pair is None:
            return
        for field, row in ((self.first, pair.first), (self.last, pair.last)):
            with QSignalBlocker(field):
                field.setRange(0, rows - 1)
                field.setValue(row)

    def _tell(self, _row: int) -> None:
        self.pair_changed.emit((self.first.value(), self.last.value()))
