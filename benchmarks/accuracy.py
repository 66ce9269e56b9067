"""``python -m benchmarks.accuracy``: the accuracy of our timing, each check within one run.

Absolute times are compared with a clock only; everything else is a ratio of interleaved measurements.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.against_timeit import against_timeit, cases
from benchmarks.checks import tell
from benchmarks.published import published
from explorer.figures import intervals
from explorer.figures.curves import paired_ratio
from explorer.messages import Array, Measurement
from explorer.worker.timing.sampling import (
    PRECISION,
    Instruments,
    Track,
    calibrate,
    is_precise,
    sample,
    spread,
    timed_block,
)
from explorer.worker.timing.sweep import Plan, time_sweep
from explorer.worker.timing.undisturbed import undisturbed
from explorer.worker.timing.waiting import wait_function

SPINS_S = (50e-6, 100e-6, 500e-6, 1e-3, 5e-3, 20e-3)
TRIALS = 100
PAIRS = 31
CALLS_OF_NOTHING = 1000
HOG = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
"""Keeps a core busy, no longer than we live."""
Function = Callable[[], Any]


def main() -> None:
    """Print every check with the result and the wanted range."""
    with undisturbed():
        instruments = Instruments(wait_function())
        spins(instruments)
        twice()
        against_itself("quiet", TRIALS)
        with hogs(2):
            against_itself("two hogs", TRIALS)
        without_blocking(instruments)
        to_precision(instruments)
        against_timeit(instruments)
    published()


def spins(instruments: Instruments) -> None:
    """Check that a call that spins for d seconds is measured as its own clock reading, plus the cost of the call.

    Our time of a call is compared with the spin's own reading of the same block plus the time of a spin of 0 s,
    measured in turns: the difference is the method's error, without Python's cost of a call.
    """
    nothing = Spin(0.0)
    for seconds in SPINS_S:
        spin = Spin(seconds)
        track = Track(spin)
        calibrate(track, instruments)
        pairs = [
            (spin.block(track.calls, instruments), nothing.block(CALLS_OF_NOTHING, instruments)) for _ in range(PAIRS)
        ]
        off = float(
            np.median([(ours - empty + own_of_empty) / own - 1 for (ours, own), (empty, own_of_empty) in pairs])
        )
        raw = float(np.median([ours for (ours, _), _ in pairs])) / seconds - 1
        call_s = float(np.median([empty - own for _, (empty, own) in pairs]))
        found = f"off by {100 * off:+.2f} % (a call of nothing, {1e6 * call_s:.2f} us, is off; of d {100 * raw:+.2f} %)"
        tell(f"spin {1e6 * seconds:g} us", found, "0.5 %", abs(off) <= 0.005)


class Spin:
    """Watches the clock for some seconds, and adds up how long it really did."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._own_s = 0.0

    def __call__(self) -> None:
        start = now = time.perf_counter()
        end = start + self._seconds
        while now < end:
            now = time.perf_counter()
        self._own_s += now - start

    def block(self, calls: int, instruments: Instruments) -> tuple[float, float]:
        """Return seconds of one call: as our block of `calls` has it, and as it was read inside."""
        self._own_s = 0.0
        ours = timed_block(self, calls, instruments)
        return ours, self._own_s / calls


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
    """Check that the interval of the ratio of a function to itself contains 1 nearly always."""
    x = jnp.linspace(0.0, 1.0, 1000)
    function = jax.jit(jnp.tanh)
    instruments = Instruments(wait_function())
    passed = 0
    middles = []
    for trial in range(trials):
        tracks = [Track(lambda: function(x)), Track(lambda: function(x))]
        for track in tracks:
            instruments.wait(track.call())
            calibrate(track, instruments)
        sample(tracks, 0.25, Instruments(instruments.wait, random=random.Random(trial)))
        ratio = paired_ratio(*(as_measurement(track) for track in tracks))
        assert ratio is not None
        passed += ratio.shows_no_difference
        middles.append(abs(ratio.middle - 1))
    worst = 100 * float(np.percentile(middles, 90))
    wanted = round(0.85 * trials)
    found = f"1 held by {passed} of {trials}; 9 of 10 within {worst:.1f} %"
    tell(f"f against f, {where}", found, f"at least {wanted}", passed >= wanted)


def without_blocking(instruments: Instruments) -> None:
    """Without waiting the work is not seen: the check that must fail."""
    x = jnp.linspace(-1.0, 1.0, 1_000_000)
    selu = jax.jit(lambda x: jnp.where(x > 0, x, 1.67 * jnp.exp(x) - 1.67))
    instruments.wait(selu(x))
    waiting_for_nothing = Instruments(lambda _: None)
    pairs = []
    for _ in range(PAIRS):
        right = timed_block(lambda: selu(x), 5, instruments)
        pairs.append((right, timed_block(lambda: selu(x), 1, waiting_for_nothing)))
        instruments.wait(selu(x))
    factor = float(np.median([right / wrong for right, wrong in pairs]))
    tell("SELU of 1e6 without blocking", f"{factor:.0f} times too quick", "at least 5", factor >= 5)


def to_precision(instruments: Instruments) -> None:
    """Print the seconds until the median is known to 5 %, next to those that `%timeit` and pyperf need for it.

    Their samples are longer: %timeit repeats a power of ten of calls that takes 0.2 s at least, seven times; pyperf
    doubles the calls until they take 0.1 s, for sixty values. Each gets as many samples as the interval of its median
    needs, and 6 at least, since fewer have no interval; without the processes that pyperf starts.
    """
    known = cases()
    for name in ("tanh 1000", "matmul 256", "eager chain 100"):
        call = known[name].call
        instruments.wait(call())
        started = time.perf_counter()
        track = Track(call)
        calibrate(track, instruments)
        sample([track], 10.0, instruments)
        ours = time.perf_counter() - started
        timeit_s, pyperf_s = (_seconds_with(call, *each, instruments) for each in ((10, 0.2, 7), (2, 0.1, 60)))
        found = f"{ours:.2f} s; with the values of %timeit {timeit_s:.1f} s, of pyperf {pyperf_s:.1f} s"
        tell(f"seconds to 5 %, {name}", found, "no more", is_precise(track.samples) and ours <= min(timeit_s, pyperf_s))


def _seconds_with(call: Function, growth: int, least_s: float, most: int, instruments: Instruments) -> float:
    """Return the seconds until the median of values of `least_s` at least is known to 5 %, or there are `most`."""
    started, calls, values = time.perf_counter(), 1, []
    while timed_block(call, calls, instruments) * calls < least_s:
        calls *= growth
    while len(values) < intervals.LEAST or (len(values) < most and spread(values).precision > PRECISION):
        values.append(timed_block(call, calls, instruments))
    return time.perf_counter() - started


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
        repeats=Array.of(track.repeats, np.int32),
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


if __name__ == "__main__":
    main()
