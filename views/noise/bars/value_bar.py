"""What stands above the value of an equation: why there is none, and a slider for each loop around it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QWidget

from explorer.messages import EquationValue, Loop, Report
from views.parts.short_label import ShortLabel

SENTENCE_SHARE = 0.17
"""Part of the pane's height that the sentence may take."""


class ValueBar(QWidget):
    """A sentence, and sliders through the rounds of loops.

    Signals:
        steps_chosen: a tuple with the round of each loop, outermost first.
    """

    steps_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = ShortLabel()
        self.sentence.setProperty("role", "dim")
        self.sliders: list[QSlider] = []
        self._labels: list[QLabel] = []
        self._loops = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.sentence, 0, 0, 1, 2)
        self.show_value(None)

    def show_value(self, value: EquationValue | None) -> None:
        """Show the loops of `value` and its sentence; nothing where there is neither."""
        loops = value.loops if value is not None else ()
        sentence = self._sentence_of(value)
        self._loops = len(loops)
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))
        self._show_loops(loops)
        self.setVisible(bool(sentence) or bool(loops))

    def set_words_share(self, height: int) -> None:
        """Leave most of a pane that is `height` high to the value: the sentence gets few lines where it is low."""
        self.sentence.set_most_lines(int(SENTENCE_SHARE * height / self.sentence.fontMetrics().lineSpacing()))

    def _sentence_of(self, value: EquationValue | None) -> str:
        if value is None or not value.sentence:
            return ""
        if value.pictures:
            return value.sentence
        return self.tr("No value for the selected equation. {}").format(value.sentence)

    def _show_loops(self, loops: Sequence[Loop]) -> None:
        while len(self.sliders) < len(loops):
            self._add_line()
        for place, (slider, label) in enumerate(zip(self.sliders, self._labels, strict=True)):
            for widget in (slider, label):
                widget.setVisible(place < len(loops))
            if place >= len(loops):
                continue
            loop = loops[place]
            with QSignalBlocker(slider):
                slider.setRange(0, loop.length - 1)
                # While the person drags, an answer to an older place must not pull the handle back.
                if not slider.isSliderDown():
                    slider.setValue(loop.step)
            words = self.tr("round {step} of {length} of the {loop}")
            label.setText(words.format(step=f"{loop.step + 1:,}", length=f"{loop.length:,}", loop=loop.primitive))
            slider.setAccessibleName(self.tr("Round of the {}").format(loop.primitive))

    def _add_line(self) -> None:
        slider, label = QSlider(Qt.Orientation.Horizontal), QLabel()
        slider.setMinimumWidth(40)
        slider.valueChanged.connect(self._move)
        row = len(self.sliders) + 1
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(slider, row, 1)
        self.sliders.append(slider)
        self._labels.append(label)

    def _move(self, _place: int) -> None:
        self.steps_chosen.emit(tuple(slider.value() for slider in self.sliders[: self._loops]))


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
