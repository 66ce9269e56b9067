"""Mistakes in a lesson's sheet, each with its correction; nothing runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise

from explorer.messages import Value
from explorer.scenario import conditions, exercise_trials, measures, pointing
from explorer.scenario.code_inputs import input_parameters
from explorer.scenario.measure_words import PLACEHOLDER
from explorer.scenario.questions import text_of
from explorer.scenario.scenario import Exercise, Question, Scenario, StepPlan, picture_words

MOST_CHOICES = 9
"""One for each of the keys 1 to 9."""


def complaints(scenario: Scenario) -> tuple[str, ...]:
    """Return the mistakes in the steps, questions and exercises of `scenario`, a sentence for each."""
    parameters = input_parameters(scenario.source)
    found = [*_step_counts(scenario), *_placeholders(scenario, parameters)]
    for name in (scenario.compare, *scenario.timing.variants):
        found += [f"scenario.toml: {each}" for each in _variant(scenario, name)]
    for number, plan in enumerate(scenario.steps, 1):
        found += _given_away(scenario, number, plan.question.answer) if plan.question else ()
        found += [f"Step {number}: {each}" for each in _of_step(scenario, plan, parameters)]
    for number, exercise in enumerate(scenario.exercises, 1):
        found += [f"Exercise {number}: {each}" for each in _of_exercise(scenario, exercise, parameters)]
    return tuple(found)


def _step_counts(scenario: Scenario) -> Iterator[str]:
    counts = {language: len(steps) for language, steps in scenario.stories.items()}
    planned = len(scenario.steps)
    for language, count in counts.items():
        if planned and count != planned:
            first = f"story.{language}.md, step {planned + 1}" if count > planned else f"Step {count + 1}"
            yield (
                f"{first}: scenario.toml has {planned} [[steps]], but story.{language}.md has {count} headings: "
                f"write one [[steps]] for each ## heading, in the same order."
            )
    if not scenario.steps and len(set(counts.values())) > 1:
        yield f"The stories have different numbers of ## headings ({counts}): write the same steps in each language."
    if scenario.steps and not scenario.stories:
        yield "scenario.toml has [[steps]], but there is no story.en.md to tell them."


def _given_away(scenario: Scenario, number: int, answer: str) -> Iterator[str]:
    for language, steps in scenario.stories.items():
        told = steps[number - 1].text if number <= len(steps) else ""
        if answer and (f"{{{{{answer}}}}}" in told or f"{{{{{answer}:" in told):
            yield f"story.{language}.md, step {number}: {{{{{answer}}}}} answers its question: write it below a ---."


def _placeholders(scenario: Scenario, parameters: dict[str, Value]) -> Iterator[str]:
    for where, text in _texts(scenario):
        for found in PLACEHOLDER.finditer(text):
            name = found[1].strip()
            wrong = "" if name in parameters else measures.complaint(name, parameters)
            if wrong:
                yield f"{where}: {found[0]} stands for nothing. {wrong}"


def _texts(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Return the location of each text that may hold figures, and the text."""
    for language, steps in scenario.stories.items():
        for number, step in enumerate(steps, 1):
            yield (
                f"story.{language}.md, step {number}",
                "\n".join((step.text, step.reveal, step.note, step.reveal_note)),
            )
    for number, plan in enumerate(scenario.steps, 1):
        if plan.question is not None:
            reasons = plan.question.reasons
            told = [*plan.question.told.values(), *(each.told for each in reasons if each.told is not None)]
            texts = [plan.question.text, *reasons, *told]
            yield f"Question of step {number}", "\n".join(chain(*texts))
    for number, exercise in enumerate(scenario.exercises, 1):
        texts = [exercise.text, *([exercise.outcome] if exercise.outcome else [])]
        yield f"Exercise {number}", "\n".join(chain(*texts))


def _variants(scenario: Scenario) -> set[str]:
    """Return the names that a step can select; for a sheet that names none, every function of the code."""
    if scenario.variants:
        return {plan.name for plan in scenario.variants}
    try:
        body = ast.parse(scenario.source).body
    except (SyntaxError, ValueError):
        return set()
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}


def _of_step(scenario: Scenario, plan: StepPlan, parameters: dict[str, Value]) -> Iterator[str]:
    for name in (plan.variant, plan.compare or ""):
        yield from _variant(scenario, name)
    yield from _values(plan.parameters, parameters)
    if plan.picture:
        yield from _picture(plan.picture)
    yield from (wrong for each in (plan.focus, plan.focus_after) if each and (wrong := pointing.complaint(each)))
    if plan.question is not None:
        yield from _of_question(scenario, plan.question, parameters)


def _values(values: Mapping[str, Value], parameters: Mapping[str, Value]) -> Iterator[str]:
    """Check the parameters that a step or an exercise sets."""
    for name, value in values.items():
        if name not in parameters:
            known = ", ".join(parameters) or "none that can be set"
            yield f"it sets {name}, but `inputs` has no such parameter. It has {known}."
        elif isinstance(value, str) != isinstance(parameters[name], str):
            yield f"it sets {name} to {value!r}, but `inputs` has {parameters[name]!r} there: write the same type."


def _picture(text: str) -> Iterator[str]:
    try:
        picture_words(text)
    except ValueError:
        yield (
            f"picture = `{text}` means no array. Write output, draw or difference, or the name of an output as the "
            f"noise pane has it, such as output['loss'] or output[1]."
        )


def _of_question(scenario: Scenario, question: Question, parameters: dict[str, Value]) -> Iterator[str]:
    count = len(question.choices) + len(question.reasons)
    if not 2 <= count <= MOST_CHOICES:
        yield f"its question has {count} choices: give 2 to {MOST_CHOICES}."
    yield from _told(question)
    if question.reasons:
        yield from _of_reasons(scenario, question, parameters)
        return
    is_condition = conditions.parse(question.answer) is not None
    wrong = conditions.complaint(question.answer, parameters) if is_condition else measures.complaint(question.answer)
    if wrong:
        yield f"its question has no answer. {wrong}"
        return
    yield from _curves(scenario, question.answer)
    for choice in question.choices:
        if unfit := conditions.unfitting(question.answer, choice, parameters):
            yield f"its question has a choice that can never be: {unfit}"
    if conditions.gives(question.answer) in ("seconds", "ratio"):
        yield from _too_near(question.choices)


def _told(question: Question) -> Iterator[str]:
    known = [text_of(each) for each in question.choices]
    for choice in question.told:
        if choice not in known:
            where = f"its choices are {', '.join(known)}" if known else "each of its reasons has its own"
            yield f"its question says in `told` what is wrong with {choice}, but {where}."


def _too_near(choices: Sequence[Value]) -> Iterator[str]:
    """Check that a time can distinguish each of the `choices` from the next."""
    numbers = sorted(each for each in choices if isinstance(each, int | float) and each > 0)
    for one, other in pairwise(numbers):
        if other / one <= measures.MARGIN**2:
            yield f"no time can tell its choices {one} and {other} apart, so it is never graded: choose wider ones."


def _of_reasons(scenario: Scenario, question: Question, parameters: dict[str, Value]) -> Iterator[str]:
    if question.answer or question.choices:
        yield "its question has reasons to choose from, so it needs neither `answer` nor `choices`."
    for reason in question.reasons:
        wrong = conditions.complaint(reason.holds, parameters)
        if wrong:
            yield f"its question has a reason that cannot be checked: {wrong}"
        else:
            yield from _curves(scenario, reason.holds)


def _of_exercise(scenario: Scenario, exercise: Exercise, parameters: dict[str, Value]) -> Iterator[str]:
    yield from _variant(scenario, exercise.variant)
    yield from _values(exercise.again, parameters)
    if not exercise.done:
        yield 'it has no condition, so it would always be done: write done = ["bugs == 0"], for example.'
    for text in exercise.done:
        wrong = conditions.complaint(text, parameters)
        if wrong:
            yield wrong
        else:
            yield from _curves(scenario, text)
    for name in exercise_trials.compared_with(exercise):
        yield from _variant(scenario, name)


def _variant(scenario: Scenario, name: str) -> Iterator[str]:
    known = _variants(scenario)
    if name and name not in known:
        yield f"there is no variant `{name}`. Variants are {', '.join(sorted(known))}."


def _curves(scenario: Scenario, text: str) -> Iterator[str]:
    """Check that the curves in the condition `text` are measured."""
    condition = conditions.parse(text)
    plan = scenario.timing
    timed = set(plan.variants) or _variants(scenario)
    for series in measures.curves_of(condition.measure if condition else text):
        if series.variant not in timed:
            yield f"`{text}` asks for the time of {series.variant}, but [timing] measures {', '.join(sorted(timed))}."
        elif len(series.transforms) == 1 and series.transforms[0] not in plan.transforms:
            yield f"`{text}` asks for {series.transforms[0]}, but [timing] measures {', '.join(plan.transforms)}."
