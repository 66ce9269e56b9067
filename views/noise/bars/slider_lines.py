"""SliderLines: labelled sliders; ValueBar: a value's sentence and loops; with_value(): reports with its pictures."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QVBoxLayout, QWidget

from explorer.messages import EquationValue, Loop, Report, unmarked
from views.parts.controls import fill
from views.parts.labels import ShortLabel
from views.theme import DIM_TEXT, dressed

SENTENCE_SHARE = 0.17
"""The largest share of the pane's height for the sentence."""


class ValueBar(QWidget):
    """A sentence, and sliders through the iterations of loops.

    Signals:
        steps_chosen: a tuple with the iteration of each loop, outermost first.
    """

    steps_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = ShortLabel()
        self.sentence.setForegroundRole(DIM_TEXT)
        self.loops = SliderLines()
        self._loops = 0
        fill(QVBoxLayout(self), self.sentence, self.loops, spacing=2)
        self.loops.moved.connect(self._tell)
        self.show_value(None)

    def show_value(self, value: EquationValue | None) -> None:
        """Show the loops of `value` and its sentence; hidden where there is neither."""
        loops = value.loops if value is not None else ()
        sentence = self._sentence_of(value)
        self._loops = len(loops)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self.loops.show_lines([self._line(loop) for loop in loops])
        self.loops.setVisible(bool(loops))
        self.setVisible(bool(sentence) or bool(loops))

    def set_words_share(self, height: int) -> None:
        """Leave most of a pane that is `height` high to the value: the sentence gets few lines where it is low."""
        self.sentence.set_most_lines(int(SENTENCE_SHARE * height / self.sentence.fontMetrics().lineSpacing()))

    def _sentence_of(self, value: EquationValue | None) -> str:
        if value is None or not value.sentence:
            return ""
        sentence = unmarked(value.sentence)
        return sentence if value.pictures else self.tr("No value for the selected equation. {}").format(sentence)

    def _line(self, loop: Loop) -> SliderLine:
        words = self.tr("iteration {step} of {length} of the {loop}")
        words = words.format(step=f"{loop.step + 1:,}", length=f"{loop.length:,}", loop=loop.primitive)
        return SliderLine(words, self.tr("Iteration of the {}").format(loop.primitive), loop.length, loop.step)

    def _tell(self, _moved: object) -> None:
        self.steps_chosen.emit(tuple(self.loops.places()[: self._loops]))


def with_value(reports: Sequence[Report], value: EquationValue | None) -> tuple[Report, ...]:
    """Return `reports` with the pictures of `value` among those of its variant."""
    if value is None:
        return tuple(reports)
    return tuple(
        msgspec.structs.replace(each, pictures=(*(each.pictures or ()), *value.pictures))
        if each.name == value.variant
        else each
        for each in reports
    )


class SliderLine(msgspec.Struct, frozen=True):
    """The contents of one line."""

    words: str
    name: str
    """The accessible name of the slider."""
    count: int
    place: int
    """The position of the slider, from 0 to count - 1."""


class SliderLines(QWidget):
    """Lines with a label and a slider; updates do not move a slider that the user drags.

    Signals:
        moved: (line, place) after the user moved a slider.
    """

    moved = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[tuple[QLabel, QSlider]] = []
        self._grid = dressed(QGridLayout(self), lambda grid, theme: grid.setHorizontalSpacing(theme.px(6)))
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)

    def show_lines(self, lines: Sequence[SliderLine]) -> None:
        """Show exactly these lines."""
        while len(self._lines) < len(lines):
            self._add_line()
        for (label, slider), line in zip(self._lines, lines, strict=False):
            label.setText(line.words)
            with QSignalBlocker(slider):
                slider.setRange(0, max(0, line.count - 1))
                # While the user drags, an answer to an older place must not pull the handle back.
                if not slider.isSliderDown():
                    slider.setValue(line.place)
            slider.setAccessibleName(line.name)
        for number, widgets in enumerate(self._lines):
            for widget in widgets:
                widget.setVisible(number < len(lines))

    def places(self) -> list[int]:
        """Return the positions of the sliders, including hidden lines."""
        return [slider.value() for _, slider in self._lines]

    def _add_line(self) -> None:
        label, slider = QLabel(textFormat=Qt.TextFormat.PlainText), QSlider(Qt.Orientation.Horizontal)
        slider.setMinimumWidth(40)
        row = len(self._lines)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(slider, row, 1)
        slider.valueChanged.connect(lambda place: self.moved.emit((row, place)))
        self._lines.append((label, slider))
