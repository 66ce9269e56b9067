"""The selection at each step of a story."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.scenario import code_inputs
from explorer.scenario.page import ReadingPosition, subject
from explorer.scenario.scenario import Question, StepPlan, VariantPlan
from explorer.scenario.step_states import StepState, covered, walk
from explorer.scenario.texts import Texts
from tests.scenario.lessons import CODE, changed


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


@pytest.mark.parametrize(
    ("answer", "now", "about"),
    [
        ("rows", {"compare": "", "form": "hlo", "jax_checker": False}, ""),
        ("same_outputs == true", {"compare": ""}, "“Bug”, next to “Fix”"),
        ("equations mul", {"form": "hlo"}, "“Bug”, the program as jaxpr"),
        ("jax_objects", {"jax_checker": False}, "“Bug”, JAX's own key checker"),
        ("rows", {"parameters": {"batch": 4.0}}, ""),
        ("rows", {"parameters": {"batch": 5}, "variant": "fix"}, "“Bug”, `batch = 4`"),
    ],
)
def test_a_page_is_about_what_its_question_rests_on(answer: str, now: dict[str, object], about: str) -> None:
    plan = StepPlan(variant="bug", compare="fix", jax_checker=True, question=Question(Texts("?"), answer, (True,)))
    selected = StepState(**{"variant": "bug", "compare": "fix", "jax_checker": True, **now})
    said = subject(changed(steps=(plan,)), ReadingPosition(now=selected), "en")
    assert said == (f"This page asks about {about}." if about else "")


@pytest.mark.parametrize("variants", [(), (VariantPlan("bug", Texts("Bug")),)])
def test_a_lesson_that_names_no_variant_is_about_any(variants: tuple[VariantPlan, ...]) -> None:
    lesson = changed(variants=variants, steps=(StepPlan(question=Question(Texts("?"), "rows", (1,))),))
    assert bool(subject(lesson, ReadingPosition(now=StepState("other")), "en")) == bool(variants)


def test_a_question_covers_its_pane_unless_an_earlier_page_is_about_it() -> None:
    asks = StepPlan(pane="program", question=Question(Texts("?"), "equations", (1,)))
    pages = [changed(steps=(StepPlan(pane=earlier), asks)) for earlier in ("noise", "", "program")]
    # Its jaxprs say how often a function was traced.
    counts = StepPlan(variant="fix", pane="noise", question=Question(Texts("?"), "printed", (1,)))
    pages += [changed(steps=(StepPlan(variant=earlier), counts)) for earlier in ("bug", "fix")]
    assert ["program" in covered(each, 1) for each in pages] == [True, True, False, True, False]


# -- the parameters in the code, read without running it ---------------------------------------


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


@pytest.mark.parametrize(
    ("source", "fitting"),
    [
        ("def inputs(batch=32):\n    return {}", True),
        ("def inputs(shape=(3, 4), batch=0.5):\n    return {}", True),
        ("def inputs(\n    shape=(3, 4),\n    batch=True,\n) -> dict[str, int]:  # all\n    return {}", False),
        ("def inputs(batch='8'): return {}", False),
        ("SIZE = '8'\ndef inputs(batch=SIZE):\n    return {}", True),
        ("def inputs(batch=", True),
    ],
)
def test_settings_fit_where_the_code_does_not_say_another_type(source: str, fitting: bool) -> None:
    assert code_inputs.fitting_settings({"batch": 8}, source) == ({"batch": 8} if fitting else {})
