"""Requests of one kind: the newest one, whether an answer belongs to it, and a cache of recent answers."""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from explorer.messages import RunRequest

MOST_CACHED = 24
R = TypeVar("R", bound=RunRequest)
A = TypeVar("A")


class Query(Generic[R, A]):
    """One kind of request: drops late answers, and can cache answers.

    Two requests count as equal where they differ only in their number and the `ignored` fields.
    """

    def __init__(self, *ignored: str) -> None:
        self._ignored = dict.fromkeys(ignored) | {"run": 0}
        self.asked: R | None = None
        """The newest request; None where no answer is expected."""
        self._cached: list[tuple[list[R], A]] | None = None

    def new(self, wanted: R) -> R | None:
        """Return `wanted` and make it the newest request; None where the newest request is equal to it."""
        if self.asked is not None and self.what(self.asked) == self.what(wanted):
            return None
        self.asked = wanted
        return wanted

    def answered(self, run: int) -> R | None:
        """Return the newest request if `run` is its number; None for a late answer."""
        return self.asked if self.asked is not None and self.asked.run == run else None

    def what(self, *requests: R) -> list[R]:
        """Return `requests` without run numbers and ignored fields, to be compared."""
        return [msgspec.structs.replace(each, **self._ignored) for each in requests]

    def keep(self, on: bool) -> None:
        """Cache answers from now on, to show them again for earlier pages; off, drop the cache."""
        self._cached = (self._cached or []) if on else None

    def note(self, answer: A, *asked: R) -> None:
        """Cache `answer` as the newest one to the requests `asked`."""
        if self._cached is not None:
            what = self.what(*asked)
            others = [pair for pair in self._cached if pair[0] != what]
            self._cached = [*others[-MOST_CACHED + 1 :], (what, answer)]

    def known(self, *asked: R) -> A | None:
        """Return the newest cached answer to the requests `asked`; None where there is none."""
        what = self.what(*asked)
        return next((answer for known, answer in self._cached or () if known == what), None)
