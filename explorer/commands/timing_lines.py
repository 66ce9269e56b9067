"""``jax-explorer time --lines``: the share of each line in the operation time; text for people, JSON for scripts."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from explorer.commands.timing import circumstances, print_json
from explorer.figures.curves import seconds_text
from explorer.figures.json_records import failure_record, traces_record
from explorer.figures.shares import share_text
from explorer.link import preparation
from explorer.link.command import program_ended
from explorer.link.pipe import NOTHING_TO_RUN, WorkerEnded, WorkerPipe
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Failure, FunctionTraces, Hello, LensAnswer, LensRequest, Report, Snapshot, Value
from explorer.messages.lenses import TIME
from explorer.messages.tables import Lens
from explorer.scenario import requests
from explorer.scenario.scenario import Scenario

LEAST = 0.001
"""Smaller shares are not printed."""
_LENS = "time"
_NOTHING: dict[str, Any] = {"shares": [], "calls": 0, "operation_s": 0.0}


def run(
    scenario: Scenario,
    target: str,
    *,
    variants: tuple[str, ...],
    parameters: Mapping[str, Value],
    device: str,
    as_json: bool,
    remote: Remote = HERE,
) -> int:
    """Print the operation time of the variants of `scenario` by line; return 0, or 2 if none could be measured."""
    request = requests.analysis(scenario)
    request = msgspec.structs.replace(
        request,
        variants=variants,
        parameters=dict(parameters),
        device=device or request.device,
        traces=True,
        compiles_anew=True,
    )
    prepare = preparation.of(request.source, request.filename)
    hello: Hello | None = None
    snapshot, answers, failure = None, {}, None
    try:
        with WorkerPipe(remote, cpu_devices=scenario.devices, prepare=prepare) as worker:
            hello = worker.hello()
            *_, snapshot = (each for each in worker.ask(request) if isinstance(each, Snapshot))
            numbers = count(request.run + 1)
            for report in snapshot.reports:
                if _LENS in report.lenses:
                    asked = LensRequest(next(numbers), request.run, report.name, _LENS, TIME.id, subject=report.subject)
                    *_, answers[report.name] = (each for each in worker.ask(asked) if isinstance(each, LensAnswer))
            failure = snapshot.failure or (None if snapshot.reports else NOTHING_TO_RUN)
    except WorkerEnded as end:
        failure = Failure("WorkerDied", program_ended(str(end)))
    reports = snapshot.reports if snapshot is not None else ()
    code = scenario.source.splitlines()
    records = [_record(each, answers.get(each.name), code) for each in reports]
    if as_json:
        where = circumstances(target, hello, snapshot.device if snapshot is not None else device, remote)
        print_json({**where, "variants": records, "error": failure_record(failure)})
    else:
        for report in reports:
            lines = [*_listing(report, answers.get(report.name), code), *_functions(report.traces or ())]
            print("\n".join(lines))  # noqa: T201
    if failure is not None:
        sys.stderr.write(f"jax-explorer: {failure.type}: {failure.message}\n{failure.explanation}".rstrip() + "\n")
    return 0 if failure is None and any(each["shares"] for each in records) else 2


def _data(answer: LensAnswer | None) -> dict[str, Any]:
    found: dict[str, Any] = answer.lens.data if answer is not None and answer.lens is not None else _NOTHING
    return found


def _reason(report: Report, answer: LensAnswer | None) -> str:
    """Return a sentence on a variant without shares; empty for one that has them."""
    if _data(answer)["shares"]:
        return ""
    lens = answer.lens if answer is not None and answer.lens is not None else Lens()
    failure = lens.failure or report.failure or (report.program.failure if report.program is not None else None)
    sentence = str(lens.sentence or (answer.sentence if answer is not None else ""))
    return " ".join(filter(None, (sentence, f"{failure.type}: {failure.message}" if failure is not None else "")))


def _record(report: Report, answer: LensAnswer | None, code: Sequence[str]) -> dict[str, Any]:
    data = _data(answer)
    shares = [{**each, "code": [_code(code, line) for line in each["lines"]]} for each in data["shares"]]
    functions = [traces_record(each) for each in report.traces or ()]
    name, reason = report.subject or report.name, _reason(report, answer)
    return {"name": name, **data, "shares": shares, "reason": reason, "functions": functions}


def _listing(report: Report, answer: LensAnswer | None, code: Sequence[str]) -> Iterator[str]:
    """Yield the lines with their shares of operation time, the most expensive first."""
    data = _data(answer)
    name, shares = report.subject or report.name, data["shares"]
    if not shares:
        yield f"{name}: {_reason(report, answer) or 'there is nothing to measure.'}"
        return
    yield f"{name}: {seconds_text(data['operation_s'])} of operation time in a call (median of {data['calls']} calls)"
    shown = [each for each in shares if each["share"] >= LEAST]
    texts = [share_text(each["share"], each["low"], each["high"]) for each in shown]
    width, digits = max(map(len, texts)), len(str(max((line for each in shown for line in each["lines"]), default=0)))
    for share, text in zip(shown, texts, strict=True):
        for place, words in enumerate(_words(share, code, digits)):
            yield f"{'' if place else text:>{width}} | {words}"
    yield "Threads overlap: these are shares of operation time, not of the time that passes."
    if any(len(each["lines"]) > 1 for each in shown):
        yield "+ is computed together with the line above, in a fusion that is not split."
    if len(shown) < len(shares):
        yield f"Lines below {LEAST:.1%} are left out: {len(shares) - len(shown)}."


def _functions(traces: Sequence[FunctionTraces]) -> Iterator[str]:
    """Yield the time of tracing, lowering and compiling by jitted function."""
    if not traces:
        return
    names = [f"{each.name}, line {each.span.line}" if each.span is not None else each.name for each in traces]
    width = max(map(len, names))
    yield "By jitted function, in one recorded run:"
    for name, each in zip(names, traces, strict=True):
        stages = (
            ("traced", each.traces, each.trace_s),
            ("lowered", 0, each.lower_s),
            ("compiled", each.compiles, each.compile_s),
        )
        yield f"{name:{width}} | {', '.join(_stage(*stage) for stage in stages)}"
    if not all(each.trace_s for each in traces):
        yield "A function that another one calls is traced in the time of that."


def _stage(word: str, times: int, seconds: float) -> str:
    """Return a stage with its count, where it is more than one, and its time: ``compiled 2 times in 90 ms``."""
    return f"{word}{f' {times} times' if times > 1 else ''}{f' in {seconds_text(seconds)}' if seconds else ''}"


def _words(share: Mapping[str, Any], code: Sequence[str], digits: int) -> Iterator[str]:
    """Yield each line of a share; those after the first belong to the same operations."""
    if not share["lines"]:
        yield f"{'':{digits}}  (without a line: {', '.join(share['operations'])})"
    for place, line in enumerate(share["lines"]):
        yield f"{line:{digits}}{'+' if place else ' '} {_code(code, line)}"


def _code(code: Sequence[str], line: int) -> str:
    return code[line - 1].strip() if 0 < line <= len(code) else ""
