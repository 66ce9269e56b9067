"""The text about the selected equation's value: the first and the last example, and how many differ."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.messages import EquationValue, Picture
from explorer.messages.basics import Array
from views.program.lenses import value_words

KEYS = np.array([[1.5, 2.0, 0.125, 7.0], [1.5, 2.0, 0.125, 7.0], [0.5, 2.0, 0.125, 7.0]], np.float32)


def summary(values: np.ndarray, mapped: tuple[int, ...] = (), shape: tuple[int, ...] | None = None) -> str:
    picture = Picture(
        "value",
        "f",
        shape or values.shape,
        str(values.dtype),
        Array.of(values),
        0,
        Array.of(np.empty(0, np.int32)),
        0,
        "",
        mapped=mapped,
    )
    return " ".join(each.text for each in value_words.summary(EquationValue(1, 1, "f", 0, (picture,))))


@pytest.mark.parametrize(
    ("emitted", "words"),
    [
        (summary(KEYS, (0,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (summary(KEYS.T, (1,)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]. 2 of 3 differ."),
        (summary(KEYS[:2], (0,)), "Example 0: [1.5 2 0.125 …]. Example 1: [1.5 2 0.125 …]. All 2 are the same."),
        (summary(KEYS[:1, :1], (0,)), "Example 0: [1.5]."),
        (summary(KEYS, (0, 1)), "Example 0, 0: 1.5. Example 2, 3: 7. 5 of 12 differ."),
        (summary(KEYS, (0,), (900, 4)), "Example 0: [1.5 2 0.125 …]. Example 2: [0.5 2 0.125 …]."),
        (summary(KEYS[0]), "Value: [1.5 2 0.125 …]."),
        (summary(np.array(3)), "Value: 3."),
        (summary(np.zeros((0, 3)), (0,)), ""),
    ],
)
def test_the_first_and_the_last_example_stand_side_by_side(emitted: str, words: str) -> None:
    assert emitted == words


def test_what_has_no_value_is_reported_and_what_is_not_selected_is_not() -> None:
    assert value_words.summary(None) == []
    (only,) = value_words.summary(EquationValue(1, 1, "f", 0, sentence="It holds no numbers."))
    assert only.text == "It holds no numbers."
