"""A run of one variant with value checks."""

from __future__ import annotations

from explorer.messages import TOP_LEVEL, Finding, Transforms
from explorer.worker.checks.values import findings, watch
from explorer.worker.code import calls, transformed, trees
from explorer.worker.code.user_code import LoadedProgram


def found(program: LoadedProgram, variant: str, transforms: Transforms) -> tuple[Finding, ...]:
    """Return the findings on the values of `variant`, loaded anew. Raises its exceptions."""
    return looked(program, variant, transforms)[0]


def looked(program: LoadedProgram, variant: str, transforms: Transforms) -> tuple[tuple[Finding, ...], bool]:
    """Return the findings on the values of `variant`, and whether all operations could be checked.

    The variant is loaded anew. Raises its exceptions.
    """
    with watch.watched(program.is_user_code) as log:
        # A top level loads itself anew.
        loaded = program if variant == TOP_LEVEL else program.anew(variant)
        outputs = trees.waited_for(calls.call(*transformed.prepared(loaded, variant, loaded.inputs(), transforms)))
        if variant == TOP_LEVEL:
            log.finish()
        else:
            log.comes_out(outputs)
    return findings.value_findings(log), log.saw_all
