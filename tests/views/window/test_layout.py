"""Where everything is, in tables: the room, the page, the choices."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from views.window.layout import (
    CODE_FOOT,
    FINDINGS,
    LEAST_LINES,
    PANES,
    AvailableSize,
    Layout,
    LayoutChoice,
    PaneName,
    Task,
    resolve,
)

SIZES = {"1024x768": (1024, 680), "1280x720": (1280, 635), "1366x768": (1366, 683), "1920x1080": (1920, 990)}
"""Sizes of the window, and the height of its area below the tool bar."""
RAIL, BAR, LINE = 24, 28, 19
TELLS, OWN = Task(tells=True, pane="noise"), Task(pane="keys")
ASKS = Task(tells=True, pane="noise", covers=frozenset(("noise", "findings")))


def room(size: str | tuple[int, int] = "1366x768", scale: float = 1.0) -> AvailableSize:
    """Return the room of a window at a text size: letters are 8.4 pixels wide at size 1."""
    width, height = SIZES[size] if isinstance(size, str) else size
    return AvailableSize(width - RAIL, height, 8.4 * scale, LINE * scale, scale, RAIL, int(BAR * scale))


def resolved(size: str = "1366x768", occasion: Task = TELLS, scale: float = 1.0, **chosen: Any) -> Layout:
    return resolve(room(size, scale), occasion, LayoutChoice(**chosen))


@pytest.mark.parametrize("occasion", [TELLS, ASKS, OWN], ids=["tells", "asks", "own"])
@pytest.mark.parametrize(
    ("size", "scale", "four", "listed"),
    [
        ("1024x768", 1.0, False, False),
        ("1280x720", 1.0, True, False),
        ("1366x768", 1.0, True, False),
        ("1366x768", 1.15, False, False),
        ("1920x1080", 1.0, True, True),
        ("1920x1080", 1.6, True, False),
    ],
)
def test_four_panes_from_1200_pixels_times_the_text_size_and_the_list_from_1550(
    occasion: Task, size: str, scale: float, four: bool, listed: bool
) -> None:
    layout = resolved(size, occasion, scale)
    assert (layout.panes, layout.list_open) == (PANES if four else (occasion.pane,), listed)
    assert (layout.strips == ()) is four


@pytest.mark.parametrize(("size", "left"), [("1366x768", 460), ("1280x720", 430), ("1920x1080", 672)])
def test_the_code_has_its_column_and_the_panes_the_rest(size: str, left: int) -> None:
    _, code, panes = resolved(size).sizes["whole"]
    assert code == pytest.approx(left, abs=12)
    assert panes >= 820


def test_a_question_covers_parts_and_moves_nothing() -> None:
    for size in SIZES:
        asked, told = resolved(size, ASKS), resolved(size, TELLS)
        assert asked.covered == {"noise", "findings"}
        assert (asked.panes, asked.findings, asked.sizes) == (told.panes, told.findings, told.sizes)


@pytest.mark.parametrize("pane", PANES)
def test_in_a_narrow_window_the_pane_of_the_page_is_alone_and_the_others_are_strips(pane: PaneName) -> None:
    layout = resolved("1024x768", Task(tells=True, pane=pane))
    assert (layout.panes, layout.code_below) == ((pane,), True)
    assert layout.strips == tuple(each for each in PANES if each != pane)
    assert resolved("1024x768", Task(tells=True, pane="code")).panes == ()


def test_the_findings_open_where_there_is_room_or_a_lesson_or_an_own_file_needs_them() -> None:
    assert resolved("1920x1080").findings
    assert not resolved().findings
    assert resolved(occasion=Task(tells=True, lists=True)).findings
    assert resolved(occasion=OWN).findings
    assert [resolved(findings=each).sizes["results"][-1] for each in (True, False)] == [FINDINGS, BAR]


@given(
    st.integers(640, 5120),
    st.integers(560, 2880),
    st.floats(1.0, 1.6),
    st.sampled_from([TELLS, ASKS, OWN]),
    st.booleans(),
)
def test_the_parts_fill_the_room_and_none_is_under_its_least_size(
    width: int, height: int, scale: float, occasion: Task, findings: bool
) -> None:
    within = room((width, height), scale)
    layout = resolve(within, occasion, LayoutChoice(findings=findings))
    whole, results, lesson = (layout.sizes[name] for name in ("whole", "results", "lesson"))
    assert sum(whole) == within.width
    assert sum(results) == within.height
    assert min(*whole, *results, *lesson) >= 0
    assert {*layout.panes, *layout.strips} == {*PANES}
    if layout.panes == PANES and height >= 560 * scale:
        assert whole[1] >= 390 * scale
        assert whole[2] / 2 >= 330 * scale
        assert results[0] / 2 >= 180 * scale
        assert lesson[1] >= LEAST_LINES * within.line + CODE_FOOT * scale - 2
        assert lesson[0] >= 140 * scale


def test_what_was_chosen_wins() -> None:
    assert resolved(panes=("keys", "timing")).panes == ("keys", "timing")
    assert resolved(list_open=True).list_open
    assert resolved(findings=True).findings
    assert not resolved("1920x1080", list_open=False).list_open
    assert not resolved("1920x1080", findings=False).findings


def test_sizes_that_were_dragged_hold_for_the_form_that_they_were_dragged_in() -> None:
    dragged = {resolved().form: {"whole": (0, 500, 866), "results": (300, 400)}}
    assert resolved(sizes=dragged, findings=True).sizes["results"] == (300, 400)
    assert resolved(sizes=dragged, findings=False).sizes["results"][-1] == BAR
    assert resolved(sizes=dragged, occasion=ASKS).sizes["whole"] == (0, 500, 866)
    assert resolved(occasion=OWN, sizes=dragged).sizes["whole"] != (0, 500, 866)


def test_one_pane_was_enlarged_only_where_the_user_wanted_it_alone() -> None:
    assert [resolved("1024x768").enlarged, resolved(panes=("noise",)).enlarged] == [False, True]
