"""Samples calls in short calibrated blocks, in random order, round after round; their spread; and the `TimeBudget`.

Interleaving: https://google.github.io/benchmark/random_interleaving.html.
"""

from __future__ import annotations

import gc
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import numpy as np

from explorer.figures.intervals import median_interval
from explorer.worker.recording.interrupt import Interrupt

BLOCK_S = 2e-3
"""Target length of a block in seconds: long for the clock, short between time slices of other programs."""
LEAST_BLOCK_S = 1e-3
GROWTH = 10
MOST_CALLS = 1_000_000
"""If this many calls take no time, the clock stands still."""
UNTIMED_CALLS = 3
"""Calls before each block that refill the CPU caches after other variants."""
SLOW_BLOCKS = 10
"""A block this many times slower than the fastest skips some rounds, and needs no untimed calls."""
LEAST_REPEATS = 11
PRECISION = 0.05
"""Relative half-width of the intervals of all medians at which sampling may stop."""
LIVE_S = 0.2


class Instruments(msgspec.Struct, frozen=True):
    """The clock and other instruments of a measurement; tests pass their own."""

    wait: Callable[[Any], object]
    """Returns when all outputs are ready."""
    clock: Callable[[], float] = time.perf_counter
    compilations: Callable[[], int] = int
    """Number of programs compiled so far."""
    random: random.Random = msgspec.field(default_factory=lambda: random.Random(0))


class Spread(msgspec.Struct, frozen=True):
    """Median, quartiles and 95 % interval of the median of samples, in their unit."""

    median: float
    q1: float
    q3: float
    low: float | None
    high: float | None

    @property
    def precision(self) -> float:
        """Half-width of the interval relative to the median; infinite without an interval."""
        if self.low is None or self.high is None or self.median <= 0:
            return math.inf
        return (self.high - self.low) / 2 / self.median


class Track(msgspec.Struct):
    """One call under measurement, with its samples so far."""

    call: Callable[[], Any]
    calls: int = 1
    """Calls per block."""
    call_s: float = 0.0
    """Rough seconds of one call, from the calibration."""
    samples: list[float] = []
    repeats: list[int] = []
    compiles_always: bool = False
    """Whether something compiled in a block, and again in its repetition."""
    compiled_once: bool = False
    """Whether a block was discarded because something compiled in it."""
    error: BaseException | None = None

    @property
    def block_s(self) -> float:
        """Rough seconds of one block."""
        return self.calls * self.call_s

    @property
    def is_slow(self) -> bool:
        """Whether one call is so long that caches and calibration do not matter."""
        return self.call_s >= SLOW_BLOCKS * BLOCK_S


def timed_block(call: Callable[[], Any], calls: int, instruments: Instruments) -> float:
    """Return the mean seconds of one call over `calls` calls, each waited for.

    The garbage collector is off meanwhile, as in timeit (https://docs.python.org/3/library/timeit.html), and restored
    afterwards.
    """
    wait, clock, block = instruments.wait, instruments.clock, range(calls)
    collecting = gc.isenabled()
    gc.disable()
    try:
        start = clock()
        for _ in block:
            wait(call())
        return (clock() - start) / calls
    finally:
        if collecting:
            gc.enable()


def calibrate(track: Track, instruments: Instruments) -> None:
    """Set the number of calls per block so that a block takes 1 to 2 ms, or 1 for longer calls.

    Raises the call's exceptions. Method: https://juliaci.github.io/BenchmarkTools.jl/stable/manual/.
    """

    def block() -> float:
        return timed_block(track.call, track.calls, instruments)

    while True:
        track.call_s = block()
        if track.block_s < BLOCK_S:
            track.call_s = min(track.call_s, block())
        if track.block_s >= LEAST_BLOCK_S or track.calls >= MOST_CALLS:
            return
        wanted = math.ceil(BLOCK_S / track.call_s) if track.call_s > 0 else math.inf
        track.calls = int(min(track.calls * GROWTH, max(track.calls + 1, wanted)))


def sample(
    tracks: Sequence[Track], budget_s: float, instruments: Instruments, report: Callable[[], None] = lambda: None
) -> None:
    """Sample calibrated `tracks` until every median is known to 5 %, or for `budget_s` seconds.

    Each round runs one block of each track in random order; slow tracks skip rounds. Each track gets at least one
    sample. `report` is called about every 0.2 seconds, between two rounds. A track that raises keeps its samples and
    drops out.
    """
    begun = instruments.clock()
    repeat_number, next_check, next_report = 0, LEAST_REPEATS, LIVE_S
    while alive := [track for track in tracks if track.error is None]:
        for track in _in_turn(alive, repeat_number, instruments.random):
            if instruments.clock() - begun < budget_s or not track.is_slow or not track.samples:
                _take_sample(track, repeat_number, instruments)
        repeat_number += 1
        if instruments.clock() - begun >= budget_s:
            break
        if repeat_number >= next_check:
            if all(is_precise(track.samples) for track in alive):
                break
            # A check takes 1 to 2 ms, so checks become rarer.
            next_check = math.ceil(repeat_number * 1.25)
        if instruments.clock() - begun >= next_report:
            report()
            next_report = instruments.clock() - begun + LIVE_S
    for track in tracks:
        if track.error is None and not track.samples:
            _take_sample(track, repeat_number, instruments)


def is_precise(samples: Sequence[float]) -> bool:
    """Return whether there are enough samples and the 95 % interval of their median is within 5 %."""
    return len(samples) >= LEAST_REPEATS and spread(samples).precision <= PRECISION


def spread(samples: Sequence[float]) -> Spread:
    """Return median, quartiles and the percentile-bootstrap 95 % interval of the median of `samples`.

    The interval: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    values = np.asarray(samples, np.float64)
    q1, median, q3 = (float(each) for each in np.percentile(values, (25, 50, 75)))
    return Spread(median, q1, q3, *(median_interval(values) or (None, None)))


def _in_turn(tracks: Sequence[Track], repeat_number: int, source: random.Random) -> list[Track]:
    quickest = min(track.block_s for track in tracks)
    due = [track for track in tracks if (repeat_number + 1) % _every(track, quickest) == 0]
    source.shuffle(due)
    return due


def _every(track: Track, quickest_s: float) -> int:
    """Return the interval of `track` in rounds, which leaves time for the fast tracks."""
    return max(1, round(track.block_s / (SLOW_BLOCKS * quickest_s)))


def _take_sample(track: Track, repeat_number: int, instruments: Instruments) -> None:
    try:
        seconds = _clean_block(track, instruments)
    except Interrupt:
        raise
    except BaseException as error:
        track.error = error
        return
    track.samples.append(seconds)
    track.repeats.append(repeat_number)


def _clean_block(track: Track, instruments: Instruments) -> float:
    """Time one block. A block with a compilation is discarded and repeated, unless every block has one."""
    if not track.is_slow:
        for _ in range(min(UNTIMED_CALLS, track.calls)):
            instruments.wait(track.call())
    before = instruments.compilations()
    seconds = timed_block(track.call, track.calls, instruments)
    if instruments.compilations() == before or track.compiles_always:
        return seconds
    track.compiled_once = True
    before = instruments.compilations()
    seconds = timed_block(track.call, track.calls, instruments)
    track.compiles_always = instruments.compilations() != before
    return seconds


LOOK_CLOSER = 3 / 8
"""Largest share of a budget that each curve takes besides the samples."""
LEAST_BUDGETS = 0.05
"""A point that would get less than this part of its budget is skipped: its median would be unknown."""
COLD = 2.5
"""Factor of the first calls' time if each starts from empty caches and is repeated."""


class TimeBudget(msgspec.Struct):
    """Distributor of `limit_s` seconds among `places`; at each, `curves` are sampled for at most `budget_s` seconds."""

    budget_s: float
    curves: int
    places: int
    clock: Callable[[], float]
    limit_s: float = math.inf
    _begun: float = 0.0
    _here: float = 0.0
    _set_up_s: float = 0.0
    _is_cold: bool = False

    def __post_init__(self) -> None:
        self._begun = self._here = self.clock()

    def begin(self) -> float | None:
        """Go to the next place, and return the seconds of sampling there; None to skip it, which the first never is."""
        is_first = self._here == self._begun
        self._here = self.clock()
        left_s = self.limit_s - (self._here - self._begun)
        more, least_s = 1 + LOOK_CLOSER * self.curves, LEAST_BUDGETS * self.budget_s
        # As many of the remaining places as there is time for.
        places = min(self.places, max(1.0, left_s // max(self._set_up_s + least_s * more, 1e-9)))
        self.places -= 1
        possible_s = (left_s / places - self._set_up_s) / more
        if possible_s < least_s and not is_first:
            return None
        return min(self.budget_s, max(possible_s, least_s))

    def may_be_cold(self) -> bool:
        """Return whether there is time for first calls from empty caches at this place; the answer is binding."""
        left_s = self.limit_s - (self._here - self._begun)
        self._is_cold = left_s >= COLD * self._set_up_s
        return self._is_cold

    def set_up(self) -> None:
        """Record the end of the first calls of this place; those of the next place are expected to take as long."""
        self._set_up_s = (self.clock() - self._here) / (COLD if self._is_cold else 1)
        self._is_cold = False
