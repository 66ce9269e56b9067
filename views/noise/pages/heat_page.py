"""HeatPage: a picture as a heatmap, or as a line where it holds one value for each row."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QWidget

from views.noise.arrays.heat_colours import Scale, scale_of_curves
from views.noise.arrays.picture_choice import cell_words
from views.noise.heatmap.cell_marks import ABOVE, BELOW, INFINITY, MINUS_INFINITY, NAN, SYMBOLS
from views.noise.heatmap.heatmap import Heatmap
from views.noise.heatmap.peak_curve import PeakCurve
from views.noise.pages.page import PicturePage, PictureView


class HeatPage(PicturePage):
    """Shows the rows of a picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heatmap = Heatmap()
        self.curve = PeakCurve()
        self._plots = QStackedLayout(self)
        for plot in (self.heatmap, self.curve):
            self._plots.addWidget(plot)
            plot.cell_hovered.connect(self._say_cell)
            plot.row_chosen.connect(self._choose_row)
        # Its contents take the keyboard.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.heatmap.sampling_changed.connect(self.notes_changed)

    @property
    def _is_curve(self) -> bool:
        return self._plots.currentWidget() is self.curve

    def show_view(self, view: PictureView) -> None:
        super().show_view(view)
        matrix = view.matrix()
        curved = view.mode == "line"
        plot = self.curve if curved else self.heatmap
        if curved:
            scale = view.reach or scale_of_curves([view.picture])
            self.curve.show_values(matrix[:, 0], scale)
        else:
            self.heatmap.show_matrix(matrix, view.scale, view.groups)
        self._plots.setCurrentWidget(plot)
        plot.setAccessibleDescription(str(view.picture.verdict))
        plot.mark_rows(view.places_of(self._marked))

    def mark_rows(self, rows: frozenset[int]) -> None:
        super().mark_rows(rows)
        (self.curve if self._is_curve else self.heatmap).mark_rows(self._view.places_of(rows))

    @property
    def scale(self) -> Scale | None:
        """The colours in use, None for a curve."""
        return None if self._is_curve else self._view.scale

    # -- words --------------------------------------------------------------------------------

    @property
    def notes(self) -> str:
        """The meanings of the shapes, and the drawn share of the picture."""
        return " ".join(note for note in (self._marks_words(), self._sampling_words()) if note)

    def _marks_words(self) -> str:
        not_finite = self._view.picture.not_finite
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
        if elsewhere <= 0:
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

    def _say_cell(self, cell: tuple[int, int] | None) -> None:
        if cell is None:
            self.hovered.emit("")
            return
        row, column = cell
        view = self._view
        words = cell_words(view.picture, view.cut, row, column)
        if view.rows_are_examples and (holder := view.picture.holder(row)):
            words = self.tr("{words}, on {device}").format(words=words, device=holder)
        letter = "" if self._is_curve else self.heatmap.letters.of(row)
        self.hovered.emit(self.tr("{}, like all rows {}").format(words, letter) if letter else words)

    # -- rows ---------------------------------------------------------------------------------

    def _choose_row(self, row: int) -> None:
        if self._view.rows_are_examples:
            self.row_chosen.emit(row)
