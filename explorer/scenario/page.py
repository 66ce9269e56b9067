"""One page of a story as a record: a step with its question and reveal, or the exercises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from explorer.scenario import packages
from explorer.scenario.measure_words import fill_in
from explorer.scenario.measures import Evidence
from explorer.scenario.questions import (
    answer_words,
    cannot_tell,
    choice_labels,
    choice_outcomes,
    decides,
    right_choices,
    times_words,
)
from explorer.scenario.scenario import Exercise, Question, Scenario
from explorer.scenario.step_states import StepState, settings_apart, walk
from explorer.text.text import say


class PageQuestion(msgspec.Struct, frozen=True):
    """A question with its choices, and the right ones once the answer is revealed."""

    text: str
    choices: tuple[str, ...]
    chosen: int | None = None
    right: tuple[bool, ...] | None = None
    """None before the reveal, and while the answer is unknown."""
    answer: str = ""
    """The answer as a clause, such as "1 distinct row"; empty before the reveal."""
    outcomes: tuple[str, ...] = ()
    """The mistake in each choice, empty for a right one; none before the reveal."""
    undecided: str = ""
    """The times that would decide but cannot distinguish the choices: nothing is right or wrong then."""
    about: str = ""
    """A sentence on its subject where something else is selected: nothing is right or wrong then."""


class PageExercise(msgspec.Struct, frozen=True):
    """One exercise."""

    text: str
    done: bool
    variant: str = ""
    """The variant that it is about where another one is selected, else empty."""
    outcome: str = ""
    """The expected observation with its explanation; empty until the exercise is done in this session."""
    missing: str = ""
    """Why it is not done though it looks done on screen, as a clause; empty for none."""
    checking: bool = False
    """Whether it looks done on screen, and its trials still run."""


class Page(msgspec.Struct, frozen=True):
    """One page of a story. Texts are Markdown, figures are filled in."""

    title: str = ""
    problem: str = ""
    place: int = 0
    count: int = 0
    """The number of pages; 0 for a program without a story."""
    heading: str = ""
    text: str = ""
    ask: PageQuestion | None = None
    revealed: bool = True
    """Whether everything on this page is revealed."""
    reveal: str = ""
    """The text after the answer; empty until then."""
    tasks: tuple[PageExercise, ...] = ()
    edited: bool = False
    """Whether the code on screen is not the one that this page reports."""
    with_original: bool = False
    """Whether that one is shown next to it."""
    folder: str = ""
    """The folder of the pictures in its text; empty for none."""
    is_recorded: bool = False
    """Whether the code is that of a recording, which does not run."""
    number: int = 0
    """Its number among the pages that are read, counted from 0."""

    @property
    def is_first(self) -> bool:
        return self.number == 0

    @property
    def is_last(self) -> bool:
        return self.number + 1 >= self.count


class ReadingPosition(msgspec.Struct, frozen=True):
    """The position of a reader in a story."""

    place: int = 0
    revealed: bool = False
    chosen: int | None = None
    ticked: frozenset[int] = frozenset()
    done_with: Mapping[int, Evidence] = {}
    """The evidence with which each exercise was done since the lesson was opened."""
    missing: Mapping[int, str] = {}
    """Why an exercise that looks done on screen is not, as a clause."""
    checking: int | None = None
    """The number of the exercise whose trials run."""
    now: StepState | None = None
    """The selection of the reader; None for that of the page."""


def places(scenario: Scenario) -> Sequence[int]:
    """Return the pages of `scenario`, counted from 0: its steps, and one for the exercises; those that a course chooses
    where it chooses some.
    """
    return scenario.pages or range(len(scenario.story("en")) + bool(scenario.exercises))


def has_two_halves(scenario: Scenario, place: int) -> bool:
    """Return whether the page at `place` has a question or a reveal, and so two halves."""
    steps = scenario.story("en")
    return place < len(steps) and bool(steps[place].reveal or _question(scenario, place))


def page_of(scenario: Scenario, language: str, reading: ReadingPosition, evidence: Evidence) -> Page:
    """Return the page for a reader at `reading`, with the figures of `evidence`."""
    title, count = scenario.title.text(language), len(places(scenario))
    number = sum(each < reading.place for each in places(scenario))
    problem = scenario.problem or packages.sentence(scenario).in_language(language)
    steps = scenario.story(language)
    if reading.place >= len(steps):
        heading = say("Try it").in_language(language) if count else ""
        tasks = _tasks(scenario, language, reading, evidence)
        is_recorded = scenario.origin == "recording"
        return Page(title, problem, reading.place, count, heading, tasks=tasks, is_recorded=is_recorded, number=number)
    step = steps[reading.place]
    revealed = reading.revealed or not has_two_halves(scenario, reading.place)
    question = _question(scenario, reading.place)
    return Page(
        title,
        problem,
        reading.place,
        count,
        step.title,
        fill_in(step.text, evidence, language),
        _ask(question, reading, evidence, language, subject(scenario, reading, language)) if question else None,
        revealed,
        fill_in(step.reveal, evidence, language) if revealed else "",
        folder=str(Path(scenario.path).parent),
        number=number,
    )


def _question(scenario: Scenario, place: int) -> Question | None:
    return scenario.steps[place].question if place < len(scenario.steps) else None


def subject(scenario: Scenario, reading: ReadingPosition, language: str) -> str:
    """Return the subject of the page as a sentence; empty where it is selected, with its parameters.

    A page is judged with its own selection or not at all. Compared variants, the form of the program and JAX's checker
    count only for a question that they decide.
    """
    states, now = walk(scenario), reading.now
    if now is None or reading.place >= len(states):
        return ""
    own, question = states[reading.place], _question(scenario, reading.place)
    decided_by = {each.split()[0] for each in decides(question)} if question else set()
    values = settings_apart(own, now, scenario.source)
    apart = [f"`{name}`" if value is None else f"`{name} = {value}`" for name, value in values.items()]
    if now.transforms != own.transforms:
        apart.append(say("without transforms").in_language(language))
    if "same_outputs" in decided_by and now.compare != own.compare:
        apart.append(say("next to {variant}", variant=_title(scenario, own.compare, language)).in_language(language))
    if decided_by & {"equations", "exchanges"} and now.form != own.form:
        apart.append(say("the program as {form}", form=own.form).in_language(language))
    if "jax_objects" in decided_by and now.jax_checker != own.jax_checker:
        apart.append(say("JAX's own key checker").in_language(language))
    if not apart and own.variant in ("", now.variant):
        return ""
    names = [_title(scenario, own.variant, language)] if own.variant else []
    return say("This page asks about {what}.", what=", ".join(names + apart)).in_language(language)


def _title(scenario: Scenario, variant: str, language: str) -> str:
    return next(
        (f"“{each.title.text(language)}”" for each in scenario.variants if each.name == variant), f"`{variant}`"
    )


def _ask(question: Question, reading: ReadingPosition, evidence: Evidence, language: str, about: str) -> PageQuestion:
    text = fill_in(question.text.text(language), evidence, language)
    choices = choice_labels(question, evidence, language)
    if not reading.revealed:
        return PageQuestion(text, choices, about=about)
    if about:
        return PageQuestion(text, choices, reading.chosen, about=about)
    if cannot_tell(question, evidence):
        return PageQuestion(text, choices, reading.chosen, undecided=times_words(question, evidence, language))
    answer, right = answer_words(question, evidence, language), right_choices(question, evidence)
    outcomes = choice_outcomes(question, evidence, language) if right is not None else ()
    wrong = tuple("" if is_right else told for is_right, told in zip(right or (), outcomes, strict=False))
    return PageQuestion(text, choices, reading.chosen, right, answer, wrong)


def _tasks(scenario: Scenario, language: str, reading: ReadingPosition, evidence: Evidence) -> tuple[PageExercise, ...]:
    return tuple(
        PageExercise(
            fill_in(exercise.text.text(language), evidence, language),
            number in reading.ticked,
            exercise.variant if exercise.variant != evidence.variant else "",
            _outcome(exercise, number, reading, language),
            "" if number in reading.ticked else reading.missing.get(number, ""),
            number == reading.checking,
        )
        for number, exercise in enumerate(scenario.exercises)
    )


def _outcome(exercise: Exercise, number: int, reading: ReadingPosition, language: str) -> str:
    """Return the text after exercise `number`, with the figures of the evidence that it was done with.

    Of what was done in an earlier session the evidence is gone, and the next reader has yet to do it.
    """
    evidence = reading.done_with.get(number)
    if exercise.outcome is None or evidence is None:
        return ""
    return fill_in(exercise.outcome.text(language), evidence, language)
