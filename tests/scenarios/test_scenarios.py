"""Every scenario runs outside the application, with plain JAX, and has its story in both languages."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

from explorer.library import library
from explorer.scenario.code_inputs import input_parameters
from explorer.scenario.scenario import Scenario, Step
from tests.scenarios.code_run import SCENARIOS, each_scenario, script, that_run


@that_run(quick=4)
def test_the_code_runs_as_a_script(scenario: Scenario) -> None:
    assert script(scenario.id).printed


@each_scenario
def test_the_code_imports_nothing_but_jax_numpy_python_and_what_it_requires(scenario: Scenario) -> None:
    named = {*scenario.requires}
    assert named <= packages_in(scenario.source) <= {"jax", "numpy", *named, *sys.stdlib_module_names}


def packages_in(source: str) -> set[str]:
    """Return the packages that `source` imports under all conditions; `.` for its own."""
    nodes = [node for part in ast.parse(source).body if not isinstance(part, ast.If) for node in ast.walk(part)]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {"." * node.level or str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in names}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_no_answer_says_a_factor_next_to_two_times_that_give_another(language: str) -> None:
    # The factor is the middle of those of single turns, which is not what two medians give.
    asked = [
        (plan.question.answer, step.reveal)
        for scenario in SCENARIOS.values()
        for plan, step in zip(scenario.steps, scenario.stories[language], strict=False)
        if plan.question is not None and plan.question.answer.startswith("ratio ")
    ]
    assert asked
    for answer, reveal in asked:
        assert not all(f"{{{{time {curve}}}}}" in reveal for curve in answer.split()[1:3]), answer


@each_scenario
def test_the_story_has_three_to_six_steps_in_each_language(scenario: Scenario) -> None:
    english, korean = scenario.stories["en"], scenario.stories["ko"]
    assert 3 <= len(english) <= 6
    assert len(korean) == len(english)
    assert all(step.title and step.text for step in (*english, *korean))
    assert "ko" in scenario.title.by_language()
    assert all("ko" in plan.title.by_language() for plan in scenario.variants)


@each_scenario
def test_the_story_opens_with_the_title_of_the_sheet_in_each_language(scenario: Scenario) -> None:
    for language, title in scenario.title.by_language().items():
        story = Path(scenario.path).with_name(f"story.{language}.md")
        assert story.read_text(encoding="utf-8").startswith(f"# {title}\n")


@each_scenario
def test_both_languages_speak_of_the_same_code(scenario: Scenario) -> None:
    for english, korean in zip(scenario.stories["en"], scenario.stories["ko"], strict=True):
        assert code_in(english) == code_in(korean)


def code_in(step: Step) -> set[str]:
    """Return the code and the snapshot's figures in a step."""
    found = re.findall(r"`.+?`|\{\{.+?\}\}", f"{step.text}\n{step.reveal}")
    # A Korean figure may ask for its particle.
    return {re.sub(r":(은|이|을|과|으로)\}\}$", "}}", each) for each in found}


@each_scenario
def test_a_pane_that_a_page_names_is_shown_next_to_it_or_uncovered_by_its_answer(scenario: Scenario) -> None:
    for language, steps in scenario.stories.items():
        for plan, step in zip(scenario.steps, steps, strict=True):
            # On a stage the noise pane is next to a page that names none; a question without a pane leaves the code.
            shown = plan.pane or ("" if plan.question is not None else "noise")
            named = re.findall(r"(Keys|Noise|Program|Timing) (?:pane|창)", f"{step.text} {step.reveal}")
            assert {name.lower() for name in named} <= {shown}, f"{language}: {step.title}"


@each_scenario
def test_emphasis_is_closed(scenario: Scenario) -> None:
    # Behind a bracket, a quote or a question mark, Markdown takes an asterisk before a letter for an opening one.
    for step in (step for story in scenario.stories.values() for step in story):
        both_texts = f"{step.text}\n{step.reveal}"
        assert re.findall(r"\*[^*\n]*[)\]`\"?!.]\*\w", both_texts) == []
        assert "***" not in both_texts


@each_scenario
def test_a_variants_first_line_says_what_it_is(scenario: Scenario) -> None:
    named = {plan.name for plan in scenario.variants}
    for node in ast.parse(scenario.source).body:
        if isinstance(node, ast.FunctionDef) and node.name in named:
            assert (ast.get_docstring(node) or "").splitlines()[0].endswith(".")


@each_scenario
def test_the_parameter_that_timing_varies_is_one_of_inputs(scenario: Scenario) -> None:
    assert scenario.timing.parameter in ("", *input_parameters(scenario.source))


def test_every_folder_is_a_scenario() -> None:
    folders = [each for each in Path(library.__file__).parents[2].joinpath("scenarios").iterdir() if each.is_dir()]
    assert {each.name for each in folders if each.name != "__pycache__"} == set(SCENARIOS)
