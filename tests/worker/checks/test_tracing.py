"""The findings of tracing: reported for wrong programs and not for right ones, compared with JAX's flags."""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import Iterator

import jax
import pytest

from explorer.worker.code import calls, trees, user_code
from tests.worker.checks.inspected import expected, findings_of, found, programs

KINDS = ("host-random", "host-state", "leaked-tracer", "recompiles")


def each(kind: str, sort: str, before: str = "") -> list[object]:
    """Return the source of each program, under its name."""
    return [pytest.param(source, id=f"{before}{name}") for name, source in programs(kind, sort).items()]


EVERY = [param for kind in KINDS for sort in ("bad", "good") for param in each(kind, sort, f"{kind}: {sort} ")]


@pytest.mark.parametrize("source", EVERY)
def test_each_line_has_its_expected_findings(source: str) -> None:
    assert findings_of(source) == expected(source)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_programs_have_a_mark_and_good_ones_none(kind: str) -> None:
    bad, good = (programs(kind, sort).values() for sort in ("bad", "good"))
    assert all("# bug: " in each or "# warning: " in each for each in bad)
    assert not any("# bug: " in each or "# warning: " in each for each in good)


# -- what JAX says ----------------------------------------------------------------------------

OTHERWISE = (
    {"under a gradient eagerly", "in jax linearize"}
    if jax.__version_info__ < (0, 11)
    else {
        "a gradient inside jit that changes a dictionary of the function",
        "a gradient inside vmap that changes a list of the function",
    }
)
"""Leaks that JAX's checker misses, or from 0.11 on reports though nothing leaks."""
ANOTHER_EACH_TIME = "a function for each of several purposes"
"""A function that JAX rightly compiles for each purpose."""
_COMPILING = re.compile(r"Compiling (?:jit\()?(\S+?)\)? with global shapes")


def run_plainly(code: str) -> None:
    """Run the variant ``run`` of `code` as it is."""
    program = user_code.load(code, "<case>")
    trees.waited_for(calls.call(program.function("run", ()), {}))


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
    for name, code in {**programs("leaked-tracer", "bad"), **programs("leaked-tracer", "good")}.items():
        try:
            with jax.checking_leaks():
                run_plainly(code)
            objects = False
        except Exception as error:
            objects = "Leaked" in str(error)
        if objects != ("leaked-tracer" in code):
            disagree.add(name)
    assert disagree == OTHERWISE


def compiled(code: str, caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the names of the functions that JAX says it compiles in a run of `code`."""
    program = user_code.load(code, "<case>")
    caplog.clear()
    with caplog.at_level(logging.WARNING), jax.log_compiles():
        trees.waited_for(calls.call(program.function("run", ()), {}))
    messages = (_COMPILING.search(record.getMessage()) for record in caplog.records)
    return [message[1] for message in messages if message]


@pytest.mark.parametrize("code", each("recompiles", "bad"))
def test_as_many_compiles_are_reported_as_jax_logs(code: str, caplog: pytest.LogCaptureFixture) -> None:
    (finding,) = [each for each in found(code) if each.kind == "recompiles"]
    logged = compiled(code, caplog)
    assert finding.count in {logged.count(each) for each in set(logged)}
    assert f"{finding.count} times" in str(finding.message)


@pytest.mark.parametrize("code", [param for param in each("recompiles", "good") if param.id != ANOTHER_EACH_TIME])
def test_where_nothing_is_reported_jax_logs_no_function_of_theirs_four_times(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    logged = compiled(code, caplog)
    theirs = {"<lambda>", "f", "step", "add", "inner", "outer", "zeros"}
    assert max((logged.count(each) for each in theirs), default=0) < 4
