"""The controls that choose the mode of the noise pane, and one example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QWidget

from views.noise.arrays.picture_slice import Examples
from views.noise.bars.slider_lines import SliderLine, SliderLines
from views.noise.pages.page import MODES, Mode
from views.parts.controls import name
from views.parts.own_document import plain_tip


class ExampleBar(SliderLines):
    """A line for each vmap around the value; moving its slider shows one example.

    Signals:
        examples_chosen: the chosen Examples.
    """

    examples_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._examples: Examples = ()
        self.tip = self.tr("The value as this one example sees it")
        self.moved.connect(self._choose)
        self.switched.connect(self._switch_example)
        self.hide()

    def show_examples(self, counts: Sequence[int], examples: Examples) -> None:
        """Offer `counts` examples of each vmap, with `examples` chosen; hidden where there are none."""
        self._examples = (*examples, *(None for _ in counts))[: len(counts)]
        self.setVisible(bool(counts))
        self.show_lines([self._line(place, count, several=len(counts) > 1) for place, count in enumerate(counts)])

    def _line(self, place: int, count: int, *, several: bool) -> SliderLine:
        example = self._examples[place]
        if example is None:
            words = self.tr("all {count} examples").format(count=f"{count:,}")
        else:
            example = min(example, count - 1)
            words = self.tr("example {place} of 0 to {last}").format(place=example, last=f"{count - 1:,}")
        return SliderLine(
            self.tr("vmap {level}: {words}").format(level=place + 1, words=words) if several else words,
            self.tr("Example of vmap {}").format(place + 1),
            count,
            example,
            switch=self.tr("One example"),
            switch_name=self.tr("One example of vmap {}").format(place + 1),
            checked=example is not None,
        )

    def _choose(self, moved: tuple[int, int]) -> None:
        self._tell(*moved)

    def _switch_example(self, switched: tuple[int, bool]) -> None:
        line, checked = switched
        self._tell(line, self.places()[line] if checked else None)

    def _tell(self, line: int, example: int | None) -> None:
        self.examples_chosen.emit((*self._examples[:line], example, *self._examples[line + 1 :]))


class ModeChooser(QComboBox):
    """Signals:
    mode_chosen: the Mode that the user chose.
    """

    mode_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Type of plot"))
        titles: dict[Mode, str] = {
            "line": self.tr("Line"),
            "heatmap": self.tr("Heatmap"),
            "images": self.tr("Images"),
            "scatter": self.tr("Scatter"),
        }
        self.addItems([titles[mode] for mode in MODES])
        self.activated.connect(self._choose)

    def show_modes(self, mode: Mode, reasons: Mapping[Mode, str]) -> None:
        """Show that `mode` is on; each mode in `reasons` cannot be chosen, and its tool tip says why."""
        with QSignalBlocker(self):
            self.setCurrentIndex(MODES.index(mode))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, each in enumerate(MODES):
            item = model.item(place)
            item.setEnabled(each not in reasons)
            item.setData(plain_tip(reasons.get(each, "")), Qt.ItemDataRole.ToolTipRole)

    def _choose(self, place: int) -> None:
        self.mode_chosen.emit(MODES[place])
