"""Twenty and more functions from 5 microseconds to 1 second, timed block by block in turns with Python's timeit."""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

from benchmarks.checks import is_one, tell
from explorer.worker.timing.sampling import Instruments, Track, calibrate, is_precise, spread, timed_block

FEWEST_PAIRS, LEAST_PAIRS, MOST_PAIRS = 7, 31, 3000
PATIENCE_S = 10.0
"""For one function, however wide its interval still is."""
CLOSE, MEMORY_BOUND = 0.02, 0.08
"""The largest distance of the median ratio from 1; memory-bound code depends on the pages that it was given."""


@dataclass(frozen=True)
class Case:
    """A function with how far its time may be from timeit's."""

    call: Callable[[], Any]
    tolerance: float = CLOSE


def against_timeit(instruments: Instruments) -> None:
    """Print a line for each function: timeit gets the same call and the same wait, in turns with ours.

    Pairs are taken until the interval of their ratio is as narrow as the tolerance on both sides, or for ten seconds.
    The rule uses the width alone, so that it does not choose its result.
    """
    for name, case in cases().items():
        _check(name, case, instruments)


def _check(name: str, case: Case, instruments: Instruments) -> None:
    track = Track(case.call)
    instruments.wait(case.call())
    calibrate(track, instruments)
    theirs = timeit.Timer("wait(call())", globals={"wait": instruments.wait, "call": case.call})
    ratios: list[float] = []
    ours: list[float] = []
    ends, next_look = time.perf_counter() + PATIENCE_S, LEAST_PAIRS
    while len(ratios) < FEWEST_PAIRS or (time.perf_counter() < ends and len(ratios) < MOST_PAIRS):
        instruments.wait(case.call())
        if len(ratios) % 2:
            their_s = theirs.timeit(track.calls) / track.calls
            our_s = timed_block(case.call, track.calls, instruments)
        else:
            our_s = timed_block(case.call, track.calls, instruments)
            their_s = theirs.timeit(track.calls) / track.calls
        ours.append(our_s)
        ratios.append(our_s / their_s)
        if len(ratios) >= next_look:
            known = spread(ratios)
            if (known.high or 0.0) - (known.low or 0.0) <= 2 * case.tolerance:
                break
            next_look = round(1.25 * next_look)
    known = spread(ratios)
    low, high = known.low or 0.0, known.high or float("inf")
    holds = is_one(known.median, low, high, case.tolerance)
    flagged = not is_precise(ours)
    found = f"{known.median:.3f} of timeit's ({low:.3f} to {high:.3f}, {len(ratios)} pairs)"
    wanted = f"{100 * case.tolerance:g} %{' or flagged' if case.tolerance == MEMORY_BOUND else ''}"
    if not holds and flagged and case.tolerance == MEMORY_BOUND:
        holds = None
    tell(f"timeit, {name}, {_short(spread(ours).median)}", found, wanted, holds, "unstable" if flagged else "noisy")


def _short(seconds: float) -> str:
    return f"{1e6 * seconds:.3g} us" if seconds < 1e-3 else f"{1e3 * seconds:.3g} ms"


def cases() -> dict[str, Case]:
    """Return the functions by name: bound by dispatch, by memory, by arithmetic; eager chains, draws, sorts, scans."""
    key = jax.random.key(0)
    made: dict[str, Case] = {}

    def add(
        name: str, function: Callable[[Any], Any], argument: Any, close: float = CLOSE, *, jit: bool = True
    ) -> None:
        called = jax.jit(function) if jit else function
        made[name] = Case(lambda: called(argument), close)

    for n in (10, 1000):
        add(f"tanh {n}", jnp.tanh, _vector(n))
    for n in (100_000, 1_000_000, 4_000_000):
        add(f"add {n}", lambda x: x + 1, _vector(n), MEMORY_BOUND)
    for n in (64, 256, 1024, 2048):
        add(f"matmul {n}", lambda x: x @ x, _vector(n * n).reshape(n, n) / n)
    add("eager add 10", lambda x: x + 1, _vector(10), jit=False)
    add("eager chain 100", _chain, _vector(100), jit=False)
    add("eager chain 1e6", _chain, _vector(1_000_000), MEMORY_BOUND, jit=False)
    for n in (100, 100_000, 1_000_000):
        add(f"normal {n}", lambda key, n=n: jax.random.normal(key, (n,)), key)  # type: ignore[misc]
    add("split 1000", lambda key: jax.random.split(key, 1000), key)
    for n in (1000, 100_000, 1_000_000):
        add(f"sort {n}", lambda x: jnp.sort(-x), _vector(n))
    add("scan 10", _steps, _vector(10))
    add("scan 1e4", _steps, _vector(10_000))
    add("1e7 steps", _many_steps, _vector(10))
    add("cumsum 1e5", jnp.cumsum, _vector(100_000))
    add("tree of ten", lambda x: [x + i for i in range(10)], _vector(10))
    return made


def _vector(n: int) -> Any:
    return jnp.linspace(0.0, 1.0, n)


def _chain(x: Any) -> Any:
    for _ in range(10):
        x = jnp.sin(x) + 1
    return x


def _steps(x: Any) -> Any:
    return jax.lax.scan(lambda carry, _: (carry * 0.9 + 0.1, carry.sum()), x, None, length=1000)


def _many_steps(x: Any) -> Any:
    return jax.lax.fori_loop(0, 10_000_000, lambda _, carry: carry * 0.9 + jnp.sin(carry), x)
