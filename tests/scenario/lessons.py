"""A small lesson, and its possible mistakes."""

from __future__ import annotations

from typing import Any

import msgspec

from explorer.scenario.scenario import Exercise, Question, Scenario, Step, StepPlan, VariantPlan
from explorer.scenario.texts import Reason, Texts

CODE = "def inputs(batch=4, name='a'): return {}\ndef bug(): ...\ndef fix(): ...\n"
OUTCOME = {"en": (Step("One", "There are {{rows}} rows."),), "ko": (Step("하나", "행 {{batch}}개"),)}
LESSON = Scenario(
    "lesson",
    "mine",
    "/lesson/code.py",
    CODE,
    Texts("Lesson"),
    variants=(VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix"))),
    stories=OUTCOME,
    steps=(StepPlan(variant="bug"),),
)


def changed(**changes: Any) -> Scenario:
    return msgspec.structs.replace(LESSON, **changes)


def step(**fields: Any) -> Scenario:
    return changed(steps=(StepPlan(**fields),))


def asking(answer: str, *choices: Any) -> Scenario:
    return step(variant="bug", question=Question(Texts("?"), answer, choices))


def reasoning(*conditions: str, answer: str = "") -> Scenario:
    reasons = tuple(Reason("So it is", holds=each) for each in conditions)
    return step(variant="bug", question=Question(Texts("?"), answer, reasons=reasons))


def exercise(*done: str, variant: str = "", outcome: str = "") -> Scenario:
    return changed(exercises=(Exercise(Texts("Try"), done, variant, Texts(outcome) if outcome else None),))
