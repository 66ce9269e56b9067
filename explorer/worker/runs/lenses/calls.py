"""The calls lens of one variant: it runs in a freshly loaded program, and each call of jit is watched."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

import jax
import msgspec
from msgspec.structs import replace

from explorer.messages import Failure
from explorer.messages.lenses import WHOLE, Cell, Chip, Lens, Piece, Row, Table, text_cell
from explorer.text.text import NOTHING, Text, say
from explorer.worker.code import calls, transformed, trees
from explorer.worker.code.calls import placed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.errors.failure import failure
from explorer.worker.process.output import PrintedText
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import LensInput, LensWork
from explorer.worker.runs.lenses.cache_keys import CallInput, Part
from explorer.worker.runs.lenses.traced_lines import TracedLine
from explorer.worker.runs.lenses.watched_calls import MOST_CALLS, MOST_SEEN, LensCall, RecordedCalls

_NUMBERS = bool | int | float | complex
FEW = 2
"""With fewer calls than this the variant runs again, so that a second call shows whether its program is reused."""
FEW_MISSES = 6
"""The most misses with all lines; of more misses only lines that differ from the earlier ones are shown."""
DIFFERS = 1
"""The colour of differences, as the number of a series."""
LONGEST_PRINTED, LONGEST_DETAIL = 60, 500
"""The most characters of printed values, in a row and below the table."""


class VariantCalls(msgspec.Struct, frozen=True):
    """The calls of jitted functions in one variant."""

    calls: tuple[LensCall, ...] = ()
    count: int = 0
    """Number of calls; only the first ones are reported."""
    traces: int = 0
    """Number of traces of user functions, including unreported calls."""
    notes: tuple[Text, ...] = ()
    """The called functions, and omissions."""
    sentence: Text = NOTHING
    failure: Failure | None = None


def calls_lens(
    program: LoadedProgram, variant: str, printed: PrintedText, subject: str = "", subject_calls: int = 0
) -> VariantCalls:
    """Return the calls of jitted functions in `variant` of `program`, a script's in `subject`.

    A script calls its subject `subject_calls` times; the lens makes the first of these calls. The variant runs twice if
    it makes one call, and under jit if it makes none. Loading the program may raise; exceptions of the variant are in
    the lens, with the calls before them.
    """
    watched = RecordedCalls(program.is_user_code, program.source)
    notes: list[Text] = []
    twice = say("One run makes one call, so {variant} is run twice.", variant=variant)
    if subject_calls:
        count = f"{subject_calls:,}"
        notes.append(
            say("The script's calls of {function}: {count}. This is the first one.", function=subject, count=count)
        )
        twice = say("It is made twice.")
    error: BaseException | None = None
    with watched.watching(), printed.tapped(watched.wrote):
        loaded = program.anew(until=subject)
        call, inputs = transformed.prepared(loaded, variant)
        watched.module = loaded.module.__dict__
        watched.tell()
        try:
            again = functools.partial(_inputs, watched, loaded, call)
            _run(watched, call, inputs, again, subject or variant, twice, notes)
        except Interrupt:
            raise
        except BaseException as raised:
            error = raised
    if watched.count >= MOST_SEEN:
        notes.append(
            say("The first {shown} of more than {seen} calls are shown.", shown=MOST_CALLS, seen=f"{MOST_SEEN:,}")
        )
    elif watched.count > MOST_CALLS:
        notes.append(say("The first {shown} of {seen} calls are shown.", shown=MOST_CALLS, seen=f"{watched.count:,}"))
    calls = tuple(sorted(watched.calls, key=lambda each: each.number))
    error = error or watched.error
    why = failure(error, program.is_user_code) if error is not None else None
    nothing = NOTHING if calls else say("No call of a jitted function of this code was seen.")
    return VariantCalls(calls, watched.count, watched.traces, tuple(notes), nothing, why)


def _inputs(watched: RecordedCalls, loaded: LoadedProgram, call: Callable[..., Any]) -> dict[str, Any]:
    with watched.aside():
        # The first call may have deleted arguments that a script made.
        made = loaded.anew(until=loaded.called) if loaded.called else loaded
        return calls.arguments_of(call, made.inputs())


def _run(
    watched: RecordedCalls,
    call: Callable[..., Any],
    inputs: dict[str, Any],
    again: Callable[[], dict[str, Any]],
    variant: str,
    twice: Text,
    notes: list[Text],
) -> None:
    """Run `call` until there are enough calls to show. Raises its exceptions."""
    trees.waited_for(calls.call(call, inputs))
    if watched.count >= FEW:
        return
    if watched.count:
        notes.append(twice)
        trees.waited_for(calls.call(call, again()))
        return
    by_position, by_name = placed(call, inputs)
    statics = [each for each, value in enumerate(by_position) if not _is_traced(value)]
    static_names = [name for name, value in by_name.items() if not _is_traced(value)]
    jitted = jax.jit(_as_user(call, watched.module.get(variant)), static_argnums=statics, static_argnames=static_names)
    notes.append(
        say(
            "{variant} calls no jitted function. Here it runs under jax.jit itself, twice with the same arguments.",
            variant=variant,
        )
    )
    for given in (inputs, again()):
        trees.waited_for(calls.call(jitted, given))


def _as_user(call: Callable[..., Any], function: Any) -> Callable[..., Any]:
    """Return `call`, disguised as the user's `function` for jit."""
    if call is function or not isinstance(function, FunctionType):
        return call

    @functools.wraps(function)
    def called(*by_position: Any, **by_name: Any) -> Any:
        return call(*by_position, **by_name)

    return called


def _is_traced(value: Any) -> bool:
    """Return whether an argument holds arrays and only traceable leaves; a single number counts as a constant."""
    leaves = trees.leaves(value)
    return any(hasattr(each, "dtype") for each in leaves) and all(
        hasattr(each, "dtype") or isinstance(each, _NUMBERS) for each in leaves
    )


# -- the table -----------------------------------------------------------------------------------------------------


def lens_of(found: VariantCalls) -> Lens:
    """Return the answer: a row for each call, and one for each line that ran in it."""
    table = Table(
        (say("call"), say("arguments, results"), say("what ran")),
        (
            say(
                "Each call of a jitted function. Traced: jit makes a new program (a cache miss). Cached: jit reuses "
                "one (a cache hit). Below are the Python lines that ran"
            ),
            say(
                "Of a call the arguments, by which jit looks for a program (its cache key); of a line the arrays that "
                "it made. The part that differs from the nearest program is coloured: that is why jit traces again. "
                "~ marks a weak type, like a Python number's"
            ),
            say("How often a line ran, and what it printed"),
        ),
        tuple(_Rows(found).all()),
        (0.48, 0.34, 0.18),
    )
    return Lens(
        table=table if found.calls else Table(),
        summary=tuple(_summary(found)),
        data=[_record(each) for each in found.calls],
        sentence=found.sentence,
        failure=found.failure,
    )


def _record(call: LensCall) -> dict[str, Any]:
    asked = {name: value for each in call.asked.given for name, value in _parts(each).items()}
    return {
        "call": call.number,
        "function": call.function,
        "hit": call.hit,
        "lines": call.lines,
        "asked": {**asked, "structure": call.asked.structure, "function object": call.asked.function},
        "differs": [f"{each.part} of {each.name}" if each.name else each.part for each in call.differs],
        "nearest": call.nearest,
        "traces": call.traces,
        "printed": call.printed,
        "leaks": [each._asdict() for each in call.leaks],
        "stale": [each._asdict() for each in call.stale],
        "error": call.error,
    }


def _parts(given: CallInput) -> dict[str, Any]:
    if given.static is not None:
        return {f"static value of {given.name}": given.static}
    parts = {"shape": given.shape, "dtype": given.dtype, "weak type": given.weak}
    return {f"{part} of {given.name}": value for part, value in parts.items()}


def _summary(found: VariantCalls) -> Iterator[Piece]:
    if (failure := found.failure) is not None:
        words = say("The run ends with {type}.", type=failure.name)
        if failure.line is not None:
            words = say("The run ends on line {line} with {type}.", type=failure.name, line=failure.line)
        yield Piece(words, "bug")
    leak = next((leak for call in found.calls for leak in call.leaks), None)
    if leak is not None:
        words = say(
            "{name} holds a tracer from a finished trace. It is not a number, and a cached call does not change it.",
            name=leak.name,
        )
        if leak.line:
            words = say(
                "{name} holds a tracer from a finished trace, computed on line {line}. It is not a number, and a "
                "cached call does not change it.",
                name=leak.name,
                line=leak.line,
            )
        yield Piece(words, "bug")
    for call in [each for each in found.calls if each.stale][:1]:
        words = say(
            "Call {number} runs a program that was traced with {name} = {used}. Now {name} is {now}.",
            number=call.number,
            **call.stale[0]._asdict(),
        )
        yield Piece(words, "bug")
    if found.calls:
        yield Piece(say("Calls: {calls}, traces: {traces}.", calls=found.count, traces=found.traces), "words")
    yield from (Piece(each, "words") for each in found.notes)


class _Rows:
    def __init__(self, found: VariantCalls) -> None:
        self._calls = found.calls
        self._misses = sum(not each.hit for each in found.calls)
        self._objects = {each.function for each in found.calls if each.asked.function > 1}
        """Names of functions with several objects."""
        self._differing = {(call.function, each.name) for call in found.calls for each in call.differs}
        """Functions with the arguments that differ in some call of theirs."""
        self._depths: dict[int, int] = {}
        self._shown: set[tuple[str, tuple[int, ...]]] = set()

    def all(self) -> Iterator[Row]:
        """Yield all rows from the top; equal hits share a row."""
        for alike in _runs(self._calls):
            call = alike[0]
            depth = self._depths[call.number] = self._depths.get(call.inside, -1) + 1
            key = call.function, call.lines
            lines = call.traced if self._misses <= FEW_MISSES or key not in self._shown else ()
            self._shown.add(key)
            ran = [*_ran(call), *([Piece(say("the same lines"), "dim")] if call.traced and not lines else [])]
            yield Row(
                (self._name(alike, depth), self._asked(call), Cell(tuple(ran))),
                -1,
                call.line,
                detail=tuple(_detail(call)),
            )
            yield from (_line(each, depth + 1) for each in lines)

    def _name(self, alike: Sequence[LensCall], depth: int) -> Cell:
        call, last = alike[0], alike[-1]
        result = Piece(say("traced"), "note")
        if call.hit:
            result = Piece(say("cached"), "words")
        elif call.error:
            result = Piece(say("fails"), "bug")
        number = str(call.number) if call is last else f"{call.number}–{last.number}"
        pieces = [Piece(number, "title"), result, Piece(call.function, "dim code" if call.hit else "code")]
        if not call.is_call:
            pieces.append(Piece(say("not run"), "dim"))
        return Cell(tuple(pieces), depth)

    def _asked(self, call: LensCall) -> Cell:
        pieces = []
        # A narrow column still shows the differences, in the same order for each call of a function.
        for each in sorted(call.asked.given, key=lambda each: (call.function, each.name) not in self._differing):
            differs = {difference.part for difference in call.differs if difference.name == each.name}
            pieces.append(_given(each, differs, quiet=call.hit))
        parts = {each.part for each in call.differs if not each.name}
        if call.function in self._objects:
            words = say("function object {number}", number=call.asked.function)
            lit = "function object" in parts
            pieces.insert(0, _lit(words) if lit else Piece(words, "dim code"))
        first = [_lit(call.asked.structure)] if "structure" in parts else []
        if any(each.part == "settings" for each in call.differs):
            first.append(_lit(say("JAX settings")))
        if "forgotten" in parts:
            pieces.append(Piece(say("the cache was cleared"), "note"))
        if call.asked.more:
            pieces.append(Piece(say("and {count} more", count=f"{call.asked.more:,}"), "dim"))
        return Cell((*first, *pieces))


def _ran(call: LensCall) -> Iterator[Piece]:
    if call.error:
        yield Piece(call.error.partition("\n")[0], "bug")
    for leak in call.leaks:
        yield Piece(say("leaves a tracer in {name}", name=leak.name), "bug")
    for stale in call.stale:
        yield Piece(say("uses {name} = {used}, which is {now} now", **stale._asdict()), "bug")
    if call.hit and not call.lines and not call.error:
        yield Piece(say("compiled again, no Python") if call.compiled else say("no Python"), "dim")
    if call.printed and not any(each.printed for each in call.traced):
        yield from _printed(call.printed)


def _runs(calls: Iterable[LensCall]) -> Iterator[list[LensCall]]:
    """Yield the calls in their order, hits that follow on each other and are alike together."""
    run: list[LensCall] = []
    for call in calls:
        if run and not (call.hit and replace(call, number=run[-1].number) == run[-1]):
            yield run
            run = []
        run.append(call)
    if run:
        yield run


def _detail(call: LensCall) -> Iterator[Piece]:
    """Yield the details of the selected call, for below the table."""
    if call.error:
        yield Piece(call.error, "bug")
    if call.sentence:
        yield Piece(call.sentence, "words")
    if call.hit and call.nearest == 0:
        yield Piece(say("It was traced before the first of these calls."), "words")
    elif call.nearest > 0:
        words = say("The nearest entry is from call {number}.", number=call.nearest)
        if call.hit:
            words = say("It runs the program of call {number}.", number=call.nearest)
        yield Piece(words, "words")
    if call.printed:
        yield from _printed(call.printed, LONGEST_DETAIL)


def _given(given: CallInput, differs: Collection[Part], *, quiet: bool) -> Piece:
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


def _lit(words: Text | str) -> Piece:
    return Piece(words, "code", (Chip(0, WHOLE, DIFFERS),))


def _line(traced: TracedLine, depth: int) -> Row:
    pieces = [Piece(say("{count} times", count=f"{traced.times:,}"), "dim")] if traced.times > 1 else []
    if traced.printed:
        pieces += _printed(traced.printed)
    code = Cell((Piece(traced.text),), depth)
    return Row((code, text_cell(", ".join(traced.made), "dim code"), Cell(tuple(pieces))), -1, traced.line)


def _printed(text: str, longest: int = LONGEST_PRINTED) -> list[Piece]:
    shown = " ⏎ ".join(text.strip().splitlines())
    if len(shown) > longest:
        shown = f"{shown[:longest]}…"
    return [Piece(say("printed"), "words"), Piece(shown)]


def _compute(asked: LensInput) -> Lens:
    with asked.again():
        request, ran = asked.request, asked.ran
        given = request.variant, asked.channel.printed, request.subject, request.subject_calls
        return lens_of(calls_lens(ran.program, *given))


# For a failed variant, the calls before the failure explain it.
LENS = LensWork(lambda finished: finished.may_jit, _compute)
