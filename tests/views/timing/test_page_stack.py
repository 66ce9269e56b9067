from __future__ import annotations

import pytest
from msgspec.structs import replace as replace_fields
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from explorer.figures.samples import Samples
from explorer.figures.timing_csv import timing_csv
from explorer.messages import Device, Hello, Measurement, Memory, Note
from explorer.scenario.scenario import StepPlan
from tests.figures.measured import sampled
from tests.views.timing.test_timing_view import (
    MILLISECOND,
    SWEEP,
    bar_texts,
    choose_page,
    curve_plot,
    figures_text,
    measured,
    shown_curves,
)
from views.parts.byte_words import bytes_text
from views.theme import LIGHT
from views.timing import paper
from views.timing.page_stack import BREAK_EVEN, CURVES, MEMORY, ONE_POINT, TRACES, Pages
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
    for page in ("break-even", "", "traces", "auto"):
        view.show_plan(StepPlan(page=page))  # type: ignore[arg-type]
        shown.append(view.page)
    assert shown == [BREAK_EVEN, BREAK_EVEN, TRACES, CURVES]


def test_stragglers_are_seen() -> None:
    samples = Samples.of(sampled([1.0] * 28 + [2.0, 9.0]))
    assert samples is not None
    assert samples.stragglers == 2


def test_the_histogram_counts_every_sample_but_the_stragglers() -> None:
    samples = Samples.of(sampled([1.0] * 28 + [2.0, 9.0]))
    assert samples is not None
    assert samples.histogram(10)[0].sum() == 28


def test_one_point_says_whether_it_is_stable(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    choose_page(view, ONE_POINT)
    assert "Stable. Median 16.0 ms ±1 % after 12 samples of 5 calls." in figures_text(view)


def test_one_point_shows_instability(view: TimingView) -> None:
    note = Note("unstable", "after 30 samples the median is known to 9 % only")
    view.show_measurements((measured("f", "jit", 64, 1.0, notes=(note,)),))
    choose_page(view, ONE_POINT)
    assert "Unstable: more time would settle it." in figures_text(view)


def test_one_point_shows_stragglers(view: TimingView) -> None:
    view.show_measurements((sampled([1.0] * 28 + [2.0, 9.0]),))
    choose_page(view, ONE_POINT)
    assert "2 of the samples took over 1.5 times the median (triangles)." in figures_text(view)


def test_the_curve_of_the_point_can_be_chosen(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP)
    choose_page(view, ONE_POINT)
    box = next(each for each in view.findChildren(QComboBox) if each.accessibleName() == "Curve")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "f (jit)"
    assert "Median 1.00 ms" in figures_text(view)


def test_every_timed_value_of_the_curve_can_be_chosen(view: TimingView) -> None:
    first, *others = SWEEP
    view.show_measurements((replace_fields(first, cold=True), *others))
    choose_page(view, ONE_POINT)
    values = next(box for box in view.findChildren(QComboBox) if box.accessibleName() == "Point of the sweep")
    assert [values.itemText(place) for place in range(values.count())] == ["8", "64"]
    values.setCurrentIndex(1)
    values.activated.emit(1)
    assert "Median 16.0 ms" in figures_text(view)


def test_memory_is_reported_in_parts_and_units(view: TimingView) -> None:
    memory = Memory(argument_bytes=2048, output_bytes=1024, temporary_bytes=0, peak_bytes=3072)
    view.show_measurements((SWEEP[0], measured("f", "jit", 8, MILLISECOND, memory=memory)))
    choose_page(view, MEMORY)
    _, *texts = bar_texts(view, "Memory of one call")
    assert texts[:4] == ["arguments", "outputs", "temporary", "f (jit)"]
    assert texts[-2:] == ["3 KiB", "peak 3 KiB; 2 KiB + 1 KiB + 0 B"]


@pytest.mark.parametrize(
    ("measurements", "sentence"),
    [
        (SWEEP[:1], "Only a compiled program reports its memory. Tick jit to see it."),
        (SWEEP[:2], "The compiler for cpu:0 does not report the memory of its programs."),
    ],
)
def test_without_figures_of_memory_a_sentence_says_why(
    view: TimingView, measurements: tuple[Measurement, ...], sentence: str
) -> None:
    view.show_measurements(measurements)
    choose_page(view, MEMORY)
    assert bar_texts(view, "Memory of one call") == [sentence]


@pytest.mark.parametrize(("count", "text"), [(0, "0 B"), (320, "320 B"), (1536, "1.5 KiB"), (5 << 30, "5 GiB")])
def test_bytes_have_a_unit(count: int, text: str) -> None:
    assert bytes_text(count) == text


def test_pictures_of_all_plots_have_a_caption_and_the_page_stays(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    view.show_hello(Hello("3.11", "0.10.2", "0.10.2", (Device("cpu:0", "AMD"),), "cpu:0"))
    assert view.about().caption.startswith("cpu:0 (AMD); jax 0.10.2, jaxlib 0.10.2, Python 3.11; ")
    drawn = {each.name: each for each in paper.drawings(view, LIGHT, alone=True, every=True)}
    assert {"timing-curves", "timing-break-even", "timing-trust"} <= set(drawn)
    assert "timing-memory" not in drawn, "nothing is known of memory here, and an empty plot is no picture"
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
    choose_page(view, TRACES)
    choose_page(view, CURVES)
    assert view.minimumSizeHint() == least
