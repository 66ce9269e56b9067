"""Keeps what our hooks inside JAX raise away from the program that JAX runs there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Guard:
    """Calls a part of ours while the program runs; with the first thing that it raises, the part is switched off."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        """What it raised; None as long as it works."""

    def __call__(self, function: Callable[..., Any], *given: Any, **named: Any) -> None:
        """Call `function`, unless a call before it has failed. An interrupt goes on: it is meant for the program."""
        self.ask(function, *given, instead=None, **named)

    def ask(self, function: Callable[..., Answer], *given: Any, instead: Answer, **named: Any) -> Answer:
        """Return what `function` answers, and `instead` where it fails or a call before it has failed."""
        if self.error is not None:
            return instead
        try:
            return function(*given, **named)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Without its traceback, which holds on to what the program has let go of.
            self.error = BaseException.with_traceback(error, None)
            return instead

    def tell(self) -> None:
        """Raise what was raised: to be called where the program has ended."""
        if self.error is not None:
            raise self.error
