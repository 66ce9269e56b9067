"""Every built-in lesson, and the template for new ones, agrees with its code."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PySide6.QtWidgets import QApplication

from explorer.commands import lesson_check
from explorer.commands.check import check, judge
from explorer.commands.lesson_check import Run
from explorer.diagnostics.registry import checks
from explorer.library import courses, library, untitled
from explorer.link.remotes.remote import Remote
from explorer.messages import Finding, LensRequest, Prepare, Report, Request, Snapshot
from explorer.scenario import conditions, measures, pointing, questions, requests
from explorer.scenario.measures import Evidence
from explorer.scenario.page import PageQuestion, ReadingPosition, page_of
from explorer.scenario.scenario import Course, Scenario
from tests.figures.measured import measured
from tests.link.shared_worker import SharedWorker
from tests.scenarios.code_run import SCENARIOS, each_scenario, that_run
from tests.scenarios.reader import Reader, read
from views import theme


@pytest.fixture(scope="module")
def readers(qapp: QApplication) -> Iterator[tuple[Reader, Reader]]:
    """Yield a window with the answers of the worker, and one without."""
    theme.apply_to_application(qapp, theme.LIGHT)
    both = Reader(qapp), Reader(qapp)
    yield both
    for each in both:
        each.window.deleteLater()


@pytest.fixture
def two(readers: tuple[Reader, Reader]) -> Iterator[tuple[Reader, Reader]]:
    """The same, put away after each test."""
    yield readers
    for each in readers:
        each.window.hide()


@pytest.mark.process
@that_run(quick=4)
def test_a_lesson_says_what_its_code_does_and_gives_no_answer_away(
    scenario: Scenario, two: tuple[Reader, Reader], run: Run
) -> None:
    says_what_its_code_does(scenario, run)
    read(scenario, *two, run)


def says_what_its_code_does(scenario: Scenario, run: Run) -> None:
    """Assert that the lesson agrees with its code, and that each variant shows what is expected."""
    reports: dict[str, Report] = {}

    def noted(request: Request) -> Snapshot:
        snapshot = run(request)
        reports.update({each.name: each for each in snapshot.reports if not request.parameters})
        return snapshot

    assert scenario.problem == ""
    assert lesson_check.complaints(scenario, noted) == ()
    if others := tuple(plan.name for plan in scenario.variants if plan.name not in reports):
        asked = msgspec.structs.replace(requests.analysis(scenario), variants=others, traces=True, value_checks=True)
        noted(asked)
    assert {*reports} == {plan.name for plan in scenario.variants}
    assert judge(scenario, Snapshot(1, "", complete=True, reports=tuple(reports.values()))) == ((), 0)
    for plan in scenario.variants:
        if not plan.error and not plan.expects:
            assert [str(each.message) for each in reports[plan.name].findings or () if is_of_values(each)] == []


def is_of_values(finding: Finding) -> bool:
    """Return whether `finding` says that something is wrong with the values of a run."""
    return finding.level != "note" and checks()[finding.kind].part == "values"


@each_scenario
def test_every_lesson_asks_before_it_explains_and_ends_with_something_to_do(scenario: Scenario) -> None:
    assert any(plan.question for plan in scenario.steps)
    assert scenario.exercises
    for plan, english, korean in zip(scenario.steps, scenario.story("en"), scenario.story("ko"), strict=True):
        assert bool(english.reveal) == bool(korean.reveal) == (plan.question is not None)
        assert plan.question is None or "ko" in plan.question.text.by_language()
    assert all("ko" in exercise.text.by_language() for exercise in scenario.exercises)


NUMBERED = re.compile(r"^ *\d+[.)](?: |$)", re.MULTILINE)


@pytest.mark.parametrize("language", ["en", "ko"])
@each_scenario
def test_no_paragraph_becomes_a_numbered_list(scenario: Scenario, language: str) -> None:
    texts = [part for step in scenario.story(language) for part in (step.text, step.reveal)]
    texts += [each.outcome.text(language) for each in scenario.exercises if each.outcome is not None]
    assert [each for each in texts if NUMBERED.search(re.sub(r"\{\{.*?\}\}", "7", each))] == []


TERMS = (
    "draw, key, spent, findings?, root, traces?, tracers?, jaxpr, equation, primitive, scalar, lowers, fusion, pure, "
    "side effects, variants, batch, hit, miss, weak type, gradient, static, mapped, fan-in, forward pass, "
    "backward pass, pytree, leaf, carry, Adam"
)


@pytest.mark.parametrize("course", courses.built_in(), ids=lambda course: course.id)
def test_a_course_explains_a_word_where_it_first_comes(course: Course) -> None:
    read = [
        text
        for lesson in course.lessons
        for step, plan in zip(lesson.story("en"), lesson.steps, strict=True)
        for text in (step.text, plan.question.text.text("en") if plan.question else "", step.reveal)
    ]
    body = re.sub(r"\{\{.*?\}\}|`.*?`|\*\*", "", "\n".join(read))
    explained = {place for each in re.finditer(r"\*[^*\n]+\*", body) for place in range(each.start(), each.end())}
    first = {term: re.search(rf"\b{term}\b", body) for term in TERMS.split(", ")}
    assert course.minutes or None not in first.values()
    assert {term for term, found in first.items() if found and found.start() not in explained} == set()


BY_DEVICES = [
    (scenario, plan.variant)
    for scenario in SCENARIOS.values()
    for plan in scenario.steps
    if plan.lens == "devices" and plan.variant
]


@pytest.mark.process
@pytest.mark.parametrize(
    ("scenario", "variant"), BY_DEVICES, ids=[f"{scenario.id} {variant}" for scenario, variant in BY_DEVICES]
)
def test_the_devices_lens_shows_the_exchanges_that_a_lesson_counts(
    scenario: Scenario, variant: str, worker: SharedWorker
) -> None:
    asked = msgspec.structs.replace(requests.analysis(scenario), variants=(variant,), form="hlo")
    *_, snapshot = worker.ask(asked, 60.0)
    (report,) = snapshot.reports
    *_, lens_answer = worker.ask(LensRequest(asked.run + 1, asked.run, variant, "devices"), 60.0)
    cells = [[piece.text for piece in row.cells[0].pieces] for row in lens_answer.lens.table.rows]
    shown = Counter[str]()
    cells += [["collectives"]]  # Where nothing is exchanged, there are none.
    for operation, _, *times in cells[cells.index(["collectives"]) + 1 : -1]:
        shown[operation] += int(times[0].lstrip("×")) if times else 1
    assert shown == report.program.cost.exchanges


# -- the template and its guide ---------------------------------------------------------------

GUIDE = Path(lesson_check.__file__).parents[2] / "docs" / "writing-scenarios.md"


@pytest.mark.rest
@pytest.mark.process
def test_the_template_is_a_lesson_that_says_what_its_code_does_checked_in_one_process(
    worker: SharedWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    def start(_: Remote, *, cpu_devices: int, prepare: Prepare | None) -> SharedWorker:
        assert prepare is None
        started.append(cpu_devices)
        return worker

    monkeypatch.setattr("explorer.commands.check.WorkerPipe", start)
    folder = untitled.write("Mine")
    assert check(library.open_target(str(folder))).complaints == ()
    assert started == [1]


@pytest.mark.parametrize("file", sorted(path.name for path in untitled.FOLDER.glob("*.*")))
def test_the_example_in_the_guide_is_the_template(file: str) -> None:
    assert f"\n{(untitled.FOLDER / file).read_text(encoding='utf-8')}```" in GUIDE.read_text(encoding="utf-8")


def test_the_guide_names_every_measure_and_every_form_of_focus() -> None:
    guide = GUIDE.read_text(encoding="utf-8")
    assert [name for name in measures.MEASURES if f"| `{name}" not in guide] == []
    assert [form for form in pointing.FORMS if f"`{form}`" not in guide] == []


# -- questions by times -----------------------------------------------------------------------

BY_TIMES = {
    f"{scenario.id}, step {place + 1}": (scenario, place)
    for scenario in SCENARIOS.values()
    for place, step in enumerate(scenario.steps)
    if step.question is not None and any(map(measures.is_of_times, questions.decides(step.question)))
}


def seen_at(scenario: Scenario, place: int, ratio: float, **figures: Any) -> PageQuestion:
    """Return the answered question of a step, where the first curve it asks for takes `ratio` times the others."""
    question = scenario.steps[place].question
    points = {}
    for each in questions.decides(question):
        at = int(each.partition(" at ")[2] or 1_000)
        for series in measures.curves_of(each.partition(" at ")[0]):
            median_s = 1e-3 if points else ratio * 1e-3
            (transform,) = series.transforms
            point = measured(series.variant, transform, at, median_s, compile_s=median_s, **figures)
            points.setdefault((series, at), msgspec.structs.replace(point, swept="n"))
    evidence = Evidence(measurements=tuple(points.values()))
    page = page_of(scenario, "en", ReadingPosition(place, revealed=True, chosen=0), evidence)
    return page.ask


@pytest.mark.parametrize(("scenario", "place"), BY_TIMES.values(), ids=BY_TIMES)
def test_no_question_is_graded_by_times_that_cannot_distinguish_its_choices(scenario: Scenario, place: int) -> None:
    question = scenario.steps[place].question
    parsed = [conditions.parse(each.holds) for each in question.reasons]
    numbers = [*question.choices, *(each.value for each in parsed if each)]
    one, other = sorted(map(float, numbers))[:2] if question.choices else (float(numbers[0]), 0.0)
    border = math.sqrt(one * other) if question.choices else one
    for ratio in (border, border * 1.1, border / 1.1):
        near = seen_at(scenario, place, ratio)
        assert (near.right, near.answer) == (None, "")
        assert near.undecided
    if len(questions.decides(question)) == 1:
        far = seen_at(scenario, place, 30 * max(map(float, numbers)))
        assert far.right is not None
        assert sum(far.right) == 1
        assert not far.undecided
        few = seen_at(scenario, place, border * 3, repeats=3)
        assert few.right is None or "compile" in questions.decides(question)[0]
