"""Large panes and strips, in tables: the room, the page, the panes with something to show, the choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from views.window.layout import CODE_COLUMNS, FEW_LINES, PANES, Chosen, Layout, Occasion, PaneName, Room, resolve

SIZES = {"1024x768": (1024, 650), "1280x800": (1280, 680), "1366x768": (1366, 650), "1920x1080": (1920, 960)}
"""Sizes of the window, and of its area below the tool bar and above the strips."""
LAPTOPS = ("1024x768", "1280x800", "1366x768")
ASKS, TELLS, OWN = Occasion(tells=True, asks=True), Occasion(tells=True, pane="noise"), Occasion()
WORKS = Occasion(tells=True, works=True)
ALL: frozenset[PaneName] = frozenset(PANES)


def room(size: str = "1366x768", scale: float = 1.0, story: int = 300) -> Room:
    """Return the room of a window at a text size: letters are 8.4 pixels wide at size 1."""
    return Room(*SIZES[size], column=8.4 * scale, line=17 * scale, scale=scale, story=int(story * scale))


def resolved(
    size: str = "1366x768",
    occasion: Occasion = TELLS,
    saying: frozenset[PaneName] = ALL,
    scale: float = 1.0,
    **chosen: Any,
) -> Layout:
    return resolve(room(size, scale), saying, occasion, Chosen(**chosen))


@pytest.mark.parametrize("size", LAPTOPS)
def test_a_question_on_a_laptop_has_the_code_and_the_words_alone(size: str) -> None:
    layout = resolved(size, ASKS)
    assert (layout.panes, layout.strips, layout.findings, layout.covered) == ((), (*PANES, "findings"), False, True)
    assert layout.code_below


def test_a_question_on_a_wide_screen_covers_what_stands_there() -> None:
    layout = resolved("1920x1080", ASKS)
    assert (layout.panes, layout.findings, layout.covered, layout.code_below) == (PANES, False, True, False)


@pytest.mark.parametrize("size", LAPTOPS)
@pytest.mark.parametrize("pane", PANES)
def test_the_pane_that_a_step_is_about_is_large_on_a_laptop_and_the_others_are_strips(
    size: str, pane: PaneName
) -> None:
    layout = resolved(size, Occasion(tells=True, pane=pane))
    assert layout.panes == (pane,)
    assert layout.strips == (*(each for each in PANES if each != pane), "findings")
    assert not layout.covered
    above, below, _ = layout.sizes["results"]
    assert above > below >= FEW_LINES * room(size).line


def test_all_four_have_room_in_a_lesson_on_a_wide_screen() -> None:
    layout = resolved("1920x1080")
    assert (layout.panes, layout.strips, layout.findings, layout.list_open) == (PANES, (), True, True)


@pytest.mark.parametrize(("scale", "wide"), [(1.0, True), (1.1, True), (1.5, False), (2.0, False)])
def test_larger_text_makes_a_screen_narrower(scale: float, wide: bool) -> None:
    assert (resolved("1920x1080", scale=scale).panes == PANES) is wide


@pytest.mark.parametrize(
    ("saying", "large"),
    [
        (("program",), ("program",)),
        (("noise", "program"), ("noise",)),
        (("keys", "noise", "program"), ("keys",)),
        (("program", "timing"), ("timing",)),
        ((), ()),
    ],
)
def test_in_ones_own_code_one_pane_that_has_something_to_say_is_large(
    saying: tuple[PaneName, ...], large: tuple[PaneName, ...]
) -> None:
    layout = resolved(occasion=OWN, saying=frozenset(saying))
    assert (layout.panes, layout.findings, layout.code_below) == (large, True, False)


def test_in_ones_own_code_on_a_wide_screen_all_that_have_something_to_say_share_the_room() -> None:
    layout = resolved("1920x1080", OWN, frozenset(("noise", "program")))
    assert (layout.panes, layout.strips) == (("noise", "program"), ("keys", "timing"))


def test_a_page_about_what_was_printed_or_found_opens_the_lists_and_one_about_code_no_pane() -> None:
    assert resolved(occasion=Occasion(tells=True, pane="keys", lists=True)).findings
    assert not resolved().findings
    assert resolved(occasion=Occasion(tells=True, pane="code")).panes == ()


def test_an_exercise_leaves_half_of_the_height_to_the_code() -> None:
    above, below, _ = resolved(occasion=WORKS, saying=frozenset(("program",))).sizes["results"]
    assert abs(above - below) <= 1


@pytest.mark.parametrize("size", ["1366x768", "1280x800", "1920x1080"])
@pytest.mark.parametrize("occasion", [ASKS, TELLS, OWN], ids=["asks", "tells", "own"])
def test_the_code_has_seventy_columns(size: str, occasion: Occasion) -> None:
    assert resolved(size, occasion).sizes["whole"][1] >= CODE_COLUMNS * 8.4


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("occasion", [ASKS, TELLS, WORKS, OWN], ids=["asks", "tells", "works", "own"])
def test_the_sizes_fill_the_room_and_none_is_negative(size: str, scale: float, occasion: Occasion) -> None:
    layout = resolved(size, occasion, scale=scale)
    width, height = SIZES[size]
    assert sum(layout.sizes["whole"]) == width
    assert sum(layout.sizes["results"]) == height
    assert min(*layout.sizes["whole"], *layout.sizes["results"], *layout.sizes["lesson"]) >= 0
    assert {*layout.panes, *layout.strips, "findings"} == {*PANES, "findings"}


def test_a_long_finding_is_read_whole_and_leaves_room_for_what_it_is_about() -> None:
    heights = [
        resolve(replace(room(), finding=finding), ALL, OWN, Chosen()).sizes["results"] for finding in (40, 200, 2000)
    ]
    assert [found for _, found in heights] == [132, 200, int(0.45 * 650)]


def test_what_was_chosen_wins() -> None:
    assert resolved(panes=("keys", "timing")).panes == ("keys", "timing")
    assert resolved(list_open=True).list_open
    assert resolved(findings=True).findings
    assert not resolved("1920x1080", list_open=False).list_open
    assert not resolved("1920x1080", findings=False).findings


def test_nothing_that_was_chosen_shows_an_answer_before_it_is_given() -> None:
    layout = resolved(occasion=ASKS, panes=("keys",), findings=True)
    assert (layout.panes, layout.findings, layout.covered) == ((), False, True)


def test_sizes_that_were_dragged_hold_for_the_form_that_they_were_dragged_in() -> None:
    form = resolved().form
    dragged = {form: {"whole": (0, 500, 866)}}
    assert resolved(sizes=dragged).sizes["whole"] == (0, 500, 866)
    assert resolved(occasion=ASKS, sizes=dragged).sizes["whole"] != (0, 500, 866)


def test_one_pane_was_enlarged_only_where_the_user_wanted_it_alone() -> None:
    assert [resolved().enlarged, resolved(panes=("noise",)).enlarged] == [False, True]
