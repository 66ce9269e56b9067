"""XLA compiles a program once however many of our runs need it, unless the program could notice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from jax._src import compiler

from explorer.worker.internals import shared_compiles
from tests.worker import analysed

HEAD = "import jax, jax.numpy as jnp\ndef inputs(): return {'x': jnp.ones(5)}\n"
STEP = "step = jax.jit(lambda x: jnp.sin(x) * 3.25)\ndef f(x): return step(x)\n"


@pytest.fixture(scope="module")
def counts() -> Iterator[Counter[str]]:
    """Count what XLA compiles, by the name of the program. Patched once: an analysis puts back what it has found."""
    genuine, counts = compiler.backend_compile_and_load, Counter[str]()

    def counted(backend: Any, module: Any, *rest: Any, **named: Any) -> Any:
        counts[str(module.operation.attributes["sym_name"]).strip('"')] += 1
        return genuine(backend, module, *rest, **named)

    with pytest.MonkeyPatch.context() as patches:
        patches.setattr(compiler, "backend_compile_and_load", counted)
        yield counts


@pytest.fixture
def compiles(counts: Counter[str]) -> Counter[str]:
    """Return the counts from now on; nothing is kept from before."""
    shared_compiles.forget()
    counts.clear()
    return counts


def analyse(source: str) -> Any:
    report = analysed.report(HEAD + source, "f", draws=True, traces=True, value_checks=True)
    assert report.failure is None
    (step,) = report.traces or ()
    assert (step.compiles, step.compile_s > 0) == (1, True)
    return report


def test_the_run_that_counts_traces_compiles_anew_and_the_others_share(compiles: Counter[str]) -> None:
    first = analyse(STEP)
    assert compiles["jit__lambda"] == 2
    # After an edit above it, only that run compiles it.
    second = analyse(f"# A line.\n{STEP}")
    assert compiles["jit__lambda"] == 3
    assert first.pictures == second.pictures


@pytest.mark.parametrize(
    "source",
    [
        f"import os, time\ntime.perf_counter()\n{STEP}",
        STEP.replace("jnp.sin(x)", "jax.pure_callback(lambda x: x, x, x)"),
    ],
    ids=["it reads a clock", "it calls Python"],
)
def test_nothing_is_shared_of_a_program_that_could_notice(compiles: Counter[str], source: str) -> None:
    analyse(source)
    assert compiles["jit__lambda"] > 2


def test_only_the_newest_programs_are_kept(compiles: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_compiles, "MOST", 1)
    for name in ("cos", "tan", "cos"):
        analyse(STEP.replace("sin", name))
    assert compiles["jit__lambda"] == 3 * 2
    assert len(shared_compiles._kept) == 1
