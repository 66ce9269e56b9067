"""The marks of a lesson's exercises, from the results of a student's code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from explorer.commands.lesson_check import NOT_ASKED_HERE, Run
from explorer.messages import Request, Snapshot
from explorer.scenario import conditions, exercise_trials
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import Exercise, Scenario
from explorer.scenario.step_states import StepState, opening, walk

DONE, NOT_DONE, NOT_TIMED = "done", "not done", "not timed"
"""The marks of an exercise; the last one where only a time is missing, because a check measures none."""


class ExerciseMark(NamedTuple):
    """The mark of one exercise."""

    word: str
    missing: str = ""
    """Why it is not done, as a clause; empty for one that is done, and where nothing is known."""
    variant: str = ""
    """The variant with which it is done."""


def better(first: ExerciseMark, second: ExerciseMark) -> ExerciseMark:
    """Return the better one of two marks."""
    return min(first, second, key=lambda mark: (DONE, NOT_TIMED, NOT_DONE).index(mark.word))


def marks(lesson: Scenario, request: Request, snapshot: Snapshot, run: Run) -> tuple[ExerciseMark, ...]:
    """Return the marks of the exercises of `lesson` by `snapshot`, the answer to `request`, and by further runs."""
    last = (walk(lesson) or (opening(lesson),))[-1]
    found = []
    for exercise in lesson.exercises:
        mark = _mark_of(exercise, list(_evidence(exercise, last, request, snapshot)))
        found.append(_tried(exercise, mark, lesson, request, run))
    return tuple(found)


def _evidence(exercise: Exercise, last: StepState, request: Request, snapshot: Snapshot) -> Iterator[Evidence]:
    """Yield the evidence that the window could have for `exercise`: each of its variants, alone and compared."""
    for report in snapshot.reports:
        if exercise.variant in ("", report.name):
            for other in dict.fromkeys(("", last.compare)):
                shown = tuple(each for each in snapshot.reports if each.name in (report.name, other))
                yield Evidence(structs.replace(snapshot, reports=shown), report.name, source=request.source)


def _mark_of(exercise: Exercise, seen: Sequence[Evidence]) -> ExerciseMark:
    if not seen:
        return ExerciseMark(
            NOT_DONE, f"`{exercise.variant}` is missing" if exercise.variant else "there is nothing to run"
        )
    done = exercise_trials.on_screen(exercise)
    if found := next((each for each in seen if _hold(done, each)), None):
        return ExerciseMark(DONE, variant=found.variant)
    asked = [each for each in done if each.split()[0] not in NOT_ASKED_HERE]
    if len(asked) < len(done) and (found := next((each for each in seen if _hold(asked, each)), None)):
        return ExerciseMark(NOT_TIMED, variant=found.variant)
    unmet = min(([text for text in asked if not conditions.holds(text, each)] for each in seen), key=len)
    nearest = next(each for each in seen if not conditions.holds(unmet[0], each))
    return ExerciseMark(NOT_DONE, exercise_trials.unmet_condition(unmet[0], nearest, "en"))


def _hold(texts: Sequence[str], evidence: Evidence) -> bool:
    return all(conditions.holds(each, evidence) for each in texts)


def _tried(exercise: Exercise, mark: ExerciseMark, lesson: Scenario, request: Request, run: Run) -> ExerciseMark:
    """Return `mark`, unless `exercise` turns out not to be done in one of its trials."""
    if mark.word == NOT_DONE:
        return mark
    trials = exercise_trials.requests(exercise, lesson, structs.replace(request, variants=(mark.variant,)))
    missing = exercise_trials.missing(exercise, trials, list(map(run, trials)), "en")
    return mark if not missing else ExerciseMark(NOT_DONE, missing)
