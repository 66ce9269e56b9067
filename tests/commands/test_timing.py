from __future__ import annotations

import pytest

from explorer.commands.timing import ratio_text, table
from explorer.figures.curves import Ratio
from explorer.messages import Note
from explorer.text.text import verbatim
from tests.figures.measured import measured


def test_the_table_compares_each_row_with_the_first_of_its_place_and_shows_once_what_is_the_same() -> None:
    points = (("f", 8, 2e-3), ("g", 8, 1e-3), ("f", 64, None), ("g", 64, 1e-3))
    fields = table([measured(variant, "jit", n, median_s) for variant, n, median_s in points])
    heading, *rows, under = fields.splitlines()
    assert heading.split("  ")[-1].strip() == "against f (jit)"
    assert rows == [
        "f        jit  n=8   2.00 ms  1.80 ms to 2.20 ms",
        "g        jit  n=8   1.00 ms  900 µs to 1.10 ms   2.00 times faster",
        "f        jit  n=64",
        "g        jit  n=64  1.00 ms  900 µs to 1.10 ms",
    ]
    assert under == "cpu:0; seed=0"


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (Ratio(2.0), "about 2.0 times faster"),
        (Ratio(0.25, 0.2, 0.3), "3.3 to 5.0 times slower"),
        (Ratio(0.97), "about as fast"),
        (None, ""),
    ],
)
def test_a_ratio_has_the_digits_that_its_interval_supports(ratio: Ratio | None, words: str) -> None:
    assert ratio_text(ratio) == words


def test_the_table_compares_no_function_with_itself_where_jit_cannot_be_left_out() -> None:
    note = Note("always jitted", verbatim("it has no version without jit"))
    eager = measured("f", "eager", 8, 2e-3, notes=(note,))
    lines = table([eager, measured("f", "jit", 8, 2e-3), measured("g", "jit", 8, 1e-3)]).splitlines()
    assert "it has no version without jit" in lines[1]
    assert "no difference" not in lines[2]
    assert "2.00 times faster" in lines[3]
