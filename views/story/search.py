"""Search for scenarios by words, with ranks."""

from __future__ import annotations

from itertools import chain

from explorer.scenario.scenario import Scenario

FURTHEST = 4
"""The rank of a scenario that lacks a word."""


def place_of(scenario: Scenario, words: str) -> int:
    """Return the rank of `scenario` for `words`, 0 for the best; FURTHEST where it lacks a word.

    Words are searched in titles, story, questions and code. First comes an equal title, then a title that contains the
    phrase, then a title with every word; punctuation in titles does not matter.
    """
    wanted, whole = words.casefold().split(), _letters(words)
    titles = [title.casefold() for title in scenario.title]
    if whole and any(whole == _letters(title) for title in titles):
        return 0
    if whole and any(whole in _letters(title) for title in titles):
        return 1
    if any(all(word in title for word in wanted) for title in titles):
        return 2
    text = _searchable(scenario)
    return 3 if all(word in text for word in wanted) else FURTHEST


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _searchable(scenario: Scenario) -> str:
    stories = (f"{step.title}\n{step.text}\n{step.reveal}" for steps in scenario.stories.values() for step in steps)
    asked = [plan.question.text for plan in scenario.steps if plan.question is not None]
    asked += [text for exercise in scenario.exercises for text in (exercise.text, exercise.outcome) if text is not None]
    asked += [plan.title for plan in scenario.variants]
    return "\n".join((scenario.id, *chain(scenario.title, *asked), *stories, scenario.source)).casefold()
