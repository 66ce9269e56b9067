"""One report's half of the noise pane: its verdict in words, its picture, and what to know about it."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QVBoxLayout, QWidget

from explorer.messages import Picture
from views.noise.heat_colours import Scale
from views.noise.heatmap import Heatmap
from views.noise.peak_curve import PeakCurve
from views.noise.picture_slice import Cut, RowPair, cell_words, first_and_last, matrix_of
from views.short_label import ShortLabel
from views.theme import Theme

MOST_ROWS_OF_ONE_VALUE = 64
"""More single values than this are drawn as a curve."""

VERDICT_SHARE = 0.17
NOTES_SHARE = 0.13
"""Parts of the pane's height that words may take."""


class NoiseHalf(QWidget):
    """Shows one picture, or a sentence where there is none.

    Signals:
        row_chosen: number of the example that was clicked or reached by a key.
        hovered: the cell under the pointer and its value in words, '' when there is none.
        window_changed: the stretch of the heatmap in view, after the person zoomed or moved.
    """

    row_chosen = Signal(object)
    hovered = Signal(str)
    window_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: Picture | None = None
        self._cut = Cut()
        self._pair: RowPair | None = None
        self._marked: Collection[int] = ()
        self._name = ShortLabel()
        self._verdict = ShortLabel()
        self._verdict.setAccessibleName(self.tr("Verdict"))
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setProperty("role", "dim")
        self._answer = ShortLabel()
        self._notes = ShortLabel()
        self._notes.setProperty("role", "dim")
        self.heatmap = Heatmap()
        self.curve = PeakCurve()
        self._stack = QStackedWidget()
        for page in (self._sentence, self.heatmap, self.curve):
            self._stack.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for widget in (self._name, self._verdict, self._stack, self._answer, self._notes):
            column.addWidget(widget, 1 if widget is self._stack else 0)
        self._connect()

    def _connect(self) -> None:
        for plot in (self.heatmap, self.curve):
            plot.cell_hovered.connect(self._say_cell)
            plot.row_chosen.connect(self._choose_row)
        self.heatmap.window_changed.connect(self.window_changed)
        self.heatmap.sampling_changed.connect(self._write_notes)

    # -- what to show -------------------------------------------------------------------------

    def show_name(self, name: str) -> None:
        """Write the report's name above the verdict; '' for none."""
        self._name.setText(name)
        self._name.setVisible(bool(name))

    def show_sentence(self, sentence: str) -> None:
        """Show `sentence` in place of a picture."""
        self._picture = self._pair = None
        self._write_instead(sentence)
        for label in (self._verdict, self._answer, self._notes):
            label.clear()
            label.hide()
        self.setAccessibleDescription(sentence)

    def show_picture(self, picture: Picture, scale: Scale, cut: Cut, *, ends_only: bool, bug: bool) -> None:
        """Show `picture`; with `ends_only` the first and the last row. `bug` colours the verdict."""
        self._picture, self._cut = picture, cut
        self._pair = first_and_last(picture, cut.row_axis) if ends_only else None
        self._verdict.setText(picture.verdict)
        self._verdict.setProperty("role", "bug" if bug else "")
        self._restyle(self._verdict)
        self._verdict.show()
        self.setAccessibleDescription(picture.verdict)
        self._draw(picture, scale)
        self._write_notes()

    def _draw(self, picture: Picture, scale: Scale) -> None:
        if not picture.shape:
            self._write_instead(self.tr("This is a single number of type {}.").format(picture.dtype))
            return
        if 0 in picture.values.shape:
            self._write_instead(self.tr("There is no value in this array: its shape is {}.").format(picture.shape))
            return
        matrix = matrix_of(picture, self._cut)
        groups = picture.groups.numpy() if self._rows_are_examples() else np.empty(0, np.int32)
        if self._pair is not None:
            ends = np.array([self._pair.first, self._pair.last])
            same = np.array([0, 0 if self._pair.equal else 1])
            self.heatmap.show_matrix(matrix[ends], scale, same, ends)
            self._stack.setCurrentWidget(self.heatmap)
        elif len(picture.shape) == 1 and len(matrix) > MOST_ROWS_OF_ONE_VALUE:
            self.curve.show_values(matrix[:, 0], scale)
            self._stack.setCurrentWidget(self.curve)
        else:
            self.heatmap.show_matrix(matrix, scale, groups)
            self._stack.setCurrentWidget(self.heatmap)
        for plot in (self.heatmap, self.curve):
            plot.setAccessibleDescription(picture.verdict)
        self._mark()

    def _write_instead(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self._stack.setCurrentWidget(self._sentence)

    def mark_rows(self, examples: Collection[int]) -> None:
        """Outline these examples."""
        self._marked = examples
        self._mark()

    def apply_theme(self, theme: Theme) -> None:
        self._name.setFont(theme.font(1.0, bold=True))
        self._verdict.setFont(theme.font(1.0, bold=True))
        self._sentence.setFont(theme.font())
        self._sentence.setMargin(theme.px(12))
        self._answer.setFont(theme.font())
        self._notes.setFont(theme.font(0.85))
        self.heatmap.apply_theme(theme)
        self.curve.apply_theme(theme)
        for label in (self._name, self._verdict, self._sentence, self._answer, self._notes):
            self._restyle(label)

    def head_height(self, width: int) -> int:
        """Return how high the verdict is when it is `width` wide."""
        return self._verdict.heightForWidth(width) if self._picture is not None else 0

    def set_head_height(self, height: int) -> None:
        """Give the verdict at least `height`, so that two plots side by side begin at one height."""
        self._verdict.setMinimumHeight(height)

    def set_words_share(self, height: int) -> None:
        """Leave most of a pane that is `height` high to the picture: words get few lines where it is low."""
        for label, share in ((self._verdict, VERDICT_SHARE), (self._answer, VERDICT_SHARE), (self._notes, NOTES_SHARE)):
            label.set_most_lines(int(share * height / label.fontMetrics().lineSpacing()))

    @property
    def picture(self) -> Picture | None:
        """What is shown, None where a sentence stands instead."""
        return self._picture

    @property
    def words(self) -> str:
        """The verdict, or the sentence that stands in its place."""
        return self._picture.verdict if self._picture is not None else self._sentence.text()

    @property
    def has_colours(self) -> bool:
        """Whether the colour bar says anything about what is shown."""
        return self._stack.currentWidget() is self.heatmap

    @property
    def answer(self) -> str:
        """How the first example compares with the last, '' where that was not asked."""
        return self._answer.text()

    @property
    def notes(self) -> str:
        """What stands under the picture."""
        return self._notes.text()

    # -- words --------------------------------------------------------------------------------

    def _write_notes(self, _sampling: object = None) -> None:
        picture = self._picture
        if picture is None:
            return
        answer = self._pair_words()
        self._answer.setText(answer)
        self._answer.setVisible(bool(answer))
        notes = [self._not_finite_words(picture), picture.note, self._sampling_words()]
        if self._pair is None and not self._rows_are_examples() and len(picture.shape) > 1:
            notes.append(self.tr("Letters stand on axis {} only: it holds the examples.").format(picture.axis))
        text = " ".join(note for note in notes if note)
        self._notes.setText(text)
        self._notes.setVisible(bool(text))

    def _pair_words(self) -> str:
        pair = self._pair
        if pair is None:
            return ""
        if pair.equal and pair.differing:
            sentence = self.tr("Row {} and row {} are equal to within rounding.")
        elif pair.equal:
            sentence = self.tr("Row {} and row {} are equal, bit for bit.")
        elif pair.differing:
            sentence = self.tr("Row {} and row {} differ in {} of {} values.")
        else:
            sentence = self.tr("Row {} and row {} differ, but not in the values shown here.")
        return sentence.format(f"{pair.first:,}", f"{pair.last:,}", f"{pair.differing:,}", f"{pair.values:,}")

    def _not_finite_words(self, picture: Picture) -> str:
        if not picture.not_finite:
            return ""
        if picture.not_finite == 1:
            return self.tr("1 value is NaN or infinite: a cross is NaN, an arrowhead infinity.")
        sentence = self.tr("{} values are NaN or infinite: a cross is NaN, an arrowhead infinity.")
        return sentence.format(f"{picture.not_finite:,}")

    def _sampling_words(self) -> str:
        rows, columns = self.heatmap.sampling
        if self._stack.currentWidget() is not self.heatmap or (rows, columns) == (1, 1):
            return ""
        if columns == 1:
            return self.tr("Drawn: 1 row in {}. Zoom in to see all.").format(rows)
        if rows == 1:
            return self.tr("Drawn: 1 column in {}. Zoom in to see all.").format(columns)
        return self.tr("Drawn: 1 row in {} and 1 column in {}. Zoom in to see all.").format(rows, columns)

    def _say_cell(self, cell: tuple[int, int] | None) -> None:
        if cell is None or self._picture is None:
            self.hovered.emit("")
            return
        row = self._example(cell[0])
        words = cell_words(self._picture, self._cut, row, cell[1])
        letter = self.heatmap.letter_of(cell[0]) if self._stack.currentWidget() is self.heatmap else ""
        self.hovered.emit(self.tr("{}, like all rows {}").format(words, letter) if letter else words)

    # -- rows ---------------------------------------------------------------------------------

    def _choose_row(self, row: int) -> None:
        if self._picture is not None and self._rows_are_examples():
            self.row_chosen.emit(self._example(row))

    def _example(self, row: int) -> int:
        """Return which row of the picture stands in row `row` of the plot."""
        return row if self._pair is None else (self._pair.first, self._pair.last)[row]

    def _rows_are_examples(self) -> bool:
        return self._picture is not None and self._cut.row_axis == self._picture.axis

    def _mark(self) -> None:
        rows: Collection[int] = self._marked if self._rows_are_examples() else ()
        if self._pair is not None:
            rows = [place for place, row in enumerate((self._pair.first, self._pair.last)) if row in rows]
        plot = self._stack.currentWidget()
        if isinstance(plot, (Heatmap, PeakCurve)):
            plot.mark_rows(rows)

    def _restyle(self, widget: QWidget) -> None:
        # A style sheet that asks for a property looks at it only when the widget is polished anew.
        widget.style().unpolish(widget)
        widget.style().polish(widget)
