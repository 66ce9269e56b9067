"""``check``: runs a program's variants in a ``CheckWorker``, restarted where one ends it, and judges the findings."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from explorer.commands import lesson_check, on_changed_lines
from explorer.commands.repository import ChangedLines
from explorer.library import library
from explorer.library.folder import located
from explorer.link import preparation
from explorer.link.command import CRASH_EXPLANATION, program_ended
from explorer.link.pipe import NOTHING_TO_RUN, WorkerEnded, WorkerPipe
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Failure, Finding, Prepare, Report, Request, Snapshot, Status, UsedUp, Value
from explorer.scenario import packages, requests
from explorer.scenario.scenario import Scenario

PATIENCE_S = 10.0
"""Seconds in addition to its limit that a variant may take to react to the interrupt."""
GRACE_S = 5.0
"""Seconds that a whole file may take in addition to its limit: an interrupted run still has to be reported."""
DIED = "WorkerDied"
"""The type of the failure of a program that has ended its process."""
START_S = 120.0
"""Seconds for importing jax and tracing, after which the worker counts as hung."""


class CheckResult(msgspec.Struct, frozen=True):
    jax: str
    snapshot: Snapshot
    complaints: tuple[str, ...]
    """The violated expectations, a sentence for each; empty when all is well."""
    exit_code: int
    """0 fine, 1 a bug was found (or something else than the scenario expects), 2 the program failed."""


def check(
    scenario: Scenario,
    *,
    variants: tuple[str, ...] = (),
    parameters: Mapping[str, Value] | None = None,
    device: str = "",
    timeout_s: float | None = 60.0,
    jax_checker: bool = False,
    line_types: bool = False,
    worker: CheckWorker | None = None,
    changed: ChangedLines | None = None,
) -> CheckResult:
    """Run `variants` of `scenario` (all of them when empty) and judge them; `jax_checker` asks JAX's own one too.

    With `line_types`, programs have the types of their lines.

    A variant that neither ends nor can be interrupted costs its process; the others run in a new one. A `worker` that
    is given may have its own limit; it is ended here. Of code that is no lesson findings count where it was `changed`.
    """
    request = requests.analysis(scenario)
    device = device or request.device
    request = msgspec.structs.replace(
        request,
        variants=variants,
        parameters=dict(parameters or {}),
        device=device,
        timeout_s=timeout_s,
        jax_checker=jax_checker,
        line_types=line_types,
        traces=True,
        value_checks=True,
    )

    def answered(asked: Request) -> Snapshot:
        return run_all(msgspec.structs.replace(asked, device=device, timeout_s=timeout_s), own)

    with worker or CheckWorker(scenario.devices) as own:
        snapshot = packages.explained(run_all(request, own), scenario, own.remote)
        if snapshot.failure is None and not snapshot.reports:
            snapshot = msgspec.structs.replace(snapshot, failure=NOTHING_TO_RUN)
        if not scenario.variants:
            snapshot = on_changed_lines.snapshot(snapshot, changed, scenario.path)
        complaints, exit_code = judge(scenario, snapshot)
        if exit_code == 0 and not variants and not parameters and (scenario.steps or scenario.exercises):
            found = lesson_check.complaints(scenario, answered)
            complaints = (*_absent(scenario), *(located(each, Path(scenario.path).parent) for each in found))
            exit_code = 1 if complaints else 0
            if own.is_late:
                complaints, exit_code = (str(own.failure_of_late().message),), 2
    return CheckResult(own.jax, snapshot, complaints, exit_code)


def _absent(scenario: Scenario) -> tuple[str, ...]:
    """Return a sentence for each lesson and each story that the sheet of `scenario` promises and that is nowhere."""
    known = {name for each in library.everything() for name in (each.id, *each.replaces)}
    beside = Path(scenario.path).parent.parent
    needs = [each for each in scenario.needs if each not in known and not (beside / each).is_dir()]
    languages = [each for each in scenario.title.by_language() if scenario.stories and each not in scenario.stories]
    return (
        *(f"It needs the lesson {each}, which is nowhere: needs are ids of lessons." for each in needs),
        *(f"The title is written in {each}, but there is no story.{each}.md." for each in languages),
    )


class CheckWorker:
    """One worker process for as long as it lives; a new one, when asked, after that.

    It runs at `remote`. With a `folder` that is where it is; with a `limit_s` all that it is asked may take that long
    together.
    """

    def __init__(
        self, cpu_devices: int, *, remote: Remote = HERE, folder: Path | None = None, limit_s: float | None = None
    ) -> None:
        self._cpu_devices, self.remote, self._folder, self._limit_s = cpu_devices, remote, folder, limit_s
        self._pipe: WorkerPipe | None = None
        self._prepare: Prepare | None = None
        self._alarm: threading.Timer | None = None
        self.jax = ""
        """The version of jax, once the worker has reported it."""
        self.is_used_up = False
        """Whether a program has left something in the process that the next one would meet."""
        self.is_late = False
        """Whether the limit has passed, or `stop` was called: no request is answered any more."""

    def __enter__(self) -> CheckWorker:
        return self

    def __exit__(self, *_: object) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        self.give_up()

    def pipe(self, request: Request) -> WorkerPipe:
        """Return the pipe to a worker that is ready for `request`. Raises WorkerEnded, and TimeoutError when late."""
        prepare = preparation.of(request.source, request.filename)
        if self.is_used_up or prepare != self._prepare:
            self.give_up()
        if self._pipe is None and not self.is_late:
            own: dict[str, Any] = {}
            if self._folder is not None:
                # The program before may have removed it.
                self._folder.mkdir(parents=True, exist_ok=True)
                own = {"folder": self._folder}
            self._pipe = WorkerPipe(self.remote, cpu_devices=self._cpu_devices, prepare=prepare, **own)
            self._prepare = prepare
            self.jax = self._pipe.hello().jax
            if self._limit_s is not None and self._alarm is None:
                self._alarm = threading.Timer(self._limit_s + GRACE_S, self.stop)
                self._alarm.daemon = True
                self._alarm.start()
        if self._pipe is None or self.is_late:
            raise TimeoutError
        return self._pipe

    def give_up(self) -> None:
        """End the process, because it died or is no longer needed."""
        self.is_used_up = False
        if self._pipe is not None:
            self._pipe.__exit__()
            self._pipe = None

    def stop(self) -> None:
        """End the process, from any thread, and start no other."""
        self.is_late = True
        if (pipe := self._pipe) is not None:
            pipe.stop()

    def failure_of_late(self) -> Failure:
        """Return how it is reported that the answer took too long."""
        if self.is_late and self._limit_s is not None:
            return Failure("Timeout", f"The file had run for {self._limit_s:g} s and was stopped.")
        return Failure("Timeout", "It did not end and could not be interrupted.")


def run_all(request: Request, worker: CheckWorker) -> Snapshot:
    """Return the snapshot of all variants; `worker` is restarted after each variant that ends its process."""
    done: dict[str, Report] = {}
    order: list[str] = []
    while True:
        snapshot, casualty = _run_in(worker, request)
        if casualty is not None:
            worker.give_up()
        order = order or [report.name for report in snapshot.reports]
        done |= {report.name: report for report in snapshot.reports if report.status is not None}
        pending = [report.name for report in snapshot.reports if report.status is None]
        if casualty is not None and pending:
            # They run in order, so the first one without a result is the one that took the worker along.
            status: Status = "timeout" if casualty.type == "Timeout" else "error"
            done[pending[0]] = Report(pending[0], status=status, failure=casualty)
        elif casualty is not None:
            snapshot = msgspec.structs.replace(snapshot, failure=casualty)
        if casualty is None or not pending[1:]:
            reports = tuple(done[name] for name in order if name in done)
            return msgspec.structs.replace(snapshot, reports=reports, complete=True)
        request = msgspec.structs.replace(request, variants=tuple(pending[1:]))


def _run_in(worker: CheckWorker, request: Request) -> tuple[Snapshot, Failure | None]:
    """Return the last snapshot that `worker` sent, and why it sent no more, if so."""
    snapshot = Snapshot(request.run, request.device, complete=False)
    patience_s = START_S if request.timeout_s is None else request.timeout_s + PATIENCE_S
    try:
        for message in worker.pipe(request).ask(request, patience_s):
            if isinstance(message, Snapshot):
                snapshot = message
            worker.is_used_up = worker.is_used_up or isinstance(message, UsedUp)
    except WorkerEnded as end:
        failure = Failure(DIED, program_ended(str(end)), explanation=CRASH_EXPLANATION)
        return snapshot, failure
    except TimeoutError:
        return snapshot, worker.failure_of_late()
    return snapshot, None


def judge(scenario: Scenario, snapshot: Snapshot) -> tuple[tuple[str, ...], int]:
    """Return the complaints about `snapshot` and the exit code.

    A scenario must have exactly its expected findings; other code must raise no error and have no bug.
    """
    if snapshot.failure is not None:
        lacks = packages.sentence(scenario)
        return (str(lacks) or f"{snapshot.failure.type}: {snapshot.failure.message}",), 2
    complaints: list[str] = []
    exit_code = 0
    for report in snapshot.reports:
        plan = scenario.plan(report.name)
        expected_error = plan.error if plan else ""
        expected = sorted(plan.expects) if plan else []
        found = sorted({each.kind for each in report.findings or () if _counts(each, expected)})
        if complaint := _error_complaint(report, expected_error):
            complaints.append(complaint)
            exit_code = 2
        elif found != expected:
            complaints.append(_findings_complaint(report.name, found, expected, known=plan is not None))
            exit_code = max(exit_code, 1)
    return tuple(complaints), exit_code


def _counts(finding: Finding, expected: list[str]) -> bool:
    """Return whether a scenario is checked against `finding`: to every bug, and to a warning that it expects."""
    return finding.level == "bug" or (finding.level == "warning" and finding.kind in expected)


def _error_complaint(report: Report, expected: str) -> str:
    found = report.failure.type if report.failure else ""
    if found == expected:
        return ""
    if expected and not found:
        return f"{report.name} was expected to raise {expected}, and raised nothing."
    if expected:
        return f"{report.name} was expected to raise {expected}, and raised {found}."
    return f"{report.name} failed: {found}."


def _findings_complaint(name: str, found: list[str], expected: list[str], *, known: bool) -> str:
    has = ", ".join(found) or "nothing at level bug"
    if not known:
        return f"{name} has {has}."
    return f"{name} has {has}; expected is {', '.join(expected) or 'nothing at level bug'}."
