"""How a run reaches the outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from explorer.messages import FromWorker
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText


@dataclass(frozen=True)
class Channel:
    """Where messages go, what is printed, and when to stop."""

    send: Callable[[FromWorker], None]
    printed: PrintedText
    interrupts: Interrupts
