"""What is reported of tracing agrees with JAX's own flags."""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import Iterator

import jax
import pytest

from explorer.worker.code import calls, trees
from tests.corpus.cases import Case, cases, judged

OTHERWISE = (
    {"under_a_gradient_eagerly", "in_jax_linearize"}
    if jax.__version_info__ < (0, 11)
    else {"a_gradient_inside_jit_that_changes_a_dictionary_of_the_function"}
)
"""Leaks that JAX's checker misses, or from 0.11 on reports though nothing leaks."""
ANOTHER_EACH_TIME = "a_function_for_each_of_several_purposes"
"""A function that JAX rightly compiles for each purpose."""
_COMPILING = re.compile(r"Compiling (?:jit\()?(\S+?)\)? with global shapes")


def run_plainly(case: Case) -> None:
    trees.waited_for(calls.call(case.function(), {}))


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Hide older objects from the collector: JAX's leak checker walks through all of them for each trace."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.rest
@pytest.mark.usefixtures("few_objects")
def test_jaxs_checker_of_leaks_agrees() -> None:
    disagree = set()
    for case in cases("leaked-tracer"):
        try:
            with jax.checking_leaks():
                run_plainly(case)
            objects = False
        except Exception as error:
            objects = "Leaked" in str(error)
        if objects != case.is_broken:
            disagree.add(case.name)
    assert disagree == OTHERWISE


def compiled(case: Case, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the names of the functions that JAX says it compiles in a run of `case`."""
    function = case.function()
    caplog.clear()
    with caplog.at_level(logging.WARNING), jax.log_compiles():
        trees.waited_for(calls.call(function, {}))
    messages = (_COMPILING.search(record.getMessage()) for record in caplog.records)
    return [message[1] for message in messages if message]


@pytest.mark.parametrize("case", [each for each in cases("recompiles") if each.is_broken], ids=str)
def test_as_many_compiles_are_reported_as_jax_logs(case: Case, caplog: pytest.LogCaptureFixture) -> None:
    (finding,) = [each for each in judged(case) if each.kind == "recompiles"]
    logged = compiled(case, caplog)
    assert finding.count in {logged.count(each) for each in set(logged)}
    assert f"{finding.count} times" in str(finding.message)


def is_compiled_seldom(case: Case) -> bool:
    return "recompiles" not in str(case.marks) and case.name != ANOTHER_EACH_TIME


@pytest.mark.parametrize("case", list(filter(is_compiled_seldom, cases("recompiles"))), ids=str)
def test_where_nothing_is_reported_jax_logs_no_function_of_theirs_four_times(
    case: Case, caplog: pytest.LogCaptureFixture
) -> None:
    logged = compiled(case, caplog)
    theirs = {"<lambda>", "f", "step", "add", "inner", "outer", "zeros"}
    assert max((logged.count(each) for each in theirs), default=0) < 4
