from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given

from explorer.figures.forest import layout as key_layout
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.key_sentences import KeySentences, full_hex, short_hex
from explorer.figures.forest.layout import KeyLayout, lay_out
from explorer.messages import Array
from tests.views.keys.key_notation import key_graph
from tests.views.keys.test_agreement import GRAPHS


def layout_of(notation: str) -> KeyLayout:
    return lay_out(KeyIndex(key_graph(notation)))


def drawn(layout: KeyLayout) -> list[list[tuple[int, float, float]]]:
    """Each level as (key, left, right)."""
    columns = zip(layout.node.tolist(), layout.left.tolist(), layout.right.tolist(), strict=True)
    places = list(columns)
    return [places[layout.level(number)] for number in range(layout.levels)]


@pytest.mark.parametrize(
    ("notation", "levels"),
    [
        ("seed 1", [[(0, 0, 1)]]),
        ("seed 1; seed 2", [[(0, 0, 1), (1, 1, 2)]]),
        ("seed 1 > split 2 > [draw, -]", [[(0, 0, 2)], [(1, 0, 1), (2, 1, 2)]]),
        (
            "seed 1 > split 2 > [-, fold_in 3 > split 2 > [draw, draw]]",
            [[(0, 0, 3)], [(1, 0, 1), (2, 1, 3)], [(3, 1, 3)], [(4, 1, 2), (5, 2, 3)]],
        ),
    ],
)
def test_a_key_spans_the_slots_of_all_below_it(notation: str, levels: list[list[tuple[int, float, float]]]) -> None:
    assert drawn(layout_of(notation)) == levels


@given(GRAPHS)
def test_every_key_has_a_place_next_to_its_siblings_and_below_its_parent(notation: str) -> None:
    layout = layout_of(notation)
    assert (layout.place >= 0).all()
    assert (layout.place[layout.node] == np.arange(len(layout.node))).all()
    for place in range(len(layout.node)):
        children = slice(layout.first_child[place], layout.first_child[place] + layout.children[place])
        assert (layout.parent[children] == place).all()
    for number in range(layout.levels):
        level = layout.level(number)
        assert (layout.left[level][1:] >= layout.right[level][:-1] - 1e-9).all()
    below = np.flatnonzero(layout.parent >= 0)
    above = layout.parent[below]
    assert (layout.left[below] >= layout.left[above] - 1e-9).all()
    assert (layout.right[below] <= layout.right[above] + 1e-9).all()


@given(GRAPHS)
def test_a_deep_forest_is_laid_out_as_a_shallow_one(notation: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        shallow = layout_of(notation)
        patch.setattr(key_layout, "SHALLOW", 0)
        deep = layout_of(notation)
    assert (deep.node == shallow.node).all()
    np.testing.assert_allclose(deep.left, shallow.left)
    np.testing.assert_allclose(deep.right, shallow.right)


def test_a_large_fan_leaves_room_for_the_key_next_to_it() -> None:
    layout = layout_of("seed 1 > split 2 > [-, split 1000 > each draw]")
    alone, parent = layout.level(1).start, layout.level(1).start + 1
    fan = layout.right[parent] - layout.left[parent]
    assert layout.right[alone] - layout.left[alone] == 1
    assert 8 < fan < 30
    assert layout.fan_stop - layout.fan_start == [1000]


@pytest.mark.parametrize(
    ("notation", "steps", "levels"),
    [
        ("seed 1 > chain 1000 > -", 996, 6),
        ("seed 1 > chain 5 > -", 0, 6),
        # A step that reuses its key breaks the chain: it must be seen.
        ("seed 1 > chain 100 > split 2 > [chain 100 > -, draw x2]", 97, 10),
    ],
)
def test_equal_steps_of_a_chain_are_folded_into_one_place(notation: str, steps: int, levels: int) -> None:
    layout = layout_of(notation)
    assert max(layout.steps(place) for place in range(len(layout.node))) == steps
    assert layout.levels == levels


def test_a_step_that_differs_within_a_chain_keeps_its_place() -> None:
    notation = "seed 1 > chain 100 > split 2 > [chain 100 > -, draw x2]"
    index = KeyIndex(key_graph(notation))
    layout = lay_out(index)
    reused = next(key for key in range(index.nodes) if index.state_of(key) == "reused")
    assert layout.node[layout.place[reused]] == reused


def test_side_trees_of_equal_steps_are_folded_with_them() -> None:
    step = "split 2 > [{}, split 3 > [draw, draw, draw]]"
    notation = "-"
    for _ in range(20):
        notation = step.format(notation)
    layout = layout_of(f"seed 1 > {notation}")
    assert len(layout.node) < 30
    assert (layout.place >= 0).all()


@pytest.mark.parametrize(
    ("start", "step", "end"),
    [
        (1, "parent", 0),
        (0, "parent", 0),
        (0, "child", 1),
        (3, "child", 3),
        (1, "next", 2),
        (2, "next", 2),
        (2, "previous", 1),
    ],
)
def test_the_keyboard_walks_to_parent_child_and_sibling(start: int, step: key_layout.Step, end: int) -> None:
    layout = layout_of("seed 1 > split 2 > [split 1 > [draw], draw]")
    assert layout.neighbour(start, step) == end


def test_the_place_at_a_slot_is_found_on_each_level_and_keys_inside_a_library_are_folded() -> None:
    layout = layout_of("seed 1 > split 2 > [-, split 2 > [draw, draw]]")
    assert [layout.at(level, 1.5) for level in range(-1, 4)] == [None, 0, 2, 3, None]
    assert layout.at(2, 0.5) is None
    layout = layout_of("seed 1 > split 2 > [inside 6, draw]")
    assert layout.node.tolist() == [0, 1, 2]
    assert layout.folded(1) == 6
    assert layout.place[5] == 1


# -- the words about keys ---------------------------------------------------------------------------------------------


def words_of(notation: str) -> KeySentences:
    return KeySentences(KeyIndex(key_graph(notation)))


@pytest.mark.parametrize(
    ("notation", "key", "story"),
    [
        ("seed 42", 0, "Key made from seed 42 on line 3; not used."),
        ("outside > -", 0, "Key from outside the program; nothing used it."),
        (
            "seed 42 > split 32 > each draw",
            6,
            "Child 5 of 32 of a split on line 9; drawn once, normal, line 4, for example 5.",
        ),
        ("seed 42 > split 32 > each draw", 0, "Key made from seed 42 on line 3; split into 32 on line 9."),
        (
            "seed 42 > draw for 32",
            0,
            "Key made from seed 42 on line 3; drawn once, normal, line 4, and shared by 32 examples.",
        ),
        (
            "seed 1 > split 1 > [draw x5]",
            1,
            "Child 0 of 1 of a split on line 9; "
            "used 5 times: normal, line 4; normal, line 4; normal, line 4; and 2 more.",
        ),
        ("seed 1 > fold_in 7 > -", 1, "Key made by folding in 7 on line 9; nothing used it."),
        ("seed 1 > fold_in 7 > -", 0, "Key made from seed 1 on line 3; folded into once on line 9."),
        ("seed 1 > inside 4", 0, "Key made from seed 1 on line 3; used once, permutation, line 7."),
        (
            "seed 1 > inside 4",
            2,
            "Child 1 of 4 of a split inside permutation on line 7; drawn once, permutation, line 7.",
        ),
    ],
)
def test_a_story_shows_where_a_key_came_from_and_what_became_of_it(notation: str, key: int, story: str) -> None:
    assert words_of(notation).story(key) == story


def test_a_key_that_devices_share_is_not_reported_as_shared_by_examples() -> None:
    words = KeySentences(KeyIndex(msgspec.structs.replace(key_graph("seed 42 > draw for 4"), shared_by="devices")))
    assert words.verdict == "1 key spent, shared by 4 devices"
    assert words.shared_by(0) == ["4 devices share it", "4 share it"]
    assert words.story(0).endswith("and shared by 4 devices.")
    assert words.state("shared") == "shared by devices"


def test_a_story_counts_the_ways_in_which_one_key_was_reached() -> None:
    graph = key_graph("seed 1 > split 2 > [-, -]")
    graph = msgspec.structs.replace(graph, other_parents=Array.of([[2, 1]], np.int32))
    assert KeySentences(KeyIndex(graph)).story(2).endswith("; the program makes this key in 2 ways.")


@pytest.mark.parametrize(
    ("notation", "verdict"),
    [
        ("seed 1", "1 key, not spent"),
        ("seed 1 > split 2 > [-, -]", "3 keys, none spent"),
        ("seed 42 > draw", "1 key spent"),
        ("seed 42 > draw x3", "1 key spent, 3 times"),
        ("seed 42 > draw for 32", "1 key spent, shared by 32 examples"),
        ("seed 42 > split 32 > each draw", "32 keys spent, one for each example"),
        ("seed 42 > split 32 > each split 2 > each draw", "64 keys spent, each once"),
        ("seed 42 > split 2 > [draw, draw]", "2 keys spent, each once"),
        ("seed 42 > split 3 > [draw, draw x2, draw for 8]", "3 keys spent, 1 shared by 8 examples, 1 more than once"),
    ],
)
def test_the_verdict_says_what_was_spent_and_what_is_wrong(notation: str, verdict: str) -> None:
    assert words_of(notation).verdict == verdict


def test_keys_are_counted_for_each_example_where_each_call_draws_once_for_it() -> None:
    graph = key_graph("seed 42 > split 2 > each split 3 > each draw")
    assert graph.draw_example.numpy().tolist() == [0, 1, 2] * 2
    graph = msgspec.structs.replace(graph, draw_site=Array.of([0, 0, 0, 1, 1, 1], np.int32))
    assert KeySentences(KeyIndex(graph)).verdict == "6 keys spent, 2 for each example"


@pytest.mark.parametrize(
    ("notation", "key", "edge"),
    [
        ("seed 42 > split 3 > [-, -, -]", 0, "seed 42"),
        ("seed 42 > split 3 > [-, -, -]", 2, "split 1/3"),
        ("seed 42 > fold_in 7", 1, "fold_in(7)"),
        ("outside", 0, "from outside"),
    ],
)
def test_an_edge_is_labelled_as_in_the_code(notation: str, key: int, edge: str) -> None:
    assert words_of(notation).edge(key)[0] == edge


@pytest.mark.parametrize(
    ("notation", "summary", "draws"),
    [
        ("seed 1 > split 32 > each draw", "32 keys, each drawn once", ["normal, line 4", "normal"]),
        ("seed 1 > split 32 > each -", "32 keys, none of them used", []),
        ("seed 1 > split 3 > [draw, draw, -]", "3 keys: 2 drawn once, 1 unused", ["normal, line 4", "normal"]),
    ],
)
def test_a_fan_is_summed_up(notation: str, summary: str, draws: list[str]) -> None:
    words = words_of(notation)
    fan = words.fan(np.arange(1, words.index.nodes, dtype=np.int32))
    assert fan.states[0] == summary
    assert fan.draws == draws
    assert not fan.faulty


def test_hex_digits_are_shortened_to_both_ends_without_the_padding_of_a_narrow_key() -> None:
    graph = msgspec.structs.replace(key_graph("seed 1"), data=Array.of([[0x6D3A0001, 0x000291F2]], np.uint32))
    index = KeyIndex(graph)
    assert full_hex(index, 0) == "6d3a0001000291f2"
    assert short_hex(index, 0) == ["6d3a…91f2", "…91f2"]
    graph = msgspec.structs.replace(key_graph("seed 1"), data=Array.of([[0, 0, 0x12345678, 9]], np.uint32))
    assert full_hex(KeyIndex(graph), 0) == "1234567800000009"


def test_a_description_counts_every_state_and_paper_has_no_invitation_to_click() -> None:
    assert words_of("seed 1 > split 3 > [draw, draw x2, -]").description() == (
        "2 keys spent, 1 more than once. 4 keys in all: 1 split, 1 drawn once, 1 reused, 1 unused. 3 draws."
    )
    words = words_of("seed 42")
    assert words.opens() == ["click for details"]
    words.on_paper = True
    assert words.opens() == []
