"""Findings held to what JAX itself says, with the flags that it has for that."""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import Iterator

import jax
import pytest

from explorer.worker.code import calls, trees, user_code
from tests.worker.checks import leaked_tracer_cases, recompiles_cases
from tests.worker.checks.inspected import HEAD, found

OTHERWISE = (
    ["under a gradient, eagerly", "in jax.linearize"]
    if jax.__version_info__ < (0, 11)
    else [
        "a gradient inside jit that changes a dictionary of the function",
        "a gradient inside vmap that changes a list of the function",
    ]
)
"""What JAX's checker of leaks says nothing of, or from 0.11 on objects to though nothing is left behind."""
ANOTHER_EACH_TIME = "a function for each of several purposes"
"""What JAX rightly compiles for each of them."""
_COMPILING = re.compile(r"Compiling (?:jit\()?(\S+?)\)? with global shapes")


def run_plainly(code: str) -> None:
    """Run the variant ``run`` of `code` as it is."""
    program = user_code.load(HEAD + code, "<case>")
    trees.waited_for(calls.call(program.function("run", ()), {}))


@pytest.fixture
def few_objects() -> Iterator[None]:
    """Let the collector know of none but new objects: JAX's checker looks through all of them for each trace."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("few_objects")
def test_jaxs_checker_of_leaks_agrees() -> None:
    disagree = []
    for name, code in {**leaked_tracer_cases.BROKEN, **leaked_tracer_cases.SOUND}.items():
        try:
            with jax.checking_leaks():
                run_plainly(code)
            objects = False
        except Exception as error:
            objects = "Leaked" in str(error)
        if objects != ("leaked-tracer" in code):
            disagree.append(name)
    assert disagree == OTHERWISE


def compiled(code: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the names of the functions that JAX says it compiles in a run of `code`."""
    program = user_code.load(HEAD + code, "<case>")
    caplog.clear()
    with caplog.at_level(logging.WARNING), jax.log_compiles():
        trees.waited_for(calls.call(program.function("run", ()), {}))
    messages = (_COMPILING.search(record.getMessage()) for record in caplog.records)
    return [message[1] for message in messages if message]


@pytest.mark.parametrize("name", recompiles_cases.BROKEN)
def test_as_many_compiles_are_told_as_jax_logs(name: str, caplog: pytest.LogCaptureFixture) -> None:
    code = recompiles_cases.BROKEN[name]
    (finding,) = [each for each in found(HEAD + code) if each.kind == "recompiles"]
    logged = compiled(code, caplog)
    assert finding.count in {logged.count(each) for each in set(logged)}
    assert f"{finding.count} times" in str(finding.message)


@pytest.mark.parametrize("name", [name for name in recompiles_cases.SOUND if name != ANOTHER_EACH_TIME])
def test_where_nothing_is_told_jax_logs_no_function_of_theirs_four_times(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    logged = compiled(recompiles_cases.SOUND[name], caplog)
    theirs = {"<lambda>", "f", "step", "add", "inner", "outer", "zeros"}
    assert max((logged.count(each) for each in theirs), default=0) < 4
