"""The reader's position, written while a window is open: what a crash leaves is offered at the next start."""

from __future__ import annotations

import contextlib

import msgspec

from explorer.library import drafts, own_file
from explorer.messages import Value
from explorer.scenario.scenario import StepPlan


class Ballot(msgspec.Struct):
    """The votes on one question."""

    lesson: str
    place: int
    """The page, counted from 0."""
    rounds: list[list[int]]
    """The votes for each choice, a list for each round of voting."""

    @property
    def hands(self) -> int:
        """The number of votes in the last round."""
        return sum(self.rounds[-1])


class Position(msgspec.Struct, frozen=True):
    """A page of a lesson, and all that goes with it."""

    target: str
    """The lesson's id, or the path of a file."""
    place: int = 0
    """The page, counted from 0."""
    revealed: bool = False
    plan: StepPlan = StepPlan()
    """The selection on it."""
    settings: dict[str, Value] = {}
    """The parameters that were set."""
    course: str = ""
    presents: bool = False
    theme: str = ""
    language: str = ""
    swapped: bool = False
    """Whether the stage is on the laptop's screen."""
    ballots: tuple[Ballot, ...] = ()
    """Those that were begun while presenting."""


class CrashedPositions:
    """The positions that crashed windows have left, read once at the start."""

    def __init__(self) -> None:
        self._files = drafts.left_positions()
        found = (own_file.read_record(each, Position) for each in self._files)
        self.newest = next((each for each in found if each is not None), None)

    def discard(self) -> None:
        """Forget them."""
        for each in self._files:
            with contextlib.suppress(OSError):
                each.unlink(missing_ok=True)
        self._files, self.newest = [], None
