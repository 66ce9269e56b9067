"""The worker's state, as a record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from explorer.text.text import Text

WorkerDoes = Literal["starting", "idle", "running", "timing", "stopping", "dead", "away"]


@dataclass(frozen=True)
class WorkerState:
    """The worker's state; it is away from when its link has ended until the next try."""

    name: WorkerDoes
    sentence: Text | str = ""
    """Why it is dead or away, or why another process works now; empty where no explanation is needed."""
