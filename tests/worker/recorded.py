"""Recording of small programs in tests, and their findings."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from explorer.messages import KEY_STATES, Finding, KeyGraph, Span
from explorer.worker.lineage import key_graph
from explorer.worker.lineage.lineage import Lineage
from explorer.worker.lineage.misuse import findings
from explorer.worker.recording import recorder


@dataclass(frozen=True)
class Recorded:
    """A recorded call of a function of a test module."""

    recording: recorder.Recording
    lineage: Lineage
    graph: KeyGraph
    findings: tuple[Finding, ...]
    filename: str

    @property
    def states(self) -> list[str]:
        """The state of each key, in the graph's order."""
        return [KEY_STATES[state] for state in self.graph.state.numpy()]

    def source(self, span: Span | None) -> str:
        """Return the code at `span`, the rest of its first line if it has several."""
        if span is None:
            return ""
        line = linecache.getline(self.filename, span.line).rstrip("\n")
        return line[span.column : span.end_column if span.end_line == span.line else None]

    def sources(self, finding: Finding) -> list[str]:
        """Return the code at the spans of `finding`."""
        return [self.source(span) for span in finding.spans]


def recorded(function: Callable[..., Any], *arguments: Any, shared_on_purpose: bool = False) -> Recorded:
    """Record ``function(*arguments)``, whose file counts as user code. Raises what it raises."""
    filename = function.__code__.co_filename
    recording = recorder.record(lambda: function(*arguments), is_user_code=lambda name: name == filename)
    if recording.error is not None:
        raise recording.error
    known = key_graph.key_lineage(recording, outputs=recording.result)
    found = findings.find(known, shared_on_purpose=shared_on_purpose)
    return Recorded(recording, known, key_graph.key_graph(known), found, filename)


def graph_of(*recordings: recorder.Recording, outputs: Any = None) -> KeyGraph:
    """Return the graph of the keys of `recordings`, which are one run."""
    return key_graph.key_graph(key_graph.key_lineage(*recordings, outputs=outputs))


def found_in(recording: recorder.Recording) -> tuple[Finding, ...]:
    """Return the findings of `recording`."""
    known = key_graph.key_lineage(recording, outputs=recording.result)
    return findings.find(known, to_its_end=recording.error is None)
