"""The votes on one question: one for each phone that knows the room code."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

import msgspec

from explorer.phones.records import Open, Voted

MOST_PHONES = 2000
MOST_CHANGES = 20
"""How often one phone may change its vote for one question."""
MOST_WRONG = 10
"""Wrong codes of one address in `WRONG_S`: all 10,000 codes would take it 16 hours."""
WRONG_S = 60.0


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a vote."""

    code: str
    question: int
    choice: int
    """Counted from 0."""


class State(msgspec.Struct, frozen=True):
    """All that a phone gets to know."""

    question: int
    choices: int
    choice: int | None
    """The phone's own vote."""


class Refusal(Exception):
    """A vote that is not counted."""

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


@dataclass
class Mark:
    """The vote of one phone."""

    choice: int
    changes: int = 0


class BallotBox:
    """Keeps the votes in memory, by the random tokens of the phones."""

    def __init__(self, opened: Open, clock: Callable[[], float] = time.monotonic) -> None:
        self._opened = opened
        self._clock = clock
        self._marks = {phone: Mark(choice) for phone, choice in opened.votes.items()}
        self._admitted = {*self._marks}
        """The phones that have sent the right code once: the wrong ones of others do not keep them out."""
        self._wrong: Counter[str] = Counter()
        """Wrong codes by address, since `_began_s`."""
        self._began_s = clock()

    def state(self, phone: str) -> State:
        """Return the question, and the vote of `phone`."""
        mark = self._marks.get(phone)
        return State(self._opened.question, self._opened.choices, mark.choice if mark is not None else None)

    def vote(self, phone: str, address: str, vote: Vote) -> Voted | None:
        """Count the vote of `phone` instead of its earlier one; return None where they are the same.

        Raises:
            Refusal: the vote does not count.
        """
        self._admit(phone, address, vote.code)
        if vote.question != self._opened.question:
            raise Refusal(HTTPStatus.CONFLICT)
        if not 0 <= vote.choice < self._opened.choices:
            raise Refusal(HTTPStatus.BAD_REQUEST)
        mark = self._marks.get(phone)
        if mark is None:
            self._marks[phone] = Mark(vote.choice)
            return Voted(phone, vote.choice)
        if mark.choice == vote.choice:
            return None
        if mark.changes >= MOST_CHANGES:
            raise Refusal(HTTPStatus.LOCKED)
        mark.choice, mark.changes = vote.choice, mark.changes + 1
        return Voted(phone, vote.choice)

    def _admit(self, phone: str, address: str, code: str) -> None:
        if self._clock() - self._began_s >= WRONG_S:
            self._wrong.clear()
            self._began_s = self._clock()
        is_known = phone in self._admitted
        if not is_known and (self._wrong[address] >= MOST_WRONG or len(self._admitted) >= MOST_PHONES):
            raise Refusal(HTTPStatus.TOO_MANY_REQUESTS)
        if code != self._opened.code:
            self._wrong[address] += 1
            raise Refusal(HTTPStatus.FORBIDDEN)
        self._admitted.add(phone)
