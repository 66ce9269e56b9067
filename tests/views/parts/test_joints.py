"""Where lines without a space break."""

from __future__ import annotations

import pytest

from views.parts.short_label import joint


@pytest.mark.parametrize(
    ("line", "rest", "first"),
    [
        ("jax.random.spl", "it(key)", "jax.random."),
        ("jax.random.split(key", ", len(x))", "jax.random.split("),
        ("f(x", ")", "f("),
        ("dimension_num", "bers", "dimension_"),
        ("return f(x, ", "key)", ""),
        ("word", ", another", ""),
        ("f(x)", "", ""),
    ],
)
def test_a_line_breaks_behind_a_bracket_and_begins_with_no_comma(line: str, rest: str, first: str) -> None:
    assert (line + rest)[: joint(line + rest, 0, len(line))] == first
