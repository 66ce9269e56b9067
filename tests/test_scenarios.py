"""Every scenario runs outside the application, with plain JAX, and gives the figures that its lesson names."""

from __future__ import annotations

import inspect
import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from explorer import library
from explorer.scenario import Scenario, Step

SCENARIOS = library.built_in()
SMALL: dict[str, dict[str, Any]] = {"selu_eager_or_jit": {"n": 1000}}
"""Parameters with which a variant runs at once, where the defaults are large."""

each_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario.id for scenario in SCENARIOS])


def load(name: str) -> dict[str, Any]:
    """Return the names that the code of scenario `name` defines."""
    scenario = next(each for each in SCENARIOS if each.id == name)
    return runpy.run_path(scenario.path)


def outputs(name: str, **parameters: Any) -> dict[str, Any]:
    """Return what each variant of scenario `name` returns."""
    code = load(name)
    scenario = next(each for each in SCENARIOS if each.id == name)
    return {plan.name: call(code[plan.name], code["inputs"](**parameters)) for plan in scenario.variants}


def call(function: Callable[..., Any], inputs: dict[str, Any]) -> Any:
    """Call `function` with those of `inputs` that it takes."""
    return function(**{name: value for name, value in inputs.items() if name in inspect.signature(function).parameters})


# -- all of them ------------------------------------------------------------------------------


@each_scenario
def test_every_variant_runs_with_the_inputs_alone(scenario: Scenario) -> None:
    code = runpy.run_path(scenario.path)
    for plan in scenario.variants:
        inputs = code["inputs"](**SMALL.get(scenario.id, {}))
        if plan.error:
            with pytest.raises(Exception) as caught:  # noqa: PT011  # which one it is stands in the sheet
                call(code[plan.name], inputs)
            assert type(caught.value).__name__ == plan.error
        else:
            jax.block_until_ready(call(code[plan.name], inputs))


@each_scenario
def test_the_code_runs_as_a_script(scenario: Scenario, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(scenario.path, run_name="__main__")
    assert capsys.readouterr().out


@each_scenario
def test_code_imports_nothing_of_ours(scenario: Scenario) -> None:
    for package in ("explorer", "views", "scenarios", "resources"):
        assert f"import {package}" not in scenario.source
        assert f"from {package}" not in scenario.source


@each_scenario
def test_the_story_is_told_in_three_to_six_steps_in_each_language(scenario: Scenario) -> None:
    english, korean = scenario.stories["en"], scenario.stories["ko"]
    assert 3 <= len(english) <= 6
    assert len(korean) == len(english)
    assert all(step.title and step.text for step in (*english, *korean))
    assert scenario.title.ko
    assert all(plan.title.ko for plan in scenario.variants)


@each_scenario
def test_both_languages_speak_of_the_same_code(scenario: Scenario) -> None:
    for english, korean in zip(scenario.stories["en"], scenario.stories["ko"], strict=True):
        assert code_in(english) == code_in(korean)


def code_in(step: Step) -> set[str]:
    """Return what a step sets in fixed pitch, and the figures that it takes from the snapshot."""
    return {*re.findall(r"`.+?`|\{\{.+?\}\}", f"{step.text}\n{step.reveal}")}


@each_scenario
def test_a_variants_first_line_says_what_it_is(scenario: Scenario) -> None:
    code = runpy.run_path(scenario.path)
    for plan in scenario.variants:
        assert (inspect.getdoc(code[plan.name]) or "").splitlines()[0].endswith(".")


@each_scenario
def test_the_parameter_that_timing_varies_is_one_of_inputs(scenario: Scenario) -> None:
    parameters = inspect.signature(runpy.run_path(scenario.path)["inputs"]).parameters
    assert scenario.timing.parameter in ("", *parameters)


def test_every_folder_is_a_scenario() -> None:
    folders = [each for each in Path(library.__file__).parent.parent.joinpath("scenarios").iterdir() if each.is_dir()]
    assert {each.name for each in folders if each.name != "__pycache__"} == {scenario.id for scenario in SCENARIOS}


# -- the figures ------------------------------------------------------------------------------


@pytest.mark.parametrize(("variant", "distinct"), [("shared_key", 1), ("key_per_example", 32), ("one_big_draw", 32)])
def test_one_key_for_the_batch_makes_this_many_distinct_rows(variant: str, distinct: int) -> None:
    rows = np.asarray(outputs("one_key_for_the_batch")[variant])
    assert rows.shape == (32, 10)
    assert len(np.unique(rows, axis=0)) == distinct


def test_the_two_right_ways_have_no_number_in_common() -> None:
    noise = outputs("one_key_for_the_batch")
    assert not np.isin(noise["key_per_example"], noise["one_big_draw"]).any()


def test_jax_itself_has_nothing_to_say_about_the_shared_key() -> None:
    with jax.debug_key_reuse(True):
        noise = outputs("one_key_for_the_batch")
    assert len(np.unique(noise["shared_key"], axis=0)) == 1


def test_leaving_out_the_split_is_an_error_of_vmap() -> None:
    code = load("one_key_for_the_batch")
    inputs = code["inputs"]()
    with pytest.raises(ValueError, match="axis 0"):
        jax.vmap(code["add_noise"], in_axes=(0, 0))(inputs["x"], inputs["key"])


def test_selu_gives_the_same_numbers_eager_and_under_jit() -> None:
    numbers = outputs("selu_eager_or_jit", n=1001)
    np.testing.assert_allclose(numbers["selu"], numbers["selu_jit"], rtol=1e-5)
    assert numbers["selu"][-1] == pytest.approx(1.0507010 * 5)
    assert numbers["selu"][0] == pytest.approx(1.0507010 * 1.6732632 * (np.exp(-5.0) - 1))


def test_all_ways_to_convolve_a_batch_agree_with_numpy() -> None:
    rows = np.arange(10.0).reshape(2, 5)
    wanted = [np.correlate(row, [2.0, 3.0, 4.0], mode="valid") for row in rows]
    results = outputs("convolve_a_batch")
    assert len(results) == 5
    for result in results.values():
        np.testing.assert_array_equal(result, wanted)
        assert result[0].tolist() == [11.0, 20.0, 29.0]


def test_one_filter_for_all_gives_the_same_result() -> None:
    code = load("convolve_a_batch")
    inputs = code["inputs"]()
    mapped = jax.vmap(code["convolve"], in_axes=(0, None))(inputs["xs"], inputs["ws"][0])
    np.testing.assert_array_equal(mapped, code["vmapped"](**inputs))
