"""The examples of a value under vmap: a slider for each vmap, and a switch between one example and all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSlider, QToolButton, QWidget

from views.noise.arrays.one_example import Examples
from views.theme import Theme


class ExampleBar(QWidget):
    """A line for each vmap around the value; moving its slider shows one example.

    Signals:
        examples_chosen: the chosen Examples.
    """

    examples_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sliders: list[QSlider] = []
        self.switches: list[QToolButton] = []
        self._labels: list[QLabel] = []
        self._count = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self.hide()

    def show_examples(self, counts: Sequence[int], examples: Examples) -> None:
        """Offer `counts` examples of each vmap, of which `examples` are chosen; nothing where there are none."""
        self._count = len(counts)
        self.setVisible(bool(counts))
        while len(self.sliders) < len(counts):
            self._add_line()
        for place, widgets in enumerate(zip(self._labels, self.sliders, self.switches, strict=True)):
            for widget in widgets:
                widget.setVisible(place < len(counts))
            if place < len(counts):
                self._show_line(place, counts[place], examples[place] if place < len(examples) else None)

    def _show_line(self, place: int, count: int, example: int | None) -> None:
        slider, switch = self.sliders[place], self.switches[place]
        with QSignalBlocker(slider):
            slider.setRange(0, max(0, count - 1))
            if example is not None:
                slider.setValue(example)
        switch.setChecked(example is not None)
        if example is None:
            words = self.tr("all {count} examples").format(count=f"{count:,}")
        else:
            words = self.tr("example {place} of 0 to {last}").format(place=slider.value(), last=f"{count - 1:,}")
        named = self.tr("vmap {level}: {words}").format(level=place + 1, words=words) if self._count > 1 else words
        self._labels[place].setText(named)

    def _add_line(self) -> None:
        slider, label, switch = QSlider(Qt.Orientation.Horizontal), QLabel(), QToolButton()
        number = len(self.sliders) + 1
        slider.setMinimumWidth(40)
        slider.setAccessibleName(self.tr("Example of vmap {}").format(number))
        slider.setToolTip(self.tr("The value as this one example sees it"))
        switch.setText(self.tr("One example"))
        switch.setAccessibleName(self.tr("One example of vmap {}").format(number))
        switch.setCheckable(True)
        switch.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for widget in (slider, switch):
            widget.setObjectName(str(number - 1))
        slider.valueChanged.connect(self._move)
        switch.clicked.connect(self._switch)
        line: tuple[QWidget, ...] = (label, slider, switch)
        for column, each in enumerate(line):
            self._grid.addWidget(each, number - 1, column)
        self.sliders.append(slider)
        self._labels.append(label)
        self.switches.append(switch)

    def _move(self, _example: int) -> None:
        self.switches[int(self.sender().objectName())].setChecked(True)
        self._tell()

    def _switch(self, _checked: bool) -> None:
        self._tell()

    def _tell(self) -> None:
        lines = zip(self.sliders[: self._count], self.switches, strict=False)
        self.examples_chosen.emit(tuple(slider.value() if switch.isChecked() else None for slider, switch in lines))

    def apply_theme(self, theme: Theme) -> None:
        self._grid.setHorizontalSpacing(theme.px(6))
