"""A fix is offered only if the fixed program has less to find and gives outputs of the same form."""

from __future__ import annotations

from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from explorer.messages import TOP_LEVEL, Edit, Finding, Fix, Request, Span
from explorer.worker.runs import analyse, fix_trials
from explorer.worker.runs.output_forms import output_form
from tests.worker import analysed

CODE = """import jax
import jax.numpy as jnp

def run():
    key = jax.random.key(0)
    a = jax.random.normal(key, (2,))
    b = jax.random.normal(key, (2,))
    return a, b
"""


def fixed(monkeypatch: pytest.MonkeyPatch, new: str, source: str = CODE, **checks: Any) -> list[bool]:
    """Return of each reuse of a key whether a fix is offered for it that replaces the line of `b` by `new`."""
    line = "    b = jax.random.normal(key, (2,))"
    fix = Fix("a fix", (Edit(Span(7, 0, 7, len(line)), line, f"    {new}"),))
    monkeypatch.setattr("explorer.worker.fixes.proposals.proposed_for_finding", lambda *_: [fix])
    channel = analysed.channel()
    with channel.interrupts.listening_to(1):
        asked = Request(1, source, "<test>", variants=("run",), finding_fixes=True, **checks)
        found = analyse.analyse(asked, channel).reports[0].findings or ()
    return [fix in each.fixes for each in found if each.kind == "key-reuse"]


@pytest.mark.parametrize(
    ("new", "offered"),
    [
        ("b = jax.random.normal(jax.random.key(1), (2,))", True),
        ("b = jax.random.uniform(key, (2,))", False),
        ("b = jax.random.normal(jax.random.key(1), (3,))", False),
        ("b = jax.random.normal(jax.random.key(1), (1, 2))", False),
        ("b = jax.random.normal(jax.random.key(1), (2,), jnp.float16)", False),
        ("b = [jax.random.normal(jax.random.key(1), (2,))]", False),
        ("b = jnp.zeros(2) + jax.random.normal(jax.random.key(1))", False),
        ("b = jax.vmap(lambda _: jax.random.normal(jax.random.key(1)))(jnp.ones(2))", False),
        ("b = undefined", False),
    ],
)
def test_a_fix_is_judged_by_findings_and_outputs(monkeypatch: pytest.MonkeyPatch, new: str, offered: bool) -> None:
    assert fixed(monkeypatch, new) == [offered]


def test_a_fix_belongs_to_the_finding_that_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    two = CODE.replace(
        "return", "c = jax.random.key(1)\n    d = jax.random.normal(c), jax.random.normal(c)\n    return"
    )
    assert sorted(fixed(monkeypatch, "b = jax.random.normal(jax.random.key(2), (2,))", two)) == [False, True]


@pytest.mark.parametrize(("checks", "offered"), [({}, True), ({"value_checks": True}, False)])
def test_every_check_that_was_made_is_made_of_the_fixed_program(
    monkeypatch: pytest.MonkeyPatch, checks: dict[str, Any], offered: bool
) -> None:
    assert fixed(monkeypatch, "b = jnp.arange(2.0) / (a - a)", **checks) == [offered]


def test_a_fix_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_trials, "TRIAL_S", 0.2)
    assert fixed(monkeypatch, "b = sum(iter(lambda: 0, 1))") == [False]


def test_a_slow_script_has_fixes_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fix_trials, "TRIAL_S", 0.2)
    slow = CODE.replace("import jax\n", "import jax, time; time.sleep(1.5)\n")
    assert fixed(monkeypatch, "b = jax.random.normal(jax.random.key(1), (2,))", slow) == [True]


def test_settings_of_a_fixed_program_are_not_those_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    before = jax.config.jax_enable_x64
    fixed(monkeypatch, "jax.config.update('jax_enable_x64', True); b = a")
    assert jax.config.jax_enable_x64 == before


def test_notes_do_not_count_and_warnings_only_where_asked() -> None:
    found = [Finding("a", "bug", ""), Finding("a", "bug", ""), Finding("b", "warning", ""), Finding("c", "note", "")]
    assert fix_trials.counted(found) == Counter({("a", "bug"): 2, ("b", "warning"): 1})
    assert fix_trials.counted(found, of_bugs=True) == Counter({("a", "bug"): 2})


# -- the form of outputs ----------------------------------------------------------------------


def test_a_form_is_tree_shapes_and_types() -> None:
    one = output_form({"a": jnp.ones((2, 3)), "b": [1, "x"]}, "run")
    assert one.has_form_of(output_form({"a": jnp.zeros((2, 3)), "b": [2, "y"]}, "run"))
    for other in (
        {"a": jnp.ones((2, 3)), "b": (1, "x")},
        {"a": jnp.ones((3, 2)), "b": [1, "x"]},
        {"a": jnp.ones((2, 3), int), "b": [1, "x"]},
        {"a": jnp.ones((2, 3)), "b": [1, "x", None, 2]},
    ):
        assert not one.has_form_of(output_form(other, "run"))


def test_slices_are_compared_along_every_axis() -> None:
    rows = jnp.arange(6.0).reshape(2, 3)
    leaf = output_form(jnp.broadcast_to(rows[:, None], (2, 4, 3)), "run").leaves[""]
    assert leaf.alike == {1}
    assert output_form(jnp.ones((2, 1, 3)), "run").leaves[""].alike == {0, 2}
    assert output_form(rows, "run").leaves[""].alike == frozenset()
    assert output_form(jax.random.split(jax.random.key(0)), "run").leaves[""].alike == frozenset()


def test_what_is_alike_anew_is_another_form() -> None:
    different, alike = output_form(np.arange(6.0).reshape(2, 3), "run"), output_form(np.ones((2, 3)), "run")
    assert alike.has_form_of(alike)
    assert different.has_form_of(alike)
    assert not alike.has_form_of(different)


def test_a_key_of_a_script_may_decide_how_many_values_there_are() -> None:
    source = (
        "import jax\nkey = jax.random.key(0)\na = jax.random.normal(key, (9,))\nb = jax.random.uniform(key, (9,))\n"
    )
    found = analysed.snapshot(f"{source}kept = a[a > 0] + b[a > 0]\n", finding_fixes=True).reports[0].findings or ()
    assert [len(each.fixes) for each in found if each.level == "bug"] == [1]


def test_a_top_level_may_have_further_names() -> None:
    before, after = {"x": jnp.ones(2)}, {"x": jnp.ones(2), "raw_key": jnp.ones(2, "uint32")}
    assert output_form(after, TOP_LEVEL).has_form_of(output_form(before, TOP_LEVEL))
    assert not output_form(before, TOP_LEVEL).has_form_of(output_form(after, TOP_LEVEL))
