"""Restoration of process-wide settings, so that the next program runs as in a new process."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from explorer.worker.process.exits import EXITS
from explorer.worker.process.settings_of_libraries import LIBRARIES
from explorer.worker.process.settings_of_python import PYTHON

ALL = {**PYTHON, **LIBRARIES, "what is called at the end": EXITS}


@dataclass(frozen=True)
class ProcessSettings:
    """Settings of JAX, NumPy and Python that a program may change."""

    values: dict[str, Any]
    """By name."""

    @classmethod
    def now(cls) -> ProcessSettings:
        """Return the current settings."""
        return cls({name: setting.read() for name, setting in ALL.items()})

    def restore(self) -> list[str]:
        """Restore these settings; return the names of those that failed."""
        left = []
        for name, setting in ALL.items():
            wanted = self.values[name]
            try:
                if setting.always or not _same(setting.read(), wanted):
                    setting.put(wanted)
            except Exception:  # a deleted folder, or a generator of another kind
                left.append(name)
        return left


def _same(one: object, other: object) -> bool:
    # Settings may hold any object: failed comparisons count as different.
    with suppress(Exception):
        return bool(one == other)
    return False
