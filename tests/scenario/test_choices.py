"""The order of a question's choices, and what is wrong with each of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.library.folder import from_folder
from explorer.messages import Report, Snapshot
from explorer.scenario import sheet_check
from explorer.scenario.measures import Evidence
from explorer.scenario.page import PageQuestion, ReadingPosition, page_of
from explorer.scenario.questions import shuffled
from explorer.scenario.scenario import Question, Step, StepPlan
from explorer.scenario.texts import Reason, Texts
from tests.scenario.lessons import changed

LINES = Question(
    Texts("How many?"), "printed", (0, 1, 2), told={"0": Texts("It prints."), "1": Texts("{{printed}}, not 1.")}
)
WHY = Question(
    Texts("Why?"),
    reasons=(
        Reason("no line", holds="printed == 0", told=Texts("It prints.", ko="출력합니다.")),
        Reason("two lines", holds="printed == 2"),
    ),
)
PRINTS_TWO = Evidence(Snapshot(1, "", True, reports=(Report("bug", "ok", printed="a\nb\n"),)), "bug")


def test_choices_are_shuffled_in_the_same_way_each_time_and_none_is_lost() -> None:
    steps = tuple(StepPlan(question=LINES) for _ in range(30))
    orders = [each.question.choices for each in shuffled(steps) if each.question]
    assert orders == [each.question.choices for each in shuffled(steps) if each.question]
    assert len({*orders}) == 6
    assert all(sorted(map(float, map(str, each))) == [0, 1, 2] for each in orders)


def test_a_lesson_on_disk_is_read_with_shuffled_choices(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("def f(): ...\n")
    question = '[[steps]]\n[steps.question]\ntext = { en = "?" }\nanswer = "printed"\nchoices = [0, 1, 2]\n'
    (tmp_path / "scenario.toml").write_text('title = { en = "T" }\n' + question * 9)
    steps = from_folder(tmp_path, "mine").steps
    assert len({each.question.choices for each in steps if each.question}) > 1


def asked(
    question: Question, reading: ReadingPosition, language: str = "en", seen: Evidence = PRINTS_TWO
) -> PageQuestion:
    stories = {"en": (Step("One", "See.", "So."),)}
    return page_of(changed(steps=(StepPlan(question=question),), stories=stories), language, reading, seen).ask


@pytest.mark.parametrize(
    ("question", "language", "outcomes"),
    [(LINES, "en", ("It prints.", "2, not 1.", "")), (WHY, "en", ("It prints.", "")), (WHY, "ko", ("출력합니다.", ""))],
)
def test_once_answered_each_wrong_choice_says_what_is_wrong_with_it(
    question: Question, language: str, outcomes: tuple[str, ...]
) -> None:
    assert asked(question, ReadingPosition(revealed=True, chosen=0), language).outcomes == outcomes
    assert asked(question, ReadingPosition(), language).outcomes == ()
    assert asked(question, ReadingPosition(revealed=True), language, Evidence()).outcomes == ()


def test_a_choice_that_is_right_after_all_has_nothing_wrong_with_it() -> None:
    prints_one = Evidence(Snapshot(1, "", True, reports=(Report("bug", "ok", printed="a\n"),)), "bug")
    assert asked(LINES, ReadingPosition(revealed=True), seen=prints_one).outcomes == ("It prints.", "", "")


def test_what_is_wrong_with_a_choice_that_is_not_there_is_reported() -> None:
    stray = Question(Texts("?"), "printed", (0, 1), told={"7": Texts("Seven.")})
    (found,) = sheet_check.complaints(changed(steps=(StepPlan(question=stray),)))
    assert "what is wrong with 7, but its choices are 0, 1" in found
