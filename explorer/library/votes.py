"""Votes of audiences for each choice of a question, saved as they are counted."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import uuid
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

import msgspec

from explorer.library import own_file, paths
from explorer.messages.encodable import encodable

HEADINGS = (
    "date", "time", "lesson", "step", "question", "round", "choice", "text", "right", "hands", "share",
)  # fmt: skip


class Ballot(msgspec.Struct):
    """One question put to an audience; `rounds` has the votes for each choice, a list for each round of voting."""

    lesson: str
    step: int
    """The number of the step on its page, counted from 1."""
    question: str
    choices: tuple[str, ...]
    begun: str
    """Local date and time in ISO 8601."""
    id: str = msgspec.field(default_factory=lambda: uuid.uuid4().hex)
    rounds: list[list[int]] = msgspec.field(default_factory=list)
    right: tuple[bool, ...] | None = None

    def hands(self, number: int = -1) -> int:
        """Return the number of votes in round `number`, by default the last one."""
        return sum(self.rounds[number]) if self.rounds else 0

    def share(self, number: int, choice: int) -> float:
        """Return the share of the votes of round `number` that `choice` got: 0 to 1."""
        return self.rounds[number][choice] / max(1, self.hands(number))


class Counted(msgspec.Struct, omit_defaults=True):
    """One line about an earlier ballot: a vote added or removed, or the right choices."""

    id: str
    round: int = 0
    choice: int = 0
    hands: int = 0
    right: tuple[bool, ...] | None = None


class Votes:
    """Counts votes and saves each at once, so that a killed process loses none.

    Without `on_disk` they live as long as the process.
    """

    def __init__(self, *, on_disk: bool) -> None:
        self._on_disk = on_disk
        self._begun: list[Ballot] = []
        self._opening = b"\n"
        """The bytes before the first line: a newline, because the last line of an earlier run may be cut off."""

    def begin(self, lesson: str, step: int, question: str, choices: tuple[str, ...], now: datetime) -> Ballot:
        """Return a new ballot with an empty first round."""
        ballot = Ballot(lesson, step, question, choices, now.isoformat(timespec="seconds"))
        self._begun.append(ballot)
        self._write(ballot)
        ballot.rounds.append([0] * len(choices))
        return ballot

    def count(self, ballot: Ballot, choice: int, hands: int) -> bool:
        """Add `hands` votes for `choice`, or remove some where below 0; return whether there were enough to remove."""
        last = ballot.rounds[-1]
        if choice >= len(last) or last[choice] + hands < 0:
            return False
        last[choice] += hands
        self._write(Counted(ballot.id, len(ballot.rounds) - 1, choice, hands))
        return True

    def tell_right(self, ballot: Ballot, right: tuple[bool, ...]) -> None:
        """Note the right choices."""
        if ballot.right != right:
            ballot.right = right
            self._write(Counted(ballot.id, right=right))

    def all(self) -> tuple[Ballot, ...]:
        """Return every ballot with a vote, the oldest first: those on disk, or without a file those of this session."""
        found = read(paths.votes_file()) if self._on_disk else self._begun
        return tuple(ballot for ballot in found if any(map(sum, ballot.rounds)))

    def _write(self, line: Ballot | Counted) -> None:
        if not self._on_disk:
            return
        # A disk that is full or read-only is no reason to stop a lecture.
        with contextlib.suppress(OSError):
            path = paths.votes_file()
            own_file.make_private(path.parent)
            if os.path.lexists(path) and not path.is_file():
                # Nothing could be written to a pipe or a folder.
                own_file.put_aside(path, "kind")
            own_file.append(path, self._opening + msgspec.json.encode(encodable(line)) + b"\n")
            self._opening = b""


def read(path: Path) -> list[Ballot]:
    """Return the ballots in the file at `path`; unreadable lines, such as a cut-off one, are skipped."""
    ballots: dict[str, Ballot] = {}
    try:
        content = own_file.read_bytes(path) or b""
    except own_file.Unreadable as error:
        own_file.put_aside(path, error.reason)
        return []
    for line in content.split(b"\n"):
        with contextlib.suppress(own_file.Unreadable):
            _take(ballots, line)
    return list(ballots.values())


def _take(ballots: dict[str, Ballot], line: bytes) -> None:
    counted = own_file.decode(line, Counted)
    ballot = ballots.get(counted.id)
    if ballot is None:
        ballots[counted.id] = own_file.decode(line, Ballot)
    elif counted.right is not None:
        ballot.right = counted.right
    elif 0 <= counted.choice < len(ballot.choices) and 0 <= counted.round <= len(ballot.rounds):
        if counted.round == len(ballot.rounds):
            ballot.rounds.append([0] * len(ballot.choices))
        ballot.rounds[counted.round][counted.choice] += counted.hands


def letter(choice: int) -> str:
    """Return the letter of choice number `choice`, counted from 0: A, B, C."""
    return chr(ord("A") + choice)


def as_csv(ballots: Iterable[Ballot]) -> str:
    """Return a header and a line for each choice of each iteration of `ballots`; shares from 0 to 1."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADINGS)
    for ballot in ballots:
        writer.writerows(_lines(ballot))
    return text.getvalue()


def _lines(ballot: Ballot) -> Iterator[tuple[object, ...]]:
    date, _, time = ballot.begun.partition("T")
    about = date, time[:5], ballot.lesson, ballot.step, _as_text(ballot.question)
    # A round without votes has no lines.
    rounds = [number for number in range(len(ballot.rounds)) if ballot.hands(number)]
    for place, number in enumerate(rounds, 1):
        for choice, words in enumerate(ballot.choices):
            right = "" if ballot.right is None else "yes" if ballot.right[choice] else "no"
            hands, share = ballot.rounds[number][choice], round(ballot.share(number, choice), 3)
            yield (*about, place, letter(choice), _as_text(words), right, hands, share)


def _as_text(words: str) -> str:
    """Return `words` in a form that no spreadsheet program reads as a formula."""
    return f"'{words}" if words[:1] in ("=", "+", "-", "@") else words
