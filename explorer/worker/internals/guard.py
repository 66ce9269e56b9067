"""Our hooks in JAX: in place for a while, and isolated, so that their exceptions do not reach the user's program."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Answer = TypeVar("Answer")


@contextmanager
def replaced(place: Any, name: str, hook: Any) -> Iterator[None]:
    """Let the attribute `name` of `place`, a module or a class, be `hook` in the block."""
    genuine = getattr(place, name)
    setattr(place, name, hook)
    try:
        yield
    finally:
        setattr(place, name, genuine)


class Guard:
    """Caller of our hooks while the program runs; the first exception switches it off."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        """The first exception, or None."""

    def __call__(self, function: Callable[..., Any], *given: Any, **named: Any) -> None:
        """Call `function`, unless an earlier call failed. Raises KeyboardInterrupt, which is meant for the program."""
        self.call_or(function, *given, instead=None, **named)

    def call_or(self, function: Callable[..., Answer], *given: Any, instead: Answer, **named: Any) -> Answer:
        """Return the result of `function`, or `instead` if this or an earlier call failed. Raises KeyboardInterrupt."""
        if self.error is not None:
            return instead
        try:
            return function(*given, **named)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Without its traceback, which would keep the program's objects alive.
            self.error = BaseException.with_traceback(error, None)
            return instead

    def raise_stored(self) -> None:
        """Raise the stored exception, if any: call it after the program has ended."""
        if self.error is not None:
            raise self.error
