"""What a person should know about the random keys of their program, in plain sentences."""

from __future__ import annotations

from explorer.messages import Finding, KeyGraph
from explorer.worker.recorder import Recording


def find(graph: KeyGraph, recording: Recording, *, shared_on_purpose: bool = False) -> tuple[Finding, ...]:
    return ()
