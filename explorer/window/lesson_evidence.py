"""The evidence for a lesson's words and exercises: the code on screen, the lesson's own, and trials."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from explorer.messages import ORIGINAL, Request, Snapshot, Value, original_name
from explorer.scenario import conditions, exercise_trials
from explorer.scenario.code_inputs import signature_defaults
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
        """The newest trials of each exercise, by its number, and a snapshot of each trial; none of stopped ones."""
        session.trials_ended.connect(self._take)
        session.printing_started.connect(self._forget_stopped)

    def forget(self) -> None:
        """Drop all results, for another lesson."""
        self._wanted, self._results = None, {}

    def missing(self, language: str) -> dict[int, str]:
        """Return why exercises that look done on screen are not, as a clause, by their numbers."""
        ended = {number: result for number, result in self._results.items() if result[-1]}
        return {number: exercise_trials.missing(*result, language) for number, result in ended.items()}

    @property
    def checking(self) -> int | None:
        """The number of the exercise whose trials run."""
        return self._wanted[0] if self._wanted is not None else None

    def is_done(self, number: int, scenario: Scenario, seen: Evidence) -> bool:
        """Return whether exercise `number` of `scenario` is known to be done; ask for its trials if it looks done."""
        exercise = scenario.exercises[number]
        if not _looks_done(exercise, seen):
            self._results.pop(number, None)
            self._wanted = None if self.checking == number else self._wanted
            return False
        wanted = None if self._session.stale else self._session.workspace.request(0)
        if wanted is None:
            return False
        trials = exercise_trials.requests(exercise, scenario, replace(wanted, form="jaxpr", variants=(seen.variant,)))
        known = self._results.get(number)
        if not trials:
            return True
        if known is not None and known[1] == trials:
            return bool(known[-1]) and not exercise_trials.missing(*known, "en")
        self._results.pop(number, None)
        self._wanted = None if self.checking == number else self._wanted
        # As long as nobody has tried it, there is nothing to judge.
        if self._session.workspace.controls.edited:
            self._wanted = number, scenario, trials
            self._session.try_out(trials)
        return False

    def has_run(self, exercise: Exercise, seen: Evidence) -> bool:
        """Return whether the run on screen is whole, current, and of the variant that `exercise` is about."""
        ran = seen.snapshot is not None and seen.snapshot.complete and not self._session.stale
        return ran and exercise.variant in ("", seen.variant)

    def _forget_stopped(self) -> None:
        """Try again, with a new run, what was stopped."""
        self._results = {number: result for number, result in self._results.items() if result[-1]}

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


class LessonEvidence:
    """Keeps the evidence about the code on screen, and about the original with the selection of the page.

    Attributes:
        seen: the newest snapshot and times, of whatever code: exercises are about changing it.
        of_page: the same of the original code with the page's own selection: a story says no other figure. Empty while
            nothing of it is known.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.seen = self.of_page = Evidence()
        self._left: dict[int, Evidence] = {}
        """The evidence of each page when it was left, by its place."""

    @property
    def edited(self) -> bool:
        """Whether the code on screen is not the original."""
        return self._session.workspace.controls.edited

    @property
    def with_original(self) -> bool:
        """Whether the original is shown next to it."""
        return self._session.workspace.controls.compare == ORIGINAL

    def open(self, variant: str) -> None:
        """Clear the evidence, for `variant` of another lesson."""
        self._left = {}
        self.seen = self._evidence(None, variant, timed=False)
        self.of_page = replace(self.seen, given=self._given_to_original())

    def turn_to(self, variant: str) -> None:
        """Clear what was seen, except the times, for `variant`."""
        self.seen = self._evidence(None, variant)

    def turn(self, before: int, place: int, variant: str) -> None:
        """Leave the page at `before` for that at `place`, whose own selection, with `variant`, is in force.

        While the code is edited, the run of the original that the page had when it was left is still its evidence.
        """
        self._left[before] = self.of_page
        known, scenario = self._left.get(place, Evidence()), self._session.workspace.scenario
        if self._session.stale:
            self.turn_to(variant)
            older = replace(self.of_page, snapshot=None, variant=variant, given=self._given_to_original())
            self.of_page = older if self.edited else self.seen
        elif not self.edited:
            self.of_page = self.seen
        if self.edited and known.snapshot is not None and scenario is not None and known.source == scenario.source:
            self.of_page = known

    def hear(self, snapshot: Snapshot, variant: str, *, is_own: bool) -> None:
        """Take the results of a run; `is_own` says whether it was made with the selection of the page."""
        self.seen = self._evidence(snapshot, variant)
        if self._session.stale or not is_own:
            return
        if not self.edited:
            self.of_page = self.seen
        elif snapshot.report(original_name(variant)) is not None:
            self.of_page = replace(self.of_page, snapshot=snapshot, variant=original_name(variant))

    def hear_times(self, *, is_own: bool) -> None:
        """Take the current times."""
        self.seen = self._evidence(self.seen.snapshot, self.seen.variant)
        if is_own and not self.edited:
            self.of_page = self._evidence(self.of_page.snapshot, self.of_page.variant)

    def _evidence(self, snapshot: Snapshot | None, variant: str, *, timed: bool = True) -> Evidence:
        timings, source = self._session.timings, self._session.workspace.source
        times, unfinished = (timings.measurements, timings.unfinished) if timed else ((), False)
        return Evidence(snapshot, variant, times, timing=unfinished, source=source, given=self._given(source))

    def _given_to_original(self) -> dict[str, Value]:
        scenario = self._session.workspace.scenario
        return self._given(scenario.source) if scenario is not None else {}

    def _given(self, source: str) -> dict[str, Value]:
        return {**signature_defaults(source), **self._session.workspace.settings}
