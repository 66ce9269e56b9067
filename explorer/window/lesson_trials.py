"""Exercises that look done on screen, tried with other parameters and next to the lesson's own variants."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from explorer.messages import Request, Snapshot
from explorer.scenario import conditions, exercise_trials
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import Exercise, Scenario
from explorer.session.session import Session

_Trials = tuple[Request, ...]


class LessonTrials(QObject):
    """Asks for the trials of exercises and keeps the newest result of each.

    Signals:
        ended: a trial has ended.
    """

    ended = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._wanted: tuple[int, Scenario, _Trials] | None = None
        self._results: dict[int, tuple[Exercise, _Trials, Sequence[Snapshot]]] = {}
        """The newest trials of each exercise, by its number, and a snapshot of each trial."""
        self._passed: set[int] = set()
        """The exercises that were done in all their trials: those are ticked, and need no more."""
        session.trials_ended.connect(self._take)

    def forget(self) -> None:
        """Drop all results, for another lesson."""
        self._wanted, self._results, self._passed = None, {}, set()

    def missing(self, language: str) -> dict[int, str]:
        """Return why exercises that look done on screen are not, as a clause, by their numbers."""
        return {number: exercise_trials.missing(*result, language) for number, result in self._results.items()}

    def is_done(self, number: int, scenario: Scenario, seen: Evidence) -> bool:
        """Return whether exercise `number` of `scenario` is known to be done; ask for its trials if it looks done."""
        exercise = scenario.exercises[number]
        if not _looks_done(exercise, seen):
            self._results.pop(number, None)
            return False
        if number in self._passed:
            return True
        wanted = None if self._session.stale else self._session.workspace.request(0)
        if wanted is None:
            return False
        trials = exercise_trials.requests(exercise, scenario, replace(wanted, form="jaxpr", variants=(seen.variant,)))
        known = self._results.get(number)
        if not trials:
            return True
        if known is not None and known[1] == trials:
            self._passed |= set() if exercise_trials.missing(*known, "en") else {number}
            return number in self._passed
        self._results.pop(number, None)
        self._wanted = number, scenario, trials
        self._session.try_out(trials)
        return False

    def _take(self, trials: _Trials, snapshots: Sequence[Snapshot]) -> None:
        if self._wanted is None or self._wanted[2] != trials:
            return
        number, scenario, _ = self._wanted
        self._wanted = None
        self._results[number] = scenario.exercises[number], trials, snapshots
        self.ended.emit()


def _looks_done(exercise: Exercise, seen: Evidence) -> bool:
    fits = exercise.variant in ("", seen.variant)
    return fits and all(conditions.holds(each, seen) for each in exercise_trials.on_screen(exercise))
