"""Frequency of garbage collection while a user waits for the program text."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

RARELY = 50_000
"""New containers until the next collection. The default is 700, or 2,000 since Python 3.13: the trace of a

program with 200 equations spans one to four collections, which also visit all objects of the user's program.
"""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Raise the threshold of garbage collection in the block: tracing makes many objects, and most of them stay."""
    usual = gc.get_threshold()
    gc.set_threshold(RARELY, *usual[1:])
    try:
        yield
    finally:
        # Unless the program changed it.
        if gc.get_threshold()[0] == RARELY:
            gc.set_threshold(*usual)
