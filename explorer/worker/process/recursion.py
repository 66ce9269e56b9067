"""Room for our own calls (`enough_depth`) in a process whose program has used its recursion up."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

CALLS = 3000


@contextmanager
def enough_depth() -> Iterator[None]:
    """Ensure enough recursion depth in the block: a program may set any limit.

    Some errors in C code never release their depth: it is lost for good.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, CALLS) + CALLS)
    try:
        yield
    finally:
        # If the limit is below the current depth, the program set it so.
        with suppress(RecursionError):
            sys.setrecursionlimit(before)
