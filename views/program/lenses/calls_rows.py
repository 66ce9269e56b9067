"""The rows of the calls lens: each call of a jitted function, and below it the lines that ran in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from explorer.messages.lenses.calls import CallsLens, Difference, Given, LensCall, Part, TracedLine
from views.program.lenses.table_records import Cell, Chip, Piece, Row, Table, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Seen

FEW = 6
"""The most misses with all lines; of more misses only lines that differ from the earlier ones are shown."""
DIFFERS = 1
"""The colour of differences, as the number of a series."""
LONGEST_PRINTED, LONGEST_DETAIL = 60, 500
"""The most characters of printed values, in a row and below the table."""


def table(lens: CallsLens, _seen: Seen = NOTHING_SEEN) -> Table:
    """Return a row for each call, and one for each line that ran in it."""
    if not lens.calls:
        return Table()
    return Table(
        (
            QCoreApplication.translate("CallsLens", "call"),
            QCoreApplication.translate("CallsLens", "cache key"),
            QCoreApplication.translate("CallsLens", "what ran"),
        ),
        (
            QCoreApplication.translate(
                "CallsLens", "Each call of a jitted function. Hit: jit reuses a program. Miss: jit traces a new one"
            ),
            QCoreApplication.translate(
                "CallsLens",
                "jit's cache key. The part that differs from the nearest entry is coloured: that is why jit traces "
                "again. ~ marks a weak type, like a Python number's",
            ),
            QCoreApplication.translate("CallsLens", "The Python lines that ran, and what they printed"),
        ),
        tuple(_Rows(lens).all()),
        (0.42, 0.32, 0.26),
    )


def summary(lens: CallsLens, _seen: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows."""
    leaks = [leak for call in lens.calls for leak in call.leaks]
    pieces = _ended(lens)
    for leak in leaks[:1]:
        words = QCoreApplication.translate(
            "CallsLens",
            "{name} holds a tracer from a finished trace. It is not a number, and a hit does not change it.",
        )
        if leak.line:
            words = QCoreApplication.translate(
                "CallsLens",
                "{name} holds a tracer from a finished trace, computed on line {line}. It is not a number, and a "
                "hit does not change it.",
            )
        pieces.append(Piece(words.format(name=leak.name, line=leak.line), "bug"))
    for call in [each for each in lens.calls if each.stale][:1]:
        stale = call.stale[0]
        words = QCoreApplication.translate(
            "CallsLens", "Call {number} runs a program that was traced with {name} = {used}. Now {name} is {now}."
        )
        pieces.append(Piece(words.format(number=call.number, name=stale.name, used=stale.used, now=stale.now), "bug"))
    if lens.calls:
        words = QCoreApplication.translate("CallsLens", "Calls: {calls}, traces: {traces}.")
        pieces.append(Piece(words.format(calls=lens.count, traces=lens.traces), "words"))
    return [*pieces, *(Piece(str(each), "words") for each in lens.notes)]


def _ended(lens: CallsLens) -> list[Piece]:
    """Return the error that ended the run, if any."""
    if lens.failure is None:
        return []
    words = QCoreApplication.translate("CallsLens", "The run ends with {type}.")
    if lens.failure.line is not None:
        words = QCoreApplication.translate("CallsLens", "The run ends on line {line} with {type}.")
    return [Piece(words.format(type=lens.failure.name, line=lens.failure.line), "bug")]


class _Rows:
    """The rows of one lens."""

    def __init__(self, lens: CallsLens) -> None:
        self._lens = lens
        self._misses = sum(not each.hit for each in lens.calls)
        self._objects = {each.function for each in lens.calls if each.asked.function > 1}
        """Names of functions with several objects."""
        self._differing = {(call.function, each.name) for call in lens.calls for each in call.differs}
        """Functions with the arguments that differ in some call of theirs."""
        self._depths: dict[int, int] = {}
        self._shown: set[tuple[str, tuple[int, ...]]] = set()

    def all(self) -> Iterable[Row]:
        """Return all rows from the top; equal hits share a row."""
        for alike in _runs(self._lens.calls):
            call = alike[0]
            depth = self._depths[call.number] = self._depths.get(call.inside, -1) + 1
            line = call.span.line if call.span else 0
            cells = (self._name(alike, depth), self._asked(call), self._ran(call))
            yield Row(cells, -1, line, detail=tuple(_detail(call)))
            key = call.function, call.lines
            if self._misses <= FEW or key not in self._shown:
                self._shown.add(key)
                for each in call.traced:
                    yield _line(each, depth + 1)

    def _name(self, alike: list[LensCall], depth: int) -> Cell:
        call, last = alike[0], alike[-1]
        result = Piece(QCoreApplication.translate("CallsLens", "miss"), "note")
        if call.hit:
            result = Piece(QCoreApplication.translate("CallsLens", "hit"), "words")
        elif call.error:
            result = Piece(QCoreApplication.translate("CallsLens", "fails"), "bug")
        number = str(call.number) if call is last else f"{call.number}–{last.number}"
        pieces = [Piece(number, "title"), result, Piece(call.function, "dim code" if call.hit else "code")]
        if not call.is_call:
            pieces.append(Piece(QCoreApplication.translate("CallsLens", "not run"), "dim"))
        return Cell(tuple(pieces), depth)

    def _asked(self, call: LensCall) -> Cell:
        pieces = []
        # What differs is what a narrow column still shows, in the same order in each call of a function.
        for each in sorted(call.asked.given, key=lambda each: (call.function, each.name) not in self._differing):
            differs = {difference.part for difference in call.differs if difference.name == each.name}
            pieces.append(_given(each, differs, quiet=call.hit))
        parts = {each.part for each in call.differs if not each.name}
        if call.function in self._objects:
            words = QCoreApplication.translate("CallsLens", "function object {number}")
            pieces.insert(0, _whole(words.format(number=call.asked.function), lit="function object" in parts))
        count = len(pieces)
        if "structure" in parts:
            pieces.append(_whole(call.asked.structure, lit=True))
        if _has(call.differs, "settings"):
            pieces.append(_whole(QCoreApplication.translate("CallsLens", "JAX settings"), lit=True))
        if "forgotten" in parts:
            pieces.append(Piece(QCoreApplication.translate("CallsLens", "the cache was cleared"), "note"))
        if call.asked.more:
            words = QCoreApplication.translate("CallsLens", "and {count} more")
            pieces.append(Piece(words.format(count=f"{call.asked.more:,}"), "dim"))
        lit = [each for each in pieces[count:] if each.chips]
        return Cell((*lit, *pieces[:count], *(each for each in pieces[count:] if not each.chips)))

    def _ran(self, call: LensCall) -> Cell:
        pieces = []
        if call.error:
            pieces.append(Piece(call.error.partition("\n")[0], "bug"))
        for leak in call.leaks:
            words = QCoreApplication.translate("CallsLens", "leaves a tracer in {name}")
            pieces.append(Piece(words.format(name=leak.name), "bug"))
        for stale in call.stale:
            words = QCoreApplication.translate("CallsLens", "uses {name} = {used}, which is {now} now")
            pieces.append(Piece(words.format(name=stale.name, used=stale.used, now=stale.now), "bug"))
        if call.hit and not call.lines and not call.error:
            words = QCoreApplication.translate("CallsLens", "no Python runs")
            if call.compiled:
                words = QCoreApplication.translate("CallsLens", "compiled again, no Python runs")
            pieces.append(Piece(words, "dim"))
        elif call.lines:
            pieces.append(Piece(_lines(call.lines), "words"))
        if call.printed and not any(each.printed for each in call.traced):
            pieces += _printed(call.printed)
        return Cell(tuple(pieces))


def _runs(calls: Iterable[LensCall]) -> Iterable[list[LensCall]]:
    """Yield the calls in their order, hits that follow on each other and are alike together."""
    run: list[LensCall] = []
    for call in calls:
        if run and not (call.hit and replace(call, number=run[-1].number) == run[-1]):
            yield run
            run = []
        run.append(call)
    if run:
        yield run


def _detail(call: LensCall) -> Iterable[Piece]:
    """Yield the details of the selected call."""
    if call.error:
        yield Piece(call.error, "bug")
    if call.sentence:
        yield Piece(str(call.sentence), "words")
    if call.hit and call.nearest == 0:
        words = QCoreApplication.translate("CallsLens", "It was traced before the first of these calls.")
        yield Piece(words, "words")
    elif call.nearest > 0:
        words = QCoreApplication.translate("CallsLens", "The nearest entry is from call {number}.")
        if call.hit:
            words = QCoreApplication.translate("CallsLens", "It runs the program of call {number}.")
        yield Piece(words.format(number=call.nearest), "words")
    if call.printed:
        yield from _printed(call.printed, LONGEST_DETAIL)


def _given(given: Given, differs: Collection[Part], *, quiet: bool) -> Piece:
    """Return an argument with its type or value; chips mark the parts in `differs`."""
    text = f"{given.name}: {given.type}" if given.static is None else f"{given.name}={given.static}"
    start = len(given.name) + (2 if given.static is None else 1)
    opening = given.type.find("[")
    weak = start + given.type.startswith("~")
    places = {
        "static value": (start, len(text)),
        "weak type": (start, weak if weak > start else start + max(opening, 0)),
        "dtype": (weak, start + opening if opening >= 0 else len(text)),
        "shape": (start + opening, len(text)) if opening >= 0 else (start, len(text)),
    }
    chips = tuple(Chip(*places[each], DIFFERS) for each in places if each in differs)
    return Piece(text, "dim code" if quiet else "code", chips)


def _whole(text: str, *, lit: bool) -> Piece:
    return Piece(text, "code" if lit else "dim code", (Chip(0, len(text), DIFFERS),) if lit else ())


def _has(differs: Iterable[Difference], part: Part) -> bool:
    return any(each.part == part for each in differs)


def _line(traced: TracedLine, depth: int) -> Row:
    pieces = []
    if traced.times > 1:
        words = QCoreApplication.translate("CallsLens", "{count} times").format(count=f"{traced.times:,}")
        pieces.append(Piece(words, "dim"))
    if traced.printed:
        pieces += _printed(traced.printed)
    code = Cell((Piece(traced.text, "code"),), depth)
    return Row((code, text_cell(", ".join(traced.made), "dim code"), Cell(tuple(pieces))), -1, traced.line)


def _printed(text: str, longest: int = LONGEST_PRINTED) -> list[Piece]:
    shown = " ⏎ ".join(text.strip().splitlines())
    if len(shown) > longest:
        shown = f"{shown[:longest]}…"
    return [Piece(QCoreApplication.translate("CallsLens", "printed"), "words"), Piece(shown, "code")]


def _lines(lines: tuple[int, ...]) -> str:
    """Return the numbers of `lines`, those that follow on each other as from and to."""
    runs: list[tuple[int, int]] = []
    for each in lines:
        if runs and runs[-1][1] == each - 1:
            runs[-1] = runs[-1][0], each
        else:
            runs.append((each, each))
    listed = ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in runs)
    if len(lines) == 1:
        return QCoreApplication.translate("CallsLens", "line {lines}").format(lines=listed)
    return QCoreApplication.translate("CallsLens", "lines {lines}").format(lines=listed)


VIEW = LensView(table, summary)
