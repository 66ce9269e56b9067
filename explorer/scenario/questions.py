"""A step's question compared with the results: labels and order of its choices, the right ones, and the answer."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from explorer.messages import Value
from explorer.scenario import conditions, measures
from explorer.scenario.conditions import meaning, same
from explorer.scenario.measure_words import figure, figure_text, fill_in, times_text
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import Question, StepPlan
from explorer.scenario.texts import Texts
from explorer.text.text import say

ABOUT_THE_SAME = say("about the same")
"""A ratio of 1, as a choice."""
ABOUT = 0.1
"""The largest relative distance between a choice and the measured number that it matches."""


def choice_values(question: Question, evidence: Evidence) -> tuple[Value | None, ...]:
    """Return the value of each choice; None for one that is unknown."""
    return tuple(meaning(choice, evidence) for choice in question.choices)


def choice_labels(question: Question, evidence: Evidence, language: str) -> tuple[str, ...]:
    """Return the labels of the buttons of the choices."""
    if question.reasons:
        return tuple(fill_in(each.text(language), evidence, language) for each in question.reasons)
    shown = zip(question.choices, choice_values(question, evidence), strict=True)
    # The label of a parameter with an unknown value is not its name.
    counts = conditions.gives(question.answer) != "text"
    known = (
        None if counts and isinstance(value, str) else written if value is None else value for written, value in shown
    )
    is_ratio = conditions.gives(question.answer) == "ratio"
    labels = (
        ABOUT_THE_SAME.in_language(language) if is_ratio and value == 1 else figure(question.answer, value, language)
        for value in known
    )
    return tuple(label[:1].upper() + label[1:] for label in labels)


def choice_outcomes(question: Question, evidence: Evidence, language: str) -> tuple[str, ...]:
    """Return the objection to each choice, empty where the author wrote none."""
    return tuple(fill_in(each.text(language), evidence, language) if each else "" for each in told_of(question))


def told_of(question: Question) -> tuple[Texts | None, ...]:
    """Return the author's objection to each choice; None where there is none."""
    if question.reasons:
        return tuple(each.told for each in question.reasons)
    return tuple(question.told.get(text_of(each)) for each in question.choices)


def text_of(choice: Value) -> str:
    """Return `choice` as a sheet writes it."""
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def right_choices(question: Question, evidence: Evidence) -> tuple[bool, ...] | None:
    """Return for each choice whether it is right; None while the answer is unknown, and where `cannot_tell`.

    A time or a ratio never equals the author's number: there the nearest choice is right.
    """
    if question.reasons:
        met = [conditions.truth(each.holds, evidence) for each in question.reasons]
        # Between the ranges of two reasons about a time, none is right, and none is wrong.
        is_open = None in met or (True not in met and any(map(measures.is_of_times, decides(question))))
        return None if is_open else tuple(each is True for each in met)
    answer = conditions.answer(question.answer, evidence)
    values = choice_values(question, evidence)
    if answer is None:
        return None
    if conditions.gives(question.answer) in ("seconds", "ratio"):
        return _nearest(measures.interval(question.answer, evidence), values)
    if isinstance(answer, float):
        return tuple(
            isinstance(value, int | float) and abs(value - answer) <= ABOUT * max(abs(answer), 1.0) for value in values
        )
    return tuple(value is not None and same(answer, value) for value in values)


def cannot_tell(question: Question, evidence: Evidence) -> bool:
    """Return whether the deciding times are measured but unstable, or too near to another choice."""
    asked = decides(question)
    is_known = all(measures.measure(each, evidence) is not None for each in asked)
    return is_known and any(map(measures.is_of_times, asked)) and right_choices(question, evidence) is None


def times_words(question: Question, evidence: Evidence, language: str) -> str:
    """Return the times that decide, and how many times longer one is: ``f (jit) 1.2 ms, g (jit) 1 ms: 1.1 to 1.4``."""
    return "; ".join(times_text(each, evidence, language) for each in decides(question) if measures.is_of_times(each))


def decides(question: Question) -> tuple[str, ...]:
    """Return the measures that decide which choice is right, each once."""
    asked = [each.holds for each in question.reasons] or [question.answer]
    found = (condition.measure if (condition := conditions.parse(each)) else each for each in asked)
    return tuple(dict.fromkeys(each for each in found if each))


def answer_words(question: Question, evidence: Evidence, language: str) -> str:
    """Return the answer as a clause: "1 distinct row", or the words that are right; empty while it is not known."""
    if not question.reasons:
        return figure_text(question.answer, conditions.answer(question.answer, evidence), evidence, language)
    labels, right = choice_labels(question, evidence, language), right_choices(question, evidence)
    return ", ".join(label for label, is_right in zip(labels, right or (), strict=False) if is_right)


def _nearest(ends: tuple[float, float] | None, values: Sequence[Value | None]) -> tuple[bool, ...] | None:
    """Return for each of `values` whether it is nearest to all times between `ends`; None where no single one is."""
    nearest = {_nearest_to(each, values) for each in ends or ()}
    return nearest.pop() if len(nearest) == 1 else None


def _nearest_to(time: float, values: Sequence[Value | None]) -> tuple[bool, ...]:
    distances = [
        abs(math.log(value / time)) if isinstance(value, int | float) and value > 0 else math.inf for value in values
    ]
    return tuple(distance == min(distances) < math.inf for distance in distances)


T = TypeVar("T")


def shuffled(steps: Sequence[StepPlan]) -> tuple[StepPlan, ...]:
    """Return the `steps` of a lesson, the choices of each question in another order.

    The order depends on the question and the number of the step and nothing else: a room, its handout and the next
    reader see the same letters, also where the lesson is kept under another name.
    """
    return tuple(
        each
        if each.question is None
        else replace(each, question=_in_order(each.question, f"{number} {each.question.text.text('en')}"))
        for number, each in enumerate(steps, 1)
    )


def _in_order(question: Question, place: str) -> Question:
    choices, reasons = _shuffled(question.choices, place), _shuffled(question.reasons, place)
    return replace(question, choices=choices, reasons=reasons)


def _shuffled(items: Sequence[T], place: str) -> tuple[T, ...]:
    # Python's own hash of a text differs between processes.
    ranks = [hashlib.sha256(f"{place} {number}".encode()).digest() for number in range(len(items))]
    return tuple(items[number] for number in sorted(range(len(items)), key=ranks.__getitem__))
