"""Compares a lesson with the results of its code, step by step; ``marks`` of its exercises for a student's code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec import structs

from explorer.messages import Request, Snapshot
from explorer.scenario import conditions, exercise_trials, pointing, questions, requests
from explorer.scenario.measures import OF_TIMES, Evidence
from explorer.scenario.scenario import Exercise, Question, Scenario, StepPlan, picture_words
from explorer.scenario.step_states import StepState, opening, walk

Run = Callable[[Request], Snapshot]
NOT_ASKED_HERE = OF_TIMES
"""Measures of the timing pane, which a check does not fill."""


def complaints(scenario: Scenario, run: Run) -> tuple[str, ...]:
    """Return the false statements in the steps and exercises of `scenario`; `run` answers a Request."""
    return tuple(_Checker(scenario, run).complaints())


def request_of(scenario: Scenario, state: StepState) -> Request:
    """Return the request, as run 1, for all that the window shows of `scenario` in this `state`."""
    return structs.replace(
        requests.analysis(scenario),
        variants=state.variants,
        parameters=dict(state.parameters),
        form=state.form,
        jax_checker=state.jax_checker,
        draws=True,
        traces=True,
        value_checks=True,
    )


class _Checker:
    """Runs each state once."""

    def __init__(self, scenario: Scenario, run: Run) -> None:
        self._scenario = scenario
        self._run = run
        self._snapshots: dict[bytes, Snapshot] = {}

    def complaints(self) -> Iterator[str]:
        states = walk(self._scenario)
        for number, (plan, state) in enumerate(zip(self._scenario.steps, states, strict=True), 1):
            for focus in (plan.focus, plan.focus_after):
                source = self._scenario.source
                if focus and pointing.find(focus, state.variant, source, self._snapshot(state)) is None:
                    yield f"Step {number}: `{focus}` matches nothing in {state.variant}; change it or leave it out."
            if plan.picture and (missing := _missing_picture(plan.picture, self._evidence(state))):
                yield f"Step {number}: {missing}"
            if plan.question is not None:
                wrong = _answer_complaint(plan.question, self._evidence(state))
                if wrong:
                    yield f"Step {number}: {wrong}"
        last = states[-1] if states else opening(self._scenario)
        for number, exercise in enumerate(self._scenario.exercises, 1):
            evidence = self._evidence(last.after(StepPlan(variant=exercise.variant, compare="", form="jaxpr")))
            if all(conditions.holds(each, evidence) for each in exercise.done):
                holds = " and ".join(exercise.done)
                yield f"Exercise {number} is done before any change to the code: {holds} holds already."

    def _evidence(self, state: StepState) -> Evidence:
        snapshot = self._snapshot(state)
        return Evidence(snapshot, state.variant or next((report.name for report in snapshot.reports), ""))

    def _snapshot(self, state: StepState) -> Snapshot:
        request = request_of(self._scenario, state)
        key = msgspec.msgpack.encode(request)
        if key not in self._snapshots:
            self._snapshots[key] = self._run(request)
        return self._snapshots[key]


def _missing_picture(text: str, evidence: Evidence) -> str:
    """Return the error in the array name `text` of a step; empty when the variant has that array."""
    role, name = picture_words(text)
    report = evidence.snapshot.report(evidence.variant) if evidence.snapshot else None
    names = [picture.name for picture in (report.pictures if report else None) or () if picture.role == role]
    if name in names or (names and not name):
        return ""
    has = f"It has {', '.join(map(str, names))}" if names else f"It has nothing for `{role}`"
    return f"picture = `{text}` is not there for {evidence.variant}. {has}."


def _answer_complaint(question: Question, evidence: Evidence) -> str:
    if question.reasons:
        return _reasons_complaint(question, evidence)
    answer = conditions.answer(question.answer, evidence)
    name = question.answer.split()[0]
    if name in NOT_ASKED_HERE:
        return ""
    if answer is None:
        return f"its answer `{question.answer}` is not known for {evidence.variant}: use a measure that it has."
    right = questions.right_choices(question, evidence) or ()
    if sum(right) == 1:
        return _told_complaint(question, right.index(True))
    shown = ", ".join(map(str, question.choices))
    problem = "more than one of its choices" if any(right) else "none of its choices"
    return f"{problem} ({shown}) is right: `{question.answer}` gives {answer!r} for {evidence.variant}."


def _reasons_complaint(question: Question, evidence: Evidence) -> str:
    truths = {reason.holds: conditions.truth(reason.holds, evidence) for reason in question.reasons}
    unknown = [text for text, met in truths.items() if met is None and text.split()[0] not in NOT_ASKED_HERE]
    if unknown:
        return f"`{unknown[0]}` is not known for {evidence.variant}: use a measure that it has."
    met = [text for text, is_met in truths.items() if is_met]
    if None in truths.values():
        return ""
    if len(met) == 1:
        return _told_complaint(question, [reason.holds for reason in question.reasons].index(met[0]))
    return f"{' and '.join(met) or 'none of its reasons'} hold for {evidence.variant}: exactly one must."


def _told_complaint(question: Question, right: int) -> str:
    if questions.told_of(question)[right] is None:
        return ""
    choice = question.reasons[right].text("en") if question.reasons else question.choices[right]
    return f"its choice `{choice}` is right, but its `told` says what is wrong with it."


# -- exercises --------------------------------------------------------------------------------


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
