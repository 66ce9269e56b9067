"""The steps seen and exercises done in each lesson, and the reader's position, which outlives a crash."""

from __future__ import annotations

import contextlib

import msgspec

from explorer.library import drafts, own_file, paths
from explorer.messages import Value
from explorer.messages.encodable import encodable
from explorer.scenario.scenario import Scenario, StepPlan


class Ballot(msgspec.Struct):
    """The votes on one question."""

    lesson: str
    place: int
    """The page, counted from 0."""
    rounds: list[list[int]]
    """The votes for each choice, a list for each round of voting."""


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
    number: int = 0
    """The page among those that are read, counted from 0."""
    began_s: float = 0.0
    """When the lecture began, in seconds since the epoch."""
    shown: tuple[tuple[str, int], ...] = ()
    """The lessons and pages whose answers a room was shown."""


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


class LessonProgress(msgspec.Struct):
    """Progress in one lesson. Steps and exercises count from 0."""

    seen: set[int] = msgspec.field(default_factory=set)
    ticked: set[int] = msgspec.field(default_factory=set)


class Progress:
    """Progress in each lesson. Without `on_disk` it lives as long as the process."""

    def __init__(self, *, on_disk: bool) -> None:
        self._on_disk = on_disk
        self._lessons = (
            (own_file.read_record(paths.progress_file(), dict[str, LessonProgress]) or {}) if on_disk else {}
        )

    def see(self, scenario_id: str, step: int) -> bool:
        """Note that `step` was finished; return whether that is new."""
        return _add(self._attended(scenario_id).seen, step)

    def tick(self, scenario_id: str, exercise: int) -> bool:
        """Note that `exercise` is done; return whether that is new."""
        return _add(self._attended(scenario_id).ticked, exercise)

    def ticked(self, scenario_id: str) -> frozenset[int]:
        """Return the exercises of a lesson that are done."""
        attended = self._lessons.get(scenario_id)
        return frozenset(attended.ticked) if attended else frozenset()

    def is_done(self, scenario: Scenario) -> bool:
        """Return whether every exercise is done; of a lesson without exercises, whether every step was seen."""
        attended = self._lessons.get(scenario.id)
        steps = len(scenario.story("en"))
        if attended is None or not (scenario.exercises or steps):
            return False
        if scenario.exercises:
            return attended.ticked.issuperset(range(len(scenario.exercises)))
        return attended.seen.issuperset(range(steps))

    def keep(self) -> None:
        """Save the progress. A full or read-only disk is no reason to stop the user."""
        if self._on_disk and self._lessons:
            with contextlib.suppress(OSError):
                own_file.write_atomically(
                    paths.progress_file(), msgspec.json.encode(encodable(self._lessons), order="sorted"), private=True
                )

    def _attended(self, scenario_id: str) -> LessonProgress:
        return self._lessons.setdefault(scenario_id, LessonProgress())


def _add(numbers: set[int], number: int) -> bool:
    new = number not in numbers
    numbers.add(number)
    return new
