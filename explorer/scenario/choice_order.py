"""The order of a question's choices: shuffled, so that the position says nothing, and the same wherever it is asked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from explorer.scenario.scenario import Question, StepPlan

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
