"""The rows of the vmap lens: one example next to the batch, with its axes as chips in every shape."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from explorer.messages.lenses.vmap import AXES, VmapCall, VmapEquation, VmapLens, VmapValue
from views.program.lenses.table_records import Cell, Chip, Piece, Row, Table, Tone, by_lines, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Seen

_SHAPE = re.compile(r"\[([^\[\]]*)\]$")


def table(lens: VmapLens, seen: Seen = NOTHING_SEEN) -> Table:
    """Return for each call of vmap its arguments, its equations and its outputs."""
    if not lens.calls:
        return Table()
    sizes = {call.size for call in lens.calls}
    batch = QCoreApplication.translate("VmapLens", "all examples (the batch)")
    if len(sizes) == 1 and sizes != {1} and len(lens.axes) < 2:
        batch = QCoreApplication.translate("VmapLens", "all {count} (the batch)").format(count=sizes.pop())
    made = Table(
        (
            QCoreApplication.translate("VmapLens", "one example"),
            batch,
            QCoreApplication.translate("VmapLens", "became"),
        ),
        (
            QCoreApplication.translate("VmapLens", "The computation for one example"),
            QCoreApplication.translate(
                "VmapLens",
                "The same computation for all examples. Their axis is coloured; grey values do not have it",
            ),
            QCoreApplication.translate("VmapLens", "The operation that vmap uses instead, if it is another one"),
        ),
        tuple(_Rows(lens).all()),
        (0.36, 0.30, 0.34),
    )
    # Of a program that was traced in another way the numbers of the equations are others.
    return made if lens.equation_count in (0, seen.equations) else by_lines(made)


def summary(lens: VmapLens, _seen: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows."""
    shared = [each for each in lens.equations if each.is_draw and each.shared]
    pieces = []
    if shared:
        sizes = " × ".join(str(lens.calls[each].size) for each in shared[0].shared)
        words = QCoreApplication.translate("VmapLens", "One key for all {count}: they draw the same numbers.")
        if shared[0].line:
            words = QCoreApplication.translate(
                "VmapLens", "Line {line}: one key for all {count}, so they draw the same numbers."
            )
        pieces.append(Piece(words.format(line=shared[0].line, count=sizes), "bug"))
    if lens.sentence:
        pieces.append(Piece(str(lens.sentence), "words"))
    return pieces


class _Rows:
    """The rows of one lens."""

    def __init__(self, lens: VmapLens) -> None:
        self._lens = lens
        self._lettered = len(lens.axes) > 1
        self._last = {call: place for place, each in enumerate(lens.equations) for call in each.calls}
        self._became = ""

    def all(self) -> Iterable[Row]:
        """Return all rows from the top."""
        opened: set[int] = set()
        for place, equation in enumerate(self._lens.equations):
            for level, number in enumerate(equation.calls):
                if number not in opened:
                    opened.add(number)
                    yield from self._opening(self._lens.calls[number], level)
            yield self._equation(equation)
            for level, number in reversed(list(enumerate(equation.calls))):
                if self._last[number] == place:
                    yield from self._closing(self._lens.calls[number], level)
        for number, call in enumerate(self._lens.calls):
            if number not in opened:
                yield from self._opening(call, 0)
                yield from self._closing(call, 0)

    # -- calls ------------------------------------------------------------------------------------------------

    def _opening(self, call: VmapCall, level: int) -> Iterable[Row]:
        self._became = ""
        heading = QCoreApplication.translate("VmapLens", "vmap of {function}").format(function=call.function)
        chip = QCoreApplication.translate("VmapLens", "{count} examples").format(count=f"{call.size:,}")
        if call.size == 1:
            chip = QCoreApplication.translate("VmapLens", "1 example")
        chip = f"{call.axis}: {chip}" if self._lettered else chip
        axis = Piece(chip, "code", (Chip(0, len(chip), AXES.index(call.axis)),))
        yield Row((Cell((Piece(heading, "title"),), level), Cell((axis,)), Cell()), -1, _line(call))
        for each in call.arguments:
            yield self._value(call, each, level)

    def _closing(self, call: VmapCall, level: int) -> Iterable[Row]:
        self._became = ""
        for each in call.outputs:
            yield self._value(call, each, level)

    def _value(self, call: VmapCall, value: VmapValue, level: int) -> Row:
        one = Cell((Piece(value.name, "title"), Piece(value.one, "dim code")), level)
        if value.axis is not None:
            words = QCoreApplication.translate("VmapLens", "axis {number}").format(number=value.axis)
            batch = self._chipped(value.batch, [(value.axis, call.axis, False)], "code")
            return Row((one, Cell((batch,)), text_cell(words, "words")), -1, _line(call))
        words = QCoreApplication.translate("VmapLens", "the same for all {count}")
        if value.one.startswith("key<"):
            words = QCoreApplication.translate("VmapLens", "the same key for all {count}")
        return Row(
            (one, text_cell(value.batch, "dim code"), text_cell(words.format(count=call.size), "dim")), -1, _line(call)
        )

    # -- equations --------------------------------------------------------------------------------------------

    def _equation(self, equation: VmapEquation) -> Row:
        wrong = equation.is_draw and bool(equation.shared)
        same = all(set(along) <= set(copies) for along, copies in _axes_of(equation))
        tone: Tone = "bug code" if wrong else "dim code" if same else "code"
        operation = f"{equation.primitive} {equation.name}".rstrip()
        one = (Piece(operation, tone), Piece(" ".join(equation.one), "bug code" if wrong else "dim code"))
        became = str(equation.became)
        shown, self._became = became if became != self._became else "", became
        level = max(0, len(equation.calls) - 1)
        cells = (
            Cell(one, equation.depth + level),
            Cell(tuple(self._outputs(equation, tone))),
            text_cell(shown, "bug" if wrong else "dim" if same else "words"),
        )
        return Row(cells, equation.id, equation.line, equation.is_draw)

    def _outputs(self, equation: VmapEquation, tone: Tone) -> Iterable[Piece]:
        places = zip(equation.batch, equation.mapped, _axes_of(equation), strict=False)
        for shape, mapped, (along, copies) in places:
            axes = [
                (place, self._lens.calls[call].axis, call in copies) for place, call in zip(mapped, along, strict=False)
            ]
            yield self._chipped(shape, axes, tone)

    def _chipped(self, shape: str, axes: Sequence[tuple[int, str, bool]], tone: Tone) -> Piece:
        """Return the type `shape` with chips at these places: (place, name of the axis, whether it is a copy)."""
        found = _SHAPE.search(shape)
        if found is None or not axes:
            return Piece(shape, tone)
        named = {place: (name, hollow) for place, name, hollow in axes}
        text, chips = shape[: found.start() + 1], []
        for place, length in enumerate(found[1].split(",")):
            text += "," if place else ""
            start = len(text)
            name, hollow = named.get(place, ("", False))
            text += f"{name}={length}" if name and self._lettered else length
            if name:
                chips.append(Chip(start, len(text), AXES.index(name), hollow))
        return Piece(f"{text}]", tone, tuple(chips))


def _axes_of(equation: VmapEquation) -> list[tuple[tuple[int, ...], Collection[int]]]:
    """Return for each output the vmaps of its batch axes, and those along which it is copied."""
    copies = equation.copies or ((),) * len(equation.along)
    return list(zip(equation.along, copies, strict=False))


def _line(call: VmapCall) -> int:
    return call.span.line if call.span else 0


VIEW = LensView(table, summary)
