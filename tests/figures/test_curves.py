from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from explorer.figures.curves import (
    Figures,
    Ratio,
    Series,
    break_even,
    ended,
    is_unstable,
    note_lines,
    paired_ratio,
    seconds_text,
    tick_text,
)
from explorer.figures.timing_csv import timing_csv
from explorer.messages import Array, Failure, Measurement, Note
from tests.figures.measured import bare, sampled


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 s"),
        (5.4e-10, "0.540 ns"),
        (83e-9, "83.0 ns"),
        (5.534e-6, "5.53 µs"),
        (99.96e-6, "100 µs"),
        (999.9e-6, "1.00 ms"),
        (0.12, "120 ms"),
        (2.5, "2.50 s"),
        (1234.0, "1230 s"),
    ],
)
def test_seconds_are_written_with_three_digits_and_a_unit(seconds: float, text: str) -> None:
    assert seconds_text(seconds) == text


@pytest.mark.parametrize(("seconds", "text"), [(1e-5, "10 µs"), (10.0**-3, "1 ms"), (0.2, "200 ms"), (100.0, "100 s")])
def test_ticks_have_no_digits_that_say_nothing(seconds: float, text: str) -> None:
    assert tick_text(seconds) == text


def test_measurements_are_found_by_series_and_by_the_parameter_that_varies() -> None:
    points = [bare("f", "eager", 8), bare("f", "jit", 8), bare("f", "eager", 64)]
    figures = Figures.of(points)
    assert figures.swept == "n"
    assert figures.values == (8, 64)
    assert figures.series == (Series("f", ("eager",)), Series("f", ("jit",)))
    assert figures.points[Series("f", ("eager",)), 64] is points[2]


def test_one_point_has_no_swept_parameter() -> None:
    figures = Figures.of([bare("f", "eager"), bare("f", "jit")])
    assert figures.swept == ""
    assert figures.values == ("",)


def test_the_first_point_of_a_sweep_says_what_is_swept() -> None:
    figures = Figures.of([bare("f", "jit", 8, swept="n")])
    assert (figures.swept, figures.values) == ("n", (8,))


def test_the_newest_measurement_of_a_point_counts() -> None:
    old, new = bare(median_s=1.0, final=False), bare(median_s=2.0)
    assert list(Figures.of([old, new]).points.values()) == [new]


def test_a_drift_of_the_machine_cancels_in_a_paired_ratio() -> None:
    drift = np.linspace(1.0, 5.0, 20)
    longer = sampled((3.0 * drift).tolist(), list(range(20)))
    shorter = sampled((1.0 * drift).tolist()[::-1], list(range(20))[::-1])
    ratio = paired_ratio(longer, shorter)
    assert (ratio.low, ratio.middle, ratio.high) == pytest.approx((3.0, 3.0, 3.0))


def test_only_repeats_that_both_took_part_in_are_paired() -> None:
    slow = sampled([10.0] * 6, [4, 9, 14, 19, 24, 29])
    quick = sampled([1.0 if place % 5 != 4 else 2.0 for place in range(30)], list(range(30)))
    ratio = paired_ratio(slow, quick)
    assert ratio.middle == 5.0


@pytest.mark.parametrize(
    ("shorter", "ratio"),
    [(bare(median_s=2.0), Ratio(2.0)), (sampled([2.0] * 5, list(range(5))), Ratio(2.0)), (bare(), None)],
)
def test_a_ratio_with_few_pairs_has_no_interval(shorter: Measurement, ratio: Ratio | None) -> None:
    assert paired_ratio(sampled([4.0] * 20, list(range(20))), shorter) == ratio


@pytest.mark.parametrize(
    ("low", "high", "no_difference"), [(0.9, 1.1, True), (1.01, 1.1, False), (0.8, 0.9, False), (None, None, False)]
)
def test_an_interval_that_holds_one_shows_no_difference(
    low: float | None, high: float | None, no_difference: bool
) -> None:
    assert Ratio(1.0, low, high).shows_no_difference is no_difference


@pytest.mark.parametrize(
    ("eager", "eager_first", "jit", "jit_first", "warm", "fresh"),
    [
        # 100 ms of compilation, 1 ms saved by each call.
        (2.0, 2.0, 1.0, 102.0, 101, 101),
        (2.0, 52.0, 1.0, 102.0, 101, 51),
        (2.0, 200.0, 1.0, 102.0, 101, 1),
        (2.0, 2.0, 1.0, 1.5, 1, 1),
        (1.0, 1.0, 1.0, 100.0, None, None),
        (1.0, 1.0, 2.0, 100.0, None, None),
    ],
)
def test_jit_breaks_even_when_it_has_cost_no_more_in_all(
    eager: float, eager_first: float, jit: float, jit_first: float, warm: int | None, fresh: int | None
) -> None:
    as_written = bare(median_s=eager, first_call_s=eager_first)
    jitted = bare(median_s=jit, first_call_s=jit_first)
    assert break_even(as_written, jitted, fresh=False) == warm
    assert break_even(as_written, jitted, fresh=True) == fresh


def test_a_point_is_unstable_while_samples_arrive_and_when_its_notes_say_so() -> None:
    assert is_unstable(bare(final=False))
    assert is_unstable(bare(notes=(Note("unstable", "there was time only for 3 samples"),)))
    assert not is_unstable(bare(notes=(Note("repeated", "unstable: discarded and repeated"),)))


def test_a_point_that_was_stopped_is_final_and_says_that_it_was_cut_short() -> None:
    going = Measurement(1, "f", ("jit",), {}, "cpu:0", median_s=1.0, samples_s=Array.of([1.0, 1.0]), final=False)
    stopped = ended(going)
    assert (stopped.final, stopped.cut_short) == (True, True)
    assert note_lines(stopped) == ["cut short: stopped after 2 samples"]
    assert is_unstable(stopped)
    assert ended(stopped) is stopped
    assert len(timing_csv([stopped]).splitlines()) == 2


def test_the_csv_has_a_line_for_each_final_measurement_and_a_column_for_each_parameter() -> None:
    text = timing_csv(
        [
            bare("f", "eager", 8, final=False),
            sampled([1.0, 2.0, 3.0], [0, 1, 2]),
            bare(
                "g",
                "jit",
                16,
                failure=Failure("ValueError", "a, b"),
                notes=(Note("unstable", "x"), Note("other device", "ran on y")),
            ),
        ]
    )
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["variant"], row["transforms"], row["seed"], row["n"]) for row in rows] == [
        ("f", "eager", "0", "8"),
        ("g", "jit", "0", "16"),
    ]
    assert (rows[0]["median_s"], rows[0]["samples"], rows[0]["device"]) == ("2.0", "3", "cpu:0")
    assert (rows[1]["median_s"], rows[1]["notes"]) == ("", "ValueError: a, b; unstable: x; ran on y")
    assert text.splitlines()[0] == (
        "variant,transforms,n,seed,median_s,q1_s,q3_s,low_s,high_s,samples,calls_per_sample,"
        "trace_s,lower_s,compile_s,first_call_s,returned_s,to_device_s,to_host_s,floor_s,cold,"
        "device,cut_short,notes"
    )


def test_the_csv_of_nothing_is_a_header() -> None:
    assert len(timing_csv([]).splitlines()) == 1
