from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from explorer.figures.timing_csv import timing_csv
from explorer.messages import Device, Hello
from explorer.scenario.scenario import StepPlan
from tests.views.timing.test_timing_view import (
    SWEEP,
    choose_page,
    curve_plot,
    shown_curves,
)
from views.parts.byte_words import bytes_text
from views.theme import LIGHT
from views.timing import paper
from views.timing.page_stack import CURVES, ONE_CALL, Pages
from views.timing.timing_view import TimingView


@pytest.fixture
def view(qtbot: QtBot) -> TimingView:
    view = TimingView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    return view


def test_a_step_of_a_story_turns_to_its_page_and_the_next_scenario_starts_anew(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    shown = []
    for page in ("one-call", "", "curves", "auto"):
        view.show_plan(StepPlan(page=page))  # type: ignore[arg-type]
        shown.append(view.page)
    assert shown == [ONE_CALL, ONE_CALL, CURVES, CURVES]


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (320, "320 B"), (1536, "1.5 KiB"), (5 << 30, "5 GiB")])
def test_bytes_have_a_unit(count: int, text: str) -> None:
    assert bytes_text(count) == text


def test_pictures_of_all_plots_have_a_caption_and_the_page_stays(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    view.show_hello(Hello("3.11", "0.10.2", "0.10.2", (Device("cpu:0", "AMD"),), "cpu:0"))
    assert view.about().caption.startswith("cpu:0 (AMD); jax 0.10.2, jaxlib 0.10.2, Python 3.11; ")
    drawn = {each.name: each for each in paper.drawings(view, LIGHT, alone=True, every=True)}
    assert set(drawn) == {"timing-curves", "timing-one-call"}
    assert all("jaxlib 0.10.2" in each.caption for each in drawn.values())
    curves = drawn["timing-curves"].svg()
    assert b"<text" not in curves
    assert b"<image" not in curves
    assert shown_curves(curve_plot(view))


def test_without_times_there_is_no_picture(view: TimingView) -> None:
    assert paper.drawings(view, LIGHT, every=True) == ()


def test_the_csv_says_under_what_circumstances_it_was_made(view: TimingView) -> None:
    about = {"versions": "jax 0.10.2", "flags": "x64=False", "date": "2026-01-02 03:04"}
    lines = timing_csv(SWEEP, about).splitlines()
    assert lines[0].endswith(",notes,versions,flags,date")
    assert lines[1].endswith(",jax 0.10.2,x64=False,2026-01-02 03:04")


def test_words_on_a_page_that_is_not_seen_take_no_room_from_the_panes_around(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    least = view.minimumSizeHint()
    pages = view.findChild(Pages)
    assert isinstance(pages, Pages)
    pages.show_waiting("Words on the page that is shown when nothing was timed. " * 40)
    choose_page(view, ONE_CALL)
    choose_page(view, CURVES)
    assert view.minimumSizeHint() == least
