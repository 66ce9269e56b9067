"""Findings about the values of a variant in a report, with their fixes."""

from __future__ import annotations

import pytest

from explorer.messages import Applied, Report, Transforms
from explorer.worker.syntax.code_tree import with_edits
from tests.worker.analysed import report, snapshot

TOO_FAR = """
import jax
import jax.numpy as jnp

def inputs(n=6):
    return dict(x=jnp.arange(5.0), n=n)

def total(x, n):
    return jax.lax.fori_loop(0, n, lambda i, total: total + x[i], 0.0)
"""
ROOT = """
import jax
import jax.numpy as jnp

def inputs():
    return dict(x=jnp.arange(3.0))

def slope(x):
    return jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0).sum())(x)
"""


QUIET = "import warnings\nimport jax.numpy as jnp\nwarnings.simplefilter('ignore')\n"


def findings_of(found: Report | None) -> list[tuple[str, str, int | None]]:
    """Return kind, level and line of each finding."""
    return [(each.kind, each.level, each.line) for each in found.findings or ()]


def test_a_report_has_value_findings_where_they_are_asked_for() -> None:
    assert findings_of(report(TOO_FAR, "total", value_checks=True)) == [("out-of-bounds", "bug", 9)]
    assert findings_of(report(TOO_FAR, "total")) == []
    assert findings_of(report(TOO_FAR, "total", value_checks=True, parameters={"n": 5})) == []


def test_values_are_reported_under_the_transforms_that_were_chosen() -> None:
    transforms = Transforms(applied=(Applied("grad"), Applied("jit")))
    source = ROOT.replace("jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0).sum())(x)", "jnp.sqrt(x).sum()")
    assert findings_of(report(source, "slope", value_checks=True)) == []
    assert findings_of(report(source, "slope", value_checks=True, transforms=transforms)) == [("nan", "bug", 9)]


@pytest.mark.rest
def test_the_top_level_is_watched_and_what_it_leaves_there_comes_out() -> None:
    source = f"{QUIET}x = jnp.log(jnp.arange(3.0))\ny = x[4]\nz = jnp.zeros(2, 'float64')\n"
    (found,) = snapshot(source, value_checks=True).reports
    # Something is made of x, which tells what becomes of its -inf.
    assert findings_of(found) == [("out-of-bounds", "bug", 5), ("silent-cast", "warning", 6)]


def test_what_the_top_level_does_not_read_again_comes_out() -> None:
    (found,) = snapshot("import jax.numpy as jnp\nx = jnp.log(jnp.arange(3.0))\n", value_checks=True).reports
    assert findings_of(found) == [("nan", "bug", 2)]


def test_a_failure_is_reported_once_and_nothing_of_values() -> None:
    source = TOO_FAR.replace("return jax.lax", "jnp.log(x - 9)\n    raise ValueError(n)\n    return jax.lax")
    found = report(source, "total", value_checks=True)
    assert found.status == "error"
    assert findings_of(found) == []


def test_a_where_inside_a_where_fixes_the_gradient() -> None:
    (finding,) = report(ROOT, "slope", value_checks=True, finding_fixes=True).findings or ()
    (fix,) = finding.fixes
    fixed = with_edits(ROOT, fix.edits)
    assert "jnp.sqrt(jnp.where(x > 0, x, 1.0))" in fixed
    assert findings_of(report(fixed, "slope", value_checks=True)) == []


def test_what_would_not_fix_it_is_not_offered() -> None:
    source = ROOT.replace("jnp.sqrt(x), 0.0", "x, 1.0 / jnp.sqrt(x - x)")
    found = report(source, "slope", value_checks=True, finding_fixes=True).findings or ()
    assert [each.kind for each in found] == ["nan"]
    assert found[0].fixes == ()


def test_keys_and_values_are_reported_together_bugs_first() -> None:
    source = QUIET + TOO_FAR.replace(
        "return jax.lax",
        "a = jnp.zeros(3, 'float64')\n    key = jax.random.key(0)\n"
        "    x = x + jax.random.normal(key, (5,)) + jax.random.normal(key, (5,))\n    return jax.lax",
    )
    found = report(source, "total", value_checks=True)
    assert [each.level for each in found.findings or ()] == ["bug", "bug", "warning"]
