"""The report of a script, with its curves and its functions' programs; that of one that failed, with what it drew."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import jax
import numpy as np
from msgspec.structs import replace

from explorer.messages import TOP_LEVEL, Failure, Program, Report, Request, Status, Subject
from explorer.messages.subjects import about, chosen, weight
from explorer.worker.code import user_code
from explorer.worker.code.first_calls import CalledFunction, ScriptCalls
from explorer.worker.internals.batching import mapped_calls
from explorer.worker.internals.batching.mapped_calls import MappedCall
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.misuse import findings
from explorer.worker.pictures import pictures, repeated_draws
from explorer.worker.process.channel import Channel
from explorer.worker.program import program
from explorer.worker.recording.interrupt import Interrupt, TimeLimit
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs import call_curves, coverage
from explorer.worker.runs.isolated import isolated
from explorer.worker.runs.lens import FinishedRun, offered

MOST_TRACED = 8
"""The most functions of a script whose programs are sent."""
PATIENCE_S = 3.0
"""Seconds for the trace of a function: a plain one may be the whole training in Python."""


def with_more(
    report: Report, request: Request, watched: ScriptCalls | None, recording: Recording, channel: Channel
) -> Report:
    """Return `report` on the run of a script with its curves, and with the programs of its functions."""
    lists = tuple(watched.lists.values()) if watched is not None else ()
    report = replace(report, calls=call_curves.curves(recording.calls, recording.is_user_code, lists=lists))
    if watched is None or report.status == "timeout":
        return report
    known, of_libraries = watched.called, watched.of_libraries
    wanted = request.subject
    plain = replace(request, form="jaxpr")
    mapped: dict[str, CalledFunction] = {}
    found: list[Subject] = []
    for functions in (known, of_libraries):
        if not any(each.lines for each in found):
            # A function of arrays is JAX's business; any other may be a whole program in Python.
            order = sorted(
                functions.values(), key=lambda each: (each.name == wanted, each.jitted, each.takes_arrays, each.calls)
            )
            found += _traced(order[: -MOST_TRACED - 1 : -1], plain, recording.is_user_code, channel, mapped)
    known |= of_libraries
    mapped = {name: each for name, each in mapped.items() if name not in known}
    known |= mapped
    found += _traced(list(mapped.values()), plain, recording.is_user_code, channel, {})
    takes_arrays = {name for name, each in known.items() if each.takes_arrays}
    found.sort(key=lambda each: (each.jitted, not each.inside, each.name in takes_arrays, *weight(each)), reverse=True)
    subjects = [each for each in found if each.lines or each.name == wanted]
    # Why there is no program is better than nothing.
    own = [each for each in found if each.name not in of_libraries]
    subjects = subjects or [each for each in own if known[each.name].takes_arrays][:1]
    subject = chosen(subjects, report.findings or (), wanted)
    if subject is None:
        return report
    if request.form != "jaxpr":
        with isolated(channel.printed, set()):
            text = _program(known[subject.name], request, recording.is_user_code)
        subjects = [replace(each, program=text if each is subject else None) for each in subjects]
    return about(replace(report, subjects=tuple(subjects)), subject.name)


def about_the_worst(report: Report, request: Request) -> Report:
    """Return `report` with the program that suits its findings, now that all are known."""
    subject = chosen(report.subjects, report.findings or (), request.subject)
    return about(report, subject.name) if subject is not None else report


def _traced(
    functions: Sequence[CalledFunction],
    request: Request,
    is_user_code: Callable[[str], bool],
    channel: Channel,
    mapped: dict[str, CalledFunction],
) -> Iterator[Subject]:
    """Yield each of `functions` with its jaxpr, while there is time; what it does outside is dropped.

    The functions that they map with vmap are added to `mapped`, by name.
    """
    start = time.monotonic()
    for each in functions:
        left_s = PATIENCE_S - (time.monotonic() - start)
        try:
            with (
                channel.interrupts.time_limit(max(left_s, 0.1)),
                isolated(channel.printed, set()),
                mapped_calls.watched(partial(_note, mapped, each.name), is_user_code),
            ):
                made = _program(each, request, is_user_code)
        except TimeLimit:
            continue
        except Interrupt:
            raise
        except BaseException:  # it does something that must not happen twice
            continue
        spans = (equation.span for equation in made.equations)
        lines = tuple(sorted({span.shown_line for span in spans if span is not None} - {0}))
        # Inside of a program its arguments have no values to run it with.
        lenses = offered(_as_ended(each, made, request)) if not each.inside else ()
        yield Subject(each.name, each.line, each.calls, each.jitted, lines, made, lenses, each.mapped, each.inside)


def _note(mapped: dict[str, CalledFunction], outer: str, call: MappedCall, line: int) -> None:
    """Add the function that `call`, which the program of `outer` makes, maps with vmap to `mapped`."""
    types = [jax.ShapeDtypeStruct(each.shape, each.dtype) if hasattr(each, "dtype") else each for each in call.leaves]
    called = CalledFunction(
        f"vmap({call.name})", line, False, call.called, {"leaves": types}, 1, mapped=True, inside=outer
    )
    mapped.setdefault(called.name, called)


def _program(called: CalledFunction, request: Request, is_user_code: Callable[[str], bool]) -> Program:
    return program.program(called.function, called.given, request.form, is_user_code, line_types=request.line_types)


def _as_ended(called: CalledFunction, made: Program, request: Request) -> FinishedRun:
    """Return a function of a script as a variant that has run, with arrays of its types."""
    leaves = [each for each in jax.tree.leaves(called.given) if isinstance(getattr(each, "dtype", None), np.dtype)]
    arrays = [np.broadcast_to(np.zeros((), each.dtype), each.shape) for each in leaves]
    return FinishedRun(made, arrays, {"": arrays}, request.source, made.failure is not None)


def draws(loading: Recording) -> bool:
    """Return whether a program draws at its top level."""
    return any(entry.event.operation == "draw" for entry in loading.log.entries())


def until_it_failed(
    request: Request, loading: Recording, watched: ScriptCalls, status: Status, failure: Failure, channel: Channel
) -> Report | None:
    """Return the report of a script that made keys or called its functions until `failure`; else None."""
    if request.named or user_code.HAS_INPUTS.search(request.source) or not (loading.log.entries() or watched.called):
        return None
    known = key_graph.key_lineage(loading)
    found, graph = findings.find(known, to_its_end=False), key_graph.key_graph(known)
    looked_at = coverage.of_keys(found, graph, coverage.extent_of_keys(loading))
    drawn = repeated_draws.draws(graph, found) if request.draws and status == "error" else ()
    shown = pictures.pictures((), {}, found, drawn)
    made = Report(TOP_LEVEL, status, failure, channel.printed.take(), keys=graph, findings=found, pictures=shown)
    return with_more(replace(made, coverage=(looked_at,)), request, watched, loading, channel)
