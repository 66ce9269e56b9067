"""Exceptions that end a run from outside, distinct from the program's; a block that suppresses all others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A program under `run` should find none of it loaded.
    from explorer.messages import Span, Variant


class Interrupt(KeyboardInterrupt):
    """Raised in the main thread, only by us; any other KeyboardInterrupt belongs to the program."""

    span: Span | None = None
    """The instruction of the program that was running, if one was."""
    variants: tuple[Variant, ...] = ()
    """The variants of the program, as far as they were known."""


class Stopped(Interrupt):
    """The user stopped the run, or started another one."""


class TimeLimit(Interrupt):
    """The program exceeded its time limit."""


@contextmanager
def all_exceptions_suppressed() -> Iterator[None]:
    """Suppress all exceptions of the block except Stopped."""
    try:
        yield
    except Stopped:
        raise
    except BaseException:
        return
