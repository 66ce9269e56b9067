"""The figures of the second set of lessons, computed with plain JAX from the code of each scenario."""

from __future__ import annotations

import jax
import pytest

from tests.scenarios.code_run import outputs, script

pytestmark = pytest.mark.xdist_group("the code of the scenarios")

# -- scan_step_by_step ------------------------------------------------------------------------


def test_a_leaking_tank_leaks_the_same_in_all_three_loops() -> None:
    for level, losses in outputs("scan_step_by_step").values():
        assert level == 2.25
        assert losses.tolist() == [0, 4, 2, 1, 4.5, 2.25]


@pytest.mark.parametrize("variant", ["scan", "fori_loop"])
@pytest.mark.parametrize("steps", [6, 600])
def test_a_scan_is_one_equation_for_any_length(variant: str, steps: int) -> None:
    code = script("scan_step_by_step").names
    jaxpr = jax.make_jaxpr(code[variant])(**code["inputs"](steps=steps))
    (loop,) = (each for each in jaxpr.eqns if each.primitive.name == "scan")
    assert loop.params["length"] == steps
    assert [each.primitive.name for each in loop.params["jaxpr"].eqns].count("div") == 1
