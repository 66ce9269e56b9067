"""What the worker is doing, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WorkerDoes = Literal["starting", "idle", "running", "timing", "stopping", "dead"]


@dataclass(frozen=True)
class WorkerState:
    """What the worker is doing."""

    name: WorkerDoes
    sentence: str = ""
    """Why it is dead, or why another process works now; empty where nobody wonders."""
