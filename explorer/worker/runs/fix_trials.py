"""Trying fixes: one is offered only when the program runs with it."""

from __future__ import annotations

import contextlib
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import jax

from explorer.messages import Finding, Fix, Request, Transforms
from explorer.worker.code import calls, transformed, trees, user_code
from explorer.worker.errors.code_tree import with_edits
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.misuse import findings
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import TimeLimit
from explorer.worker.process.settings_kept import ProcessSettings
from explorer.worker.program import retraces
from explorer.worker.recording import recorder
from explorer.worker.runs import trace_runs, value_runs

MOST_FIXES = 3
TRIAL_S = 3.0
"""Seconds that one changed program may take."""
ALL_TRIALS_S = 8.0
"""Seconds after which no further fix is tried."""
FILENAME = "<fix>"
"""The changed code must not take the place of the person's in tracebacks."""

Judge = Callable[[user_code.LoadedProgram], bool]


def runs(variant: str | None, transforms: Transforms) -> Judge:
    """Return a judge that lets pass a program whose `variant` runs under `transforms`.

    With None as the variant it asks only that the program loads.
    """

    def judge(program: user_code.LoadedProgram) -> bool:
        inputs = program.inputs()
        if variant is not None:
            trees.waited_for(calls.call(*transformed.prepared(program, variant, inputs, transforms)))
            jax.effects_barrier()
        return True

    return judge


def runs_anything(program: user_code.LoadedProgram) -> bool:
    """Return whether the first variant of `program` runs; False without one. Raises what it raises."""
    for variant in program.variants(program.inputs())[:1]:
        return runs(variant.name, Transforms())(program)
    return False


def has_fewer_bugs(than: int, variant: str, transforms: Transforms) -> Judge:
    """Return a judge that lets pass a program whose `variant` runs with fewer findings at level bug than `than`."""

    def judge(program: user_code.LoadedProgram) -> bool:
        def call() -> Any:
            return trees.waited_for(calls.call(*transformed.prepared(program, variant, program.inputs(), transforms)))

        recording = recorder.record(call, is_persons=program.is_persons)
        known = key_graph.key_lineage(recording, outputs=recording.result)
        bugs = sum(each.level == "bug" for each in findings.find(known))
        return recording.error is None and bugs < than

    return judge


def has_fewer_compiles(than: int, variant: str, transforms: Transforms) -> Judge:
    """Return a judge that lets pass a program whose `variant` runs with fewer compiles of its functions than `than`."""

    def judge(program: user_code.LoadedProgram) -> bool:
        meter = retraces.Meter(program.is_persons)
        call = transformed.prepared(program, variant, program.inputs(), transforms)
        with meter.watching():
            trees.waited_for(calls.call(*call))
        return sum(each.compiles for each in meter.traces()) < than

    return judge


def has_no_more(than: Iterable[Finding], but: Finding, variant: str, request: Request) -> Judge:
    """Return a judge that lets pass a program whose `variant` has no finding more than those in `than`, `but` one.

    Its outputs must have the shapes of those of the program of `request`; and their types, if it is not about these.
    """
    before: Counter[tuple[str, str]] = Counter(
        (each.kind, each.level) for each in than if each.level != "note" and each is not but
    )
    before[but.kind, but.level] += 0
    keeps_types = but.kind != "silent-cast"
    shapes: list[Any] = []

    def outputs(program: user_code.LoadedProgram) -> tuple[Any, Iterator[Finding]]:
        def call() -> Any:
            return trees.waited_for(
                calls.call(*transformed.prepared(program, variant, program.inputs(), request.transforms))
            )

        recording = recorder.record(call, is_persons=program.is_persons)
        if recording.error is not None:
            raise recording.error
        known = key_graph.key_lineage(recording, outputs=recording.result)
        return _shapes(recording.result, keeps_types), iter(findings.find(known))

    def judge(program: user_code.LoadedProgram) -> bool:
        if not shapes:
            theirs = user_code.load(request.source, FILENAME, request.parameters, request.named, request.hidden)
            shapes.append(outputs(theirs)[0])
        given, found = outputs(program)
        if given != shapes[0]:
            return False
        left = before.copy()
        traced = trace_runs.inspected(program, variant, request.transforms)[1]
        of_values = value_runs.found(program, variant, request.transforms)
        left.subtract((each.kind, each.level) for each in (*found, *traced, *of_values) if each.level != "note")
        return min(left.values(), default=0) >= 0

    return judge


def _shapes(outputs: Any, keeps_types: bool) -> Any:
    leaves, tree = jax.tree.flatten(outputs)
    return str(tree), [(getattr(each, "shape", ()), keeps_types and str(getattr(each, "dtype", ""))) for each in leaves]


def passing(
    proposed: Iterable[Fix], request: Request, channel: Channel, judge: Judge, most: int = MOST_FIXES
) -> tuple[Fix, ...]:
    """Return the first `most` of `proposed` with which the program of `request` passes `judge`.

    Raises KeyboardInterrupt when the run is cancelled.
    """
    found: list[Fix] = []
    begun = time.monotonic()
    for each in proposed:
        if len(found) == most or time.monotonic() - begun > ALL_TRIALS_S:
            break
        # Two buttons with the same words say nothing of what is different.
        if each.label not in [one.label for one in found] and _passes(
            with_edits(request.source, each.edits), request, channel, judge
        ):
            found.append(each)
    return tuple(found)


def _passes(source: str, request: Request, channel: Channel, judge: Judge) -> bool:
    try:
        with channel.interrupts.time_limit(TRIAL_S), channel.printed.aside(), _own_module():
            program = user_code.load(source, FILENAME, request.parameters, request.named, request.hidden)
            return judge(program)
    except TimeLimit:
        return False
    except (Exception, SystemExit):  # whatever it is, the program does not run
        return False


@contextlib.contextmanager
def _own_module() -> Iterator[None]:
    """Leave the person's module where it was, and the settings."""
    theirs, settings = sys.modules.get(user_code.MODULE_NAME), ProcessSettings.now()
    try:
        yield
    finally:
        settings.restore()
        if theirs is not None:
            sys.modules[user_code.MODULE_NAME] = theirs
