"""The lecturer's prompt for a page: notes, the answer, and the next step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.scenario.measure_words import fill_in
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Reading, holds_back, page_count, page_of
from explorer.scenario.scenario import Scenario


@dataclass(frozen=True)
class Prompt:
    """Texts are Markdown, figures are filled in."""

    note: str = ""
    answer: str = ""
    """The answer to the question on the page, as a clause, or why it is not graded; empty without one, and while it is
    unknown."""
    next_title: str = ""
    """Empty after the last page, and while the page still hides its answer."""
    next_text: str = ""


def prompt_of(scenario: Scenario, language: str, reading: Reading, evidence: Evidence) -> Prompt:
    """Return the lecturer's information at `reading`, with the figures of `evidence`."""
    holds = holds_back(scenario, reading.place)
    page = page_of(scenario, language, replace(reading, revealed=True), evidence)
    answer = (page.ask.answer or page.ask.undecided or page.ask.about) if page.ask is not None else ""
    note = _note(scenario, language, reading, evidence)
    if holds and not reading.revealed:
        return Prompt(note, answer, "", page.reveal)
    if reading.place + 1 >= page_count(scenario):
        return Prompt(note, answer)
    # What it will be about has not run yet: figures of another variant would be false.
    coming = page_of(scenario, language, Reading(reading.place + 1), Evidence())
    tasks = "\n".join(f"{number}. {task.text}" for number, task in enumerate(coming.tasks, 1))
    return Prompt(note, answer, coming.heading, coming.text or tasks)


def _note(scenario: Scenario, language: str, reading: Reading, evidence: Evidence) -> str:
    """Return the note of this half of the page; that of the other half where only it has one."""
    steps = scenario.story(language)
    if reading.place >= len(steps):
        return ""
    step = steps[reading.place]
    shown = reading.revealed and step.reveal_note
    return fill_in(step.reveal_note if shown else step.note, evidence, language)
