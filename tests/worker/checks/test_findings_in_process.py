"""Findings in a program that runs in its own process, where its code stays as it is."""

from __future__ import annotations

import functools
import linecache
import random
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax._src import core
from jax.ad_checkpoint import checkpoint_name

from explorer.messages import Finding
from explorer.worker.checks.tracing import object_graph
from explorer.worker.runs import in_process

LINES = Path(__file__).read_text(encoding="utf-8").split("\n")
history: list[Any] = []
"""Values that the program leaves behind."""


def findings_of(program: Callable[[], Any]) -> list[tuple[str, str, str]]:
    """Return level, kind and code of the findings in a call of `program`."""
    with in_process.recorded() as recording:
        program()
    return [(each.level, each.kind, code(each)) for each in in_process.report("test", recording).findings or ()]


def code(finding: Finding) -> str:
    """Return the code that `finding` points at, of several lines the first."""
    span = finding.spans[0]
    assert span.file == __file__
    return LINES[span.line - 1][span.column : span.end_column if span.end_line == span.line else None]


def test_numbers_that_become_part_of_a_program_are_reported_with_their_call() -> None:
    @jax.jit
    def noisy(x: Any) -> Any:
        return x + np.random.normal() * random.gauss(0.0, 1.0) + secrets.randbelow(3)

    assert findings_of(lambda: noisy(1.0)) == [
        ("bug", "host-random", "np.random.normal()"),
        ("bug", "host-random", "random.gauss(0.0, 1.0)"),
        ("bug", "host-random", "secrets.randbelow(3)"),
    ]


def test_numbers_outside_of_traces_clocks_and_fixed_seeds_are_nothing() -> None:
    @jax.jit
    def fixed(x: Any) -> Any:
        np.random.seed(0)
        return x + np.random.normal() + np.random.RandomState(1).normal()

    def program() -> None:
        started = time.perf_counter()
        fixed(np.random.normal())
        jax.grad(lambda x: x * random.random())(1.0)
        assert time.perf_counter() > started

    assert findings_of(program) == []


def test_what_was_replaced_is_put_back() -> None:
    def patched() -> tuple[Any, ...]:
        return np.random.normal, random.random, np.random.seed, secrets.token_hex, core.set_current_trace

    before = patched()
    findings_of(lambda: None)
    assert patched() == before


def test_without_a_remaining_trace_there_is_no_search_for_tracers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_graph, "tracers_in", None)
    assert findings_of(lambda: jax.jit(jax.vmap(jax.grad(lambda x: x * x)))(jnp.ones(3))) == []


def test_a_tracer_that_is_left_in_a_module_is_reported_with_the_line_that_put_it_there() -> None:
    try:
        assert findings_of(lambda: jax.jit(lambda x: (history.append(x), x)[1])(1.0)) == [
            ("bug", "leaked-tracer", "history.append(x)")
        ]
    finally:
        history.clear()


def test_a_function_that_is_made_anew_in_a_loop_is_reported_also_where_it_draws() -> None:
    def program() -> None:
        for number in range(4):
            jax.jit(lambda key: jax.random.normal(key))(jax.random.key(number))  # noqa: PLW0108

    assert [each[:2] for each in findings_of(program)] == [("warning", "recompiles")]


def test_objects_that_have_every_attribute_and_every_item_are_passed_by() -> None:
    class Anything:
        def __getattr__(self, name: str) -> Any:
            return Anything()

        def __getitem__(self, number: int) -> Any:
            return Anything()

    history.append(Anything())
    assert findings_of(lambda: jax.jit(lambda x: x + 1)(1.0)) == []
    history.clear()


def test_an_update_that_is_thrown_away_is_reported_and_one_that_is_kept_is_not() -> None:
    def program() -> Any:
        x = jnp.zeros(3)
        for _ in range(2):
            x.at[0].set(1.0)
        return x.at[1].set(2.0)

    assert findings_of(program) == [("bug", "discarded-update", "x.at[0].set(1.0)")]


def test_an_update_whose_method_stands_on_a_line_of_its_own_is_reported_whole() -> None:
    def program() -> None:
        x = jnp.zeros(3)
        # fmt: off
        (
            x
            .at[0]
            .set(1.0)
        )
        # fmt: on

    assert findings_of(program) == [("bug", "discarded-update", "x")]


@pytest.mark.parametrize(("mode", "found"), [("single", 0), ("exec", 1)])
def test_an_update_that_a_notebook_shows_below_its_cell_is_not_thrown_away(
    mode: str, found: int, capsys: pytest.CaptureFixture[str]
) -> None:
    name, text = "<ipython-input-1>", "x.at[0].set(1.0)\n"
    linecache.cache[name] = (len(text), None, [text], name)
    with in_process.recorded() as recording:
        exec(compile(text, name, mode), {"x": jnp.zeros(3)})
    assert len(in_process.report("test", recording).findings or ()) == found
    assert ("Array" in capsys.readouterr().out) == (not found)


class Scales(NamedTuple):
    fine: Any
    coarse: Any


def rounded(params: Any) -> Any:
    return sum(jnp.round(each).sum() for each in jax.tree.leaves(params))


@pytest.mark.parametrize(
    ("function", "given", "names"),
    [
        (rounded, {"w": 1.5, "b": [0.5, 2.5]}, "`params['b'][0]`, `params['b'][1]`, `params['w']`"),
        (rounded, Scales(1.5, 0.5), "`params.fine`, `params.coarse`"),
        (jax.jit(rounded), (1.5,), "`params[0]`"),
        (jax.checkpoint(rounded), 1.5, "`params`"),
        (functools.partial(rounded), [1.5] * 5, "`argument 0[0]`, `argument 0[1]`, `argument 0[2]` and 2 more"),
    ],
)
def test_a_gradient_that_is_0_is_told_with_the_names_of_its_inputs(function: Any, given: Any, names: str) -> None:
    with in_process.recorded() as recording:
        jax.grad(function)(given)
    (finding,) = in_process.report("test", recording).findings or ()
    assert (finding.kind, code(finding)) == ("no-gradient", "jnp.round(each)")
    assert str(finding.message).startswith(f"The gradient of {names} is 0")


def test_a_scan_in_a_checkpoint_whose_jaxprs_jax_asks_for_by_name_runs_as_ever() -> None:
    def layer(x: Any) -> Any:
        return lax.scan(lambda carry, w: (checkpoint_name(jnp.sin(w * carry), "state"), None), x, jnp.ones(3))[0]

    policy = jax.checkpoint_policies.save_only_these_names("state")
    assert findings_of(lambda: jax.grad(jax.checkpoint(layer, policy=policy))(1.0)) == []
