"""Functions without callers: their message, and the ``inputs`` that is offered."""

from __future__ import annotations

import pytest

from explorer.messages import Snapshot
from explorer.worker.syntax.code_tree import with_edits
from tests.worker import analysed
from tests.worker.analysed import report, snapshot

NOISE = """import jax


def add_noise(x, key):
    return x + jax.random.normal(key, x.shape)
"""


def fixed(source: str) -> tuple[str, Snapshot]:
    """Return `source` with the offered fix, and its snapshot then."""
    failure = analysed.snapshot(source, fixes=True).failure
    [fix] = failure.fixes
    assert str(fix.label) == "Add a function inputs that returns its arguments"
    text = with_edits(source, fix.edits)
    return text, analysed.snapshot(text)


def test_the_first_function_that_nothing_calls_is_reported_where_it_stands() -> None:
    failure = analysed.snapshot(NOISE).failure
    assert failure.type == "NothingToRun"
    assert str(failure.message) == "add_noise needs x and key, and there is no function inputs that returns them."
    assert (failure.span.line, failure.span.column, failure.span.end_column) == (4, 0, 22)
    assert failure.fixes == ()


@pytest.mark.parametrize(
    ("source", "returned"),
    [
        (NOISE, '{"x": jnp.ones((batch, 4)), "key": jax.random.key(seed)}'),
        ("def f(w): return w.shape[1]\n", '{"w": jnp.ones((batch, 4))}'),
        ("import jax.numpy as jnp\ndef f(w): return jnp.zeros(w)\n", '{"w": 4}'),
        (
            "import jax\n@jax.jit\ndef f(*, a, init_rng):\n    if a.shape[0] != 4: raise ValueError\n    return a\n",
            '{"a": jnp.ones(4), "init_rng": jax.random.key(seed)}',
        ),
        (
            "import jax\ndef f(keys): return jax.vmap(jax.random.normal)(keys)\n",
            '{"keys": jax.random.split(jax.random.key(seed), batch)}',
        ),
    ],
)
def test_an_inputs_with_which_it_runs_is_offered(source: str, returned: str) -> None:
    text, after = fixed(source)
    assert f"    return {returned}\n" in text
    assert [report.status for report in after.reports] == ["ok"]


def test_one_inputs_feeds_all_functions() -> None:
    _, after = fixed(NOISE + "\n\ndef scaled(x, rate):\n    return x * rate\n")
    assert [(report.name, report.status) for report in after.reports] == [("add_noise", "ok"), ("scaled", "ok")]


def test_an_inputs_that_lacks_something_is_not_written_anew() -> None:
    failure = analysed.snapshot(NOISE + "\n\ndef inputs():\n    return {'x': 1}\n", fixes=True).failure
    assert str(failure.message) == "add_noise needs key, which inputs does not return."
    assert failure.fixes == ()


def test_a_variant_that_was_chosen_before_its_inputs_went_is_reported_alike() -> None:
    failure = analysed.snapshot(NOISE, variants=("add_noise",), fixes=True).failure
    assert str(failure.message) == "add_noise needs x and key, and there is no function inputs that returns them."
    assert len(failure.fixes) == 1


@pytest.mark.parametrize("source", ["", "import jax\n", "def _private(x): return x\n"])
def test_code_without_a_function_lacks_nothing(source: str) -> None:
    result = analysed.snapshot(source, fixes=True)
    assert (result.complete, result.failure, result.reports) == (True, None, ())


# -- helpers that are no variants --------------------------------------------------------------


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
LABEL = "Mark one as a helper, not a variant"
CALLED_BY_NOBODY = FAILS.replace("one(jnp.ones(5), jax.random.key(1)) + x", "x")


@pytest.mark.rest
def test_a_helper_that_fails_by_itself_can_be_marked_as_none() -> None:
    result = report(HEAD + FAILS, "one", fixes=True)
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
    assert result.failure.fixes == ()
    named = report(HEAD + FAILS, "one", fixes=True, named=("one", "run"))
    assert named.failure.fixes == (), "the scenario says that it is a variant"
