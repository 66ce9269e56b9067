"""A helper that fits the output of ``inputs`` can be marked as no variant where it fails; that hides no bug."""

from __future__ import annotations

import pytest

from explorer.worker.errors.code_tree import with_edits
from tests.worker.analysed import report, snapshot

HEAD = """import jax
import jax.numpy as jnp

def inputs():
    return dict(x=jnp.ones((3, 2)), key=jax.random.key(0))

"""
FAILS = """def one(x, key):
    return x @ jnp.ones(5) + jax.random.normal(key)

def run(x):
    return one(jnp.ones(5), jax.random.key(1)) + x
"""
REUSES = """def one(x, key):
    return x + jax.random.normal(key, x.shape) + jax.random.uniform(key, x.shape)

def run(x):
    return jnp.zeros(3)

def other(x):
    return one
"""
SHARES = """def one(x, key):
    return jax.vmap(lambda row: row + jax.random.normal(key, row.shape))(x)

def run(x):
    return one(x, jax.random.key(1))
"""
LABEL = "one is a helper: not a variant"
CALLED_BY_NOBODY = FAILS.replace("one(jnp.ones(5), jax.random.key(1)) + x", "x")


@pytest.mark.rest
def test_a_helper_that_fails_by_itself_can_be_marked_as_none() -> None:
    result = report(HEAD + FAILS, "one", fixes=True)
    assert result.failure is not None
    (fix,) = [each for each in result.failure.fixes if str(each.label) == LABEL]
    fixed = with_edits(HEAD + FAILS, fix.edits)
    assert "def one(x, key):  # jax-explorer: not a variant\n" in fixed
    assert "one" not in [each.name for each in snapshot(fixed).variants]


@pytest.mark.parametrize("code", [REUSES, SHARES])
def test_hiding_is_no_fix_of_a_finding(code: str) -> None:
    result = report(HEAD + code, "one", fixes=True, finding_fixes=True)
    found = [each for each in result.findings or () if each.level == "bug"]
    assert found
    assert LABEL not in [str(fix.label) for each in found for fix in each.fixes]


def test_a_function_without_callers_is_no_helper() -> None:
    result = report(HEAD + CALLED_BY_NOBODY, "one", fixes=True)
    assert result.failure is not None
    assert result.failure.fixes == ()
    named = report(HEAD + FAILS, "one", fixes=True, named=("one", "run"))
    assert named.failure is not None
    assert named.failure.fixes == (), "the scenario says that it is a variant"
