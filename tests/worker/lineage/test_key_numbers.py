"""Equal key values get one number, whichever way they are found to be equal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from explorer.figures.equal_rows import Integers, Words
from explorer.worker.lineage.key_numbers import OperationKeys, as_slice, number

ITERATIONS, CHILDREN = 300, 3


def different(*shape: int, seed: int = 0) -> Words:
    """Return that many different keys of two words each."""
    words = np.random.default_rng(seed).permutation(2**20)[: int(np.prod(shape))].astype(np.uint32)
    return np.stack([words, words[::-1]], -1).reshape(*shape, 2)


def used(words: Words, moments: Integers, chosen: Integers | None = None) -> OperationKeys:
    return OperationKeys(words, moments * 2, None if chosen is None else chosen.astype(np.bool_))


def made(words: Words, moments: Integers) -> OperationKeys:
    return OperationKeys(words, moments * 2 + 1, None)


def by_dictionary(parts: list[OperationKeys]) -> list[list[int]]:
    """Return the numbers of each part as plain Python gives them, -1 where a key is not chosen."""
    rows = [
        (int(part.moments[index[0]]), place, index)
        for place, part in enumerate(parts)
        for index in np.ndindex(part.words.shape[:-1])
        if part.chosen is None or part.chosen[index]
    ]
    numbers: dict[bytes, int] = {}
    found = [np.full(part.words.shape[:-1], -1) for part in parts]
    for _, place, index in sorted(rows):
        found[place][index] = numbers.setdefault(parts[place].words[index].tobytes(), len(numbers))
    return [each.reshape(-1).tolist() for each in found]


def carried_on() -> list[OperationKeys]:
    """Return a loop that splits the first child of the earlier iteration, and draws with the others."""
    made_words, moments = different(ITERATIONS, CHILDREN), np.arange(ITERATIONS) * 10
    carried = np.concatenate([different(1, seed=1), made_words[:-1, 0]])
    return [used(carried, moments), made(made_words, moments), used(made_words[:, 1:], moments + 5)]


def split_then_mapped() -> list[OperationKeys]:
    children = different(1, 1000)
    return [made(children, np.array([1])), used(children, np.array([2])), used(children[:, 100:800], np.array([3]))]


def split_then_looped_over() -> list[OperationKeys]:
    children = different(1, 1000)
    return [made(children, np.array([1])), used(children[0], np.arange(2, 1002))]


def mapped_loop() -> list[OperationKeys]:
    made_words, moments = different(ITERATIONS, 4, CHILDREN), np.arange(ITERATIONS) * 2
    return [made(made_words, moments), used(made_words[:, :, 1], moments + 1)]


def used_before_they_are_made() -> list[OperationKeys]:
    made_words, moments = different(ITERATIONS, CHILDREN), np.arange(ITERATIONS)
    return [made(made_words, moments + 1000), used(made_words[:, 0], moments)]


def in_another_order() -> list[OperationKeys]:
    children = different(1, 1000)
    return [made(children, np.array([1])), used(children[:, ::-1], np.array([2]))]


def partly_chosen() -> list[OperationKeys]:
    children = different(1, 1000)
    return [made(children, np.array([1])), used(children, np.array([2]), np.arange(1000)[None] % 3)]


@pytest.mark.parametrize(
    "program",
    [
        carried_on,
        split_then_mapped,
        split_then_looped_over,
        mapped_loop,
        used_before_they_are_made,
        in_another_order,
        partly_chosen,
    ],
)
def test_numbers_follow_first_appearance(program: Callable[[], list[OperationKeys]]) -> None:
    parts = program()
    words = number(parts, 0)
    assert [part.numbers.reshape(-1).tolist() for part in parts] == by_dictionary(parts)
    for part in parts:
        chosen = part.numbers >= 0
        assert np.array_equal(words[part.numbers[chosen]], part.words[chosen])


def test_numbers_count_from_the_first_one_asked_for() -> None:
    parts = split_then_mapped()
    number(parts, 70)
    assert [int(part.numbers.min()) for part in parts] == [70, 70, 170]


@pytest.mark.parametrize(
    ("numbers", "expected"), [([4, 5, 6], slice(4, 7)), ([4, 6, 5, 7], None), ([4, 5, 5, 7], None), ([], None)]
)
def test_only_numbers_that_follow_one_another_become_a_slice(numbers: list[int], expected: slice | None) -> None:
    given = np.array(numbers, np.int32)
    assert as_slice(given) == expected if expected else as_slice(given) is given
