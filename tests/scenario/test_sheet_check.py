"""Mistakes in a lesson's sheet, reported so that its author can fix them."""

from __future__ import annotations

import sys

import pytest

from explorer.library import paths
from explorer.scenario import packages, sheet_check
from explorer.scenario.measures import Evidence
from explorer.scenario.page import ReadingPosition, page_of
from explorer.scenario.scenario import Scenario, Step, StepPlan
from tests.library.test_library import make_folder, mine
from tests.scenario.lessons import LESSON, OUTCOME, asking, changed, exercise, reasoning, step


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (LESSON, ""),
        (changed(steps=(StepPlan(), StepPlan())), "2 [[steps]], but story.en.md has 1 headings: write one [[steps]]"),
        (changed(steps=(), stories={**OUTCOME, "ko": OUTCOME["ko"] * 2}), "different numbers of ## headings"),
        (changed(stories={}), "no story.en.md"),
        (
            changed(stories={**OUTCOME, "en": (Step("One", "{{rosw}}"),)}),
            "step 1: {{rosw}} stands for nothing. There is no",
        ),
        (asking("rows", 4, 5), "story.en.md, step 1: {{rows}} answers its question"),
        (step(variant="bgu"), "Step 1: there is no variant `bgu`. Variants are bug, fix."),
        (step(compare="fxi"), "no variant `fxi`"),
        (step(parameters={"bacth": 3}), "sets bacth, but `inputs` has no such parameter. It has batch, name."),
        (step(parameters={"batch": "3"}), "write the same type"),
        (step(parameters={"batch": 8, "name": "b"}), ""),
        (step(focus="lines foo"), "none of the forms `line TEXT`"),
        (step(focus="line"), "none of the forms"),
        (step(focus_after="row first"), "a row has a number"),
        (step(picture="outputs"), "picture = `outputs` means no array. Write output, draw or difference, or the name"),
        (step(picture="output['a']", look="scatter"), ""),
        (step(picture="draw normal, line 3"), ""),
        (step(focus="key spent"), "a key is one of fresh, split"),
        (step(focus="row first"), "a row has a number"),
        (asking("rows_same 0 1", True, False), "its question has no answer. There is no measure `rows_same`"),
        (asking("rows", 4), "has 1 choices: give 2 to 9"),
        (asking("rows", True, False), "a choice that can never be: rows is a number, not true."),
        (asking("rows", 1, "batches"), "batches is neither a parameter"),
        (asking("draws", 1, "batch"), ""),
        (reasoning("rows == 1"), "has 1 choices: give 2 to 9"),
        (reasoning("rows == 1", "rows > 1"), ""),
        (reasoning("rows == 1", "rows_same 0 1 == true"), "a reason that cannot be checked: There is no measure"),
        (reasoning("rows == 1", "rows > 1", answer="rows"), "needs neither `answer` nor `choices`"),
        (asking("time other:jit", 1.0, 2.0), "time of other, but [timing] measures bug, fix"),
        (asking("time bug:vmap", 1.0, 2.0), "asks for vmap, but [timing] measures eager, jit"),
        (asking("ratio bug:eager bug:jit", 2, 3, 10), "no time can tell its choices 2 and 3 apart"),
        (asking("ratio bug:eager bug:jit", 2, 10), ""),
        (exercise(), "Exercise 1: it has no condition"),
        (exercise("bugs = 0"), "MEASURE OPERATOR VALUE"),
        (exercise("same_as fix"), "`same_as fix` has no value to compare with: write `same_as fix == true`"),
        (exercise("bugs == 0", variant="fixed"), "no variant `fixed`"),
        (exercise("ratio bug:eager gone:jit > 2"), "time of gone"),
        (exercise("bugs == 0", "rows == batch", variant="bug"), ""),
        (exercise("bugs == 0", outcome="There are {{rwos}}."), "Exercise 1: {{rwos}} stands for nothing. There is no"),
        (exercise("bugs == 0", outcome="There are {{rows}}."), ""),
    ],
)
def test_a_wrong_sheet_is_reported_so_that_it_can_be_fixed(scenario: Scenario, words: str) -> None:
    found = " ".join(sheet_check.complaints(scenario))
    assert words in found
    assert bool(words) == bool(found)


def test_the_problem_of_a_folder_names_each_mistake_of_its_lesson_with_its_line() -> None:
    sheet = (
        'title = { en = "T" }\n[[variants]]\nname = "f"\ntitle = { en = "F" }\n[[steps]]\nfocus = "nothing"\n'
        '[[steps]]\npane = "keys"\nvariant = "g"\n[[exercises]]\ntext = { en = "Do" }\ndone = ["same_as f"]\n'
    )
    story = "## One\nWords.\n## Two\n\n{{rosw}}\n"
    make_folder(paths.my_scenarios_folder(), scenario_toml=sheet, story_en_md=story)
    problem = mine("two_rows").problem
    for mistake in (
        "story.en.md, line 5: {{rosw}} stands for nothing.",
        "scenario.toml, line 6: Step 1: focus = `nothing`",
        "scenario.toml, line 9: Step 2: there is no variant `g`.",
        "scenario.toml, line 12: Exercise 1: `same_as f` has no value",
    ):
        assert mistake in problem


# -- missing packages --------------------------------------------------------------------------


LACKING = changed(requires=("json", "no_such_package"))


def test_what_is_there_is_not_missing() -> None:
    assert packages.missing(LACKING) == ("no_such_package",)
    assert not packages.sentence(changed(requires=("json",)))


def test_the_command_installs_into_the_python_that_runs_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert packages.install_command(("one", "two")).endswith(" -m pip install one two")
    monkeypatch.setattr(sys, "executable", "/my programs/python")
    assert "my programs" in str(packages.sentence(LACKING))
    if sys.platform != "win32":
        assert packages.install_command(("one",)) == "'/my programs/python' -m pip install one"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_page_of_the_lesson_says_it(language: str) -> None:
    page = page_of(LACKING, language, ReadingPosition(), Evidence())
    assert page.problem == packages.sentence(LACKING).in_language(language)
    assert "no_such_package" in page.problem
    assert page.text
