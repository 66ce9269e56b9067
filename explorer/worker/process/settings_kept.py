"""What one program sets for the whole process, put back before the next one loads: it runs as if in a new process."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np


@dataclass(frozen=True)
class ProcessSettings:
    """Settings of JAX, NumPy and Python that a program may change."""

    flags: dict[str, Any]
    """Of ``jax.config``."""
    printing: Any
    """How NumPy prints arrays."""
    errors: Any
    """What NumPy does at a division by zero and its like."""
    warnings: list[Any]
    """Which warnings are shown."""
    deepest: int
    """How many calls may stand in each other."""

    @classmethod
    def now(cls) -> ProcessSettings:
        """Return the settings in force."""
        return cls(
            dict(jax.config.values),
            np.get_printoptions(),
            np.geterr(),
            list(warnings.filters),
            sys.getrecursionlimit(),
        )

    def restore(self) -> None:
        """Put these settings in force again."""
        for name, value in jax.config.values.items():
            if value != self.flags.get(name, value):
                jax.config.update(name, self.flags[name])
        np.set_printoptions(**self.printing)
        np.seterr(**self.errors)
        if warnings.filters != self.warnings:
            # This also lets Python forget what it looked up in the old ones.
            warnings.resetwarnings()
            in_force: Any = warnings.filters
            in_force[:] = self.warnings
        sys.setrecursionlimit(self.deepest)

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Put these settings in force in the block, and those of before at its end."""
        with kept():
            self.restore()
            yield


_at_first = ProcessSettings.now()


def start_over() -> None:
    """Put back what earlier programs have set."""
    _at_first.restore()


@contextmanager
def kept() -> Iterator[None]:
    """Put back at the end of the block what is set in it."""
    before = ProcessSettings.now()
    try:
        yield
    finally:
        before.restore()
