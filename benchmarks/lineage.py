"""The analysis of programs with many keys, against running the same programs without it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.compare import Comparison

SIZES = (1_000, 100_000, 1_000_000)


def compare(rounds: int) -> list[Comparison]:
    """Return, for each program and size, analysis against the eager run and against the jitted run, all warm."""
    found = []
    for what, program, aims in _programs():
        for way, plain, aim in (("as written", program, aims[0]), ("jitted", _jitted(program), aims[1])):
            ours_s, bare_s = [], []
            for _ in range(rounds + 1):
                ours_s.append(_seconds(lambda: _analysed(program)))  # noqa: B023
                bare_s.append(_seconds(plain))
            found.append(Comparison(f"{what}, analysed / {way}", ours_s[1:], bare_s[1:], aim))
    return found


def _programs() -> list[tuple[str, Callable[[], Any], tuple[float, float]]]:
    """Return (name, program, aims against the run as written and jitted); an aim of inf is for information."""
    import jax

    def fan(n: int) -> Callable[[], Any]:
        return lambda: jax.vmap(jax.random.normal)(jax.random.split(jax.random.key(0), n))

    def step(key: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
        key, *draws = jax.random.split(key, 51)
        return key, jax.vmap(jax.random.normal)(jax.numpy.stack(draws))

    def chain() -> Any:
        return jax.lax.scan(step, jax.random.key(0), length=20_000)

    def nested() -> Any:
        keys = jax.random.split(jax.random.key(0), (100, 1000))
        return jax.vmap(jax.vmap(jax.random.normal))(keys)

    none = float("inf")
    programs = [(f"{n:,} keys, split and vmap", fan(n), (3.0 if n == 100_000 else none, none)) for n in SIZES]
    programs.append(("100,000 keys, nested vmap", nested, (3.0, none)))
    programs.append(("scan of 20,000 steps, 50 draws each", chain, (none, none)))
    return programs


def _jitted(program: Callable[[], Any]) -> Callable[[], Any]:
    import jax

    return jax.jit(program)


def _analysed(program: Callable[[], Any]) -> Any:
    import jax

    from explorer.worker import findings, keys, recorder

    recording = recorder.record(lambda: jax.block_until_ready(program()))
    graph = keys.key_graph(recording, recording.result)
    assert not [each for each in findings.find(graph, recording) if each.level == "bug"]
    return graph


def _seconds(run: Callable[[], Any]) -> float:
    import jax

    started = time.perf_counter()
    jax.block_until_ready(run())
    return time.perf_counter() - started
