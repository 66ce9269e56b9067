"""Trials of an exercise, with other parameters or against the author's code: their requests; why it is not done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from explorer.messages import Request, Snapshot, Value
from explorer.scenario import conditions, measures
from explorer.scenario.code_inputs import input_parameters, known_settings
from explorer.scenario.measure_words import figure_text
from explorer.scenario.measures import Evidence
from explorer.scenario.scenario import Exercise, Scenario
from explorer.text.text import say

SAME_AS = "same_as"


def on_screen(exercise: Exercise) -> tuple[str, ...]:
    """Return the conditions that the results on screen can answer."""
    return tuple(each for each in exercise.done if each.split()[0] != SAME_AS)


def requests(exercise: Exercise, scenario: Scenario, wanted: Request) -> tuple[Request, ...]:
    """Return the runs that must be seen before `exercise` is done; none where the screen shows everything.

    `wanted` runs the learner's code. For each set of parameters, the learner's variant comes first and then, from the
    author's code, the variants that it is compared with.
    """
    compared = compared_with(exercise)
    if not compared and not exercise.again:
        return ()
    plain = replace(wanted, run=0, original="", fixes=False, finding_fixes=False)
    outputs = replace(plain, draws=False, traces=False, value_checks=False, jax_checker=False)
    defaults = input_parameters(scenario.source)
    # A learner may write another size into `inputs`: the author's code gets it as a parameter.
    changed = {
        name: value for name, value in input_parameters(wanted.source).items() if value != defaults.get(name, value)
    }
    found = []
    for settings in _settings(exercise):
        own = replace(plain, parameters={**wanted.parameters, **known_settings(settings, wanted.source)})
        theirs = known_settings({**changed, **own.parameters}, scenario.source)
        author = replace(outputs, source=scenario.source, filename=f"<{scenario.id}>", parameters=theirs)
        found += [own, *([replace(author, variants=compared)] if compared else [])]
    return tuple(found)


def missing(exercise: Exercise, asked: Sequence[Request], snapshots: Sequence[Snapshot], language: str) -> str:
    """Return why `exercise` is not done in the first trial in which it is not, as a clause; empty where it is done."""
    compared, start = compared_with(exercise), 0
    # A trial has no times, and no second variant next to it.
    testable = [each for each in exercise.done if each.split()[0] not in (*measures.OF_TIMES, "same_outputs")]
    for settings in _settings(exercise) if asked else ():
        references = snapshots[start + 1].reports if compared else ()
        evidence = Evidence(
            snapshots[start], asked[start].variants[0], source=asked[start].source, references=references
        )
        unmet = next((each for each in testable if not conditions.holds(each, evidence)), "")
        if unmet and settings:
            values = ", ".join(f"{name} = {value}" for name, value in settings.items())
            why = unmet_condition(unmet, evidence, language)
            return say("{why}, with {values}", why=why, values=values).in_language(language)
        if unmet:
            return unmet_condition(unmet, evidence, language)
        start += 2 if compared else 1
    return ""


def unmet_condition(text: str, evidence: Evidence, language: str) -> str:
    """Return why the condition `text` does not hold, as a clause."""
    condition = conditions.parse(text)
    name, _, rest = condition.measure.partition(" ") if condition else ("", "", "")
    found = measures.measure(condition.measure, evidence) if condition else None
    failure = evidence.report.failure if evidence.report else None
    if condition and name == "mentions":
        why = say("`{text}` is missing", text=rest) if condition.value else say("`{text}` is still there", text=rest)
    elif condition is None or (found is None and failure is None):
        why = say("`{condition}` is not known", condition=text)
    elif found is None and failure is not None:
        why = say("it raises {error}", error=failure.type)
    elif name == SAME_AS:
        why = say("it does not return what `{variant}` returns", variant=rest)
    else:
        value = figure_text(condition.measure, found, evidence, language)
        why = say("`{condition}` does not hold: {value}", condition=text, value=value)
    return why.in_language(language)


def _settings(exercise: Exercise) -> tuple[Mapping[str, Value], ...]:
    return ({}, exercise.again) if exercise.again else ({},)


def compared_with(exercise: Exercise) -> tuple[str, ...]:
    """Return the variants of the author's code that the conditions of `exercise` name."""
    asked = [condition.measure.split() for each in exercise.done if (condition := conditions.parse(each))]
    return tuple(dict.fromkeys(words[1] for words in asked if words[0] == SAME_AS and len(words) > 1))
