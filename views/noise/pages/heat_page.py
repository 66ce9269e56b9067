"""A picture as a heatmap, or as a line where it holds one value for each row."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from views.noise.arrays.heat_colours import Scale, scale_of_curves
from views.noise.arrays.picture_choice import value_words
from views.noise.arrays.picture_slice import block_of, cell_words
from views.noise.arrays.row_pair import RowPair, difference, stacked
from views.noise.heatmap.cell_geometry import CellWindow
from views.noise.heatmap.cell_marks import ABOVE, BELOW, INFINITY, MINUS_INFINITY, NAN, SYMBOLS, marks_beyond, no_marks
from views.noise.heatmap.heatmap import Heatmap
from views.noise.heatmap.peak_curve import PeakCurve
from views.noise.pages.page import PicturePage, PictureView


class HeatPage(PicturePage):
    """Shows the rows of a picture, or two of them and their difference.

    Signals:
        window_changed: the shape of the heatmap and its visible part, after the user zoomed or moved.
    """

    window_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heatmap = Heatmap()
        self.curve = PeakCurve()
        self._plots = QStackedLayout(self)
        for plot in (self.heatmap, self.curve):
            self._plots.addWidget(plot)
            plot.cell_hovered.connect(self._say_cell)
            plot.row_chosen.connect(self._choose_row)
            plot.row_added.connect(self._add_row)
        # Its contents take the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.heatmap.window_changed.connect(self._tell_window)
        self.heatmap.sampling_changed.connect(self._report_change)

    @property
    def _is_curve(self) -> bool:
        return self._plots.currentWidget() is self.curve

    def show_sight(self, sight: PictureView) -> None:
        super().show_sight(sight)
        matrix = sight.matrix()
        curved = sight.mode == "line" and sight.pair is None
        plot = self.curve if curved else self.heatmap
        if curved:
            scale = sight.reach or scale_of_curves([sight.picture])
            self.curve.show_values(matrix[:, 0], scale, all_finite=not sight.picture.not_finite)
        else:
            self._show_matrix(sight)
        self._plots.setCurrentWidget(plot)
        plot.setAccessibleDescription(str(sight.picture.verdict))
        plot.mark_rows(sight.places_of(self._marked))

    def _show_matrix(self, sight: PictureView) -> None:
        picture, pair, block = sight.picture, sight.pair, block_of(sight.picture, sight.cut)
        if pair is not None:
            matrix = stacked(picture, sight.cut, pair)
            self.heatmap.show_matrix(matrix, sight.scale, pair.groups, row_names=pair.names, rules=(2,), block=block)
            return
        inside = not picture.not_finite and sight.scale.low <= picture.low and picture.high <= sight.scale.high
        marks = no_marks() if inside else marks_beyond(sight.matrix(), sight.scale)
        self.heatmap.show_matrix(sight.matrix(), sight.scale, sight.groups, marks=marks, block=block)

    def mark_rows(self, rows: frozenset[int]) -> None:
        super().mark_rows(rows)
        (self.curve if self._is_curve else self.heatmap).mark_rows(self._sight.places_of(rows))

    @property
    def scale(self) -> Scale | None:
        """The colours in use, None for a curve."""
        return None if self._is_curve else self._sight.scale

    # -- words --------------------------------------------------------------------------------

    @property
    def notes(self) -> str:
        """The meanings of the shapes, and the drawn share of the picture."""
        axes = self._sight.cut.spread_axes(len(self._sight.picture.shape))
        blocks = self.tr("Side by side: axis {}.").format(", ".join(map(str, axes))) if axes else ""
        return " ".join(note for note in (blocks, self._marks_words(), self._sampling_words()) if note)

    def _marks_words(self) -> str:
        not_finite = self._sight.picture.not_finite
        if self._is_curve:
            return self.tr("{} not finite: ×.").format(f"{not_finite:,}") if not_finite else ""
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
        elsewhere = not_finite - sum(counts[kind] for kind in (NAN, INFINITY, MINUS_INFINITY))
        if elsewhere <= 0 or self._sight.pair is not None:
            return here
        there = self.tr("{} more values elsewhere are NaN or infinite.").format(f"{elsewhere:,}")
        return f"{here} {there}".strip()

    def _sampling_words(self) -> str:
        rows, columns = self.heatmap.sampling
        if self._is_curve or (rows, columns) == (1, 1):
            return ""
        if columns == 1:
            return self.tr("Drawn: 1 row in {}. Zoom in to see all.").format(rows)
        if rows == 1:
            return self.tr("Drawn: 1 column in {}. Zoom in to see all.").format(columns)
        return self.tr("Drawn: 1 row in {} and 1 column in {}. Zoom in to see all.").format(rows, columns)

    def _tell_window(self, window: CellWindow) -> None:
        self.window_changed.emit((self.heatmap.shape, window))

    def _report_change(self, _sampling: object) -> None:
        self.notes_changed.emit()

    def _say_cell(self, cell: tuple[int, int] | None) -> None:
        if cell is None:
            self.hovered.emit("")
            return
        row, column = cell
        sight = self._sight
        if sight.pair is not None and row == 2:
            words = self._difference_words(sight.pair, column)
        else:
            words = cell_words(sight.picture, sight.cut, sight.row_at(row), column)
            if sight.rows_are_examples and (holder := sight.picture.holder(sight.row_at(row))):
                words = self.tr("{words}, on {device}").format(words=words, device=holder)
        letter = "" if self._is_curve else self.heatmap.letter_of(row)
        self.hovered.emit(self.tr("{}, like all rows {}").format(words, letter) if letter else words)

    def _difference_words(self, pair: RowPair, column: int) -> str:
        matrix = self._sight.matrix()
        cells = (matrix[pair.first : pair.first + 1, column], matrix[pair.last : pair.last + 1, column])
        value = value_words(difference(*cells)[0])
        return self.tr("row {} minus row {}, column {}: {}").format(pair.last, pair.first, column, value)

    # -- rows ---------------------------------------------------------------------------------

    def _choose_row(self, row: int) -> None:
        if self._sight.rows_are_examples:
            self.row_chosen.emit(self._sight.row_at(row))

    def _add_row(self, row: int) -> None:
        anchor = (self.curve if self._is_curve else self.heatmap).anchor
        if self._sight.pair is None and row != anchor:
            self.pair_chosen.emit((anchor, row))
