"""``python -m benchmarks.accuracy``: how far the times of this program can be trusted, each check within one run.

Absolute times are held to nothing but a clock; everything else is a ratio of things that ran in turns.
"""

from __future__ import annotations

import functools
import random
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from explorer.messages import Array, Measurement
from explorer.timing_figures import paired_ratio
from explorer.worker.sampling import Instruments, Track, calibrate, is_precise, sample, spread, timed_block
from explorer.worker.timing import Plan, time_sweep
from explorer.worker.undisturbed import undisturbed
from explorer.worker.waiting import wait_function

SPINS_S = (50e-6, 100e-6, 500e-6, 1e-3, 5e-3, 20e-3)
TRIALS = 100
PAIRS, FEW_PAIRS = 31, 7
HOG = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
"""Keeps a core busy, no longer than we live."""
Function = Callable[[], Any]


def main() -> None:
    """Print every check with what was found and what was wanted."""
    with undisturbed():
        instruments = Instruments(wait_function())
        spins(instruments)
        twice()
        against_itself("quiet", TRIALS)
        with hogs(2):
            against_itself("two hogs", TRIALS)
        without_blocking(instruments)
        against_timeit(instruments)
        to_precision(instruments)


def spins(instruments: Instruments) -> None:
    """A call that watches the clock for d seconds takes d seconds, and a little for its own last look at the clock.

    That little is what a bare loop shows, in turns with our blocks.
    """
    for seconds in SPINS_S:
        call = functools.partial(spin, seconds)
        track = Track(call)
        calibrate(track, instruments)
        ours, bare = [], []
        for _ in range(PAIRS):
            ours.append(timed_block(call, track.calls, instruments))
            bare.append(timeit.timeit("call()", number=track.calls, globals={"call": call}) / track.calls)
        off, own = (float(np.median(times)) / seconds - 1 for times in (ours, bare))
        found = f"median off by {100 * off:+.2f} %, a bare loop by {100 * own:+.2f} %"
        tell(f"spin {1e6 * seconds:g} us", found, "0.5 %", abs(off) <= 0.005)


def twice() -> None:
    """Doing it twice takes twice as long."""
    x = jnp.linspace(0.0, 1.0, 300 * 300).reshape(300, 300)
    product = jax.jit(lambda x: x @ x)

    def once() -> Any:
        return jax.block_until_ready(product(x))

    def both() -> Any:
        jax.block_until_ready(product(x))
        return jax.block_until_ready(product(x))

    found = measured({"once": once, "both": both}, 3.0)
    ratio = paired_ratio(found["both"], found["once"])
    assert ratio is not None
    tell("f; f against f", f"{ratio.middle:.3f}", "2.00 within 3 %", abs(ratio.middle / 2 - 1) <= 0.03)


def against_itself(where: str, trials: int) -> None:
    """The interval of the ratio of a function to itself holds 1 nearly always."""
    x = jnp.linspace(0.0, 1.0, 1000)
    function = jax.jit(jnp.tanh)
    instruments = Instruments(wait_function())
    held = 0
    middles = []
    for trial in range(trials):
        tracks = [Track(lambda: function(x)), Track(lambda: function(x))]
        for track in tracks:
            instruments.wait(track.call())
            calibrate(track, instruments)
        sample(tracks, 0.25, Instruments(instruments.wait, random=random.Random(trial)))
        ratio = paired_ratio(*(as_measurement(track) for track in tracks))
        assert ratio is not None
        held += ratio.shows_no_difference
        middles.append(abs(ratio.middle - 1))
    worst = 100 * float(np.percentile(middles, 90))
    wanted = round(0.85 * trials)
    found = f"1 held by {held} of {trials}; 9 of 10 within {worst:.1f} %"
    tell(f"f against f, {where}", found, f"at least {wanted}", held >= wanted)


def without_blocking(instruments: Instruments) -> None:
    """Without waiting the work is not seen: the check that must fail."""
    x = jnp.linspace(-1.0, 1.0, 1_000_000)
    selu = jax.jit(lambda x: jnp.where(x > 0, x, 1.67 * jnp.exp(x) - 1.67))
    instruments.wait(selu(x))
    pairs = [
        (timed_block(lambda: selu(x), 5, instruments), timed_block(lambda: selu(x), 1, instruments, waits=False))
        for _ in range(PAIRS)
    ]
    factor = float(np.median([right / wrong for right, wrong in pairs]))
    tell("SELU of 1e6 without blocking", f"{factor:.0f} times too quick", "at least 5", factor >= 5)


def against_timeit(instruments: Instruments) -> None:
    """Block by block in turns with timeit, which is given the same call and the same wait."""
    for name, (function, tolerance) in functions().items():
        track = Track(function)
        instruments.wait(function())
        calibrate(track, instruments)
        theirs = timeit.Timer("wait(function())", globals={"wait": instruments.wait, "function": function})
        ratios = []
        for pair in range(PAIRS if track.call_s < 0.05 else FEW_PAIRS):
            instruments.wait(function())
            if pair % 2:
                seconds = theirs.timeit(track.calls) / track.calls
                ratios.append(timed_block(function, track.calls, instruments) / seconds)
            else:
                seconds = timed_block(function, track.calls, instruments)
                ratios.append(seconds * track.calls / theirs.timeit(track.calls))
        known = spread(ratios)
        low, high = known.low or 0.0, known.high or float("inf")
        holds = _verdict(known.median, low, high, tolerance)
        found = f"{known.median:.3f} of timeit's ({low:.3f} to {high:.3f})"
        tell(f"timeit, {name}, {1e6 * track.call_s:.3g} us", found, f"{100 * tolerance:g} %", holds)


def _verdict(median: float, low: float, high: float, tolerance: float) -> bool | None:
    """Return whether a ratio is 1 within `tolerance`; None where its interval is too wide to tell."""
    if low > 1 + tolerance or high < 1 - tolerance:
        return False
    is_close, is_known = abs(median - 1) <= tolerance, high - low <= 4 * tolerance
    return True if is_close and is_known else None


def to_precision(instruments: Instruments) -> None:
    """Seconds until the median is known to 5 %, against one run of timeit's own method, 5 repeats of 0.2 s."""
    x = jnp.linspace(0.0, 1.0, 1000)
    function = jax.jit(jnp.tanh)
    started = time.perf_counter()
    track = Track(lambda: function(x))
    calibrate(track, instruments)
    sample([track], 10.0, instruments)
    ours = time.perf_counter() - started
    started = time.perf_counter()
    theirs_timer = timeit.Timer(lambda: jax.block_until_ready(function(x)))
    calls, _ = theirs_timer.autorange()
    theirs_timer.repeat(5, calls)
    theirs = time.perf_counter() - started
    precise = is_precise(track.samples)
    tell("seconds to 5 %", f"{ours:.2f} s against timeit's {theirs:.2f} s", "no more", precise and ours <= theirs)


def functions() -> dict[str, tuple[Function, float]]:
    """Return functions from 5 microseconds to 1 second, each with how far it may be from timeit."""
    key = jax.random.key(0)
    made: dict[str, tuple[Function, float]] = {}

    def add(name: str, function: Callable[[Any], Any], argument: Any, close: float = 0.02, *, jit: bool = True) -> None:
        called = jax.jit(function) if jit else function
        made[name] = (lambda: called(argument)), close

    def vector(n: int) -> Any:
        return jnp.linspace(0.0, 1.0, n)

    def matrix(n: int) -> Any:
        return jnp.linspace(0.0, 1.0, n * n).reshape(n, n) / n

    def chain(x: Any) -> Any:
        for _ in range(10):
            x = jnp.sin(x) + 1
        return x

    def steps(x: Any) -> Any:
        return jax.lax.scan(lambda carry, _: (carry * 0.9 + 0.1, carry.sum()), x, None, length=1000)

    for n in (10, 1000):
        add(f"tanh {n}", jnp.tanh, vector(n))
    for n in (100_000, 1_000_000, 4_000_000):
        add(f"add {n}", lambda x: x + 1, vector(n), 0.08)
    for n in (64, 256, 1024, 2048):
        add(f"matmul {n}", lambda x: x @ x, matrix(n))
    add("eager add 10", lambda x: x + 1, vector(10), jit=False)
    add("eager chain 100", chain, vector(100), jit=False)
    add("eager chain 1e6", chain, vector(1_000_000), 0.08, jit=False)
    for n in (100, 100_000, 1_000_000):
        add(f"normal {n}", lambda key, n=n: jax.random.normal(key, (n,)), key)  # type: ignore[misc]
    add("split 1000", lambda key: jax.random.split(key, 1000), key)
    for n in (1000, 100_000, 1_000_000):
        add(f"sort {n}", lambda x: jnp.sort(-x), vector(n))
    add("scan 10", steps, vector(10))
    add("scan 1e4", steps, vector(10_000))
    add("cumsum 1e5", jnp.cumsum, vector(100_000))
    add("tree of ten", lambda x: [x + i for i in range(10)], vector(10))
    return made


def measured(variants: dict[str, Function], budget_s: float) -> dict[str, Measurement]:
    """Return the final measurement of each of `variants`, timed as the window does it."""
    came: list[Measurement] = []
    time_sweep(Plan(1, jax.devices()[0], variants, ("eager",), budget_s, came.append), {}, lambda _: {})
    return {each.variant: each for each in came if each.final}


def as_measurement(track: Track) -> Measurement:
    """Return the samples of `track` as a record."""
    return Measurement(
        1,
        "f",
        ("jit",),
        {},
        "",
        median_s=spread(track.samples).median,
        samples_s=Array.of(track.samples, np.float64),
        rounds=Array.of(track.rounds, np.int32),
    )


@contextmanager
def hogs(number: int) -> Iterator[None]:
    """Keep `number` cores busy in the block."""
    running = [subprocess.Popen([sys.executable, "-c", HOG]) for _ in range(number)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def spin(seconds: float) -> None:
    """Watch the clock for `seconds`."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def tell(what: str, found: str, wanted: str, holds: bool | None) -> None:
    """Print one line of the table; `holds` is None where this run cannot tell."""
    verdict = {True: "holds", False: "MISSES", None: "noisy"}[holds]
    print(f"{verdict:6}  {what:36} {found:46} wanted: {wanted}", flush=True)


if __name__ == "__main__":
    main()
