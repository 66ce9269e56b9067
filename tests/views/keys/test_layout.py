from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from explorer.figures.forest import layout as key_layout
from explorer.figures.forest.index import KeyIndex
from explorer.figures.forest.layout import KeyLayout, lay_out
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


@pytest.mark.rest
@given(GRAPHS)
def test_siblings_never_overlap_and_parents_cover_their_children(notation: str) -> None:
    layout = layout_of(notation)
    for number in range(layout.levels):
        level = layout.level(number)
        assert (layout.left[level][1:] >= layout.right[level][:-1] - 1e-9).all()
    below = np.flatnonzero(layout.parent >= 0)
    above = layout.parent[below]
    assert (layout.left[below] >= layout.left[above] - 1e-9).all()
    assert (layout.right[below] <= layout.right[above] + 1e-9).all()


@given(GRAPHS)
def test_every_key_has_a_place_and_children_follow_each_other(notation: str) -> None:
    layout = layout_of(notation)
    assert (layout.place >= 0).all()
    assert (layout.place[layout.node] == np.arange(len(layout.node))).all()
    for place in range(len(layout.node)):
        children = slice(layout.first_child[place], layout.first_child[place] + layout.children[place])
        assert (layout.parent[children] == place).all()


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


def test_library_internal_keys_are_folded() -> None:
    layout = layout_of("seed 1 > split 2 > [inside 6, draw]")
    assert layout.node.tolist() == [0, 1, 2]
    assert layout.folded(1) == 6
    assert layout.place[5] == 1


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


def test_the_place_at_a_slot_is_found_on_each_level() -> None:
    layout = layout_of("seed 1 > split 2 > [-, split 2 > [draw, draw]]")
    assert [layout.at(level, 1.5) for level in range(-1, 4)] == [None, 0, 2, 3, None]
    assert layout.at(2, 0.5) is None
