"""A picture as a heatmap, or as a curve where it holds one value for each of many examples."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale, scale_of
from views.noise.arrays.picture_slice import block_of, cell_words
from views.noise.arrays.row_pair import difference, stacked
from views.noise.heatmap.cell_marks import ABOVE, BELOW, INFINITY, MINUS_INFINITY, NAN, SYMBOLS, marks_beyond, no_marks
from views.noise.heatmap.heatmap import Heatmap
from views.noise.heatmap.peak_curve import PeakCurve
from views.noise.sight import Sight
from views.theme import Theme

MOST_ROWS_OF_ONE_VALUE = 64
"""More single values than this are drawn as a curve."""


class HeatPage(QStackedWidget):
    """Shows the rows of a picture, or two of them and their difference.

    Signals:
        row_chosen, pair_chosen, hovered, said_changed: as every Page.
        window_changed: the stretch of the heatmap in view, after the person zoomed or moved.
    """

    row_chosen = Signal(object)
    pair_chosen = Signal(object)
    hovered = Signal(str)
    said_changed = Signal()
    window_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sight: Sight | None = None
        self._marked: frozenset[int] = frozenset()
        self.heatmap = Heatmap()
        self.curve = PeakCurve()
        for plot in (self.heatmap, self.curve):
            self.addWidget(plot)
            plot.cell_hovered.connect(self._say_cell)
            plot.row_chosen.connect(self._choose_row)
        self.heatmap.row_added.connect(self._add_row)
        self.heatmap.window_changed.connect(self.window_changed)
        self.heatmap.sampling_changed.connect(self._tell_said)

    def show_sight(self, sight: Sight) -> None:
        self._sight = sight
        picture, matrix = sight.picture, sight.matrix()
        if sight.pair is not None:
            self._show_pair(sight)
        elif len(picture.shape) == 1 and len(matrix) > MOST_ROWS_OF_ONE_VALUE:
            self.curve.show_values(matrix[:, 0], sight.reach or scale_of([picture], whole=True))
            self.setCurrentWidget(self.curve)
        else:
            inside = not picture.not_finite and sight.scale.low <= picture.low and picture.high <= sight.scale.high
            marks = no_marks() if inside else marks_beyond(matrix, sight.scale)
            block = block_of(picture, sight.cut)
            self.heatmap.show_matrix(matrix, sight.scale, sight.groups, marks=marks, block=block)
            self.setCurrentWidget(self.heatmap)
        for plot in (self.heatmap, self.curve):
            plot.setAccessibleDescription(picture.verdict)
        self.mark_rows(self._marked)

    def _show_pair(self, sight: Sight) -> None:
        pair = sight.pair
        assert pair is not None
        names = (f"{pair.first:,}", f"{pair.last:,}", f"{pair.last:,} − {pair.first:,}")
        groups = np.array([0, 0 if pair.equal else 1, 2])
        block = block_of(sight.picture, sight.cut)
        matrix = stacked(sight.picture, sight.cut, pair)
        self.heatmap.show_matrix(matrix, sight.scale, groups, row_names=names, rules=(2,), block=block)
        self.setCurrentWidget(self.heatmap)

    def mark_rows(self, rows: frozenset[int]) -> None:
        self._marked = rows
        sight = self._sight
        if sight is None:
            return
        shown = rows if sight.rows_are_examples else frozenset[int]()
        if sight.pair is not None:
            shown = frozenset(place for place, row in enumerate(sight.chosen_rows()) if row in shown)
        (self.heatmap if self.currentWidget() is self.heatmap else self.curve).mark_rows(shown)

    def apply_theme(self, theme: Theme) -> None:
        self.heatmap.apply_theme(theme)
        self.curve.apply_theme(theme)

    @property
    def scale(self) -> Scale | None:
        """The colours in use, None for a curve."""
        shown = self._sight is not None and self.currentWidget() is self.heatmap
        return self._sight.scale if shown and self._sight is not None else None

    # -- words --------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """Nothing: the verdict says what is to be seen."""
        return ""

    @property
    def notes(self) -> str:
        """Which shapes stand for what, and how much of the picture is drawn."""
        notes = (self._blocks_words(), self._marks_words(), self._sampling_words())
        return " ".join(note for note in notes if note)

    def _blocks_words(self) -> str:
        sight = self._sight
        axes = sight.cut.spread_axes(len(sight.picture.shape)) if sight is not None else []
        return self.tr("Side by side: axis {}.").format(", ".join(map(str, axes))) if axes else ""

    def _marks_words(self) -> str:
        if self._sight is None:
            return ""
        if self.currentWidget() is self.curve:
            count = self._sight.picture.not_finite
            return self.tr("{} not finite: ×.").format(f"{count:,}") if count else ""
        names = {
            NAN: self.tr("NaN"),
            INFINITY: self.tr("infinity"),
            MINUS_INFINITY: self.tr("-infinity"),
            ABOVE: self.tr("above the colours"),
            BELOW: self.tr("below the colours"),
        }
        counts = self.heatmap.marks.counts
        parts = [f"{SYMBOLS[kind]} {name} ({counts[kind]:,})" for kind, name in names.items() if counts[kind]]
        here = self.tr("Marked: {}.").format(", ".join(parts)) if parts else ""
        elsewhere = self._sight.picture.not_finite - sum(counts[kind] for kind in (NAN, INFINITY, MINUS_INFINITY))
        if elsewhere <= 0 or self._sight.pair is not None:
            return here
        return " ".join(
            (here, self.tr("{} more values elsewhere are NaN or infinite.").format(f"{elsewhere:,}"))
        ).strip()

    def _sampling_words(self) -> str:
        rows, columns = self.heatmap.sampling
        if self.currentWidget() is not self.heatmap or (rows, columns) == (1, 1):
            return ""
        if columns == 1:
            return self.tr("Drawn: 1 row in {}. Zoom in to see all.").format(rows)
        if rows == 1:
            return self.tr("Drawn: 1 column in {}. Zoom in to see all.").format(columns)
        return self.tr("Drawn: 1 row in {} and 1 column in {}. Zoom in to see all.").format(rows, columns)

    def _tell_said(self, _sampling: object) -> None:
        self.said_changed.emit()

    def _say_cell(self, cell: tuple[int, int] | None) -> None:
        sight = self._sight
        if cell is None or sight is None:
            self.hovered.emit("")
            return
        row, column = cell
        if sight.pair is not None and row == 2:
            words = self._difference_words(sight, column)
        else:
            words = cell_words(sight.picture, sight.cut, self._row_in_picture(row), column)
        letter = self.heatmap.letter_of(row) if self.currentWidget() is self.heatmap else ""
        self.hovered.emit(self.tr("{}, like all rows {}").format(words, letter) if letter else words)

    def _difference_words(self, sight: Sight, column: int) -> str:
        pair, matrix = sight.pair, sight.matrix()
        assert pair is not None
        cells = (matrix[pair.first : pair.first + 1, column], matrix[pair.last : pair.last + 1, column])
        value = value_words(difference(*cells)[0])
        return self.tr("row {} minus row {}, column {}: {}").format(pair.last, pair.first, column, value)

    # -- rows ---------------------------------------------------------------------------------

    def _choose_row(self, row: int) -> None:
        if self._sight is not None and self._sight.rows_are_examples:
            self.row_chosen.emit(self._row_in_picture(row))

    def _add_row(self, row: int) -> None:
        if self._sight is not None and self._sight.pair is None and row != self.heatmap.anchor:
            self.pair_chosen.emit((self.heatmap.anchor, row))

    def _row_in_picture(self, row: int) -> int:
        pair = self._sight.pair if self._sight is not None else None
        return row if pair is None else (pair.first, pair.last, pair.last)[row]
