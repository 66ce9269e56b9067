"""A lesson that differs from its code is reported to its author."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.commands import lesson_check
from explorer.commands.check import check
from explorer.library import library
from explorer.messages import Report, Request, Snapshot
from explorer.scenario.scenario import Scenario
from tests.library.test_library import make_folder
from tests.scenario.lessons import LESSON, asking, exercise, reasoning, step


def answers(request: Request) -> Snapshot:
    """Answer as a program would whose variants all succeed and print nothing."""
    return Snapshot(1, "cpu:0", True, reports=tuple(Report(name, "ok", findings=()) for name in request.variants))


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (LESSON, ""),
        (step(variant="bug", focus="line def bug"), ""),
        (step(variant="bug", focus="line def bgu"), "Step 1: `line def bgu` matches nothing in bug"),
        (step(variant="bug", focus="finding key-reuse"), "matches nothing in bug"),
        (step(variant="bug", focus="equation sin"), "matches nothing in bug"),
        (step(variant="bug", focus="key reused"), "matches nothing in bug"),
        (step(variant="bug", focus="row 0"), "matches nothing in bug"),
        (step(variant="bug", picture="output[1]"), "picture = `output[1]` is not there for bug. It has nothing for"),
        (asking("printed", 0, 1), ""),
        (asking("printed", 1, 2), "none of its choices (1, 2) is right: `printed` gives 0 for bug."),
        (asking("printed", 0, 0), "more than one of its choices (0, 0) is right"),
        (asking("draws", 0, 1), "its answer `draws` is not known for bug"),
        (asking("time bug:jit", 1.0, 2.0), ""),
        (reasoning("printed == 0", "printed == 1"), ""),
        (reasoning("printed == 2", "printed == 1"), "none of its reasons hold for bug: exactly one must."),
        (reasoning("printed == 0", "printed < 1"), "printed == 0 and printed < 1 hold for bug: exactly one must."),
        (reasoning("printed == 0", "draws == 1"), "`draws == 1` is not known for bug"),
        (reasoning("time bug:jit > 1", "time bug:jit < 1"), ""),
        (exercise("bugs == 0"), "Exercise 1 is done before any change to the code: bugs == 0 holds already."),
        (exercise("bugs == 0", "printed == 1"), ""),
    ],
)
def test_a_lesson_that_is_not_true_is_reported(scenario: Scenario, words: str) -> None:
    found = " ".join(lesson_check.complaints(scenario, answers))
    assert words in found
    assert bool(words) == bool(found)


@pytest.mark.process
@pytest.mark.usefixtures("one_worker")
def test_check_reports_to_an_author_an_untrue_lesson(tmp_path: Path) -> None:
    sheet = """
title = { en = "Two", ko = "둘" }
needs = ["nowhere", "first_jaxpr"]
[[variants]]
name = "two"
title = { en = "Two" }
[[steps]]
[steps.question]
text = { en = "How much?" }
answer = "value"
choices = [1, 3]
"""
    folder = make_folder(
        tmp_path, code_py="def two():\n    return 2\n", scenario_toml=sheet, story_en_md="## One\nHow much?\n"
    )
    checked = check(library.open_target(str(folder)))
    assert checked.exit_code == 1
    assert checked.complaints == (
        "It needs the lesson nowhere, which is nowhere: needs are ids of lessons.",
        "The title is written in ko, but there is no story.ko.md.",
        "scenario.toml, line 10: Step 1: none of its choices (1, 3) is right: `value` gives 2 for two.",
    )
