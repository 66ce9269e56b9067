"""What came of the last few questions, for whoever goes back to a page: shown at once while it is computed anew."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_KEPT = 24
Q = TypeVar("Q")
A = TypeVar("A")


class Kept(Generic[Q, A]):
    """Answers by what was asked; nothing is kept while it is off."""

    def __init__(self) -> None:
        self._pairs: list[tuple[Q, A]] = []
        self.is_on = False

    def keep(self, on: bool) -> None:
        """Keep answers from now on; off, forget them."""
        self.is_on = on
        if not on:
            self.forget()

    def forget(self) -> None:
        """Forget what came so far."""
        self._pairs = []

    def note(self, asked: Q, answer: A) -> None:
        """Keep `answer` as the newest to what was `asked`."""
        if self.is_on:
            others = [pair for pair in self._pairs if pair[0] != asked]
            self._pairs = [*others[-MOST_KEPT + 1 :], (asked, answer)]

    def of(self, asked: Q) -> A | None:
        """Return the newest answer to what is `asked`."""
        return next((answer for question, answer in self._pairs if question == asked), None)
