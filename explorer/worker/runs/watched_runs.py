"""A run of one variant that is watched: while JAX traces it, or with value checks."""

from __future__ import annotations

from contextlib import nullcontext

from explorer.messages import TOP_LEVEL, Finding, FunctionTraces, Request, Transforms
from explorer.worker.checks.tracing import recompiles
from explorer.worker.checks.tracing.inspection import Inspection, may_tell
from explorer.worker.checks.values import findings, watch
from explorer.worker.checks.watches import Watches, may_find
from explorer.worker.code import calls, transformed, trees
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.internals.shared_compiles import compiling
from explorer.worker.program import retraces


def inspected(
    program: LoadedProgram, variant: str, transforms: Transforms
) -> tuple[tuple[FunctionTraces, ...], tuple[Finding, ...]]:
    """Return the traces by jit in a run of `variant`, and the findings. Raises the exceptions of the program.

    The program is loaded anew, so that JAX has traced none of its functions, and runs without a recording.
    """
    meter, inspection = retraces.Meter(program.is_user_code), Inspection(program.is_user_code)
    watches = Watches(program.is_user_code)
    with inspection.watching(), watches.watching(), compiling():
        # A top level runs by being loaded.
        with meter.watching() if variant == TOP_LEVEL else nullcontext():
            anew = program.anew(inspection.compiled)
        if variant != TOP_LEVEL:
            call = transformed.prepared(anew, variant, anew.inputs(), transforms)
            with meter.watching():
                trees.waited_for(calls.call(*call))
    for error in filter(None, (meter.guard.error, watches.error)):
        raise error
    counted = meter.traces()
    return counted, (*inspection.findings(), *recompiles.find(counted, meter.bodies()), *watches.findings())


def may_trace(request: Request) -> bool:
    """Return whether a run of the program in `request` may trace anything, or have relevant side effects."""
    return may_jit(request) or may_tell(request.source, request.filename) or may_find(request.source)


def may_jit(request: Request) -> bool:
    """Return whether the program in `request` contains anything for jit to trace."""
    applied = request.transforms.applied
    return any(each.name == "jit" for each in applied) or any(word in request.source for word in retraces.WORDS)


def checked(program: LoadedProgram, variant: str, transforms: Transforms) -> tuple[tuple[Finding, ...], bool]:
    """Return the findings on the values of `variant`, and whether all operations could be checked.

    The variant is loaded anew. Raises its exceptions.
    """
    with watch.watched(program.is_user_code) as log:
        # A top level loads itself anew.
        loaded = program if variant == TOP_LEVEL else program.anew()
        outputs = trees.waited_for(calls.call(*transformed.prepared(loaded, variant, loaded.inputs(), transforms)))
        if variant == TOP_LEVEL:
            log.finish()
        else:
            log.comes_out(outputs)
    return findings.value_findings(log), log.saw_all
