from __future__ import annotations

import gc
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from explorer.worker.recording.interrupt import Stopped
from explorer.worker.timing.sampling import (
    COLD,
    Instruments,
    TimeBudget,
    Track,
    calibrate,
    is_precise,
    sample,
    spread,
    timed_block,
)

MICROSECOND = 1e-6
MILLISECOND = 1e-3


class FakeClock:
    """A clock that only work moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def spend(self, seconds: float) -> None:
        self.now += seconds


class Pending:
    """An output whose work is not done yet when the call returns, like that of an asynchronous device."""

    def __init__(self, clock: FakeClock, seconds: float) -> None:
        self.clock = clock
        self.seconds = seconds

    def wait(self) -> None:
        self.clock.spend(self.seconds)


class Work:
    """A call of known costs, which counts how often it was made."""

    def __init__(self, clock: FakeClock, costs: Iterator[float] | float) -> None:
        self.clock = clock
        self.costs = costs
        self.calls = 0

    def __call__(self) -> None:
        self.calls += 1
        self.clock.spend(self.costs if isinstance(self.costs, float) else next(self.costs))


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def instruments(clock: FakeClock) -> Instruments:
    return Instruments(lambda outputs: outputs, clock)


def calibrated(call: Callable[[], Any], instruments: Instruments) -> Track:
    track = Track(call)
    calibrate(track, instruments)
    return track


def growing(first: float) -> Iterator[float]:
    cost = first
    while True:
        yield cost
        cost *= 1.1


@pytest.mark.parametrize("microseconds", [0.3, 1.0, 6.0, 100.0, 300.0])
def test_a_block_of_short_calls_is_grown_to_one_or_two_milliseconds(
    clock: FakeClock, instruments: Instruments, microseconds: float
) -> None:
    track = calibrated(Work(clock, microseconds * MICROSECOND), instruments)
    assert track.call_s == pytest.approx(microseconds * MICROSECOND)
    assert MILLISECOND * 0.999 <= track.calls * microseconds * MICROSECOND <= 2.2 * MILLISECOND


@pytest.mark.parametrize("call_s", [1 * MILLISECOND, 5 * MILLISECOND, 2.0])
def test_a_long_call_is_a_block_of_its_own(clock: FakeClock, instruments: Instruments, call_s: float) -> None:
    assert calibrated(Work(clock, call_s), instruments).calls == 1


@pytest.mark.parametrize(("waits", "seen_s"), [(True, 100 * MICROSECOND), (False, 1 * MICROSECOND)])
def test_only_a_clock_that_waits_for_the_outputs_sees_the_work(clock: FakeClock, waits: bool, seen_s: float) -> None:
    def call() -> Pending:
        clock.spend(1 * MICROSECOND)
        return Pending(clock, 99 * MICROSECOND)

    def wait(pending: Pending) -> None:
        if waits:
            pending.wait()

    track = calibrated(call, Instruments(wait, clock))
    sample([track], 1.0, Instruments(wait, clock))
    assert spread(track.samples).median == pytest.approx(seen_s)


def test_the_outputs_of_every_call_in_a_block_are_waited_for(clock: FakeClock) -> None:
    waited: list[object] = []
    outputs = [object() for _ in range(5)]
    left = iter(outputs)
    timed_block(lambda: next(left), 5, Instruments(waited.append, clock))
    assert waited == outputs


def test_the_garbage_collector_is_off_inside_a_block_only_and_on_after_a_stop(instruments: Instruments) -> None:
    seen: list[bool] = []
    timed_block(lambda: seen.append(gc.isenabled()), 2, instruments)
    assert seen == [False, False]
    assert gc.isenabled()

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        sample([Track(stop, call_s=MILLISECOND)], 1.0, instruments)
    assert gc.isenabled()


def test_sampling_stops_when_the_medians_are_precise(clock: FakeClock, instruments: Instruments) -> None:
    tracks = [calibrated(Work(clock, cost), instruments) for cost in (6 * MICROSECOND, 1 * MILLISECOND)]
    sample(tracks, 100.0, instruments)
    assert [len(track.samples) for track in tracks] == [11, 11]
    assert all(is_precise(track.samples) for track in tracks)


def test_sampling_stops_at_the_budget_when_the_medians_stay_imprecise(
    clock: FakeClock, instruments: Instruments
) -> None:
    track = Track(Work(clock, growing(2 * MILLISECOND)), call_s=2 * MILLISECOND)
    sample([track], 0.2, instruments)
    assert 0.2 <= clock.now < 0.3
    assert not is_precise(track.samples)


def test_each_track_gets_a_sample_even_without_a_budget(clock: FakeClock, instruments: Instruments) -> None:
    tracks = [calibrated(Work(clock, cost), instruments) for cost in (6 * MICROSECOND, 1.0)]
    sample(tracks, 0.0, instruments)
    assert [len(track.samples) for track in tracks] == [1, 1]


def test_a_slow_track_skips_repeats_and_leaves_time_to_a_quick_one(clock: FakeClock, instruments: Instruments) -> None:
    quick, slow = (calibrated(Work(clock, cost), instruments) for cost in (6 * MICROSECOND, 0.2))
    sample([quick, slow], 0.5, instruments)
    assert len(slow.samples) in (2, 3)
    assert len(quick.samples) >= 11
    assert set(slow.repeats) < set(quick.repeats)


def test_each_repeat_runs_every_track_once_in_an_order_that_changes(clock: FakeClock, instruments: Instruments) -> None:
    order: list[str] = []

    def work(name: str) -> Callable[[], None]:
        def call() -> None:
            order.append(name)
            clock.spend(30 * MILLISECOND)

        return call

    tracks = [Track(work(name), call_s=30 * MILLISECOND) for name in "abc"]
    sample(tracks, 100.0, instruments)
    repeats = [tuple(order[start : start + 3]) for start in range(0, len(order), 3)]
    assert all(sorted(each) == ["a", "b", "c"] for each in repeats)
    assert len(set(repeats)) > 1
    assert tracks[0].repeats == tracks[1].repeats == tracks[2].repeats == list(range(len(repeats)))


def test_three_untimed_calls_go_before_each_block_of_short_calls(clock: FakeClock, instruments: Instruments) -> None:
    work = Work(clock, 100 * MICROSECOND)
    track = calibrated(work, instruments)
    calls_before = work.calls
    sample([track], 100.0, instruments)
    assert work.calls - calls_before == len(track.samples) * (3 + track.calls)


def test_a_block_in_which_something_compiled_is_thrown_away(clock: FakeClock) -> None:
    compiled = 0

    def costs() -> Iterator[float]:
        nonlocal compiled
        yield 30 * MILLISECOND
        compiled = 1
        yield 500 * MILLISECOND
        while True:
            yield 30 * MILLISECOND

    instruments = Instruments(lambda outputs: outputs, clock, lambda: compiled)
    track = Track(Work(clock, costs()), call_s=30 * MILLISECOND)
    sample([track], 100.0, instruments)
    assert track.samples == pytest.approx([30 * MILLISECOND] * 11)
    assert track.compiled_once
    assert not track.compiles_always


def test_a_call_that_always_compiles_is_timed_with_it(clock: FakeClock) -> None:
    work = Work(clock, 30 * MILLISECOND)
    instruments = Instruments(lambda outputs: outputs, clock, lambda: work.calls)
    track = Track(work, call_s=30 * MILLISECOND)
    sample([track], 100.0, instruments)
    assert track.compiles_always
    assert len(track.samples) == 11
    assert work.calls == 12


def test_a_track_that_raises_keeps_its_samples_and_drops_out(clock: FakeClock, instruments: Instruments) -> None:
    def costs() -> Iterator[float]:
        yield from [30 * MILLISECOND] * 4
        raise MemoryError("no room")

    failing = Track(Work(clock, costs()), call_s=30 * MILLISECOND)
    sound = Track(Work(clock, 30 * MILLISECOND), call_s=30 * MILLISECOND)
    sample([failing, sound], 100.0, instruments)
    assert isinstance(failing.error, MemoryError)
    assert len(failing.samples) == 4
    assert len(sound.samples) == 11


def test_news_come_about_every_fifth_of_a_second(clock: FakeClock, instruments: Instruments) -> None:
    times: list[float] = []
    track = Track(Work(clock, growing(10 * MILLISECOND)), call_s=10 * MILLISECOND)
    sample([track], 2.0, instruments, lambda: times.append(clock.now))
    assert len(times) >= 4
    assert all(step >= 0.2 for step in np.diff([0.0, *times]))


def test_the_spread_is_the_median_and_the_quartiles_and_of_five_samples_no_interval() -> None:
    known = spread([5.0, 1.0, 4.0, 2.0, 3.0])
    assert (known.q1, known.median, known.q3) == (2.0, 3.0, 4.0)
    known = spread([1.0] * 5)
    assert known.low is None
    assert known.precision == math.inf


def test_the_interval_holds_the_true_median_about_as_often_as_it_says() -> None:
    source = np.random.default_rng(7)
    covered = 0
    for _ in range(200):
        known = spread(source.lognormal(0.0, 0.3, 21).tolist())
        assert known.low is not None
        assert known.high is not None
        covered += known.low <= 1.0 <= known.high
    assert 178 <= covered <= 200


# -- the pace of a run with a limit ------------------------------------------------------------


def test_a_run_without_a_limit_gives_each_place_its_budget_and_the_first_has_its_turn() -> None:
    clock = FakeClock()
    pace = TimeBudget(1.5, 6, 3, clock)
    for _ in range(3):
        assert pace.begin() == 1.5
        assert pace.may_be_cold()
        clock.now += 1_000.0
        pace.set_up()
    assert TimeBudget(1.5, 6, 3, FakeClock(), -1.0).begin()


def test_places_share_what_is_left_and_the_last_ones_are_left_out() -> None:
    clock = FakeClock()
    pace = TimeBudget(1.5, 6, 5, clock, 10.0)
    times = []
    for _ in range(5):
        times.append(budget := pace.begin())
        if budget:
            clock.now += 2.5
            pace.set_up()
            clock.now += budget * (1 + 6 * 3 / 8)
    assert clock.now <= 10.0
    assert [bool(budget) for budget in times] == [True, True, True, False, False]


def test_first_calls_are_cold_only_where_there_is_time_for_that() -> None:
    clock = FakeClock()
    pace = TimeBudget(1.5, 6, 3, clock, 10.0)
    pace.begin()
    assert pace.may_be_cold()
    clock.now += 2 * COLD
    pace.set_up()
    pace.begin()
    assert pace.may_be_cold(), "two seconds as cold are five"
    clock.now += 4.0
    pace.begin()
    assert not pace.may_be_cold()
