from __future__ import annotations

import msgspec
import numpy as np
import pytest

from explorer.figures.forest.index import KeyIndex
from explorer.messages import Array
from tests.views.keys.key_notation import key_graph
from views.keys.forest.search import find_keys

DATA = [[0x6D3A0001, 0x000291F2], [0x6D3AFFFF, 0x00000000], [0x00000000, 0x000091F2], [0x1111_0000, 0x0000_2222]]


@pytest.fixture
def index() -> KeyIndex:
    graph = key_graph("seed 1 > split 3 > each draw")
    return KeyIndex(msgspec.structs.replace(graph, data=Array.of(DATA, np.uint32)))


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("6d3a", [0, 1]),
        ("0x6D3A", [0, 1]),
        ("91f2", [0, 2]),
        ("6d3a…91f2", [0]),
        ("6d3a...91f2", [0]),
        ("…91f2", [0, 2]),
        ("ffff00", [1]),
        # The end of one key and the beginning of the next make no match.
        ("91f26d3a", []),
        ("example 1", [2]),
        ("샘플 0", [1]),
        ("example 9", []),
        ("not hex", []),
        ("é…", []),
        ("", []),
    ],
)
def test_keys_are_found_by_digits_and_by_example(index: KeyIndex, text: str, keys: list[int]) -> None:
    assert find_keys(index, text, "샘플") == keys


def test_a_key_that_a_whole_batch_shares_is_found_for_each_example() -> None:
    index = KeyIndex(key_graph("seed 1 > draw for 32"))
    assert [find_keys(index, f"example {number}") for number in (0, 31, 32)] == [[0], [0], []]


def test_narrow_keys_are_found_behind_their_padding() -> None:
    graph = msgspec.structs.replace(key_graph("seed 1"), data=Array.of([[0, 0, 0x12345678, 9]], np.uint32))
    assert find_keys(KeyIndex(graph), "1234…0009") == [0]
