"""`jax-explorer check` of many files, each in its own process and folder; marks exercises, writes a CSV table."""

from __future__ import annotations

import contextlib
import csv
import io
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from explorer.commands import check, findings_report, lesson_check
from explorer.commands.in_ci import problems
from explorer.commands.in_ci.output import OutputOptions
from explorer.commands.in_ci.problems import FileProblem
from explorer.commands.lesson_check import DONE, NOT_DONE, ExerciseMark
from explorer.commands.repository import ChangedLines
from explorer.commands.targets import Target
from explorer.figures.json_records import check_record
from explorer.library import own_file
from explorer.link import temporary
from explorer.link.pipe import NOTHING_TO_RUN
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Failure, Level, Request, Snapshot, Value
from explorer.messages.encodable import encodable_text
from explorer.scenario import requests
from explorer.scenario.code_inputs import known_settings
from explorer.scenario.scenario import Scenario
from explorer.scenario.step_states import opening, walk

AT_A_TIME = 2
VERDICTS = ("fine", "to fix", "failed")
"""The verdict on a target by its exit code."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that a spreadsheet program reads as a formula."""


class Options(NamedTuple):
    """The options that apply to every target."""

    lesson: Scenario | None = None
    """The lesson whose exercises are marked."""
    variants: tuple[str, ...] = ()
    parameters: Mapping[str, Value] = {}
    device: str = ""
    remote: Remote = HERE
    timeout_s: float = 60.0
    """The most seconds for one target."""
    jax_checker: bool = False
    changed: ChangedLines | None = None
    """The lines whose findings count; None for all."""
    colour: bool = False
    at_work: Callable[[check.CheckWorker], None] = lambda _: None
    """Called with each worker before it starts."""


class Outcome(msgspec.Struct, frozen=True):
    """The result of one target."""

    name: str
    exit_code: int
    text: str
    """The whole report, of several lines."""
    record: dict[str, Any]
    """The record for ``--json``."""
    exercises: tuple[ExerciseMark, ...] = ()
    bugs: int = 0
    warnings: int = 0
    error: str = ""
    """The type of the first unexpected error; empty for none."""
    line: int | None = None
    timed_out: bool = False
    seconds: float = 0.0
    problems: tuple[FileProblem, ...] = ()
    """The problems for SARIF and GitHub."""


def run(targets: Sequence[Target], wanted: Options, *, output: OutputOptions, table: Path | None) -> int:
    """Check all `targets`, print the reports in order, write a `table` of the outcomes, and return the exit code."""
    found: list[Outcome] = []
    with contextlib.closing(_all(targets, wanted)) as all_:
        for outcome in all_:
            text = _report(outcome, wanted.lesson)
            found.append(structs.replace(outcome, text=text if output.file else ""))
            if output.is_text:
                sys.stdout.write(encodable_text(text))
                sys.stdout.flush()
    whole = "".join(each.text for each in found) + _summary(found)
    problems_once = dict.fromkeys(problem for each in found for problem in each.problems)
    content = output.formatted(whole, [each.record for each in found], problems_once)
    if output.is_text:
        sys.stdout.write(_summary(found) + "\n")
    else:
        sys.stdout.write(encodable_text(content))
    output.write(content)
    if table is not None:
        rows = _csv(found, len(wanted.lesson.exercises) if wanted.lesson else 0)
        try:
            own_file.write_atomically(table, rows.encode())
        except OSError:
            # The results took their time and should not be lost with the file.
            sys.stderr.write(rows)
            raise
    return output.code(max((each.exit_code for each in found), default=2))


# -- all of them ------------------------------------------------------------------------------


def _all(targets: Sequence[Target], wanted: Options) -> Generator[Outcome, None, None]:
    """Yield the outcomes in order; closing the generator ends the remaining processes."""
    workers: list[check.CheckWorker] = []
    is_over = threading.Event()

    def begins(worker: check.CheckWorker) -> None:
        workers.append(worker)
        if is_over.is_set():
            worker.stop()

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        found = [pool.submit(outcome, each, wanted._replace(at_work=begins)) for each in targets]
        try:
            for each in found:
                while not each.done():
                    # Not for ever: on Windows nothing else is heard meanwhile, Ctrl-C neither.
                    wait([each], 0.5)
                yield each.result()
        finally:
            is_over.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in workers:
                worker.stop()


def outcome(target: Target, wanted: Options) -> Outcome:
    """Return the outcome of `target`, run in its own folder. Raises nothing: errors are part of the outcome."""
    begin = time.monotonic()
    failure: Failure
    try:
        if target.scenario.problem:
            failure = Failure("Unreadable", target.scenario.problem)
        else:
            # A program may remove its folder, and all those above; what it leaves goes with it.
            Path(tempfile.gettempdir()).mkdir(parents=True, exist_ok=True)
            with temporary.folder() as place:
                found = (_check if wanted.lesson is None else _mark)(target, wanted, place.resolve() / "work")
            return _timed(found, begin)
    except Exception as error:
        # One that cannot be checked must not cost the others.
        failure = Failure(type(error).__name__, str(error))
    checked = check.CheckResult("", Snapshot(1, "", True, failure=failure), (f"{failure.type}: {failure.message}",), 2)
    lesson = wanted.lesson
    marks = (ExerciseMark(NOT_DONE),) * len(lesson.exercises) if lesson else ()
    return _timed(_outcome(target, wanted, checked, marks), begin)


def _timed(found: Outcome, begin: float) -> Outcome:
    seconds = round(time.monotonic() - begin, 1)
    return structs.replace(found, seconds=seconds, record={**found.record, "seconds": seconds})


def _check(target: Target, wanted: Options, folder: Path) -> Outcome:
    worker = check.CheckWorker(target.scenario.devices, remote=wanted.remote, folder=folder, limit_s=wanted.timeout_s)
    wanted.at_work(worker)
    checked = check.check(
        target.scenario,
        variants=wanted.variants,
        parameters=wanted.parameters,
        device=wanted.device,
        timeout_s=wanted.timeout_s,
        jax_checker=wanted.jax_checker,
        worker=worker,
        changed=wanted.changed,
    )
    return _outcome(target, wanted, checked, ())


# -- exercises --------------------------------------------------------------------------------


def _mark(target: Target, wanted: Options, folder: Path) -> Outcome:
    """Return the marks of the exercises in the code of `target`, run with its own values, else with the lesson's."""
    lesson = wanted.lesson
    assert lesson is not None
    last = (walk(lesson) or (opening(lesson),))[-1]
    # Its own folder is not its place: what removes that would remove what the others have handed in.
    path = folder / Path(target.name).name
    folder.mkdir()
    path.write_text(target.scenario.source, encoding="utf-8", newline="\n")
    request = requests.analysis(lesson)
    request = structs.replace(
        request,
        source=target.scenario.source,
        filename=str(path),
        variants=wanted.variants,
        parameters=dict(wanted.parameters),
        device=wanted.device or request.device,
        timeout_s=wanted.timeout_s,
        jax_checker=last.jax_checker or wanted.jax_checker,
        draws=True,
        traces=True,
        value_checks=True,
    )
    worker = check.CheckWorker(lesson.devices, remote=wanted.remote, folder=folder, limit_s=wanted.timeout_s)
    wanted.at_work(worker)
    with worker:
        snapshot = _run_all(request, worker, lesson)

        def trial(each: Request) -> Snapshot:
            return check.run_all(each, worker)

        marks = lesson_check.marks(lesson, request, snapshot, trial)
        settings = {**known_settings(last.parameters, target.scenario.source), **wanted.parameters}
        is_open = any(each.word == NOT_DONE for each in marks) and snapshot.failure is None
        if settings != request.parameters and is_open and not worker.is_late:
            again = structs.replace(request, parameters=settings)
            marks = tuple(map(lesson_check.better, marks, lesson_check.marks(lesson, again, trial(again), trial)))
    failed = _first_failure(lesson, snapshot) is not None
    exit_code = 0 if all(mark.word == DONE for mark in marks) else 2 if failed else 1
    return _outcome(target, wanted, check.CheckResult(worker.jax, snapshot, (), exit_code), marks)


def _run_all(request: Request, worker: check.CheckWorker, lesson: Scenario) -> Snapshot:
    """Return the snapshot of `request`; where one variant ends the process at once, the variants run separately."""
    snapshot = check.run_all(request, worker)
    if snapshot.failure is None and not snapshot.reports:
        return structs.replace(snapshot, failure=NOTHING_TO_RUN)
    if snapshot.failure is None or snapshot.failure.type != check.DIED or request.variants:
        return snapshot
    names = dict.fromkeys(each.variant for each in lesson.exercises if each.variant)
    alone = [check.run_all(structs.replace(request, variants=(name,)), worker) for name in names]
    reports = tuple(report for each in alone if each.failure is None for report in each.reports)
    best = next((each for each in alone if each.failure is None), snapshot)
    return structs.replace(best, reports=reports, failure=snapshot.failure)


def _first_failure(lesson: Scenario | None, snapshot: Snapshot) -> Failure | None:
    """Return the first error that `lesson` does not mean to happen."""
    if snapshot.failure is not None:
        return snapshot.failure
    for report in snapshot.reports:
        plan = lesson.plan(report.name) if lesson else None
        if report.failure is not None and not (plan and plan.error == report.failure.type):
            return report.failure
    return None


# -- the report ---------------------------------------------------------------------------------


def _outcome(target: Target, wanted: Options, checked: check.CheckResult, marks: tuple[ExerciseMark, ...]) -> Outcome:
    snapshot = checked.snapshot
    is_done = bool(marks) and all(each.word == DONE for each in marks)
    # An error of another variant does not undo finished exercises.
    failure = None if is_done else _first_failure(wanted.lesson or target.scenario, snapshot)
    statuses = {report.status for report in snapshot.reports}
    record = {**check_record(target.name, checked.jax, snapshot), "exit_code": checked.exit_code}
    if wanted.lesson is not None:
        record["exercises"] = [each.word for each in marks]
        record["missing"] = [each.missing for each in marks]
    elif target.scenario.variants:
        record["complaints"] = list(checked.complaints)
    text = findings_report.text(target.scenario, checked, colour=wanted.colour) if wanted.lesson is None else ""
    if text and target.scenario.variants and snapshot.failure is None:
        # For other code the text is complete.
        text = "\n".join([text, *checked.complaints])
    return Outcome(
        target.name,
        checked.exit_code,
        text,
        record,
        marks,
        _at("bug", snapshot),
        _at("warning", snapshot),
        failure.type if failure else "",
        failure.line if failure else None,
        not is_done and ("timeout" in statuses or (failure is not None and failure.type == "Timeout")),
        problems=problems.of_check(target.scenario, checked),
    )


def _at(level: Level, snapshot: Snapshot) -> int:
    return sum(each.level == level for report in snapshot.reports for each in report.findings or ())


def _report(outcome: Outcome, lesson: Scenario | None) -> str:
    """Return the report on one target; a line for a student's file."""
    if lesson is None:
        return f"== {outcome.name}\n{outcome.text}\n\n"
    marks = ", ".join(
        f"{number} {mark.word}" + f" ({mark.missing})" * bool(mark.missing)
        for number, mark in enumerate(outcome.exercises, 1)
    )
    at = f" on line {outcome.line}" if outcome.line else ""
    error = f" · {outcome.error}{at}" if outcome.error else ""
    bugs, warnings = findings_report.counted(outcome.bugs, "bug"), findings_report.counted(outcome.warnings, "warning")
    return f"{outcome.name}: {marks} · {bugs}, {warnings}{error} · {outcome.seconds:.1f} s\n"


def _summary(found: Sequence[Outcome]) -> str:
    counts = [sum(each.exit_code == code for each in found) for code in range(len(VERDICTS))]
    counted = [f"{number} {verdict}" for number, verdict in zip(counts, VERDICTS, strict=True) if number]
    marks = zip(*(each.exercises for each in found), strict=True)
    done = [
        f"exercise {number}: {sum(mark.word == DONE for mark in column)} of {len(column)}"
        for number, column in enumerate(marks, 1)
    ]
    return f"{len(found)} checked: {', '.join(done or counted)}"


def _csv(found: Sequence[Outcome], exercises: int) -> str:
    """Return a line for each, below one that names the columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = [f"exercise {number}" for number in range(1, exercises + 1)]
    writer.writerow(["file", *columns, "bugs", "warnings", "error", "line", "timeout", "seconds"])
    for each in found:
        figures = [each.bugs, each.warnings, _cell(each.error), each.line, "yes" if each.timed_out else "no"]
        writer.writerow([_cell(each.name), *(mark.word for mark in each.exercises), *figures, f"{each.seconds:.1f}"])
    return text.getvalue()


def _cell(text: str) -> str:
    """Return `text` in a form that no spreadsheet program reads as a formula."""
    text = encodable_text(text)
    return f"'{text}" if text.startswith(FORMULA) else text
