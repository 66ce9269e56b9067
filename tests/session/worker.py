"""A client like the real one, with one request under way and one waiting, whose worker answers step by step.

Its answers contain the content of their request, so that the contents on screen can be compared with the requests.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import numpy as np

from explorer.link.command import WorkerDoes, WorkerState
from explorer.messages import (
    ORIGINAL,
    Array,
    Device,
    Equation,
    EquationValue,
    Failure,
    Finding,
    FromRun,
    FunctionTraces,
    Hello,
    JaxChecker,
    LensAnswer,
    LensRequest,
    Measurement,
    Note,
    Parameter,
    Program,
    Programs,
    Report,
    Request,
    RunRequest,
    Snapshot,
    TimingDone,
    TimingRequest,
    ValueRequest,
    Variant,
    ends_run,
    is_original,
    original_name,
    unanswered,
)
from tests.session.client import Client

DEVICES = ("cpu:0", "gpu:0")
UNREADABLE = "def f(:"
GONE = Failure("BadProgram", "There is no such variant.")
SAMPLES = Array.of(np.ones(3))


def variants_of(source: str) -> tuple[str, ...]:
    """Return the functions that `source` defines."""
    return tuple(line.split("(")[0].removeprefix("def ") for line in source.splitlines() if line.startswith("def "))


def results_of(request: Request, name: str) -> str:
    """Return a text for the request behind the keys, noise and findings of variant `name`."""
    source = request.original if is_original(name) else request.source
    transforms = request.transforms
    around = transforms.applied if transforms.variant in ("", name.removesuffix(f" {ORIGINAL}")) else ()
    return f"{name} of {source!r} with {request.parameters}, {around} on {request.device or DEVICES[0]}"


def text_of(request: Request, name: str) -> str:
    """Return a text for the request behind the program text of variant `name`."""
    return f"{request.form}: {results_of(request, name)}"


def times_of(request: TimingRequest) -> str:
    """Return a text for the request behind the times of a program."""
    around = request.applied.applied and request.applied
    return f"{request.source!r} with {request.parameters}, {around}"


class Worker(Client):
    """Stands in for WorkerClient and for the process behind it."""

    def __init__(self) -> None:
        super().__init__()
        self.all_asked: list[RunRequest] = []
        self.over: set[int] = set()
        """Numbers of finished requests."""
        self.final_points: set[tuple[int, str, tuple[str, ...]]] = set()
        self._still_to_say: list[FromRun] = []
        self._cpu_devices = 1
        self._set_state("starting")

    # -- what the session asks of it ----------------------------------------------------------

    def submit(self, request: RunRequest) -> None:
        super().submit(request)
        self.all_asked.append(request)
        if self.running is None:
            self._begin(request)
            return
        if self.waiting is not None:
            self.over.add(self.waiting.run)
        self.waiting = request

    def stop(self) -> None:
        if self.waiting is not None:
            self.over.add(self.waiting.run)
        self.waiting = None
        if self.running is not None:
            self._set_state("stopping")

    def set_cpu_devices(self, count: int) -> None:
        if count != self._cpu_devices:
            self._cpu_devices = count
            self._take_over(Failure("Stopped", "It was restarted."), stopped=True)

    # -- what happens to it -------------------------------------------------------------------

    @property
    def is_starting(self) -> bool:
        return self.state.name == "starting"

    @property
    def is_cancelled(self) -> bool:
        """Whether the request under way was cancelled; it may finish before the worker notices."""
        return self.running is not None and (self.waiting is not None or self.state.name == "stopping")

    def say_hello(self) -> None:
        """Be ready, after a start."""
        self._tell_what_runs()
        self.say(Hello("3", "j", "j", tuple(Device(each, each[:3]) for each in DEVICES), DEVICES[0]))

    def say_next(self) -> None:
        """Say the next that there is to say of the request under way."""
        message = self._still_to_say.pop(0)
        if isinstance(message, Measurement) and message.final:
            self.final_points.add((message.run, message.variant, message.point))
        if ends_run(message):
            self._end(message)
        else:
            self.say(message)

    def heed(self) -> None:
        """End the cancelled request under way."""
        if self.running is not None:
            self._end(_stopped(self.running))

    def die(self) -> None:
        """End the process; another one takes over."""
        self._take_over(Failure("WorkerDied", "It ended."), stopped=False)

    def say_late(self, request: RunRequest, place: int) -> None:
        """Say again, or at last, one of the things that there were to say of `request`."""
        words = list(_words(request))
        self.say(words[place % len(words)])

    # -- how ----------------------------------------------------------------------------------

    def _begin(self, request: RunRequest) -> None:
        self.running, self._still_to_say = request, list(_words(request))
        if not self.is_starting:
            self._tell_what_runs()

    def _tell_what_runs(self) -> None:
        if self.running is None or (isinstance(self.running, Request) and self.running.texts_only):
            self._set_state("idle")
        else:
            self._set_state("timing" if isinstance(self.running, TimingRequest) else "running")

    def _end(self, message: FromRun) -> None:
        waiting = self._no_more_of_the_running()
        if waiting is not None:
            self._begin(waiting)
        else:
            self.state = WorkerState("idle")
        self.say(message)
        if waiting is None:
            self.state_changed.emit(self.state)

    def _take_over(self, failure: Failure, *, stopped: bool) -> None:
        over = self.running
        waiting = self._no_more_of_the_running()
        self._set_state("starting")
        if waiting is not None:
            self._begin(waiting)
        if over is not None:
            self.say(unanswered(over, failure, stopped=stopped))

    def _no_more_of_the_running(self) -> RunRequest | None:
        """Return the next waiting request."""
        if self.running is not None:
            self.over.add(self.running.run)
        waiting, self.running, self.waiting = self.waiting, None, None
        return waiting

    def _set_state(self, name: WorkerDoes) -> None:
        self.state = WorkerState(name)
        self.state_changed.emit(self.state)


def _stopped(request: RunRequest) -> FromRun:
    return unanswered(request, Failure("Stopped", "It was stopped."), stopped=True)


def _words(request: RunRequest) -> Iterator[FromRun]:
    """Yield everything that there is to say of `request`, in order."""
    if isinstance(request, TimingRequest):
        yield from _measured(request)
    elif isinstance(request, ValueRequest):
        yield EquationValue(request.run, request.about_run, request.variant, request.equation, sentence="told")
    elif isinstance(request, LensRequest):
        answer = LensAnswer(request.run, request.about_run, request.variant, request.lens, complete=False)
        yield answer
        yield msgspec.structs.replace(answer, sentence="told", complete=True)
    elif request.texts_only:
        yield Programs(request.run, _programs(request), last=True)
    else:
        yield from _snapshots(request)


def _measured(request: TimingRequest) -> Iterator[FromRun]:
    for place, name in enumerate(request.variants):
        point = Measurement(
            request.run, name, ("jit",), {}, request.device, notes=(Note("transforms", times_of(request)),), final=False
        )
        if place == 0:
            # Its first call is under way.
            yield point
        sampled = msgspec.structs.replace(point, median_s=1.0, samples_s=SAMPLES)
        yield sampled
        yield msgspec.structs.replace(sampled, final=True)
    yield TimingDone(request.run, 1.0)


def _programs(request: Request) -> dict[str, Program]:
    there = variants_of(request.source)
    return {name: _program(request, name) for name in request.variants if name in there}


def _program(request: Request, name: str) -> Program:
    equations = tuple(Equation(each, None, 0, 0, 0, "f32[]") for each in ("sin", "cos"))
    return Program(request.form, text_of(request, name), equations if request.form == "jaxpr" else ())


def _snapshots(request: Request) -> Iterator[FromRun]:
    there = variants_of(request.source)
    if UNREADABLE in request.source:
        yield Snapshot(request.run, request.device, True, failure=Failure("SyntaxError", "It cannot be read."))
        return
    if set(request.variants) <= set(there):
        yield Programs(request.run, _programs(request))
    own = request.variants or there
    reports = [_begun(request, name) for name in own]
    if request.original:
        reports.append(Report(original_name(own[0])))
    batch = request.parameters.get("batch", 32)
    snapshot = Snapshot(
        request.run,
        request.device,
        complete=False,
        parameters=(Parameter("batch", batch, 32),),
        variants=tuple(Variant(name, 1) for name in there),
    )
    yield msgspec.structs.replace(snapshot, reports=tuple(reports))
    for place, report in enumerate(reports):
        reports[place] = _ran(request, report)
        yield msgspec.structs.replace(snapshot, reports=tuple(reports))
    reports = [_with_the_last_parts(request, report) for report in reports]
    yield msgspec.structs.replace(snapshot, reports=tuple(reports), complete=True)


def _begun(request: Request, name: str) -> Report:
    is_there = name in variants_of(request.source)
    return Report(name, program=_program(request, name) if is_there else Program(request.form, "", failure=GONE))


def _ran(request: Request, report: Report) -> Report:
    if not is_original(report.name) and report.name not in variants_of(request.source):
        return msgspec.structs.replace(report, status="error", failure=GONE)
    found = (Finding("unused-key", "note", results_of(request, report.name)),)
    return msgspec.structs.replace(
        report,
        status="ok",
        findings=found,
        printed=results_of(request, report.name),
        program=report.program or _program(request, report.name),
        lenses=("vmap", "gradient"),
    )


def _with_the_last_parts(request: Request, report: Report) -> Report:
    if report.status != "ok":
        return report
    traces = (FunctionTraces(results_of(request, report.name), None, 1, 1),)
    checker = JaxChecker(results_of(request, report.name), "", "") if request.jax_checker else None
    return msgspec.structs.replace(report, traces=traces, jax_checker=checker)
