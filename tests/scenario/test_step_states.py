"""The selection at each step of a story."""

from __future__ import annotations

from explorer.scenario.scenario import StepPlan
from explorer.scenario.step_states import walk
from tests.scenario.lessons import changed


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
