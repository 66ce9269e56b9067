"""How alike the rows are, as a matrix of correlations; equal rows carry letters, and their cells an equals sign."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.messages import Picture
from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.row_letters import Ints
from views.noise.heatmap.cell_marks import EQUAL, SYMBOLS, CellMarks, marks_beyond
from views.noise.heatmap.heatmap import Heatmap
from views.noise.pages.similarity import Similarity, similarity_of
from views.noise.sight import Sight
from views.theme import Theme

CORRELATIONS = Scale("diverging", -1.0, 1.0)


class SimilarityPage(QWidget):
    """Signals: as every Page."""

    row_chosen = Signal(object)
    pair_chosen = Signal(object)
    hovered = Signal(str)
    said_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sight: Sight | None = None
        self._known: tuple[Picture, int] | None = None
        self._found: Similarity | None = None
        self.heatmap = Heatmap()
        self.heatmap.setAccessibleName(self.tr("Similarity, each row against each"))
        self.heatmap.cell_hovered.connect(self._say_cell)
        self.heatmap.row_chosen.connect(self._choose_row)
        self.heatmap.row_added.connect(self._add_pair)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.heatmap)

    def show_sight(self, sight: Sight) -> None:
        self._sight = sight
        known = (sight.picture, sight.axis)
        if self._known is None or self._known[0] is not known[0] or self._known[1] != known[1]:
            self._known, self._found = known, similarity_of(sight.whole_rows())
        found = self._similarity
        groups = sight.groups[: len(found.matrix)]
        self.heatmap.show_matrix(found.matrix, CORRELATIONS, groups, marks=equality_marks(found, groups))
        self.heatmap.setAccessibleDescription(self.words)

    @property
    def _similarity(self) -> Similarity:
        assert self._found is not None
        return self._found

    def mark_rows(self, rows: frozenset[int]) -> None:
        if self._sight is not None:
            self.heatmap.mark_rows(rows if self._sight.rows_are_examples else ())

    def apply_theme(self, theme: Theme) -> None:
        self.heatmap.apply_theme(theme)

    @property
    def scale(self) -> Scale | None:
        return CORRELATIONS

    @property
    def words(self) -> str:
        """How far rows correlate, beside what chance allows."""
        found = self._found
        if found is None:
            return ""
        if math.isnan(found.mean):
            return self.tr("No two rows correlate: each holds one value only, or values that are not finite.")
        numbers = [value_words(each, 2) for each in (found.low, found.high, found.chance)]
        words = self.tr("Rows correlate {} to {} (chance: ±{})")
        return words.format(*numbers)

    @property
    def notes(self) -> str:
        sight, found = self._sight, self._found
        if sight is None or found is None:
            return ""
        notes = []
        if self.heatmap.marks.counts[EQUAL]:
            notes.append(self.tr("Marked: {} equal rows.").format(SYMBOLS[EQUAL]))
        notes.append(self.tr("Chance: where 95 % of independent rows of {} values stay.").format(f"{found.values:,}"))
        rows = sight.picture.shape[sight.axis]
        if len(found.matrix) < rows:
            notes.append(self.tr("The first {} of {} rows.").format(f"{len(found.matrix):,}", f"{rows:,}"))
        return " ".join(notes)

    def _say_cell(self, cell: tuple[int, int] | None) -> None:
        if cell is None or self._found is None or self._sight is None:
            self.hovered.emit("")
            return
        row, column = cell
        value = value_words(self._found.matrix[row, column], 3)
        words = self.tr("row {} and row {}: correlation {}").format(row, column, value)
        groups = self._sight.groups
        same = row != column and max(cell) < len(groups) and groups[row] == groups[column]
        self.hovered.emit(self.tr("{}, equal").format(words) if same else words)

    def _choose_row(self, row: int) -> None:
        if self._sight is not None and self._sight.rows_are_examples:
            self.row_chosen.emit(row)

    def _add_pair(self, _row: int) -> None:
        """Hold the two rows of the cell against each other."""
        row, column = self.heatmap.cursor_cell
        if row != column:
            self.pair_chosen.emit((row, column))


def equality_marks(found: Similarity, groups: Ints) -> CellMarks:
    """Return a mark on each cell of two equal rows, and on those without a correlation."""
    marks = marks_beyond(found.matrix, CORRELATIONS)
    if len(groups) != len(found.matrix):
        return marks
    same = groups[:, np.newaxis] == groups
    np.fill_diagonal(same, False)
    rows, columns = np.nonzero(same)
    apart = ~same[marks.rows, marks.columns]
    kinds = np.concatenate((marks.kinds[apart], np.full(len(rows), EQUAL, np.int8)))
    counts = tuple(np.bincount(kinds, minlength=len(SYMBOLS)).tolist())
    return CellMarks(
        np.concatenate((marks.rows[apart], rows)), np.concatenate((marks.columns[apart], columns)), kinds, counts
    )
