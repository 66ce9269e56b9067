"""What the worker is doing, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from explorer.text.text import Text

WorkerDoes = Literal["starting", "idle", "running", "timing", "stopping", "dead", "away"]


@dataclass(frozen=True)
class WorkerState:
    """What the worker is doing; it is away where the link to it has ended, until that is tried again."""

    name: WorkerDoes
    sentence: Text | str = ""
    """Why it is dead or away, or why another process works now; empty where nobody wonders."""
