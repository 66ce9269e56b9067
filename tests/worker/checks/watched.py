"""Functions of a test whose values are watched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.messages import Finding
from explorer.worker.checks.values import findings, watch


def found(program: Callable[[], Any]) -> list[Finding]:
    """Return the findings of a run of `program`, whose file counts as user code."""
    filename = program.__code__.co_filename
    with watch.watched(lambda name: name == filename) as log:
        outputs = program()
    log.comes_out(outputs)
    assert log.guard.error is None
    return list(findings.value_findings(log))


def alarms(program: Callable[[], Any]) -> list[str]:
    """Return the messages about `program` at level bug or warning."""
    return [f"line {each.line}: {each.message}" for each in found(program) if each.level != "note"]
