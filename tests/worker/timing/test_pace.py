from __future__ import annotations

from explorer.worker.timing.sampling import COLD, Pace


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_run_without_a_limit_gives_each_place_its_whole_budget() -> None:
    clock = Clock()
    pace = Pace(1.5, 6, 3, clock)
    for _ in range(3):
        assert pace.begin() == 1.5
        assert pace.may_be_cold()
        clock.now += 1_000.0
        pace.set_up()


def test_places_share_what_is_left_and_the_last_ones_are_left_out() -> None:
    clock = Clock()
    pace = Pace(1.5, 6, 5, clock, 10.0)
    times = []
    for _ in range(5):
        times.append(budget := pace.begin())
        if budget:
            clock.now += 2.5
            pace.set_up()
            clock.now += budget * (1 + 6 * 3 / 8)
    assert clock.now <= 110.0
    assert [bool(budget) for budget in times] == [True, True, True, False, False]


def test_first_calls_are_cold_only_where_there_is_time_for_that() -> None:
    clock = Clock()
    pace = Pace(1.5, 6, 3, clock, 10.0)
    pace.begin()
    assert pace.may_be_cold()
    clock.now += 2 * COLD
    pace.set_up()
    pace.begin()
    assert pace.may_be_cold(), "two seconds as cold are five"
    clock.now += 4.0
    pace.begin()
    assert not pace.may_be_cold()


def test_the_first_place_has_its_turn_whatever_the_limit_is() -> None:
    assert Pace(1.5, 6, 3, Clock(), -1.0).begin()
