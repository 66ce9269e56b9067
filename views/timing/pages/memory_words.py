"""The memory of calls, in words and as bars."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject

from explorer.figures.curves import Figures, Series
from explorer.messages import Memory
from views.parts.byte_words import bytes_text
from views.timing.pages.bars_page import Bar, Group, Part
from views.timing.timing_words import TimingWords


class MemoryWords(QObject):
    """Makes the bars and sentences of the page on memory."""

    def groups(self, figures: Figures) -> list[Group]:
        """Return the memory of each point, curve by curve, the colours first; empty where it is unknown."""
        found = []
        for series in figures.series:
            bars = () if series.wrong_way else tuple(self._bars(figures, series))
            if bars:
                found.append(Group(series.label, bars))
        colours = tuple((part.word, part.colour_number) for part in self._parts(Memory()))
        return [Group("", legend=colours), *found] if found else []

    def _bars(self, figures: Figures, series: Series) -> Iterator[Bar]:
        words = TimingWords()
        for value in figures.values:
            point = figures.points.get((series, value))
            memory = point.memory if point is not None else None
            if memory is not None and _has_sizes(memory):
                parts = self._parts(memory)
                sizes = [int(part.size) for part in parts]
                tip = "; ".join(filter(None, (self._rest(memory), " + ".join(map(bytes_text, sizes)))))
                yield Bar(words.place(figures, value) or self.tr("one call"), parts, bytes_text(sum(sizes)), tip)

    def remark(self, figures: Figures) -> str:
        """Return the meaning of the bars, or why there are none."""
        points = list(figures.points.values())
        measured = [point for point in points if point.memory is not None and _has_sizes(point.memory)]
        if not measured:
            device = next((point.device for point in points if point.device), "")
            if not any("jit" in "".join(point.transforms) for point in points):
                return self.tr("Only a compiled program reports its memory. Tick jit to see it.")
            if not all(point.final for point in points):
                return self.tr("A program's memory appears when its point is done.")
            return self.tr("The compiler for {device} does not report the memory of its programs.").format(
                device=device or self.tr("this device")
            )
        return self.tr(
            "The memory that the compiler reports for the program. "
            "By line, and for eager runs, it is in Program > memory."
        )

    def _parts(self, memory: Memory) -> tuple[Part, ...]:
        return (
            Part(self.tr("arguments"), memory.argument_bytes or 0, 0),
            Part(self.tr("outputs"), memory.output_bytes or 0, 2),
            Part(self.tr("temporary"), memory.temporary_bytes or 0, 1),
        )

    def _rest(self, memory: Memory) -> str:
        parts = []
        if memory.peak_bytes is not None:
            parts.append(self.tr("peak {size}").format(size=bytes_text(memory.peak_bytes)))
        if memory.code_bytes:
            parts.append(self.tr("program {size}").format(size=bytes_text(memory.code_bytes)))
        if memory.process_bytes is not None:
            parts.append(self.tr("process +{size}").format(size=bytes_text(memory.process_bytes)))
        return ", ".join(parts)


def _has_sizes(memory: Memory) -> bool:
    figures = (memory.argument_bytes, memory.output_bytes, memory.temporary_bytes)
    return any(each is not None for each in figures)
