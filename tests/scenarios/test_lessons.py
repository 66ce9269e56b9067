"""Every built-in lesson is held to what its code does, and the author of a broken one is told what to mend."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from explorer.commands import lesson_check
from explorer.commands.check import check, judge
from explorer.commands.lesson_check import Run
from explorer.library import library, paths, template
from explorer.messages import Report, Request, Snapshot
from explorer.scenario import code_inputs, measures, pointing, requests, sheet_check
from explorer.scenario.scenario import Exercise, Question, Scenario, Step, StepPlan, Texts, VariantPlan
from explorer.scenario.step_states import walk
from tests.library.test_library import make_folder, mine
from tests.link.shared_worker import SharedWorker
from tests.scenarios.code_run import SCENARIOS


@pytest.fixture
def run(worker: SharedWorker) -> Run:
    """Return what answers a request."""

    def last_answer(request: Request) -> Snapshot:
        *_, last = worker.ask(request, 120)
        assert isinstance(last, Snapshot)
        return last

    return last_answer


each_scenario = pytest.mark.parametrize("scenario", SCENARIOS.values(), ids=SCENARIOS)


@pytest.mark.process
@each_scenario
def test_every_lesson_says_what_its_code_does_and_every_variant_shows_what_is_expected(
    scenario: Scenario, run: Run
) -> None:
    reports: dict[str, Report] = {}

    def noted(request: Request) -> Snapshot:
        snapshot = run(request)
        reports.update({each.name: each for each in snapshot.reports if not request.parameters})
        return snapshot

    assert scenario.problem == ""
    assert lesson_check.complaints(scenario, noted) == ()
    if others := tuple(plan.name for plan in scenario.variants if plan.name not in reports):
        noted(msgspec.structs.replace(requests.analysis(scenario), variants=others))
    assert {*reports} == {plan.name for plan in scenario.variants}
    assert judge(scenario, Snapshot(1, "", complete=True, reports=tuple(reports.values()))) == ((), 0)


@each_scenario
def test_every_lesson_asks_before_it_tells_and_ends_with_something_to_do(scenario: Scenario) -> None:
    assert any(plan.question for plan in scenario.steps)
    assert scenario.exercises
    for plan, english, korean in zip(scenario.steps, scenario.story("en"), scenario.story("ko"), strict=True):
        assert bool(english.reveal) == bool(korean.reveal) == (plan.question is not None)
        assert plan.question is None or plan.question.text.ko
    assert all(exercise.text.ko for exercise in scenario.exercises)


# -- what is wrong with a lesson --------------------------------------------------------------

CODE = "def inputs(batch=4, name='a'): return {}\ndef bug(): ...\ndef fix(): ...\n"
TOLD = {"en": (Step("One", "There are {{rows}} rows."),), "ko": (Step("하나", "행 {{batch}}개"),)}
LESSON = Scenario(
    "lesson",
    "mine",
    "/lesson/code.py",
    CODE,
    Texts("Lesson"),
    variants=(VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix"))),
    stories=TOLD,
    steps=(StepPlan(variant="bug"),),
)


def changed(**changes: Any) -> Scenario:
    return msgspec.structs.replace(LESSON, **changes)


def step(**fields: Any) -> Scenario:
    return changed(steps=(StepPlan(**fields),))


def asking(answer: str, *choices: Any) -> Scenario:
    return step(variant="bug", question=Question(Texts("?"), answer, choices))


def exercise(*done: str, variant: str = "") -> Scenario:
    return changed(exercises=(Exercise(Texts("Try"), done, variant),))


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (LESSON, ""),
        (changed(steps=(StepPlan(), StepPlan())), "2 [[steps]], but story.en.md has 1 headings: write one [[steps]]"),
        (changed(steps=(), stories={**TOLD, "ko": TOLD["ko"] * 2}), "different numbers of ## headings"),
        (changed(stories={}), "no story.en.md"),
        (
            changed(stories={**TOLD, "en": (Step("One", "{{rosw}}"),)}),
            "step 1: {{rosw}} stands for nothing. There is no",
        ),
        (step(variant="bgu"), "Step 1: there is no variant bgu. Variants are bug, fix."),
        (step(compare="fxi"), "no variant fxi"),
        (step(parameters={"bacth": 3}), "sets bacth, but `inputs` has no such parameter. It has batch, name."),
        (step(parameters={"batch": "3"}), "write the same type"),
        (step(parameters={"batch": 8, "name": "b"}), ""),
        (step(focus="lines foo"), "none of the forms `line TEXT`"),
        (step(focus="line"), "none of the forms"),
        (step(picture="outputs"), "picture = `outputs` means no array. Write output, draw or difference, or the name"),
        (step(picture="output['a']", look="scatter"), ""),
        (step(picture="draw normal, line 3"), ""),
        (step(focus="key spent"), "a key is one of fresh, split"),
        (step(focus="row first"), "a row has a number"),
        (asking("rows_same 0 1", True, False), "its question has no answer. There is no measure `rows_same`"),
        (asking("rows", 4), "has 1 choices: give 2 to 9"),
        (asking("rows", True, False), "a choice that can never be: rows is a number, not true."),
        (asking("rows", 1, "batches"), "batches is neither a parameter"),
        (asking("rows", 1, "batch"), ""),
        (asking("time other:jit", 1.0, 2.0), "time of other, but [timing] measures bug, fix"),
        (asking("time bug:vmap", 1.0, 2.0), "asks for vmap, but [timing] measures eager, jit"),
        (exercise(), "Exercise 1: it has no condition"),
        (exercise("bugs = 0"), "MEASURE OPERATOR VALUE"),
        (exercise("bugs == 0", variant="mended"), "no variant mended"),
        (exercise("ratio bug:eager gone:jit > 2"), "time of gone"),
        (exercise("bugs == 0", "rows == batch", variant="bug"), ""),
    ],
)
def test_a_wrong_sheet_is_told_so_that_it_can_be_mended(scenario: Scenario, words: str) -> None:
    found = " ".join(sheet_check.complaints(scenario))
    assert words in found
    assert bool(words) == bool(found)


def test_the_problem_of_a_folder_names_what_is_wrong_with_its_lesson() -> None:
    sheet = 'title = { en = "T" }\n[[steps]]\nfocus = "nothing"\n'
    make_folder(paths.my_scenarios_folder(), scenario_toml=sheet, story_en_md="## One\nWords.\n")
    assert "Step 1: focus = `nothing`" in mine("two_rows").problem


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (CODE, {"batch": 4, "name": "a"}),
        ("def inputs(a, b=-2.5, *, c=True, d): return {}", {"b": -2.5, "c": True}),
        ("def inputs(a, b): return {}", {}),
        ("def inputs(key=make()): return {}", {}),
        ("def (", {}),
    ],
)
def test_parameters_are_read_off_the_code(source: str, found: dict[str, Any]) -> None:
    assert code_inputs.input_parameters(source) == found


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("SIZE = 3\ndef inputs(a, b=SIZE, *, c): return {}", {"a", "b", "c"}),
        ("def inputs(): return {}", set()),
        ("def inputs(**settings): return {}", None),
        ("inputs = make()", None),
    ],
)
def test_names_of_parameters_are_known_where_the_code_says_them(source: str, names: set[str] | None) -> None:
    assert code_inputs.input_names(source) == names


def test_a_step_keeps_what_it_does_not_set() -> None:
    plans = (
        StepPlan(variant="bug", parameters={"batch": 8}),
        StepPlan(compare="fix", form="hlo", jax_checker=True),
        StepPlan(variant="fix", parameters={"name": "b"}),
    )
    states = walk(changed(steps=plans))
    assert [(each.variants, dict(each.parameters), each.form, each.jax_checker) for each in states] == [
        (("bug",), {"batch": 8}, "jaxpr", False),
        (("bug", "fix"), {"batch": 8}, "hlo", True),
        (("fix",), {"batch": 8, "name": "b"}, "hlo", True),
    ]


def answers(request: Request) -> Snapshot:
    """Answer as a program would whose variants all succeed and print nothing."""
    return Snapshot(1, "cpu:0", True, reports=tuple(Report(name, "ok", findings=()) for name in request.variants))


@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        (LESSON, ""),
        (step(variant="bug", focus="line def bug"), ""),
        (step(variant="bug", focus="line def bgu"), "Step 1: focus = `line def bgu` matches nothing in bug"),
        (step(variant="bug", focus="finding key-reuse"), "matches nothing in bug"),
        (step(variant="bug", focus="equation sin"), "matches nothing in bug"),
        (step(variant="bug", focus="key reused"), "matches nothing in bug"),
        (step(variant="bug", focus="row 0"), "matches nothing in bug"),
        (step(variant="bug", picture="output[1]"), "picture = `output[1]` is not there for bug. It has nothing for"),
        (asking("printed", 0, 1), ""),
        (asking("printed", 1, 2), "none of its choices (1, 2) is right: `printed` gives 0 for bug."),
        (asking("printed", 0, 0), "more than one of its choices (0, 0) is right"),
        (asking("draws", 0, 1), "its answer `draws` cannot be told for bug"),
        (asking("time bug:jit", 1.0, 2.0), ""),
        (exercise("bugs == 0"), "Exercise 1 is done before anybody did anything: bugs == 0 holds already."),
        (exercise("bugs == 0", "printed == 1"), ""),
    ],
)
def test_a_lesson_that_is_not_true_is_told(scenario: Scenario, words: str) -> None:
    found = " ".join(lesson_check.complaints(scenario, answers))
    assert words in found
    assert bool(words) == bool(found)


@pytest.mark.process
@pytest.mark.usefixtures("one_worker")
def test_check_tells_an_author_of_an_untrue_lesson(tmp_path: Path) -> None:
    sheet = """
title = { en = "Two" }
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
    assert checked.complaints == ("Step 1: none of its choices (1, 3) is right: `value` gives 2 for two.",)


# -- the template and its guide ---------------------------------------------------------------

GUIDE = Path(lesson_check.__file__).parents[2] / "docs" / "writing-scenarios.md"


@pytest.mark.process
def test_the_template_is_a_lesson_that_says_what_its_code_does_checked_in_one_process(
    worker: SharedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def start(*, cpu_devices: int) -> SharedWorker:
        started.append(cpu_devices)
        return worker

    monkeypatch.setattr("explorer.commands.check.WorkerPipe", start)
    folder = template.write("Mine")
    assert check(library.open_target(str(folder))).complaints == ()
    assert started == [1]


@pytest.mark.parametrize("file", template.FILES)
def test_the_example_in_the_guide_is_the_template(file: str) -> None:
    assert f"\n{template.text(file)}```" in GUIDE.read_text(encoding="utf-8")


def test_the_guide_names_every_measure_and_every_form_of_focus() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert [name for name in measures.MEASURES if f"| `{name}" not in guide] == []
    assert [form for form in pointing.FORMS if f"`{form}`" not in guide] == []
