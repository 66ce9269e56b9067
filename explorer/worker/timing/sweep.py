"""Times a program's variants over a parameter, such that their figures are comparable; and the variants without jit."""

from __future__ import annotations

import functools
import gc
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any

import jax
import msgspec
import numpy as np
from msgspec.structs import replace

from explorer import OUR_FILES
from explorer.messages import TOP_LEVEL, Failure, Measurement, Note, Transform, Value
from explorer.text.text import TextError, say
from explorer.worker.code.calls import arguments_of
from explorer.worker.code.trees import leaves
from explorer.worker.internals.sources import JAX_FILES
from explorer.worker.process import devices
from explorer.worker.recording.interrupt import Interrupt
from explorer.worker.timing import waiting
from explorer.worker.timing.compared_outputs import on_host
from explorer.worker.timing.doubts import doubts
from explorer.worker.timing.first_call import time_first_call, transformed
from explorer.worker.timing.point import Point, TimedCurve, measurement, numpy_arguments
from explorer.worker.timing.sampling import Instruments, TimeBudget, Track, calibrate, sample, spread
from explorer.worker.timing.undisturbed import CompilationCount, undisturbed


def without_jit(function: Any) -> Callable[..., Any] | None:
    """Return the function that jit was put around; `function` itself without a jit, None if it cannot be found.

    Besides JAX's own, this holds for the jit of Equinox and Flax: objects with `lower` that keep what they wrap.
    """
    if isinstance(function, MethodType):
        inner = without_jit(function.__func__)
        return function if inner is function.__func__ else inner and MethodType(inner, function.__self__)
    if all(hasattr(function, name) for name in ("func", "args", "keywords")):
        inner = without_jit(function.func)
        if inner is None or inner is function.func:
            return inner and function
        return functools.partial(inner, *function.args, **function.keywords)
    # A plain function with `lower` is a pmap: it would do something else without.
    if not isinstance(function, FunctionType) and hasattr(function, "lower"):
        wrapped = getattr(function, "__wrapped__", None)
        return wrapped and without_jit(wrapped)
    return function  # type: ignore[no-any-return]


def own_call(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call of `function` as its program makes it, if that does more than a call of its compiled program.

    The jits of Equinox and Flax take the arguments apart, and put the results together, in each call. None for another
    function, and for one that donates arguments, or may: each call needs them.
    """
    inner: Any = function
    while isinstance(inner, MethodType | functools.partial):
        inner = inner.__func__ if isinstance(inner, MethodType) else inner.func
    if isinstance(inner, FunctionType) or not hasattr(inner, "lower") or type(inner).__module__.startswith("jax"):
        return None
    given = _copied(arguments)
    if given is arguments:
        # Too large for a copy, and a call might delete them.
        return None
    transformed(function, given, ("eager",)).run()
    return None if _any_deleted(given) else transformed(function, arguments, ("eager",)).run


def jits_inside(function: Callable[..., Any], arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of the jitted functions that `function` calls; () if it cannot be traced."""
    try:
        trace = transformed(function, arguments, ("jit",)).trace
        equations = trace().jaxpr.jaxpr.eqns if trace is not None else []
    except Interrupt:
        raise
    except BaseException:
        return ()
    calls = [each.params for each in equations if each.primitive.name == "jit"]
    # jax.numpy has jits of its own, which no one can leave out.
    files = {each["name"]: each["jaxpr"].jaxpr.debug_info.func_filename or "" for each in calls}
    return tuple(name for name, file in files.items() if not file.startswith((JAX_FILES, OUR_FILES)))


_COMPILED: dict[Transform, Transform] = {"eager": "jit", "vmap": "jit(vmap)"}
MOST_COPIED = 2**28
"""The most bytes of arguments to copy, in case that a function deletes them."""
ASKED_FOR = 4
"""Budgets that a call may take at the value set by the user, which runs for the panes anyway."""


def plain_failure(error: BaseException) -> Failure:
    """Return `error` as a Failure with Python's own text."""
    return Failure(type(error).__name__, error.text if isinstance(error, TextError) else str(error))


class Plan(msgspec.Struct, frozen=True):
    """The plan of a sweep: every variant under every transform, on one device."""

    run: int
    device: jax.Device
    variants: Mapping[str, Callable[..., Any]]
    """Functions that take named arguments out of the inputs."""
    transforms: tuple[Transform, ...]
    budget_s: float
    """Seconds of sampling per point, for all variants together."""
    emit: Callable[[Measurement], None]
    """Receives preliminary measurements about every 0.2 seconds, then the final one of each point."""
    explain: Callable[[BaseException], Failure] = plain_failure
    calls: Mapping[str, str] = {}
    """Source text of the transformed call, by variant, where the user transformed it."""
    clock: Callable[[], float] = time.perf_counter
    given: Mapping[str, Mapping[str, Any]] = {}
    """Arguments of single variants, instead of inputs of the same names."""
    limit_s: float = math.inf
    """Seconds for the whole sweep: each value gets less sampling, and the last ones may be skipped."""

    @property
    def wanted(self) -> str:
        """The device as text."""
        return devices.identifier(self.device)


def time_sweep(
    plan: Plan,
    parameters: Mapping[str, Value],
    inputs_at: Callable[[dict[str, Value]], Mapping[str, Any]],
    name: str = "",
    values: Sequence[Value] = (),
) -> tuple[Value, ...]:
    """Time everything in `plan` at each of `values` of parameter `name`, or at a single point if `name` is empty.

    Returns the values skipped for lack of time. `inputs_at` returns the named arguments for given parameters, with
    arrays already on the plan's device. Results go to `plan.emit`. A variant that raises gives a Measurement with a
    failure. The value in `parameters` comes first. A variant that failed at a smaller value, or is predicted to exceed
    the budget (four budgets at the value in `parameters`), gives a Measurement with a note. First calls start from
    empty caches at the value in `parameters`, or else at the first one, if there is time. An Interrupt passes through,
    after JAX and the garbage collector are restored; samples so far are emitted as final and marked as cut short.
    Method: calibrated blocks (https://juliaci.github.io/BenchmarkTools.jl/stable/manual/), interleaved at random
    (https://google.github.io/benchmark/random_interleaving.html), and the median with a bootstrap interval.
    """
    if len(values) > 1:
        emit = plan.emit
        plan = replace(plan, emit=lambda measured: emit(replace(measured, swept=name)))
    subjects = [TimedCurve(variant, transform) for variant in plan.variants for transform in plan.transforms]
    # Emptying the caches at every point would make a sweep several times longer, without new information.
    coldest = parameters.get(name) if parameters.get(name) in values else next(iter(values), None)
    # The value on screen comes first: time may end before the others.
    places: Sequence[Value | None] = sorted(values, key=lambda value: value != coldest) if name else (None,)
    left_out: list[Value] = []
    with _conditions(plan) as conditions:
        pace = TimeBudget(plan.budget_s, len(subjects), len(places), plan.clock, plan.limit_s)
        for value in places:
            budget_s = pace.begin()
            if budget_s is None:
                left_out += [value] if value is not None else []
                continue
            here = dict(parameters) if value is None else {**parameters, name: value}
            limit_s = plan.budget_s * (ASKED_FOR if value is not None and value == parameters.get(name) else 1)
            tried = _worth_trying(plan, subjects, here, value, limit_s)
            if not tried:
                continue
            try:
                inputs = inputs_at(here)
            except Interrupt:
                raise
            except BaseException as error:
                for subject in tried:
                    _emit_failure(plan, subject, here, error)
                continue
            paced = replace(plan, budget_s=budget_s)
            cold = (value is None or value == coldest) and pace.may_be_cold()
            place = _Place(paced, *conditions, here, value, cold=cold)
            place.time(tried, inputs, pace)
    return tuple(left_out)


@contextmanager
def _conditions(plan: Plan) -> Iterator[tuple[Instruments, float]]:
    # Set once around everything: entering a default device in each call takes a fifth of a short one.
    with undisturbed(), devices.running_on(plan.device), CompilationCount() as compilations:
        # The first program of a process includes the start of the compiler.
        jax.block_until_ready(jax.jit(lambda x: x + 1)(np.float32(0)))
        instruments = Instruments(waiting.wait_function(), plan.clock, compilations.count)
        yield instruments, waiting.floor(plan.device, instruments)


def _worth_trying(
    plan: Plan, subjects: Sequence[TimedCurve], here: dict[str, Value], value: Value | None, limit_s: float
) -> list[TimedCurve]:
    tried = []
    for subject in subjects:
        if reason := subject.history.reason_to_skip(value, limit_s):
            plan.emit(_empty(plan, subject, here, notes=(Note("skipped", reason),)))
        else:
            tried.append(subject)
    return tried


class _Place(msgspec.Struct):
    """One setting of the parameters at which all curves are timed together."""

    plan: Plan
    instruments: Instruments
    floor_s: float
    here: dict[str, Value]
    value: Value | None
    """The value of the swept parameter."""
    cold: bool
    points: list[Point] = []

    def time(self, subjects: Sequence[TimedCurve], inputs: Mapping[str, Any], pace: TimeBudget) -> None:
        """Time `subjects` and emit their measurements. Raises Stopped."""
        gc.collect()
        try:
            for subject in subjects:
                self._start(subject, inputs)
            for point in self.points:
                # With the same arguments, since a later first call may have emptied the caches.
                with _error_kept(point.track):
                    self.instruments.wait(point.track.call())
                    calibrate(point.track, self.instruments)
            pace.set_up()
            tracks = [point.track for point in self.points]
            sample(tracks, self.plan.budget_s, self.instruments, self._report)
            for point in self.points:
                with _error_kept(point.track):
                    point.look_closer(self.plan.budget_s, self.instruments)
        except Interrupt:
            for point in self.points:
                if point.track.samples:
                    self._emit(point, final=True, cut_short=True)
            raise
        for point in self.points:
            self._finish(point)

    def _start(self, subject: TimedCurve, inputs: Mapping[str, Any]) -> None:
        try:
            self.points.append(_first_call(self.plan, subject, inputs, self.instruments, cold=self.cold))
        except Interrupt:
            raise
        except BaseException as error:
            subject.history.add_failure(self.value)
            _emit_failure(self.plan, subject, self.here, error)
            return
        self._emit(self.points[-1], final=False)

    def _report(self) -> None:
        for point in self.points:
            self._emit(point, final=False)

    def _finish(self, point: Point) -> None:
        track, history = point.track, point.subject.history
        if track.error is not None:
            history.add_failure(self.value)
        else:
            # The median: a prediction from one disturbed call could skip a fast variant.
            call_s = spread(track.samples).median if track.samples else track.call_s
            history.add(self.value, call_s, point.first.seconds)
        self._emit(point, final=True)

    def _emit(self, point: Point, *, final: bool, cut_short: bool = False) -> None:
        plan, error = self.plan, point.track.error
        measured = measurement(point, plan.run, self.here, plan.wanted, floor_s=self.floor_s, final=final)
        notes = [*measured.notes, *(doubts(point, self.points) if final else ())]
        if call := plan.calls.get(point.subject.variant):
            notes.append(Note("transforms", say("timed with transforms: {call}", call=call)))
        plan.emit(
            msgspec.structs.replace(
                measured,
                notes=tuple(notes),
                cut_short=cut_short,
                failure=plan.explain(error) if error is not None else None,
            )
        )


def _first_call(
    plan: Plan, subject: TimedCurve, inputs: Mapping[str, Any], instruments: Instruments, *, cold: bool
) -> Point:
    function = plan.variants[subject.variant]
    arguments = arguments_of(function, {**inputs, **plan.given.get(subject.variant, {})})
    function = _as_compared(plan, subject, function, arguments)
    given = arguments if subject.transform.startswith("jit") else _copied(arguments)
    call = transformed(function, given, (subject.transform,))
    first = time_first_call(call, instruments, cold=cold)
    donates = _any_deleted(given)
    if donates:
        # Inside another jit nothing is donated.
        call = transformed(function, arguments, (_COMPILED[subject.transform],))
        first = time_first_call(call, instruments, cold=cold)
    elif given is not arguments:
        call = transformed(function, arguments, (subject.transform,))
    track = Track((subject.transform == "jit" and own_call(function, arguments)) or call.run)
    outputs = on_host(first.outputs)
    # Not kept on the device, which may not have room for the outputs of all curves.
    first = replace(first, outputs=None)
    return Point(subject, first, track, cold, numpy_arguments(arguments), outputs, arguments, donates=donates)


def _as_compared(
    plan: Plan, subject: TimedCurve, function: Callable[..., Any], arguments: Mapping[str, Any]
) -> Callable[..., Any]:
    """Return `function` as `subject` times it: next to jit without a jit of its own, else as written."""
    compiled = _COMPILED.get(subject.transform)
    if compiled is None:
        return function
    plain = without_jit(function)
    if compiled not in plan.transforms or plain is None:
        subject.jit = "" if plain is function else "alone" if plain else "always"
        return function
    subject.jit = "" if plain is function else "removed"
    if subject.jits_inside is None and subject.variant != TOP_LEVEL:
        subject.jits_inside = jits_inside(plain, arguments)
    return plain


def _any_deleted(arguments: Mapping[str, Any]) -> bool:
    return any(isinstance(each, jax.Array) and each.is_deleted() for each in leaves(arguments))


def _copied(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return `arguments` with copies of their arrays, which the function may delete; unchanged if they are large."""
    arrays = [each for each in leaves(arguments) if isinstance(each, jax.Array)]
    if not arrays or sum(each.nbytes for each in arrays) > MOST_COPIED:
        return arguments
    copied: dict[str, Any] = jax.tree.map(
        lambda each: each.copy() if isinstance(each, jax.Array) else each, dict(arguments)
    )
    return copied


@contextmanager
def _error_kept(track: Track) -> Iterator[None]:
    try:
        yield
    except Interrupt:
        raise
    except BaseException as error:
        track.error = error


def _empty(
    plan: Plan,
    subject: TimedCurve,
    here: dict[str, Value],
    notes: tuple[Note, ...] = (),
    failure: Failure | None = None,
) -> Measurement:
    return Measurement(plan.run, subject.variant, (subject.transform,), here, device="", notes=notes, failure=failure)


def _emit_failure(plan: Plan, subject: TimedCurve, here: dict[str, Value], error: BaseException) -> None:
    plan.emit(_empty(plan, subject, here, failure=plan.explain(error)))
