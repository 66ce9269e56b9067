"""One curve at one point of a sweep, from first call to figures and notes; and costs expected at the next point."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import jax
import msgspec
import numpy as np

from explorer.messages import Array, Measurement, Note, NoteKind, Transform, Value
from explorer.text.text import Text, say
from explorer.worker.timing import compared_outputs, waiting
from explorer.worker.timing.first_call import FirstCall
from explorer.worker.timing.sampling import LEAST_REPEATS, Instruments, Track, is_precise, spread

FIRST_CALL_BUDGETS = 20
"""A first call predicted to take longer, in budgets, is skipped: a compilation cannot be interrupted."""
FROM_ONE_POINT = 10
"""Factor by which a prediction from one point must exceed a limit to count: most of a small cost is fixed."""
CLEARLY = 3
"""Factor between two first calls that shows growth: each is measured only once."""
STEEPEST = 3.0
"""Largest exponent of a cost in the size, regardless of two noisy points."""


class CostHistory(msgspec.Struct):
    """Costs of one subject at values of one parameter, in seconds; only positive numbers have a size."""

    _sizes: list[float] = []
    _call_s: list[float] = []
    _first_s: list[float] = []
    _failed_at: float | None = None

    def add(self, value: Value | None, call_s: float, first_s: float) -> None:
        """Record the seconds of a call and of the first call at `value`."""
        if (size := _size(value)) is not None:
            place = bisect.bisect(self._sizes, size)
            for known, new in ((self._sizes, size), (self._call_s, call_s), (self._first_s, first_s)):
                known.insert(place, new)

    def add_failure(self, value: Value | None) -> None:
        self._failed_at = _size(value)

    def reason_to_skip(self, value: Value | None, budget_s: float) -> Text:
        """Return the reason not to measure at `value` with a budget of `budget_s` seconds, or an empty text."""
        size = _size(value)
        if size is None:
            return Text()
        if self._failed_at is not None and size > self._failed_at:
            return say("it failed at {value} already", value=f"{self._failed_at:g}")
        slack = 1 if len(self._sizes) > 1 else FROM_ONE_POINT
        call_s = self._predicted(self._call_s, size)
        if call_s > slack * budget_s:
            return say(
                "one call would take about {call} s, and the budget is {budget} s",
                call=_roughly(call_s),
                budget=f"{budget_s:g}",
            )
        firsts, slack = self._first_s, FROM_ONE_POINT
        if len(firsts) > 1 and not firsts[-2] < firsts[-1] <= CLEARLY * firsts[-2]:
            slack = 1
        first_s = self._predicted(firsts if slack == 1 else firsts[-1:], size)
        if first_s > slack * FIRST_CALL_BUDGETS * budget_s:
            return say("the first call would take about {first} s", first=_roughly(first_s))
        return Text()

    def _predicted(self, costs: list[float], size: float) -> float:
        """Return the last of `costs`, extrapolated to `size`, linearly from one point.

        From two points, return the larger of a straight line (fixed cost plus cost per element) and a power law.
        """
        if not costs or size <= self._sizes[-1]:
            return 0.0
        times_larger = size / self._sizes[-1]
        if len(costs) == 1:
            return costs[-1] * times_larger
        before, last = costs[-2:]
        step = self._sizes[-1] / self._sizes[-2]
        if step <= 1 or last <= before:
            return last
        power = min(math.log(last / before) / math.log(step), STEEPEST)
        straight = last + (last - before) * (times_larger - 1) / (1 - 1 / step)
        return float(max(straight, last * times_larger**power))


def _roughly(seconds: float) -> str:
    """Return two digits of `seconds`, written as one says them: 540, not 5.4e+02."""
    return f"{float(f'{seconds:.2g}'):.12g}"


def _size(value: Value | None) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    return float(value)


RECOMPILED = "recompiled inside the loop: something is traced and compiled anew in every call"
REPEATED = "a block was discarded and repeated, because something compiled in it"
JITS: dict[str, tuple[NoteKind, Text]] = {
    "alone": ("as written", say("as written, with its own jit")),
    "removed": ("without jit", say("timed without its own jit")),
    "always": ("always jitted", say("it is compiled already, and has no version without jit")),
}
HANDED_OVER = (
    "asynchronous dispatch: from here on JAX passes the work to another thread, and the call returns before it is "
    "done. That costs tens of microseconds, so a step in the curve here is not work alone"
)


class TimedCurve(msgspec.Struct):
    """One curve of the plot: a variant under a transform."""

    variant: str
    transform: Transform
    history: CostHistory = msgspec.field(default_factory=CostHistory)
    was_inline: bool = False
    """Whether the outputs were ready when the call returned, at the last point."""
    jit: Literal["", "alone", "removed", "always"] = ""
    """The jit around a function that is timed without jit: kept, since nothing is compared with it; removed; or there
    is no function without it."""
    jits_inside: tuple[str, ...] | None = None
    """Names of the jitted functions that it calls; None if not looked for."""

    @property
    def label(self) -> str:
        return f"{self.variant} ({self.transform})"


class Point(msgspec.Struct):
    """One subject at one setting of the parameters, after its first call."""

    subject: TimedCurve
    first: FirstCall
    track: Track
    cold: bool
    numpy_arguments: tuple[str, ...] = ()
    outputs: compared_outputs.Outputs | None = None
    arguments: Mapping[str, Any] = {}
    returned_s: float | None = None
    transfers_s: tuple[float | None, float | None] = (None, None)
    """Seconds to the device and back."""
    handed_over: bool = False
    donates: bool = False
    """Whether the function deletes arguments, so that it was timed as part of a program that keeps them."""

    def look_closer(self, budget_s: float, instruments: Instruments) -> None:
        """Measure, outside of the samples, the time until a call returns and that of its transfers.

        It takes at most three eighths of `budget_s` seconds, or three calls, and is skipped if one call exceeds
        `budget_s`.
        """
        track, subject = self.track, self.subject
        if track.error is None and track.call_s <= budget_s:
            probed = waiting.probe_returns(track.call, budget_s / 4, instruments)
            self.returned_s, ready_at_return = probed
            self.transfers_s = self._transfers(budget_s, instruments)
            jitted = subject.transform.startswith("jit")
            self.handed_over = jitted and subject.was_inline and not ready_at_return
            subject.was_inline = ready_at_return

    def _transfers(self, budget_s: float, instruments: Instruments) -> tuple[float | None, float | None]:
        try:
            return waiting.probe_transfers(self.track.call, self.arguments, budget_s / 8, instruments)
        except jax.errors.JaxRuntimeError:
            # The device has no room for a second copy of the arguments.
            return None, None


def numpy_arguments(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the arguments that hold NumPy arrays."""
    return tuple(
        name
        for name, value in arguments.items()
        if any(isinstance(leaf, np.ndarray) for leaf in jax.tree.leaves(value))
    )


def measurement(
    point: Point, run: int, here: dict[str, Value], wanted: str, *, floor_s: float | None = None, final: bool = False
) -> Measurement:
    """Return the figures of `point`, intended for the device `wanted`, without failure and doubts."""
    track, first = point.track, point.first
    measured = Measurement(
        run=run,
        variant=point.subject.variant,
        transforms=(point.subject.transform,),
        parameters=here,
        device=", ".join(first.ran_on),
        calls_per_sample=track.calls,
        trace_s=first.trace_s,
        lower_s=first.lower_s,
        compile_s=first.compile_s,
        first_call_s=first.seconds,
        cold=point.cold,
        notes=tuple(_notes(point, wanted, final=final)),
        final=final,
        returned_s=point.returned_s,
        to_device_s=point.transfers_s[0],
        to_host_s=point.transfers_s[1],
        floor_s=floor_s,
    )
    if not track.samples:
        return measured
    known = spread(track.samples)
    return msgspec.structs.replace(
        measured,
        median_s=known.median,
        q1_s=known.q1,
        q3_s=known.q3,
        low_s=known.low,
        high_s=known.high,
        samples_s=Array.of(track.samples, np.float64),
        repeats=Array.of(track.repeats, np.int32),
    )


def _unstable(samples: Sequence[float]) -> Text:
    """Return a phrase on an imprecise median of `samples`; empty without samples."""
    if not samples:
        return Text()
    count = say("1 sample") if len(samples) == 1 else say("{count} samples", count=len(samples))
    if len(samples) < LEAST_REPEATS:
        return say("there was time only for {samples}", samples=count)
    precision = f"{100 * spread(samples).precision:.2g}"
    return say("after {samples} the median is known only to {precision} %", samples=count, precision=precision)


def _notes(point: Point, wanted: str, *, final: bool) -> Iterator[Note]:
    track = point.track
    if final and not is_precise(track.samples) and (words := _unstable(track.samples)):
        yield Note("unstable", words)
    if track.compiles_always:
        yield Note("recompiled", say(RECOMPILED))
    elif track.compiled_once:
        yield Note("repeated", say(REPEATED))
    if point.handed_over:
        yield Note("hand-over", say(HANDED_OVER))
    if point.donates:
        yield Note("donated", say("timed without donating its arguments, because each call needs them"))
    subject = point.subject
    if subject.jit:
        yield Note(*JITS[subject.jit])
    if subject.jits_inside:
        yield Note("jits inside", say("still jitted inside it: {names}", names=", ".join(subject.jits_inside)))
    if not point.first.ran_on:
        yield Note("device unknown", say("the call returned no JAX array, so its device is not known"))
    elif wanted not in point.first.ran_on:
        where = ", ".join(point.first.ran_on)
        yield Note("other device", say("ran on {where} instead of {wanted}", where=where, wanted=wanted))
