"""A run of one variant in which its values are watched."""

from __future__ import annotations

from explorer.messages import TOP_LEVEL, Finding, Transforms
from explorer.worker.checks.values import findings, watch
from explorer.worker.code import calls, transformed, trees
from explorer.worker.code.user_code import LoadedProgram


def found(program: LoadedProgram, variant: str, transforms: Transforms) -> tuple[Finding, ...]:
    """Return what is found in the values of `variant`, loaded anew, and raise what it raises."""
    return looked(program, variant, transforms)[0]


def looked(program: LoadedProgram, variant: str, transforms: Transforms) -> tuple[tuple[Finding, ...], bool]:
    """Return the findings in the values of `variant`, and whether all operations on them could be checked.

    It is loaded anew. Raises what it raises.
    """
    with watch.watched(program.is_user_code) as log:
        # The top level loads itself anew.
        loaded = program if variant == TOP_LEVEL else program.anew()
        outputs = trees.waited_for(calls.call(*transformed.prepared(loaded, variant, loaded.inputs(), transforms)))
        if variant == TOP_LEVEL:
            log.finish()
        else:
            log.comes_out(outputs)
    return findings.value_findings(log), log.saw_all
