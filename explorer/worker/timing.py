"""Times variants of a program over a parameter, so that their figures can be compared with each other."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import jax
import msgspec
import numpy as np

from explorer.messages import Array, Failure, Measurement, Transform, Value
from explorer.worker import devices
from explorer.worker.cost_history import CostHistory
from explorer.worker.first_call import FirstCall, time_first_call, transformed
from explorer.worker.sampling import LEAST_ROUNDS, Instruments, Track, calibrate, is_precise, sample, spread
from explorer.worker.undisturbed import CompilationCount, undisturbed
from explorer.worker.user_code import arguments_of

COLD = "first call: from empty caches, with all that it traces and compiles"
WARM = "first call: with what earlier points had compiled"
RECOMPILED = "recompiled inside the loop: something is traced and compiled anew in every call"
REPEATED = "a block in which something was compiled was thrown away and repeated"


def plain_failure(error: BaseException) -> Failure:
    """Return `error` as a value, in Python's own words."""
    return Failure(type(error).__name__, str(error))


@dataclass(frozen=True)
class Plan:
    """What is timed: every variant under every transform, on one device."""

    run: int
    device: jax.Device
    variants: Mapping[str, Callable[..., Any]]
    """Functions that take their arguments by name, out of the inputs."""
    transforms: tuple[Transform, ...]
    budget_s: float
    """Seconds that the sampling of one point may take, all variants together."""
    emit: Callable[[Measurement], None]
    """Is given ones that are not final about every 0.2 seconds of sampling, then the final one of each point."""
    explain: Callable[[BaseException], Failure] = plain_failure
    calls: Mapping[str, str] = field(default_factory=dict)
    """As Python, what stands for a variant that the person transformed."""
    clock: Callable[[], float] = time.perf_counter


@dataclass
class _Subject:
    """One curve of the plot: a variant under a transform."""

    variant: str
    transform: Transform
    history: CostHistory = field(default_factory=CostHistory)


@dataclass
class _Point:
    """One subject at one setting of the parameters, once its first call has succeeded."""

    subject: _Subject
    first: FirstCall
    track: Track
    cold: bool


def time_sweep(
    plan: Plan,
    parameters: Mapping[str, Value],
    inputs_at: Callable[[dict[str, Value]], Mapping[str, Any]],
    name: str = "",
    values: Sequence[Value] = (),
) -> None:
    """Time everything in `plan` at each of `values` of parameter `name`, or at the one point of no name.

    `inputs_at` returns the named arguments for given parameters, arrays on the plan's device already. What
    comes out goes to `plan.emit`. A variant that raises gives a Measurement with a failure; one that failed at
    a smaller value, or would exceed the budget by what its last points cost, gives one with a note instead.
    First calls start from empty caches at the value in `parameters`, or else at the first one.
    KeyboardInterrupt passes through, with JAX and the garbage collector as they were.

    Method: calibrated blocks as in BenchmarkTools.jl, interleaved at random as in google/benchmark, and the
    median with a bootstrap interval.
    """
    subjects = [_Subject(variant, transform) for variant in plan.variants for transform in plan.transforms]
    # Emptying the caches at every point would make a sweep several times longer, and tell nothing new.
    coldest = parameters.get(name) if parameters.get(name) in values else next(iter(values), None)
    with _conditions(plan) as instruments:
        for value in values if name else (None,):
            here = dict(parameters) if value is None else {**parameters, name: value}
            tried = _worth_trying(plan, subjects, here, value)
            if not tried:
                continue
            try:
                inputs = inputs_at(here)
            except (Exception, SystemExit) as error:
                for subject in tried:
                    _emit_failure(plan, subject, here, error)
                continue
            _time_point(plan, tried, here, value, inputs, instruments, cold=value is None or value == coldest)


@contextmanager
def _conditions(plan: Plan) -> Iterator[Instruments]:
    # The default device is set once around everything: entered in each call it would cost a fifth of a short one.
    with undisturbed(), devices.running_on(plan.device), CompilationCount() as compilations:
        # The first program of a process pays for the start of the compiler.
        jax.block_until_ready(jax.jit(lambda x: x + 1)(np.float32(0)))
        yield Instruments(jax.block_until_ready, plan.clock, compilations.count)


def _worth_trying(
    plan: Plan, subjects: Sequence[_Subject], here: dict[str, Value], value: Value | None
) -> list[_Subject]:
    tried = []
    for subject in subjects:
        if reason := subject.history.reason_to_skip(value, plan.budget_s):
            plan.emit(_empty(plan, subject, here, notes=(f"skipped: {reason}",)))
        else:
            tried.append(subject)
    return tried


def _time_point(
    plan: Plan,
    subjects: Sequence[_Subject],
    here: dict[str, Value],
    value: Value | None,
    inputs: Mapping[str, Any],
    instruments: Instruments,
    *,
    cold: bool,
) -> None:
    gc.collect()
    points = []
    for subject in subjects:
        try:
            points.append(_first_call(plan, subject, inputs, instruments, cold=cold))
        except (Exception, SystemExit) as error:
            subject.history.add_failure(value)
            _emit_failure(plan, subject, here, error)
            continue
        plan.emit(_measurement(plan, points[-1], here, final=False))
    for point in points:
        _warm_up(point.track, instruments)

    def report() -> None:
        for point in points:
            plan.emit(_measurement(plan, point, here, final=False))

    sample([point.track for point in points], plan.budget_s, instruments, report)
    for point in points:
        if point.track.error is not None:
            point.subject.history.add_failure(value)
        else:
            # The median, because a prediction from one disturbed call would skip what is quick.
            call_s = spread(point.track.samples).median if point.track.samples else point.track.call_s
            point.subject.history.add(value, call_s, point.first.seconds)
        plan.emit(_measurement(plan, point, here, final=True))


def _first_call(
    plan: Plan, subject: _Subject, inputs: Mapping[str, Any], instruments: Instruments, *, cold: bool
) -> _Point:
    function = plan.variants[subject.variant]
    call = transformed(function, arguments_of(function, inputs), (subject.transform,))
    first = time_first_call(call, instruments, cold=cold)
    return _Point(subject, first, Track(call.run), cold)


def _warm_up(track: Track, instruments: Instruments) -> None:
    """Call it at the very arguments, since the next first call may have emptied the caches, and calibrate."""
    try:
        instruments.wait(track.call())
        calibrate(track, instruments)
    except (Exception, SystemExit) as error:
        track.error = error


def _measurement(plan: Plan, point: _Point, here: dict[str, Value], *, final: bool) -> Measurement:
    track, first = point.track, point.first
    measured = Measurement(
        run=plan.run,
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
        notes=tuple(_notes(plan, point, final=final)),
        failure=plan.explain(track.error) if track.error is not None else None,
        final=final,
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
        rounds=Array.of(track.rounds, np.int32),
    )


def _notes(plan: Plan, point: _Point, *, final: bool) -> Iterator[str]:
    track, wanted = point.track, devices.identifier(plan.device)
    if final and track.samples and not is_precise(track.samples):
        yield _unstable(track.samples)
    if track.compiles_always:
        yield RECOMPILED
    elif track.compiled_once:
        yield REPEATED
    if not point.first.ran_on:
        yield "no JAX array came back, so the device that it ran on is not known"
    elif wanted not in point.first.ran_on:
        yield f"ran on {', '.join(point.first.ran_on)} though {wanted} was asked for"
    if call := plan.calls.get(point.subject.variant):
        yield f"timed with transforms: {call}"
    yield COLD if point.cold else WARM


def _unstable(samples: Sequence[float]) -> str:
    if len(samples) < LEAST_ROUNDS:
        return f"unstable: there was time for {len(samples)} sample{'' if len(samples) == 1 else 's'} only"
    precision = 100 * spread(samples).precision
    return f"unstable: after {len(samples)} samples the median is known to {precision:.2g} % only"


def _empty(
    plan: Plan, subject: _Subject, here: dict[str, Value], notes: tuple[str, ...] = (), failure: Failure | None = None
) -> Measurement:
    return Measurement(plan.run, subject.variant, (subject.transform,), here, device="", notes=notes, failure=failure)


def _emit_failure(plan: Plan, subject: _Subject, here: dict[str, Value], error: BaseException) -> None:
    plan.emit(_empty(plan, subject, here, failure=plan.explain(error)))
