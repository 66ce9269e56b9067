"""The vmap lens: one example next to the batch, equation by equation, with the axes that vmap added."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from jax.extend.core import ClosedJaxpr, JaxprEqn

from explorer.messages.lenses import WHOLE, Cell, Chip, Lens, Piece, Row, Table, Tone, text_cell
from explorer.text.text import NOTHING, Text, joined, say
from explorer.worker.errors.failure import failure
from explorer.worker.internals.batching.steps import MappedArray, VmapCall
from explorer.worker.internals.batching.watching import steps_noted
from explorer.worker.internals.printing import equations_printed
from explorer.worker.internals.spans import SpanFinder
from explorer.worker.program.equations import EquationSpans, short_type
from explorer.worker.program.program import Call, traced
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import FinishedRun, LensInput, LensWork
from explorer.worker.runs.lenses.batched import CALLBACKS, MOST, Operations, VmapEquation

AXES = "ijklmnopqrstuvwxyz"
"""Axis names of nested vmaps, outermost first."""
_SHAPE = re.compile(r"\[([^\[\]]*)\]$")


class Vmaps(NamedTuple):
    """The effect of one variant's vmaps."""

    calls: tuple[VmapCall, ...]
    """In the order in which they began."""
    letters: tuple[str, ...]
    """Name of the axis of each call: ``i``, or ``j`` for a nested one."""
    lines: tuple[int, ...]
    """The line of each call, 0 for none."""
    equations: tuple[VmapEquation, ...]
    """In per-example order, nested equations after their enclosing one."""
    equation_count: int
    """Number of equations of the traced program."""
    sentence: Text

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes, outermost first."""
        return tuple(sorted(set(self.letters), key=AXES.index))


def vmaps(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Vmaps:
    """Return the effect of the vmaps in `call` with its arguments `inputs`, which is traced again, and may raise."""
    with steps_noted() as steps:
        jaxpr, _ = traced(call, inputs)
    finder = SpanFinder(is_user_code)
    text = equations_printed(jaxpr)
    found = Operations(steps, {id(each): number for number, each in enumerate(text)}, _lines(jaxpr, text, finder))
    found.add(jaxpr)
    equations = tuple(found.equations)
    spans = (finder.innermost(each.called) for each in found.maps)
    lines = tuple(span.line if span else 0 for span in spans)
    return Vmaps(tuple(found.maps), _letters(equations), lines, equations, len(text), _sentence(equations, text))


def _lines(jaxpr: ClosedJaxpr, text: list[JaxprEqn], finder: SpanFinder) -> dict[int, int]:
    """Return the line in user code of each equation of the text, by id."""
    places = EquationSpans(finder)
    places.visit(jaxpr.jaxpr, None, 0)
    return {id(each): span.line for each in text if (span := places.of(each)[0]) is not None}


def _letters(equations: Sequence[VmapEquation]) -> tuple[str, ...]:
    """Return the name of the axis of each vmap, by how many are around it."""
    levels: defaultdict[int, int] = defaultdict(int)
    for equation in equations:
        for level, number in enumerate(equation.calls):
            levels[number] = max(level, levels[number])
    return tuple(AXES[levels[number] % len(AXES)] for number in range(len(levels)))


def _sentence(equations: Sequence[VmapEquation], text: list[JaxprEqn]) -> Text:
    if not equations:
        return say("No vmap maps anything in this variant.")
    if len(equations) >= MOST:
        return say("Only the first {count} operations are shown.", count=MOST)
    if any(each.primitive in CALLBACKS for each in equations):
        return say("It calls Python on the host: the work of Python on the batch cannot be seen.")
    if any(each.primitive == "custom_vmap_call" for each in equations):
        return say("A function has its own rule for vmap: its work on one example cannot be seen.")
    shown = {number for each in equations for number in (each.id, *each.others)}
    if any(_is_backward(each) for number, each in enumerate(text) if number not in shown):
        return say("The backward pass of a gradient around vmap is not shown: no example computes it by itself.")
    return NOTHING


def _is_backward(equation: JaxprEqn) -> bool:
    stack = str(equation.source_info.name_stack)
    return "transpose(" in stack and "vmap(" in stack


# -- the table -----------------------------------------------------------------------------------------------------


def lens_of(found: Vmaps) -> Lens:
    """Return the answer: for each call of vmap its arguments, its equations and its outputs."""
    sizes = {call.size for call in found.calls}
    batch = say("all examples (the batch)")
    if len(sizes) == 1 and sizes != {1} and len(found.axes) < 2:
        batch = say("all {count} (the batch)", count=sizes.pop())
    table = Table(
        (say("one example"), batch, say("became")),
        (
            say("The computation for one example"),
            say("The same computation for all examples. Their axis is coloured; grey values do not have it"),
            say("The operation that vmap uses instead, if it is another one"),
        ),
        tuple(_Rows(found).all()),
        (0.36, 0.30, 0.34),
        equations=found.equation_count,
    )
    return Lens(
        table=table if found.calls else Table(),
        summary=tuple(_summary(found)),
        data={"axes": found.axes, "equations": [_record(each) for each in found.equations]},
        sentence=found.sentence,
    )


def _summary(found: Vmaps) -> Iterator[Piece]:
    first = next((each for each in found.equations if each.is_draw and each.shared), None)
    if first is not None:
        count = " × ".join(str(found.calls[each].size) for each in first.shared)
        words = say("One key for all {count}: they draw the same numbers.", count=count)
        if first.line:
            words = say(
                "Line {line}: one key for all {count}, so they draw the same numbers.", line=first.line, count=count
            )
        yield Piece(words, "bug")
    if found.sentence:
        yield Piece(found.sentence, "words")


def _record(equation: VmapEquation) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "one": equation.one,
        "batch": equation.batch,
        "mapped": equation.mapped,
        "became": str(equation.became),
    }


class _Rows:
    def __init__(self, found: Vmaps) -> None:
        self._found = found
        self._lettered = len(found.axes) > 1
        self._last = {call: place for place, each in enumerate(found.equations) for call in each.calls}
        self._became = NOTHING

    def all(self) -> Iterator[Row]:
        opened: set[int] = set()
        for place, equation in enumerate(self._found.equations):
            for level, number in enumerate(equation.calls):
                if number not in opened:
                    opened.add(number)
                    yield from self._opening(number, level)
            yield self._equation(equation)
            for level, number in reversed(list(enumerate(equation.calls))):
                if self._last[number] == place:
                    yield from self._closing(number, level)

    def _opening(self, number: int, level: int) -> Iterator[Row]:
        call, letter = self._found.calls[number], self._found.letters[number]
        heading = Cell((Piece(say("vmap of {function}", function=call.function), "title"),), level)
        chip = say("1 example") if call.size == 1 else say("{count} examples", count=f"{call.size:,}")
        words = joined(": ", (letter, chip)) if self._lettered else chip
        axis = Piece(words, "code", (Chip(0, WHOLE, AXES.index(letter)),))
        yield Row((heading, Cell((axis,)), Cell()), -1, self._found.lines[number])
        names = call.names or ()
        if len(names) != len(call.arguments):
            names = tuple(f"argument {place}" for place, _ in enumerate(call.arguments, 1))
        yield from self._values(number, zip(names, call.arguments, strict=True), level)

    def _closing(self, number: int, level: int) -> Iterator[Row]:
        outputs = enumerate(self._found.calls[number].outputs, 1)
        named = [("output" if place == 1 else f"output {place}", each) for place, each in outputs]
        yield from self._values(number, named, level)

    def _values(self, number: int, values: Iterable[tuple[str, MappedArray]], level: int) -> Iterator[Row]:
        self._became, count = NOTHING, self._found.calls[number].size
        for name, each in values:
            type_, whole = short_type(each.one), short_type(each.batch)
            one = Cell((Piece(name, "title"), Piece(type_, "dim code")), level)
            batch, words = text_cell(whole, "dim code"), say("the same for all {count}", count=count)
            if each.axis is not None:
                words = say("axis {number}", number=each.axis)
                batch = Cell((self._chipped(whole, [(each.axis, self._found.letters[number], False)], "code"),))
            elif type_.startswith("key<"):
                words = say("the same key for all {count}", count=count)
            tone: Tone = "dim" if each.axis is None else "words"
            yield Row((one, batch, text_cell(words, tone)), -1, self._found.lines[number])

    def _equation(self, equation: VmapEquation) -> Row:
        wrong = equation.is_draw and bool(equation.shared)
        same = all(set(along) <= set(copies) for along, copies in zip(equation.along, equation.copies, strict=True))
        tone: Tone = "bug code" if wrong else "dim code" if same else "code"
        operation = f"{equation.primitive} {equation.name}".rstrip()
        one = (Piece(operation, tone), Piece(" ".join(equation.one), "bug code" if wrong else "dim code"))
        shown = equation.became if equation.became != self._became else NOTHING
        self._became = equation.became
        cells = (
            Cell(one, equation.depth + max(0, len(equation.calls) - 1)),
            Cell(tuple(self._outputs(equation, tone))),
            text_cell(shown, "bug" if wrong else "dim" if same else "words"),
        )
        return Row(cells, equation.id, equation.line, equation.is_draw)

    def _outputs(self, equation: VmapEquation, tone: Tone) -> Iterator[Piece]:
        outputs = zip(equation.batch, equation.mapped, equation.along, equation.copies, strict=True)
        for shape, mapped, along, copies in outputs:
            axes = [
                (place, self._found.letters[call], call in copies) for place, call in zip(mapped, along, strict=True)
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


def _applies_to(finished: FinishedRun) -> bool:
    return not finished.failed and finished.program is not None and finished.program.mapped


def _compute(asked: LensInput) -> Lens:
    with asked.again():
        call, inputs, is_user_code = asked.prepared()
        try:
            found = vmaps(call, inputs, is_user_code)
        except Interrupt:
            raise
        except BaseException as error:
            words = say("It cannot be traced, so there is nothing to compare.")
            return Lens(sentence=words, failure=failure(error, is_user_code), data={"axes": [], "equations": []})
    return lens_of(found)


LENS = LensWork(_applies_to, _compute)
