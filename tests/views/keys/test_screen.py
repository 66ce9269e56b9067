from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.figures.forest.layout import KeyLayout
from tests.views.keys.test_agreement import GRAPHS
from tests.views.keys.test_layout import layout_of
from views.keys.screen import Extent, Form, Screen, Viewport, chosen_form, has_room
from views.keys.symbols import GRAVITY, RANK, columns
from views.keys.tree_places import place_tree

sizes = st.tuples(st.integers(200, 1400), st.integers(150, 1000))


def screen_of(layout: KeyLayout, width: float = 450, height: float = 260, form: Form = "tree") -> Screen:
    return Screen(layout, Viewport.whole(layout), width, height, Extent.of(layout), 1.0, form)


@pytest.mark.parametrize(
    ("notation", "width", "form"),
    [
        ("seed 42 > draw for 32", 220, "tree"),
        ("seed 42 > split 32 > each draw", 220, "tree"),
        ("seed 42 > split 1000 > each draw", 220, "tree"),
        ("seed 42 > split 8 > each split 4 > each draw", 450, "tree"),
        ("seed 42 > split 50 > each split 4 > each draw", 450, "icicle"),
        ("seed 42 > split 50 > each split 4 > each draw", 2700, "tree"),
    ],
)
def test_a_tree_is_drawn_where_there_is_room_for_one(notation: str, width: int, form: str) -> None:
    assert chosen_form(screen_of(layout_of(notation), width), "auto").form == form


def test_zooming_in_on_an_icicle_turns_it_into_a_tree() -> None:
    screen = screen_of(layout_of("seed 42 > split 50 > each split 4 > each draw"))
    closer = Screen(screen.layout, screen.around(3), 450, 260, screen.extent, 1.0, "tree")
    assert chosen_form(screen, "auto").form == "icicle"
    assert chosen_form(closer, "auto").form == "tree"


def test_a_tree_that_no_screen_has_room_for_stays_an_icicle() -> None:
    screen = screen_of(layout_of("seed 42 > split 700 > each split 4 > each draw"))
    assert chosen_form(screen, "tree").form == "icicle"
    assert chosen_form(screen_of(layout_of("seed 1 > draw")), "icicle").form == "icicle"


@pytest.mark.rest
@given(GRAPHS, sizes, st.floats(0, 1), st.floats(0, 1), st.floats(1.05, 3))
def test_what_is_under_the_pointer_stays_there_when_zooming(
    notation: str, size: tuple[int, int], across: float, down: float, factor: float
) -> None:
    screen = screen_of(layout_of(notation), *size, form="icicle")
    x, y = screen.x(screen.layout.slots * across), screen.y(down)
    closer = Screen(screen.layout, screen.zoomed(factor, x, y), *size, screen.extent, 1.0, "icicle")
    assume(closer.viewport.span == pytest.approx(screen.viewport.span / factor))
    assert closer.slot_at(x) == pytest.approx(screen.slot_at(x))


@given(GRAPHS, sizes, st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_dragging_never_leaves_the_keys(notation: str, size: tuple[int, int], dx: float, dy: float) -> None:
    screen = screen_of(layout_of(notation), *size)
    near = Screen(screen.layout, screen.zoomed(2, 10, 10), *size, screen.extent, 1.0, "tree")
    moved = near.panned(dx, dy)
    assert 0 <= moved.left <= screen.layout.slots - moved.span + 1e-9
    assert 0 <= moved.top <= screen.layout.levels


@given(GRAPHS, st.data())
def test_a_place_that_is_brought_on_screen_is_on_screen(notation: str, data: st.DataObject) -> None:
    layout = layout_of(notation)
    place = data.draw(st.integers(0, len(layout.node) - 1))
    near = Screen(layout, screen_of(layout).zoomed(4, 0, 0), 450, 260, Extent.of(layout), 1.0, "tree")
    there = Screen(layout, near.containing(place), 450, 260, Extent.of(layout), 1.0, "tree")
    assert layout.level_of(place) in there.level_range
    shown = layout.between(layout.level_of(place), *there.slots)
    assert shown.start <= place < shown.stop


@given(GRAPHS, sizes)
def test_keys_of_a_tree_do_not_overlap(notation: str, size: tuple[int, int]) -> None:
    tree = chosen_form(screen_of(layout_of(notation), *size), "auto")
    assume(tree.form == "tree")
    assert has_room(tree)
    places = place_tree(tree)
    points = {place: places.point(place) for place in range(len(tree.layout.node))}
    assert None not in points.values()
    for place, point in points.items():
        fan = places.fan_of(place)
        if fan is None or fan.columns or fan.cell >= 3:
            assert places.at(*point) == place
    for fan in places.fans:
        assert fan.x >= -1e-6
        assert fan.x + fan.width <= tree.width + 1e-6


def test_a_fan_is_a_block_where_its_keys_can_be_seen_and_a_band_where_not() -> None:
    few = place_tree(screen_of(layout_of("seed 1 > split 32 > each draw"), 220))
    many = place_tree(screen_of(layout_of("seed 1 > split 1000 > each draw"), 220))
    assert few.fans[0].columns > 1
    assert many.fans[0].columns == 0
    assert many.at(*many.fans[0].point(500)) is not None


def test_a_column_of_many_keys_shows_the_worst_of_them() -> None:
    left = np.arange(3000) / 10
    rank = np.full(3000, RANK[2], np.int8)
    rank[1234] = RANK[3]
    stretches = columns(left, left + 0.1, rank, 300.0)
    assert [GRAVITY[worst - 1] for _, _, worst in stretches] == ["drawn", "reused", "drawn"]
    begin, end, _ = stretches[1]
    assert begin <= 123.4 <= end


def test_columns_between_keys_stay_empty() -> None:
    left, right = np.array([0.0, 30.0]), np.array([9.0, 31.0])
    assert columns(left, right, np.array([4, 4], np.int8), 60.0) == [(0.0, 9.0, 4), (30.0, 33.0, 4)]
