"""Repeated compilation is fixed where moving one jit is enough, and only if that helps."""

from __future__ import annotations

import pytest

from explorer.messages import Finding
from explorer.worker.syntax.code_tree import with_edits
from tests.worker.analysed import report

HEAD = """from functools import partial
import jax
import jax.numpy as jnp
"""
LOOP = """
def run():
    x = 1.0
    for i in range(5):
        {line}
    return x
"""


def finding(source: str) -> Finding:
    found = report(source, "run", traces=True, finding_fixes=True).findings or ()
    (compiled,) = [each for each in found if each.kind == "recompiles"]
    return compiled


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("x = jax.jit(lambda y: y + 1)(x)", "jitted = jax.jit(lambda y: y + 1) / x = jitted(x)"),
        ("x = jax.jit(lambda x: x + 1)(x)", "jitted = jax.jit(lambda x: x + 1) / x = jitted(x)"),
        ("x = jax.jit(partial(jnp.add, 1.0))(x)", ""),
        ("x = jax.jit(lambda y: y + i)(x)", ""),
    ],
)
def test_a_jit_moves_out_of_the_loop_if_nothing_in_it_depends_on_the_iteration(line: str, after: str) -> None:
    source = HEAD + LOOP.format(line=line)
    found = report(source, "run", traces=True, finding_fixes=True).findings or ()
    fixes = [fix for each in found if each.kind == "recompiles" for fix in each.fixes]
    changed = [with_edits(source, each.edits) for each in fixes]
    new = [" / ".join(row.strip() for row in each.split("\n") if row not in source.split("\n")) for each in changed]
    assert new == ([after] if after else [])
    for fixed in changed:
        again = report(fixed, "run", traces=True)
        assert again.findings == ()
        assert max(each.compiles for each in again.traces or ()) == 1


def test_a_loop_in_a_loop_is_left_altogether() -> None:
    source = (
        f"{HEAD}\ndef run():\n    x = 1.0\n    for i in range(2):\n        while x < 9 * (i + 1):\n            "
        "x = jax.jit(lambda y: y + 1)(x)\n    return x\n"
    )
    (fix,) = finding(source).fixes
    assert "    jitted = jax.jit(lambda y: y + 1)\n    for i in range(2):" in with_edits(source, fix.edits)
