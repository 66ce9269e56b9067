"""From a request to what there is to know: runs the person's program and gathers what each part finds."""

from __future__ import annotations

import platform
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import jax
import msgspec

from explorer.messages import (
    Failure,
    FromWorker,
    Hello,
    Program,
    Report,
    Request,
    Snapshot,
    Status,
    TimingDone,
    TimingRequest,
)
from explorer.worker import devices, errors, findings, keys, noise, program, recorder, redraw, timing, user_code
from explorer.worker.interrupts import Interrupts, TimeLimit
from explorer.worker.output import PrintedText

FLAGS = ("jax_threefry_partitionable", "jax_enable_x64", "jax_default_prng_impl", "jax_disable_jit")
"""Settings that change the numbers, told with every snapshot."""


@dataclass(frozen=True)
class Channel:
    """How a run reaches the outside: where messages go, what is printed, and when to stop."""

    send: Callable[[FromWorker], None]
    printed: PrintedText
    interrupts: Interrupts


def hello() -> Hello:
    """Return what this process is. Starts JAX's backends."""
    found, notes = devices.all_devices()
    return Hello(
        python=platform.python_version(),
        jax=jax.__version__,
        jaxlib=version("jaxlib"),
        devices=devices.described(found),
        default_device=devices.identifier(found[0]) if found else "",
        notes=tuple(notes),
    )


def analyse(request: Request, channel: Channel) -> Snapshot:
    """Return the complete snapshot of `request`; incomplete ones are sent while it is made.

    Raises KeyboardInterrupt when the run is cancelled; what the person's program raises is in the snapshot.
    """
    started = clock.perf_counter()
    snapshot = Snapshot(request.run, request.device, complete=False)
    is_persons = _frames_of(request.filename)
    try:
        device = devices.find(request.device)
        snapshot = msgspec.structs.replace(snapshot, device=devices.identifier(device), flags=_flags())
        with devices.running_on(device), channel.interrupts.time_limit(request.timeout_s):
            recording = recorder.record(lambda: _load(request), is_persons=is_persons)
            if recording.error is not None:
                raise recording.error
            loaded: user_code.Program = recording.result
            inputs = loaded.inputs()
            snapshot = msgspec.structs.replace(
                snapshot, parameters=loaded.parameters, variants=loaded.variants(list(inputs))
            )
            subjects = _subjects(request, snapshot)
            snapshot = _with_programs(snapshot, request, loaded, inputs, subjects, channel)
    except TimeLimit:
        return _ended(snapshot, Failure("Timeout", _timeout_words(request)), started)
    except (Exception, SystemExit) as error:
        return _ended(snapshot, errors.failure(error, is_persons), started)

    for place, name in enumerate(subjects):
        with devices.running_on(device):
            report = _run(request, loaded, name, recording, snapshot.reports[place], channel)
        reports = (*snapshot.reports[:place], report, *snapshot.reports[place + 1 :])
        snapshot = msgspec.structs.replace(snapshot, reports=reports, elapsed_s=clock.perf_counter() - started)
        if place + 1 < len(subjects):
            channel.send(snapshot)
    return msgspec.structs.replace(snapshot, complete=True)


def stopped_reports(request: Request) -> tuple[Report, ...]:
    """Return the reports of a run that was stopped: they say so, and nothing else."""
    return tuple(Report(name, status="stopped") for name in request.variants)


def _with_programs(
    snapshot: Snapshot,
    request: Request,
    loaded: user_code.Program,
    inputs: dict[str, Any],
    subjects: tuple[str, ...],
    channel: Channel,
) -> Snapshot:
    """Return `snapshot` with the program text of every subject, sent at once: a person types to see it."""
    reports = []
    for name in subjects:
        with channel.printed.aside():
            reports.append(Report(name, program=_program(loaded, name, inputs, request)))
    snapshot = msgspec.structs.replace(snapshot, reports=tuple(reports))
    if reports:
        channel.send(snapshot)
    return snapshot


def _program(loaded: user_code.Program, name: str, inputs: dict[str, Any], request: Request) -> Program:
    try:
        function = loaded.function(name, inputs)
    except user_code.BadProgram as error:
        return Program(request.form, "", failure=errors.failure(error, loaded.is_persons))
    return program.program(function, user_code.arguments_of(function, inputs), request.form, loaded.is_persons)


def _run(
    request: Request,
    loaded: user_code.Program,
    name: str,
    loading: recorder.Recording,
    report: Report,
    channel: Channel,
) -> Report:
    """Return `report` of variant `name` filled in by one real run, keys recorded from ``inputs`` on."""
    given: dict[str, Any] = {}

    def call() -> Any:
        inputs = loaded.inputs()
        function = loaded.function(name, inputs)
        given.update(user_code.arguments_of(function, inputs))
        return jax.block_until_ready(function(**given))

    channel.printed.take()
    status: Status = "ok"
    failure: Failure | None = None
    try:
        with channel.interrupts.time_limit(request.timeout_s):
            recording = recorder.record(call, is_persons=loaded.is_persons)
            jax.effects_barrier()
    except TimeLimit:
        failure = Failure("Timeout", _timeout_words(request))
        return msgspec.structs.replace(report, status="timeout", failure=failure, printed=channel.printed.take())
    except SystemExit as error:
        failure = errors.failure(error, loaded.is_persons)
        return msgspec.structs.replace(report, status="error", failure=failure, printed=channel.printed.take())
    if recording.error is not None:
        status, failure = "error", errors.failure(recording.error, loaded.is_persons)
    outputs = recording.result
    graph = keys.key_graph([loading, recording], outputs)
    found = findings.find(graph, recording, shared_on_purpose=name in request.shared_on_purpose)
    pictures = noise.pictures(outputs, given, found, redraw.draws(graph)) if failure is None else ()
    return msgspec.structs.replace(
        report,
        status=status,
        failure=failure,
        printed=channel.printed.take(),
        keys=graph,
        findings=found,
        pictures=pictures,
        ran_on=devices.used_by(outputs),
    )


def time(request: TimingRequest, channel: Channel) -> TimingDone:
    """Time what `request` asks for; the measurements are sent as they come.

    Raises KeyboardInterrupt when the run is cancelled.
    """
    started = clock.perf_counter()
    is_persons = _frames_of(request.filename)
    try:
        device = devices.find(request.device)
        with devices.running_on(device), channel.printed.aside():
            loaded = _load(request)
            given = loaded.inputs()
            names = request.variants or tuple(variant.name for variant in loaded.variants(given))
        plan = timing.Plan(
            run=request.run,
            device=device,
            variants={name: loaded.function(name, given) for name in names},
            transforms=request.transforms,
            budget_s=request.budget_s,
            emit=channel.send,
            explain=lambda error: errors.failure(error, is_persons),
        )
        with channel.printed.aside():
            timing.time_sweep(
                plan,
                {each.name: each.value for each in loaded.parameters},
                lambda parameters: loaded.with_parameters(parameters).inputs(),
                request.sweep_name,
                request.sweep_values,
            )
    except (Exception, SystemExit) as error:
        failure = errors.failure(error, is_persons)
        return TimingDone(request.run, clock.perf_counter() - started, failure=failure)
    return TimingDone(request.run, clock.perf_counter() - started)


def _load(request: Request | TimingRequest) -> user_code.Program:
    return user_code.load(request.source, request.filename, request.parameters, request.named, request.hidden)


def _subjects(request: Request, snapshot: Snapshot) -> tuple[str, ...]:
    return request.variants or tuple(variant.name for variant in snapshot.variants)


def _ended(snapshot: Snapshot, failure: Failure, started: float) -> Snapshot:
    elapsed_s = clock.perf_counter() - started
    return msgspec.structs.replace(snapshot, complete=True, failure=failure, reports=(), elapsed_s=elapsed_s)


def _timeout_words(request: Request) -> str:
    return f"It was still running after {request.timeout_s:g} s and was stopped."


def _flags() -> tuple[tuple[str, str], ...]:
    return tuple((name, str(getattr(jax.config, name))) for name in FLAGS)


def _frames_of(filename: str) -> Callable[[str], bool]:
    return lambda name: name == filename
