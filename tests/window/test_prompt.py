"""The lecturer's information about a page."""

from __future__ import annotations

import pytest

from explorer.messages import Parameter, Report, Snapshot
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Reading
from explorer.scenario.scenario import Exercise, Question, Step, StepPlan
from explorer.scenario.texts import Texts
from explorer.window.prompt import Prompt, prompt_of
from tests.scenario.lessons import changed

OUTCOME = changed(
    stories={
        "en": (
            Step("One", "How many?", "There are {{batch}}.", "ask {{batch}}", "say {{batch}}"),
            Step("Two", "{{batch}} again.", note="only this"),
        )
    },
    steps=(StepPlan(question=Question(Texts("?"), "printed", (0, 2))), StepPlan()),
    exercises=(Exercise(Texts("Try"), ("bugs == 0",)), Exercise(Texts("Then"), ("bugs == 0",))),
)
RAN = Snapshot(
    1, "cpu:0", complete=True, reports=(Report("bug", "ok", printed="a\nb\n"),), parameters=(Parameter("batch", 4, 4),)
)


@pytest.mark.parametrize(
    ("reading", "prompt"),
    [
        (Reading(0), Prompt("ask 4", "2 lines printed", "", "There are 4.")),
        (Reading(0, revealed=True), Prompt("say 4", "2 lines printed", "Two", "… again.")),
        (Reading(1), Prompt("only this", "", "Try it", "1. Try\n2. Then")),
        (Reading(2), Prompt()),
    ],
)
def test_a_lecturer_sees_the_note_the_answer_and_what_comes(reading: Reading, prompt: Prompt) -> None:
    assert prompt_of(OUTCOME, "en", reading, Evidence(RAN, "bug")) == prompt
