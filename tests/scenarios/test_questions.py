"""The questions of every lesson: their choices, and the settings for which they are judged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from explorer.scenario.code_inputs import signature_defaults
from explorer.scenario.measures import Evidence
from explorer.scenario.page import ReadingPosition, page_of, subject
from explorer.scenario.questions import told_of
from explorer.scenario.scenario import Question, Scenario
from explorer.scenario.step_states import StepState, walk
from tests.scenarios.code_run import SCENARIOS, each_scenario

OF_TWO = {
    ("loop_scan_vmap", 2): "A key is spent once or in each iteration.",
    ("partitionable", 2): "Two rows are equal or not.",
    ("partitionable", 3): "The same two rows, the other way round.",
}
"""The only questions with two choices, and why there is no third that somebody would believe."""


def asked(scenario: Scenario) -> dict[tuple[str, int], Question]:
    """Return the questions of `scenario` by its id and the number of the step."""
    steps = enumerate(scenario.steps, 1)
    return {(scenario.id, number): each.question for number, each in steps if each.question is not None}


def right_one(question: Question) -> int:
    """Return the position of the right choice: the one without an objection. `check` tests that against the code."""
    return told_of(question).index(None)


EVERY = {place: each for scenario in SCENARIOS.values() for place, each in asked(scenario).items()}


# -- settings that are not those of the page ---------------------------------------------------


def other_than(own: StepState, scenario: Scenario) -> Iterator[StepState]:
    """Yield `own` with each other variant, and with each parameter changed."""
    for variant in scenario.variants:
        if variant.name != own.variant:
            yield replace(own, variant=variant.name)
    for name, default in signature_defaults(scenario.source).items():
        value = own.parameters.get(name, default)
        other = not value if isinstance(value, bool) else value + "x" if isinstance(value, str) else value + 1
        yield replace(own, parameters={**own.parameters, name: other})


@each_scenario
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_page_is_judged_with_its_own_settings_or_not_at_all(scenario: Scenario, language: str) -> None:
    titles = {each.name: each.title.text(language) for each in scenario.variants}
    defaults = signature_defaults(scenario.source)
    for place, own in enumerate(walk(scenario)):
        for revealed in (False, True):
            reading = ReadingPosition(place, revealed, 0 if revealed else None, now=own)
            written_out = replace(own, parameters={**defaults, **own.parameters})
            for same in (own, written_out):
                assert subject(scenario, replace(reading, now=same), language) == ""
            for other in other_than(own, scenario):
                ask = page_of(scenario, language, replace(reading, now=other), Evidence()).ask
                if ask is None:
                    continue
                assert titles.get(own.variant, "") in ask.about != ""
                assert (ask.right, ask.answer, ask.outcomes, ask.undecided) == (None, "", (), "")


# -- the choices --------------------------------------------------------------------------------


@each_scenario
def test_every_choice_but_one_says_in_both_languages_why_it_is_wrong(scenario: Scenario) -> None:
    for place, question in asked(scenario).items():
        told = told_of(question)
        assert told.count(None) == 1, place
        assert all({"en", "ko"} <= set(each.by_language()) for each in told if each), place


def test_a_question_has_two_choices_only_where_nobody_would_believe_a_third() -> None:
    assert {place for place, each in EVERY.items() if len(told_of(each)) == 2} == set(OF_TWO)


def test_neither_the_position_nor_the_length_gives_the_right_choice_away() -> None:
    of_many = {count: [each for each in EVERY.values() if len(told_of(each)) == count] for count in (3, 4)}
    for (count, questions), (least, most) in zip(of_many.items(), [(0.28, 0.39), (0.15, 0.35)], strict=True):
        places = [right_one(each) for each in questions]
        assert all(least <= places.count(place) / len(places) <= most for place in range(count))
    # Numbers to choose from have no length that would tell anything.
    in_words = [each for each in of_many[3] if each.reasons]
    lengths = [[len(reason.text("en")) for reason in each.reasons] for each in in_words]
    longest = [own.index(max(own)) == right_one(each) for own, each in zip(lengths, in_words, strict=True)]
    assert sum(longest) / len(longest) <= 0.40


def test_no_two_reasons_of_a_question_hold_by_the_same_condition() -> None:
    for place, question in EVERY.items():
        holds = [each.holds for each in question.reasons]
        assert len({*holds}) == len(holds), place
