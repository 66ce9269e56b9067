"""A script whose top level fails: the keys, findings and output of its run until then."""

from __future__ import annotations

from explorer.messages import TOP_LEVEL, Failure, Report, Request, Status, Variant
from explorer.worker.code.user_code import HAS_INPUTS
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.misuse import findings
from explorer.worker.recording.recorder import Recording
from explorer.worker.runs import coverage


def draws(loading: Recording) -> bool:
    """Return whether a program draws at its top level."""
    return any(entry.event.operation == "draw" for entry in loading.log.entries())


def variants(request: Request, loading: Recording | None) -> tuple[Variant, ...]:
    """Return the only variant, the top level, of the program whose `loading` failed, if that is a script that drew."""
    if loading is None or request.named or HAS_INPUTS.search(request.source) or not draws(loading):
        return ()
    return (Variant(TOP_LEVEL, 1),)


def report(loading: Recording, status: Status, failure: Failure, printed: str) -> Report:
    """Return the report of a top level that ended with `failure` after `loading`, and had `printed`."""
    known = key_graph.key_lineage(loading)
    found = findings.find(known, to_its_end=False)
    graph = key_graph.key_graph(known)
    return Report(
        TOP_LEVEL,
        status=status,
        failure=failure,
        printed=printed,
        keys=graph,
        findings=found,
        pictures=(),
        coverage=(coverage.of_keys(found, graph, coverage.extent_of_keys(loading)),),
    )
