"""Exceptions that end a run from outside, distinct from all that the program itself raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Interrupt(KeyboardInterrupt):
    """Raised in the main thread by us alone; a KeyboardInterrupt of another kind is the program's own."""


class Stopped(Interrupt):
    """The user has stopped the run, or wants another."""


class TimeLimit(Interrupt):
    """The program ran longer than it was allowed to."""


@contextmanager
def whatever_it_raises() -> Iterator[None]:
    """Let nothing out of the block but Stopped."""
    try:
        yield
    except Stopped:
        raise
    except BaseException:
        return
