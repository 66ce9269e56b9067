"""``jax-explorer time``: runs a sweep in a worker; a table for people, JSON for scripts."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from explorer.figures.curves import Ratio, is_jitted, note_lines, paired_ratio, seconds_text
from explorer.figures.json_records import failure_record, measurement_record
from explorer.link import preparation
from explorer.link.command import program_ended
from explorer.link.pipe import NOTHING_TO_RUN, WorkerEnded, WorkerPipe
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import (
    TOP_LEVEL,
    Failure,
    Hello,
    Measurement,
    Request,
    Snapshot,
    TimingDone,
    TimingRequest,
    Transform,
    Value,
    subjects,
)
from explorer.scenario import requests
from explorer.scenario.scenario import Scenario


def run(
    scenario: Scenario,
    target: str,
    *,
    variants: tuple[str, ...],
    parameters: Mapping[str, Value],
    device: str,
    transforms: tuple[Transform, ...],
    sweep_name: str,
    sweep_values: tuple[Value, ...],
    budget_s: float | None,
    as_json: bool,
    remote: Remote = HERE,
) -> int:
    """Time `scenario`, print the result and return the exit code: 0, or 2 where nothing could be timed.

    Without `budget_s` one point may be sampled for 0.25 seconds per curve.
    """
    planned = scenario.timing.parameter
    if not sweep_name and planned and planned not in parameters:
        sweep_name, sweep_values = requests.sweep_of(scenario, ())
    plan = requests.timing(scenario)
    request = msgspec.structs.replace(
        plan,
        variants=variants or plan.variants,
        parameters=dict(parameters),
        device=device or plan.device,
        transforms=transforms or plan.transforms,
        sweep_name=sweep_name,
        sweep_values=sweep_values,
        budget_s=_budget_s(scenario, variants, transforms) if budget_s is None else budget_s,
    )
    hello, measurements, failure = _measure(request, scenario.devices, remote)
    if not measurements:
        failure = failure or NOTHING_TO_RUN
    where = _circumstances(target, hello, measurements[0].device if measurements else device, remote)
    if as_json:
        points = [measurement_record(each) for each in measurements]
        record = {**where, "points": points, "error": failure_record(failure)}
        print(msgspec.json.format(msgspec.json.encode(record), indent=2).decode())  # noqa: T201
    elif measurements:
        print(table(measurements))  # noqa: T201
        at = "" if remote.is_here else f" at {remote.name}"
        print(f"jax {where['jax']}, Python {where['python']}{at}")  # noqa: T201
    if failure is not None:
        sys.stderr.write(f"jax-explorer: {failure.type}: {failure.message}\n{failure.explanation}".rstrip() + "\n")
    timed = any(each.median_s is not None for each in measurements)
    return 0 if timed and failure is None else 2


def _circumstances(target: str, hello: Hello | None, device: str, remote: Remote) -> dict[str, Any]:
    """Return the target of a measurement and its machine, as fields of the JSON record."""
    return {
        "target": target,
        "jax": hello.jax if hello else "",
        "python": hello.python if hello else platform.python_version(),
        "machine": f"{platform.node()} {platform.machine()}" if remote.is_here else remote.name,
        "device": device,
    }


def _budget_s(scenario: Scenario, variants: tuple[str, ...], transforms: tuple[Transform, ...]) -> float:
    names = variants or scenario.timing.variants or tuple(plan.name for plan in scenario.variants)
    ways = transforms or scenario.timing.transforms
    return requests.CURVE_BUDGET_S * max(1, len(names)) * len(ways)


def _measure(
    request: TimingRequest, cpu_devices: int, remote: Remote
) -> tuple[Hello | None, list[Measurement], Failure | None]:
    final: list[Measurement] = []
    hello, failure = None, None
    prepare = preparation.of(request.source, request.filename)
    try:
        with WorkerPipe(remote, cpu_devices=cpu_devices, prepare=prepare) as worker:
            hello = worker.hello()
            request, failure = _of_script(request, worker)
            for message in worker.ask(request) if failure is None else ():
                if isinstance(message, Measurement) and message.final:
                    final.append(message)
                    _tell(message)
                elif isinstance(message, TimingDone):
                    failure = message.failure
    except WorkerEnded as end:
        failure = Failure("WorkerDied", program_ended(str(end)))
    return hello, final, failure


def _of_script(request: TimingRequest, worker: WorkerPipe) -> tuple[TimingRequest, Failure | None]:
    """Return `request` for the function of a script that it is most about, and say which that is; else why not."""
    if request.named or re.search(r"^def inputs\b", request.source, re.MULTILINE):
        return request, None
    asked = Request(request.run, request.source, request.filename, request.device, variants=request.variants)
    wanted = next(iter(request.variants), "")
    if wanted and not wanted.isidentifier():
        # A function under a transform: only the run of the script knows it.
        asked = msgspec.structs.replace(asked, variants=(), subject=wanted)
    *_, snapshot = (each for each in worker.ask(asked) if isinstance(each, Snapshot))
    report = snapshot.report(TOP_LEVEL)
    if report is None:
        return request, snapshot.failure
    if not report.subject:
        words = "The script calls no function of its own with arrays, so there is nothing to time."
        return request, report.failure or Failure("NothingToTime", words)
    chosen = next(each for each in report.subjects if each.name == report.subject)
    others = ", ".join(each.name for each in report.subjects if each is not chosen)
    more = f"; for another one: --variant NAME ({others})" if others else ""
    words = f"This times {chosen.name}, with the arguments of its call on line {chosen.line}{more}.\n"
    sys.stderr.write(words)
    return subjects.timed(msgspec.structs.replace(request, run=request.run + 1), chosen), None


def _tell(measurement: Measurement) -> None:
    """Print that `measurement` is done."""
    what = " ".join([measurement.variant, *measurement.transforms, *settings(measurement)])
    figure = seconds_text(measurement.median_s) if measurement.median_s is not None else "no figure"
    sys.stderr.write(f"timed {what}: {figure}\n")


HEADINGS = ("variant", "as", "at", "median", "quartiles", "compile", "first call")


def table(measurements: Sequence[Measurement]) -> str:
    """Return the measurements as aligned columns, with the common settings and the device below.

    Each row is compared with the first of its point, pair by pair; the interval is that of the ratio.
    """
    first = measurements[0]
    same = [each for each in settings(first) if all(each in settings(other) for other in measurements)]
    rows = [(*HEADINGS, f"against {_name(first)}", "notes")]
    heads: dict[tuple[str, ...], Measurement] = {}
    for each in measurements:
        here = settings(each)
        head = heads.setdefault(tuple(here), each)
        rows.append((
            each.variant,
            "+".join(each.transforms),
            " ".join(setting for setting in here if setting not in same),
            _time(each.median_s),
            f"{_time(each.q1_s)} to {_time(each.q3_s)}" if each.q1_s is not None else "",
            _time(each.compile_s),
            _time(each.first_call_s),
            _against(head, each) if each is not head and _name(head) == _name(first) else "",
            "; ".join(_notes(each)),
        ))  # fmt: skip
    shown = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in shown}
    lines = ["  ".join(row[column].ljust(widths[column]) for column in shown).rstrip() for row in rows]
    device = next((each.device for each in measurements if each.device), "")
    return "\n".join([*lines, "; ".join(filter(None, [device, *same]))])


def settings(measurement: Measurement) -> list[str]:
    """Return the parameters of `measurement` as ``name=value``."""
    return [f"{name}={value}" for name, value in measurement.parameters.items()]


def _name(measurement: Measurement) -> str:
    return f"{measurement.variant} ({'+'.join(measurement.transforms)})"


def _against(head: Measurement, each: Measurement) -> str:
    """Return how `each` compares with `head`; empty for a function with and without jit that has no version without."""
    is_same = each.variant == head.variant and is_jitted(head) and each.transforms != head.transforms
    return "" if is_same else ratio_text(paired_ratio(head, each))


def ratio_text(ratio: Ratio | None) -> str:
    """Return how many times faster something is that another takes `ratio` times as long as."""
    if ratio is None:
        return ""
    if ratio.shows_no_difference:
        return "no difference shown"
    if ratio.is_about_one:
        return "about as fast"
    about = "about " if ratio.low is None else ""
    return f"{about}{' to '.join(ratio.times)} times {'faster' if ratio.middle >= 1 else 'slower'}"


def _notes(measurement: Measurement) -> list[str]:
    failure = measurement.failure
    return [*note_lines(measurement), *([f"{failure.type}: {failure.message}"] if failure else [])]


def _time(seconds: float | None) -> str:
    return "" if seconds is None else seconds_text(seconds)
