"""How often Python looks for garbage while a user waits for the program text."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = 50_000
"""New containers until the next collection. Usual are 700, from Python 3.13 on 2,000: a program of 200 equations is
traced over one to four collections, which also look at everything that the user's program holds."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Collect garbage only after RARELY new objects in the block: tracing makes many, and nearly all of them stay."""
    usual = gc.get_threshold()
    gc.set_threshold(RARELY, *usual[1:])
    try:
        yield
    finally:
        # Unless the program chose otherwise.
        if gc.get_threshold()[0] == RARELY:
            gc.set_threshold(*usual)
