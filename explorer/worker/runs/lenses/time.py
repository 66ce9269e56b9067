"""The time lens: the operation time of a variant's compiled program by line, from JAX's profiler.

See https://docs.jax.dev/en/latest/_autosummary/jax.profiler.ProfileData.html.
"""

from __future__ import annotations

import time
import warnings
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.profiler import ProfileData, ProfileOptions, TraceAnnotation
from msgspec.structs import replace

from explorer.figures.curves import seconds_text
from explorer.figures.intervals import between_text, share_text
from explorer.link import temporary
from explorer.messages import Failure
from explorer.messages.lenses import TIME, Cell, Lens, LineCost, Offer, Piece, Row, Table
from explorer.text.text import NOTHING, Text, joined, say
from explorer.worker.errors.failure import failure
from explorer.worker.internals import hlo_proto
from explorer.worker.internals.compiled import serialized_module
from explorer.worker.internals.value_checks import may_run_again
from explorer.worker.program.origins import Origins
from explorer.worker.program.program import Call, compiled_jaxpr, traced
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.runs.lens import LensInput, LensWork, has_arrays
from explorer.worker.timing.sampling import spread
from explorer.worker.timing.undisturbed import undisturbed

# -- the profile -----------------------------------------------------------------------------------------------------

PATIENCE = 10
CALL = "jax-explorer: one call"
"""The name of a call in the profile."""
_END = "end: "
"""An operation that other threads go on with ends before the event of this name, which may be late."""


class Operation(NamedTuple):
    """One operation that ran."""

    name: str
    """The instruction of the compiled program."""
    device: int
    start_ns: float
    end_ns: float


def profiled(call: Callable[[], Callable[[], Any]], *, least: int, most: int, budget_s: float) -> ProfileData:
    """Return the profile of `least` to `most` calls, as many as begin within `budget_s` seconds.

    If `least` would take PATIENCE times as long, there are fewer. `call` prepares a call, and returns it. Raises
    RuntimeError while another profile is taken.
    """
    options = ProfileOptions()
    options.python_tracer_level = 0
    options.enable_hlo_proto = False
    with temporary.folder() as folder:
        with jax.profiler.trace(folder, profiler_options=options):
            begun = time.perf_counter()
            for number in range(most):
                if number and time.perf_counter() - begun > (budget_s if number >= least else budget_s * PATIENCE):
                    break
                prepared = call()
                with TraceAnnotation(CALL):
                    jax.block_until_ready(prepared())
        (written,) = folder.rglob("*.xplane.pb")
        return ProfileData.from_file(str(written))


def operations(profile: Any, module: str) -> list[list[Operation]]:
    """Return the operations of `module` in each call of `profile`, without calls of which the profiler lost some."""
    with warnings.catch_warnings():
        # Python 3.12 warns of jaxlib's type of properties, which has no module.
        warnings.simplefilter("ignore", DeprecationWarning)
        events = list(_events(profile))
    calls: list[tuple[float, float]] = []
    found: list[tuple[Operation, int]] = []
    ends: dict[int, float] = {}
    for event, stats in events:
        if event.name == CALL:
            calls.append((event.start_ns, event.end_ns))
        elif stats.get("hlo_module") == module and "hlo_op" in stats:
            name, device = str(stats["hlo_op"]), int(stats.get("device_ordinal", 0))
            found.append((Operation(name, device, event.start_ns, event.end_ns), stats.get("_p", 0)))
        elif event.name.startswith(_END) and "_c" in stats:
            ends[stats["_c"]] = event.end_ns
    found.sort(key=lambda each: each[0].start_ns)
    seen = []
    for start, end in sorted(calls):
        inside = [each for each in found if start <= each[0].start_ns < end]
        starts = [each.start_ns for each, _ in inside]
        seen.append([_whole(each, ends.get(number, 0.0), starts) for each, number in inside])
    most = max(map(len, seen), default=0)
    return [each for each in seen if len(each) == most and each]


def _events(profile: Any) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the events of a profile and their properties."""
    for plane in profile.planes:
        for line in plane.lines:
            for event in line.events:
                yield event, dict(event.stats)


def _whole(operation: Operation, end_ns: float, starts: list[float]) -> Operation:
    """Return `operation` with its end on all threads: at `end_ns`, but before the next of the `starts`."""
    place = bisect_left(starts, operation.end_ns)
    following = starts[place] if place < len(starts) else end_ns
    return operation._replace(end_ns=max(operation.end_ns, min(end_ns, following)))


def between_ns(start: float, end: float, stretches: Sequence[tuple[float, float]]) -> list[float]:
    """Return the lengths of what is left of `start` to `end` without the (start, end) `stretches`."""
    found, reached = [], start
    for first, last in sorted(stretches):
        if first > reached:
            found.append(first - reached)
        reached = max(reached, last)
    if end > reached or not stretches:
        found.append(end - reached)
    return found


# -- shares of lines --------------------------------------------------------------------------------------------------

BUDGET_S = 1.0
"""Seconds in which calls may begin."""
LEAST, MOST = 6, 60
"""Number of calls: with fewer there is no interval."""
MOST_NAMED = 4
"""Operations that are named for a share."""
_OFTEN = 20
"""Times in a call from which on an operation has a usual duration."""
_MOST_SPENT_NS, _PART_SPENT = 300.0, 0.9
"""The profiler takes 200 to 300 ns for each operation, and at most so much of the shortest one."""
_Lines = tuple[int, ...]


def time_lens(call: Call, inputs: Mapping[str, Any], is_user_code: Callable[[str], bool]) -> Lens:
    """Return the operation time of `call` with the arguments `inputs` by line; failures are reported in it."""
    try:
        closed, values = traced(call, inputs)
        if not may_run_again(closed.jaxpr):
            return _without(say("The program has side effects, so it is not run again: nothing was measured."))
        compiled = compiled_jaxpr(closed, values)
        module = hlo_proto.module(serialized_module(compiled))
        if not module.instructions:
            return _without(say("Time by line is known for CPUs only: on other devices it was never compared."))
        prepare = partial(_prepared, compiled, values)
        # The first call is slower.
        jax.block_until_ready(prepare()())
        with undisturbed():
            profile = profiled(prepare, least=LEAST, most=MOST, budget_s=BUDGET_S)
    except Interrupt:
        raise
    except BaseException as error:
        sentence = say("It cannot be run as one compiled program, so its time by line is not known.")
        return _without(sentence, failure(error, is_user_code))
    return shares(module, operations(profile, module.name), is_user_code)


def shares(module: hlo_proto.Module, calls: Sequence[Sequence[Operation]], is_user_code: Callable[[str], bool]) -> Lens:
    """Return the lens of the operations of each of the `calls` of `module`."""
    times = _Times(module, is_user_code)
    groups: dict[_Lines, list[float]] = defaultdict(lambda: [0.0] * len(calls))
    names: dict[_Lines, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for number, call in enumerate(times.own_s(calls)):
        for lines, name, own_s in call:
            groups[lines][number] += own_s
            names[lines][name] += own_s
    totals = [sum(each) for each in zip(*groups.values(), strict=True)]
    if not totals or min(totals) <= 0:
        return _without(say("JAX's profiler saw no operation of this program."))
    found = []
    for lines, seconds in groups.items():
        known = spread([part / whole for part, whole in zip(seconds, totals, strict=True)])
        named = tuple(sorted(names[lines], key=names[lines].__getitem__, reverse=True)[:MOST_NAMED])
        found.append(LineShare(lines, known.median, known.low, known.high, named))
    found.sort(key=lambda each: (-each.share, each.lines))
    return lens_of_shares(found, len(calls), spread(totals).median)


class LineShare(NamedTuple):
    """The operations that compute the same lines."""

    lines: _Lines
    """In order. Several for fusions, which are not split; empty without a line."""
    share: float
    """Share of the operation time: the median over the calls, from 0 to 1."""
    low: float | None
    high: float | None
    """The 95 % interval of `share`; None from too few calls."""
    operations: tuple[str, ...]
    """Primitives or instructions, the most expensive first."""

    @property
    def text(self) -> str:
        return share_text(self.share, self.low, self.high)

    @property
    def listed(self) -> str:
        return ", ".join(map(str, self.lines))


class _Times:
    """The time and origin of operations of one module."""

    def __init__(self, module: hlo_proto.Module, is_user_code: Callable[[str], bool]) -> None:
        self._module = module
        self._origins = Origins(module, is_user_code)
        self._by_name = {each.name: each for each in module.instructions.values()}
        self._inside = cache(self._called)
        self._origin = cache(self._named)

    def own_s(self, calls: Sequence[Sequence[Operation]]) -> Iterator[list[tuple[_Lines, str, float]]]:
        """Yield for each call (lines, name, seconds) of its instructions; a loop is without those that ran inside it.

        The profiler takes time for each operation, which is left out. One that ran often counts as if each time took
        the median: the work is the same, and what takes longer is the machine. Of 3,000 short ones in a loop, these two
        were nine tenths of the sum.
        """
        found = [self._stretches(seen) for seen in calls]
        # Between the operations of a loop the profiler takes less than for each of them.
        least = {False: _MOST_SPENT_NS, True: _MOST_SPENT_NS}
        for parts in found:
            for (_, is_outside), each in parts.items():
                least[is_outside] = min(least[is_outside], *(_PART_SPENT * stretch for stretch in each))
        for parts in found:
            yield [
                (*self._origin(name, is_outside), _usual_ns(each, least[is_outside]) / 1e9)
                for (name, is_outside), each in parts.items()
            ]

    def _stretches(self, seen: Sequence[Operation]) -> dict[tuple[str, bool], list[float]]:
        """Return the stretches in ns in which each instruction itself ran, by name and whether others ran inside."""
        found: dict[tuple[str, bool], list[float]] = defaultdict(list)
        ordered = sorted(seen, key=lambda each: each.start_ns)
        starts = [each.start_ns for each in ordered]
        for place, each in enumerate(ordered):
            names = self._inside(each.name)
            later = ordered[place + 1 : bisect_left(starts, each.end_ns)] if names else ()
            inside = [
                (other.start_ns, min(other.end_ns, each.end_ns))
                for other in later
                if other.name in names and other.device == each.device
            ]
            found[each.name, bool(inside)] += between_ns(each.start_ns, each.end_ns, inside)
        return found

    def _called(self, name: str) -> frozenset[str]:
        """Return the names of the instructions that an instruction runs, at any depth; none for a fusion."""
        each = self._by_name.get(name)
        if each is None or each.opcode not in _RUNS_OTHERS:
            return frozenset()
        found: set[str] = set()
        for computation in each.called:
            for number in self._module.contents[computation]:
                inner = self._module.instructions[number].name
                found |= {inner, *self._inside(inner)}
        return frozenset(found)

    def _named(self, name: str, is_outside: bool) -> tuple[_Lines, str]:
        """Return the lines of an operation and its name for people; `is_outside` if others ran inside it."""
        each = self._by_name.get(name)
        if each is None:
            return (), name
        line = self._origins.own_line(each.id)
        lines = ((line,) if line else ()) if is_outside else self._origins.lines(each.id)
        return lines, self._origins.primitive(each.id) or each.opcode


def _usual_ns(stretches: Sequence[float], spent: float) -> float:
    """Return the sum of the `stretches`, each without the nanoseconds `spent`, and of many the usual one each time."""
    if len(stretches) >= _OFTEN:
        return len(stretches) * max(0.0, float(np.median(stretches)) - spent)
    return sum(max(0.0, each - spent) for each in stretches)


_RUNS_OTHERS = ("while", "conditional", "call")


def _prepared(compiled: Any, values: Sequence[Any]) -> Callable[[], Any]:
    """Return a call of `compiled`, with copies of the arguments that it donates."""
    donated, _ = compiled.args_info
    given = [jnp.copy(each) if info.donated else each for info, each in zip(donated, values, strict=True)]
    jax.block_until_ready(given)
    return partial(compiled, *given)


# -- the answer ----------------------------------------------------------------------------------------------------

_TIP = say("Runs the program several times under JAX's profiler")


def lens_of_shares(found: Sequence[LineShare], calls: int, operation_s: float) -> Lens:
    """Return the lens of the shares `found`, the largest first."""
    sentences = [
        say(
            "One call: {seconds} of operation time, the median of {count} calls under JAX's profiler.",
            seconds=seconds_text(operation_s),
            count=calls,
        )
    ]
    if any(len(each.lines) > 1 for each in found):
        sentences.append(say("A fusion computes several lines in one operation: its time is not split."))
    whole = f"{100 * sum(each.share for each in found):.0f}"
    if whole != "100":
        sentences.append(say("The shares are medians over the calls: together they are {whole} %.", whole=whole))
    overlap = say("Operations on several threads overlap, so these are no shares of the time that passes.")
    table = Table(
        (say("share"), say("operations")),
        (
            say(
                "Of operation time, with the 95 % interval over the calls. A call without the line may lose a bit "
                "more or less: other lines change, too."
            ),
            say("The operations of these lines, the most expensive first"),
        ),
        tuple(map(_row, found)),
        (0.4, 0.6),
        costs=tuple(_costs(found)),
    )
    return Lens(
        table=table,
        summary=(*(Piece(each, "words") for each in sentences), Piece(overlap, "dim")),
        offers=(Offer(say("Measure again"), _TIP, TIME),),
        data={"shares": [each._asdict() for each in found], "calls": calls, "operation_s": operation_s},
    )


def _row(share: LineShare) -> Row:
    line, *others = share.lines or (0,)
    words = (
        say("lines {lines} together:", lines=share.listed) if others else NOTHING if line else say("without a line:")
    )
    pieces = (*((Piece(words, "words"),) if words else ()), Piece(", ".join(share.operations), "dim code"))
    return Row((Cell((Piece(share.text),), bar=share.share), Cell(pieces)), -1, line, other_lines=tuple(others))


def _costs(shares: Sequence[LineShare]) -> Iterator[LineCost]:
    """Yield the cost of each line: alone, and with the fusions that compute others as well."""
    for line in dict.fromkeys(line for each in shares for line in each.lines):
        own = [each for each in shares if line in each.lines]
        alone = sum(each.share for each in own if len(each.lines) == 1)
        fused = sum(each.share for each in own if len(each.lines) > 1)
        yield LineCost(alone, alone + fused, between_text(alone, alone + fused), joined("\n", map(_cost, own)), line)


def _cost(share: LineShare) -> Text:
    if len(share.lines) == 1:
        return say("{share} of the operation time", share=share.text)
    return say("lines {lines} together: {share} of the operation time", share=share.text, lines=share.listed)


def _without(sentence: Text, why: Failure | None = None) -> Lens:
    offers = (Offer(say("Measure again"), _TIP, TIME),)
    return Lens(sentence=sentence, failure=why, offers=offers, data={"shares": [], "calls": 0, "operation_s": 0.0})


def _compute(asked: LensInput) -> Lens:
    if not asked.wants(TIME):
        words = say("Not measured yet. Measure (Ctrl+T) runs the program several times.")
        return replace(_without(words), offers=(Offer(say("Measure"), _TIP, TIME),))
    with asked.again():
        return time_lens(*asked.prepared())


LENS = LensWork(has_arrays, _compute)
