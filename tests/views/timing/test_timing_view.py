from __future__ import annotations

import re
from typing import Any

import numpy as np
import pyqtgraph as pg
import pytest
from msgspec.structs import replace as replace_fields
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from explorer.figures.timing_csv import timing_csv
from explorer.messages import TOP_LEVEL, Device, Failure, Focus, Hello, Marks, Measurement, Note, NoteKind, Variant
from explorer.scenario.scenario import StepPlan
from explorer.session.controls import Controls
from explorer.text.text import verbatim
from tests.figures.measured import measured
from tests.views.contrast import contrast
from tests.views.made import heard, put_up
from views.parts.legend import Legend
from views.parts.tabs import TabButton
from views.theme import DARK, LIGHT, PROJECTOR, THEMES, Theme, ThemeName, apply_to_tree, blended, chosen
from views.timing import paper
from views.timing.call_page import BarsPage
from views.timing.curves_page import CurvesPage, ticks
from views.timing.log_plot import LogPlot
from views.timing.page_stack import CURVES, ONE_CALL
from views.timing.plot_items import shifts_with_room, without_overlaps
from views.timing.series_look import WORDS_SHARE, shade
from views.timing.timing_view import TimingView

MILLISECOND = 1e-3
STAGES = {"trace_s": 2e-3, "lower_s": 3e-3, "compile_s": 14e-3, "first_call_s": 20e-3}
SWEEP = (
    measured("f", "eager", 8, 2 * MILLISECOND, first_call_s=5e-3),
    measured("f", "jit", 8, 1 * MILLISECOND, **STAGES),
    measured("f", "eager", 64, 16 * MILLISECOND, first_call_s=40e-3),
    measured("f", "jit", 64, 1 * MILLISECOND, **STAGES),
)


@pytest.fixture
def view(qtbot: QtBot) -> TimingView:
    return put_up(qtbot, TimingView(), 900, 600)


def page(view: TimingView) -> int:
    return [each.isChecked() for each in view.findChildren(TabButton)].index(True)


def choose_page(view: TimingView, number: int) -> None:
    QTest.mouseClick(view.findChildren(TabButton)[number], Qt.MouseButton.LeftButton)


def curve_plot(view: TimingView) -> LogPlot:
    return next(plot for plot in view.findChildren(LogPlot) if "parameter" in plot.accessibleName())


def bar_texts(view: TimingView, name: str) -> list[str]:
    """Return the texts of a page with bars from top to bottom, without those in bars that are long enough for one."""
    page = next(each for each in view.findChildren(BarsPage) if each.accessibleName() == name)
    texts = re.split(r"[\n■]", page.toPlainText().replace("\N{NO-BREAK SPACE}", " "))
    inside = {"trace", "lower", "compile", "first run"}
    return [text.strip() for text in texts if text.strip() not in {"", *inside}]


def shown_ticks(axis: pg.AxisItem) -> list[str]:
    [(spacing, places)] = axis.tickValues(*axis.range, axis.size().width())
    return axis.tickStrings(places, 1.0, spacing)


def shown_curves(plot: LogPlot) -> list[list[tuple[float, float]]]:
    """Return the points of every curve that has some, as figures and not as logarithms."""
    found = [item.getData() for item in filter(is_drawn_curve, plot.plotItem.items)]
    return [[(10**x, 10**y) for x, y in zip(*data, strict=True)] for data in found]


def figures_text(view: TimingView) -> str:
    """Return all texts of the view that are in sight."""
    return "\n".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def test_while_it_waits_it_says_for_what(view: TimingView) -> None:
    view.show_timing_state("Waiting for the worker.")
    assert figures_text(view) == "Waiting for the worker."


def test_each_series_is_a_curve_with_bars_to_the_quartiles_over_ticks_at_its_values(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    assert page(view) == CURVES
    eager, jitted = shown_curves(curve_plot(view))
    assert eager == [pytest.approx((8, 0.002)), pytest.approx((64, 0.016))]
    assert jitted == [pytest.approx((8, 0.001)), pytest.approx((64, 0.001))]
    bars = next(item for item in curve_plot(view).plotItem.items if isinstance(item, pg.ErrorBarItem))
    np.testing.assert_allclose(bars.opts["top"], np.log10(1.1))
    np.testing.assert_allclose(bars.opts["bottom"], -np.log10(0.9))
    axis = curve_plot(view).plotItem.getAxis("bottom")
    assert shown_ticks(axis) == ["8", "64"]
    assert axis.labelText == "n"


def test_large_round_values_are_short_on_the_axis() -> None:
    texts = [text for _, text in ticks((100, 2048, 10_000, 1_000_000))]
    assert texts == ["100", "2048", "10k", "1M"]
    assert [text for _, text in ticks((0.5, 1e6))] == ["0.5", "1000000.0"]


@pytest.mark.parametrize(
    ("pixels", "emitted"), [(100, ["8", "2048", "4096"]), (60, ["8", "", "4096"]), (2, ["", "", "4096"])]
)
def test_a_tick_that_would_cover_its_neighbour_has_no_text(pixels: float, emitted: list[str]) -> None:
    places = [(0.0, "8"), (1.0, "2048"), (1.5, "4096")]
    assert [text for _, text in without_overlaps(places, pixels, lambda text: 10.0 * len(text))] == emitted


def test_words_at_the_ends_of_curves_do_not_cover_each_other_or_are_left_out() -> None:
    assert shifts_with_room([(2.0, 50.0), (2.0, 46.0), (1.0, 46.0)], 12.0, (0.0, 99.0)) == [0.0, -8.0, 0.0]
    assert shifts_with_room([(2.0, 50.0)] * 4, 12.0, (0.0, 99.0)) == [0.0, -12.0, 12.0, None]
    assert shifts_with_room([(2.0, 5.0), (2.0, 5.0)], 12.0, (0.0, 6.0)) == [0.0, None]


def test_the_time_axis_is_written_with_units_and_values_without_a_logarithm_side_by_side(view: TimingView) -> None:
    axis = curve_plot(view).plotItem.getAxis("left")
    assert axis.tickStrings([-5.0, -3.0, -1.0], 1.0, 1.0) == ["10 µs", "1 ms", "100 ms"]
    view.show_measurements(tuple(measured("f", "jit", mode, MILLISECOND) for mode in ("slow", "fast")))
    plot = curve_plot(view)
    assert shown_ticks(plot.plotItem.getAxis("bottom")) == ["slow", "fast"]


@pytest.mark.parametrize(
    ("least_s", "most_s", "emitted"),
    [(0.21, 0.29, ["220 ms", "240 ms", "260 ms", "280 ms"]), (0.21, 0.49, ["300 ms", "400 ms"])],
)
def test_times_close_together_have_numbers_too(
    view: TimingView, least_s: float, most_s: float, emitted: list[str]
) -> None:
    axis = curve_plot(view).plotItem.getAxis("left")
    ((_, places),) = axis.tickValues(np.log10(least_s), np.log10(most_s), 300.0)
    assert axis.tickStrings(places, 1.0, 1.0) == emitted


def test_measurements_that_follow_quickly_are_drawn_together_soon_after(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP[:2])
    view.show_measurements(SWEEP)
    view.show_measurements((*SWEEP, measured("g", "jit", 64, MILLISECOND)))
    qtbot.waitUntil(lambda: len(shown_curves(curve_plot(view))) == 3)


def test_nothing_is_drawn_while_a_first_call_is_under_way(view: TimingView) -> None:
    begun = replace_fields(measured("g", "jit", 8, None), final=False, first_call_s=1.0)
    view.show_measurements((*SWEEP, begun))
    assert shown_curves(curve_plot(view)) == []
    view.show_measurements((*SWEEP, measured("g", "jit", 8, MILLISECOND, final=False)))
    assert len(shown_curves(curve_plot(view))) == 3


def test_the_end_of_a_run_is_drawn_at_once_and_a_new_one_leaves_nothing_of_it(view: TimingView) -> None:
    view.show_measurements(SWEEP[:2])
    view.show_measurements(SWEEP)
    view.show_timing_state("")
    assert len(shown_curves(curve_plot(view))) == 2
    view.show_measurements(())
    view.show_timing_state("")
    assert shown_curves(curve_plot(view)) == []


@pytest.mark.parametrize(
    ("changes", "hollow"),
    [
        ({}, False),
        ({"final": False}, True),
        ({"notes": (Note("unstable", "there was time only for 3 samples"),)}, True),
    ],
)
def test_points_that_are_not_sure_are_hollow(view: TimingView, changes: dict[str, Any], hollow: bool) -> None:
    apply_to_tree(view, LIGHT)
    points = (measured("f", "jit", 8, MILLISECOND, **changes), measured("f", "jit", 64, MILLISECOND))
    view.show_measurements(points)
    scatters = [item for item in curve_plot(view).plotItem.items if isinstance(item, pg.ScatterPlotItem)]
    scatter = next(each for each in scatters if len(each.points()))
    fills = [point.brush().color().name() for point in scatter.points()]
    assert fills == [LIGHT.background if hollow else LIGHT.series_colour(0), LIGHT.series_colour(0)]


def test_a_point_says_its_figures_how_it_compares_with_the_first_curve_and_what_is_to_know(view: TimingView) -> None:
    unstable = (Note("unstable", "there was time only for 3 samples"),)
    view.show_measurements((SWEEP[0], replace_fields(SWEEP[1], notes=unstable, cut_short=True), *SWEEP[2:]))
    emitted = heard(view.hover_text)
    plot = curve_plot(view)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(plot, key)
        view.show_marks(Marks(Focus("timing", 0, "f", SWEEP[0].point)))
    assert emitted == [
        "f (eager), n = 8: 2.00 ms a call, half of them from 1.80 ms to 2.20 ms, 12 samples",
        "f (jit), n = 8: 1.00 ms a call, half of them from 900 µs to 1.10 ms, 12 samples. "
        "against f (eager): 2.00 times faster. cut short. unstable: there was time only for 3 samples",
    ]


DIFFERS = Note("outputs differ", verbatim("the outputs differ by 0.3"))
UNSTABLE = Note("unstable", verbatim("3 samples"))


def test_a_curve_that_is_not_reliable_is_grey_and_says_why(view: TimingView) -> None:
    view.show_measurements((*SWEEP[:3], replace_fields(SWEEP[3], notes=(UNSTABLE, DIFFERS))))
    pens = {item.opts["pen"].color().name() for item in curve_plot(view).plotItem.items if is_drawn_curve(item)}
    assert LIGHT.dim in pens
    assert "outputs differ" in end_words(view)
    assert "f (jit): the outputs differ by 0.3" in figures_text(view)


@pytest.mark.parametrize(
    ("last", "sentence"),
    [
        ({}, "Reliable: every result was waited for, and no doubt was found."),
        ({"notes": (UNSTABLE, DIFFERS)}, "Not reliable: f (jit): the outputs differ by 0.3."),
        ({"final": False}, "You can see whether the times are reliable when all points are measured."),
    ],
)
def test_one_call_says_in_its_last_line_how_far_to_trust_it(
    view: TimingView, last: dict[str, Any], sentence: str
) -> None:
    view.show_measurements((SWEEP[0], replace_fields(SWEEP[1], **last)))
    assert sentence in figures_text(view).splitlines()


def test_the_plot_shows_a_screen_reader_every_point_when_the_keyboard_comes(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP)
    plot = curve_plot(view)
    plot.setFocus()
    qtbot.waitUntil(lambda: plot.accessibleDescription().count("a call, half of them") == len(SWEEP))


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ({"failure": Failure("ValueError", "차원이 맞지 않습니다")}, "ValueError: 차원이 맞지 않습니다"),
        ({"failure": Failure("AssertionError", "")}, "AssertionError"),
        ({"notes": (Note("skipped", "it failed at 16 already"),)}, "it failed at 16 already"),
        ({"cut_short": True}, "stopped before there was a sample"),
    ],
)
def test_a_point_without_a_figure_says_why(view: TimingView, last: dict[str, Any], reason: str) -> None:
    view.show_measurements((*SWEEP[:3], measured("f", "jit", 64, None, **last)))
    assert f"no times for f (jit) at n = 64: {reason}" in figures_text(view)
    lengths = [int(np.isfinite(np.array(curve)[:, 1]).sum()) for curve in shown_curves(curve_plot(view))]
    assert lengths == [2, 1], "a curve stops where it failed"


def test_when_nothing_could_be_timed_the_reasons_take_the_place_of_the_plot(view: TimingView) -> None:
    view.show_measurements((measured("f", "eager", 8, None, failure=Failure("ValueError", "no")),))
    assert figures_text(view) == "no times: ValueError: no"


def test_a_file_without_a_function_says_why_nothing_is_timed(view: TimingView) -> None:
    view.show_controls(Controls(variants=(Variant(TOP_LEVEL, 1),)))
    assert figures_text(view) == "Timing needs a function that this file calls with arrays, and there is none."
    script = Controls(variants=(Variant(TOP_LEVEL, 1),), variant=TOP_LEVEL, subject="f")
    view.show_controls(script)
    assert figures_text(view) == "Nothing has been timed yet. Press Time."
    view.show_controls(Controls(variants=(Variant(TOP_LEVEL, 1), Variant("f", 2))))
    assert figures_text(view) == "Nothing has been timed yet. Press Time."


def test_a_function_that_returns_no_array_has_no_speed_up(view: TimingView) -> None:
    nowhere = tuple(replace_fields(each, device="") for each in SWEEP[:2])
    view.show_measurements(nowhere)
    assert view.verdict == "no speed-up is known: f returns no array, so jit computes nothing"


def test_one_point_is_shown_as_the_anatomy_of_a_call(view: TimingView) -> None:
    view.show_measurements(SWEEP[:2])
    assert page(view) == ONE_CALL
    assert bar_texts(view, "One call, stage by stage") == [
        *("A later call", "eager", "2.00 ms", "jit", "1.00 ms"),
        *("f (eager)", "first call", "5.00 ms", "later calls, warm", "2.00 ms"),
        *("f (jit)", "first call", "20.0 ms", "later calls, warm", "1.00 ms"),
        *("trace 2.00 ms", "lower 3.00 ms", "compile 14.0 ms", "first run 1.00 ms"),
        "The lines that take the time are in Program > time.",
    ]
    assert figures_text(view) == (
        "jit has paid for its compilation by call 19; in a new process, where eager code compiles too, by call 16.\n"
        "Reliable: every result was waited for, and no doubt was found."
    )


def test_a_sweep_is_shown_as_curves_from_its_first_point_on(view: TimingView) -> None:
    view.show_measurements(tuple(replace_fields(each, swept="n") for each in SWEEP[:2]))
    assert page(view) == CURVES
    assert [curve for curve in shown_curves(curve_plot(view)) if len(curve) == 1] == [
        [(pytest.approx(8), pytest.approx(2 * MILLISECOND))],
        [(pytest.approx(8), pytest.approx(1 * MILLISECOND))],
    ]
    assert shown_ticks(curve_plot(view).getAxis("bottom")) == ["8"]


def test_a_call_is_split_into_dispatch_and_waiting_with_the_transfers_next_to_it(view: TimingView) -> None:
    parts = {"returned_s": 0.25e-3, "to_device_s": 2e-3, "to_host_s": 1e-3, "cold": True}
    view.show_measurements((measured("f", "jit", 8, MILLISECOND, **STAGES, **parts),))
    emitted = bar_texts(view, "One call, stage by stage")
    assert emitted[:2] == ["f (jit)", "first call, cold"]
    assert emitted[-7:-5] == ["compile 14.0 ms", "first run 1.00 ms"]
    assert emitted[-5:-1] == [
        "until it returns 250 µs",
        "waiting 750 µs",
        "to the device 2.00 ms",
        "from the device 1.00 ms",
    ]
    apply_to_tree(view, chosen("light", 1.0, 1.0, 1.0))
    assert bar_texts(view, "One call, stage by stage")[-1] == "waiting 750 µs", "an audience cannot scroll"


def test_a_page_that_was_chosen_stays_when_more_comes(view: TimingView) -> None:
    view.show_measurements(SWEEP[:2])
    choose_page(view, CURVES)
    view.show_timing_state("")
    assert page(view) == CURVES


@pytest.mark.rest
def test_the_point_of_the_sweep_can_be_chosen(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP)
    choose_page(view, ONE_CALL)
    box = next(each for each in view.findChildren(QComboBox) if each.accessibleName() == "Point of the sweep")
    assert [box.itemText(place) for place in range(box.count())] == ["8", "64"]
    assert box.currentText() == "64"
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.currentText() == "8"
    assert "by call 19" in figures_text(view)


def inside(text: str, kind: NoteKind = "jits inside") -> Measurement:
    """Return the first point of the sweep with a note on the jits in it."""
    return replace_fields(SWEEP[0], notes=(Note(kind, verbatim(text)),))


@pytest.mark.parametrize(
    ("measurements", "verdict"),
    [
        (SWEEP, "16.0 times faster with jit at n = 64"),
        (SWEEP[:2], "2.00 times faster with jit"),
        (SWEEP[:1], "2.00 ms a call"),
        (
            (inside("still jitted inside it: step"), SWEEP[1]),
            "2.00 times faster with jit; still jitted inside it: step",
        ),
        ((inside("it has no jit", "always jitted"), SWEEP[1]), "no speed-up is known: it has no jit"),
        ((SWEEP[0], measured("g", "eager", 8, MILLISECOND)), "g is quickest: 1.00 ms"),
        ((SWEEP[1], measured("g", "jit", 8, MILLISECOND)), "f and g are equally quick"),
        ((*SWEEP[:3], replace_fields(SWEEP[3], notes=(UNSTABLE,))), "2.00 times faster with jit at n = 8"),
        (
            (SWEEP[0], replace_fields(SWEEP[1], notes=(UNSTABLE,))),
            "jit is faster in every sample; the times vary too much for a factor",
        ),
        (
            (SWEEP[0], replace_fields(SWEEP[0], transforms=("jit",), notes=(UNSTABLE,))),
            "the times vary too much to compare",
        ),
        (
            (SWEEP[0], replace_fields(SWEEP[1], notes=(UNSTABLE,), device="")),
            "no speed-up is known: f returns no array, so jit computes nothing",
        ),
    ],
)
def test_the_verdict_is_the_headline_of_the_run(
    view: TimingView, qtbot: QtBot, measurements: tuple[Measurement, ...], verdict: str
) -> None:
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_measurements(measurements)
    assert emitted.args == [verdict]


def test_a_click_on_a_point_chooses_it_for_one_call_and_the_pointer_tells_it(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP)
    plot = curve_plot(view)
    view.grab()  # The range follows the points when it is painted.
    scene = plot.plotItem.vb.mapViewToScene(pg.Point(np.log10(8), np.log10(0.002)))
    place: QPoint = plot.mapFromScene(scene)
    qtbot.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    box = next(each for each in view.findChildren(QComboBox) if each.accessibleName() == "Point of the sweep")
    assert box.currentText() == "8"
    scene = plot.plotItem.vb.mapViewToScene(pg.Point(np.log10(64), np.log10(0.016)))
    with qtbot.waitSignal(view.hover_text) as emitted:
        plot.scene().sigMouseMoved.emit(scene)
    assert emitted.args == ["f (eager), n = 64: 16.0 ms a call, half of them from 14.4 ms to 17.6 ms, 12 samples"]
    with qtbot.waitSignal(view.hover_text) as emitted:
        plot.scene().sigMouseMoved.emit(pg.Point(-50, -50))
    assert emitted.args == [""]


def test_the_focused_variant_is_drawn_stronger(view: TimingView) -> None:
    view.show_measurements((SWEEP[0], SWEEP[2], measured("g", "eager", 8, 1.0), measured("g", "eager", 64, 1.0)))
    view.show_marks(Marks(Focus("line", 3), curves=frozenset({"g"})))
    curves = [item for item in curve_plot(view).plotItem.items if is_drawn_curve(item)]
    widths = {item.opts["pen"].color().name(): item.opts["pen"].widthF() for item in curves}
    first, second = (shade(LIGHT.series_colour(number), ("eager",), LIGHT) for number in (0, 1))
    assert widths[second] > widths[first]


def ringed(view: TimingView) -> list[tuple[float, float]]:
    """Return the points that have a ring, as figures."""
    plot = curve_plot(view)
    return [(10 ** each.pos().x(), 10 ** each.pos().y()) for each in plot.ring.points()]


def test_the_arrow_keys_walk_the_points_and_ask_for_the_focus(view: TimingView, qtbot: QtBot) -> None:
    view.show_measurements(SWEEP)
    asked = heard(view.focus_requested)
    view.focus_requested.connect(lambda focus: view.show_marks(Marks(focus, curves=frozenset({"f"}))))
    plot = curve_plot(view)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Up):
        qtbot.keyClick(plot, key)
    walked = [(each.point[0], each.point[1]) for each in asked]
    eager, jitted = "eager", "jit"
    assert walked == [
        (eager, "n=8"), (eager, "n=64"), (jitted, "n=64"), (jitted, "n=8"), (jitted, "n=8"), (eager, "n=8")
    ]  # fmt: skip
    assert ringed(view) == [(pytest.approx(8), pytest.approx(2 * MILLISECOND))]
    view.show_marks(Marks())
    assert ringed(view) == []


def test_on_two_devices_the_point_of_the_one_that_was_chosen_is_ringed(view: TimingView, qtbot: QtBot) -> None:
    first, second = measured("f", "jit", 8, MILLISECOND), measured("f", "jit", 8, 5 * MILLISECOND)
    more = [replace_fields(each, parameters={"n": 64}) for each in (first, second)]
    second, elsewhere = (replace_fields(each, run=2, device="gpu:0") for each in (second, more[1]))
    view.show_measurements((first, more[0], second, elsewhere))
    with qtbot.waitSignal(view.focus_requested) as asked:
        curve_plot(view).point_chosen.emit((0, 0))
    assert asked.args == [Focus("timing", 1, "f", second.point)]
    for device, median in enumerate((1, 5)):
        view.show_marks(Marks(Focus("timing", device, "f", first.point)))
        assert ringed(view) == [(pytest.approx(8), pytest.approx(median * MILLISECOND))]


@pytest.mark.rest
def test_each_device_has_its_break_even(view: TimingView) -> None:
    there = [replace_fields(each, run=2, device="gpu:0", median_s=3e-3 * each.median_s) for each in SWEEP]  # type: ignore[operator]
    view.show_measurements((*SWEEP, *there))
    choose_page(view, ONE_CALL)
    assert "f on cpu:0: jit has paid" in figures_text(view)
    assert "f on gpu:0: jit has paid" in figures_text(view)


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR])
def test_eager_and_jit_differ_in_shade_and_are_seen_on_the_ground(theme: Theme) -> None:
    for number in range(8):
        shades = [shade(theme.series_colour(number), (made,), theme) for made in ("eager", "vmap", "jit", "jit(vmap)")]
        assert len(set(shades)) == 4
        assert all(contrast(QColor(each), QColor(theme.background)) >= 3 for each in shades)


def test_the_legend_names_variants_by_colour_and_transforms_by_shade(view: TimingView) -> None:
    view.show_measurements((*SWEEP, measured("g", "jit", 8, MILLISECOND), measured("g", "eager", 8, MILLISECOND)))
    view.show_timing_state("")
    legend = legend_of(view)
    assert legend.accessibleDescription() == "f, g, eager, jit"


def legend_of(view: TimingView) -> Legend:
    return view.findChild(CurvesPage).findChild(Legend)  # type: ignore[union-attr,return-value]


@pytest.mark.parametrize(
    ("last", "words"),
    [
        ({"notes": (Note("skipped", "one call would take 2 s"),)}, "over its budget"),
        ({"cut_short": True}, "cut short"),
        ({"failure": Failure("ValueError", "no")}, "failed here"),
    ],
)
def test_a_curve_that_ends_early_says_why_at_its_end(view: TimingView, last: dict[str, Any], words: str) -> None:
    view.show_measurements((*SWEEP[:2], measured("f", "eager", 64, None, **last), SWEEP[3]))
    assert end_words(view) == [words, "jit"]


def test_curves_that_end_together_share_a_label(view: TimingView) -> None:
    view.show_measurements((*SWEEP, *(replace_fields(each, variant="g") for each in SWEEP)))
    assert end_words(view) == ["eager", "jit"]


def end_words(view: TimingView) -> list[str]:
    plot = curve_plot(view)
    items = [item for item in plot.plotItem.items if isinstance(item, pg.TextItem)]
    return [item.toPlainText().strip() for item in items if item.isVisible()]


@pytest.mark.parametrize(("floor_s", "drawn"), [(5e-4, True), (5e-6, False), (2e-3, False), (None, False)])
def test_the_dispatch_floor_is_a_line_where_it_is_near(view: TimingView, floor_s: float | None, drawn: bool) -> None:
    points = [measured("f", "jit", n, MILLISECOND, floor_s=floor_s) for n in (8, 64)]
    view.show_measurements(tuple(points))
    floor = curve_plot(view).floor
    assert floor.isVisible() == drawn
    assert ("dispatch floor" in legend_of(view).accessibleDescription()) == drawn
    if drawn:
        assert "dispatch floor 500 µs" in legend_of(view).accessibleDescription()
        assert floor.value() == pytest.approx(np.log10(5e-4))


def is_drawn_curve(item: object) -> bool:
    is_there = isinstance(item, pg.PlotCurveItem) and item.getData()[0] is not None and len(item.getData()[0]) > 0
    return is_there and item.opts["pen"] is not None


def test_one_variant_on_two_devices_is_two_curves_with_the_device_in_their_names(view: TimingView) -> None:
    there = [replace_fields(each, run=2, device="cpu:1") for each in SWEEP]
    view.show_measurements((*SWEEP, *there))
    view.show_timing_state("")
    assert len(shown_curves(curve_plot(view))) == 4
    assert legend_of(view).accessibleDescription().startswith("f on cpu:0, f on cpu:1")


# -- pages, pictures and figures --------------------------------------------------------------------------------------


def test_a_step_of_a_story_turns_to_its_page_and_the_next_scenario_starts_anew(view: TimingView) -> None:
    view.show_measurements(SWEEP)
    shown = []
    for page in ("one-call", "", "curves", "auto"):
        view.show_plan(StepPlan(page=page))  # type: ignore[arg-type]
        shown.append(view.page)
    assert shown == [ONE_CALL, ONE_CALL, CURVES, CURVES]


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


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("transform", ["eager", "vmap", "jit", "jit(vmap)"])
def test_words_next_to_a_curve_are_read(name: ThemeName, transform: str) -> None:
    theme = THEMES[name]
    for colour in (*theme.series, theme.bug, theme.dim):
        words = blended(shade(colour, (transform,), theme), theme.text, WORDS_SHARE)
        assert contrast(words, QColor(theme.background)) > 5


def test_a_point_that_was_stopped_is_marked_as_cut_short(view: TimingView) -> None:
    view.show_measurements(
        (measured("f", "jit", 8, MILLISECOND), measured("f", "jit", 64, MILLISECOND, cut_short=True))
    )
    assert end_words(view) == ["cut short"]
