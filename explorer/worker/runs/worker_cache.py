"""The worker's cache between requests."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.worker.code.names import Names
from explorer.worker.runs.original import AsItWas
from explorer.worker.runs.questions.values import Values


@dataclass(frozen=True)
class WorkerCache:
    """The source of answers to later questions; empty when new."""

    values: Values = field(default_factory=Values)
    """The newest program, for questions about its equations."""
    as_it_was: AsItWas = field(default_factory=AsItWas)
    """The report on the original code."""
    names: Names | None = None
    """The names of the newest program that loaded, for the editor; None where no one edits."""
