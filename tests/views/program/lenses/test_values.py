"""The value of the selected equation below the table of a lens."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.messages import EquationValue
from tests.views.made import picture
from views.program.lenses.page import value_pieces

KEYS = np.array([[1.5, 2.0, 0.125, 7.0], [1.5, 2.0, 0.125, 7.0], [0.5, 2.0, 0.125, 7.0]], np.float32)


def value_summary(values: np.ndarray, mapped: tuple[int, ...] = (), shape: tuple[int, ...] | None = None) -> str:
    shown = picture(values, "", "f", "value", shape=shape or values.shape, mapped=mapped)
    return " ".join(each.text for each in value_pieces(EquationValue(1, 1, "f", 0, (shown,))))


@pytest.mark.parametrize(
    ("emitted", "words"),
    [
        (value_summary(KEYS, (0,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (value_summary(KEYS.T, (1,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (value_summary(KEYS[:2], (0,)), "Example 0: [1.5 2 0.125 …]. Example 1: [1.5 2 0.125 …]. All 2 are the same."),
        (value_summary(KEYS[:1, :1], (0,)), "Example 0: [1.5]."),
        (value_summary(KEYS, (0, 1)), "Example 0, 0: 1.5. Example 2, 3: 7. 5 of 12 differ."),
        (value_summary(KEYS, (0,), (900, 4)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]."),
        (value_summary(KEYS[0]), "Value: [1.5 2 0.125 …]."),
        (value_summary(np.array(3)), "Value: 3."),
        (value_summary(np.zeros((0, 3)), (0,)), ""),
    ],
)
def test_the_first_and_the_last_example_stand_side_by_side(emitted: str, words: str) -> None:
    assert emitted == words


def test_what_has_no_value_is_reported_and_what_is_not_selected_is_not() -> None:
    assert value_pieces(None) == []
    (only,) = value_pieces(EquationValue(1, 1, "f", 0, sentence="It holds no numbers."))
    assert only.text == "It holds no numbers."
