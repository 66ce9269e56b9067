"""The examples of a value under vmap: a slider for each vmap, and a switch between one example and all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from views.noise.arrays.one_example import Examples
from views.noise.bars.slider_lines import SliderLine, SliderLines


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
