"""The worker's cache between requests."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.worker.code.names import Names
from explorer.worker.runs.original import AsItWas
from explorer.worker.runs.questions.values import Values


@dataclass(frozen=True)
class WorkerCache:
    """The source of answers to later questions; empty at first."""

    values: Values = field(default_factory=Values)
    """The last program, for questions about its equations."""
    as_it_was: AsItWas = field(default_factory=AsItWas)
    """The report on the original code."""
    names: Names | None = None
    """The names of the last loaded program, for the editor; None without an editor."""
