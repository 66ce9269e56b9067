"""How a run reaches the outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.messages import FromWorker
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText

if TYPE_CHECKING:
    from explorer.worker.code.names import Names
    from explorer.worker.runs.equation_values import Values
    from explorer.worker.runs.original import AsItWas


@dataclass(frozen=True)
class Channel:
    """Where messages go, what is printed, and when to stop."""

    send: Callable[[FromWorker], None]
    printed: PrintedText
    interrupts: Interrupts
    names: Names | None = None
    """Where the names of a program that loaded are kept for the editor."""
    values: Values | None = None
    """Where the newest program is kept for questions about its equations."""
    as_it_was: AsItWas | None = None
    """Where the report on the original code is kept."""
