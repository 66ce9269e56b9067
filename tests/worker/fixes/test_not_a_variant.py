"""A helper that fits what ``inputs`` returns is offered to be no variant, once something is wrong with it by itself."""

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
CALLED_BY_NOBODY = FAILS.replace("one(jnp.ones(5), jax.random.key(1)) + x", "x")


@pytest.mark.parametrize("code", [FAILS, REUSES])
def test_a_helper_with_a_problem_of_its_own_can_be_said_to_be_none(code: str) -> None:
    told = report(HEAD + code, "one", fixes=True, finding_fixes=True)
    cards = (
        [told.failure] if told.failure is not None else [each for each in told.findings or () if each.level == "bug"]
    )
    (fix,) = [each for card in cards for each in card.fixes if each.label == "one is a helper: not a variant"]
    mended = with_edits(HEAD + code, fix.edits)
    assert "def one(x, key):  # jax-explorer: not a variant\n" in mended
    assert "one" not in [each.name for each in snapshot(mended).variants]


def test_what_nobody_calls_is_no_helper() -> None:
    told = report(HEAD + CALLED_BY_NOBODY, "one", fixes=True)
    assert told.failure is not None
    assert told.failure.fixes == ()
    named = report(HEAD + FAILS, "one", fixes=True, named=("one", "run"))
    assert named.failure is not None
    assert named.failure.fixes == (), "the scenario says that it is a variant"
