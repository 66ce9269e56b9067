"""The value of the selected equation in the noise pane, next to the earlier contents."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtWidgets import QComboBox, QSlider
from pytestqt.qtbot import QtBot

from explorer.figures.call_curves import curve_range
from explorer.messages import (
    Array,
    Calls,
    Cause,
    Curve,
    EquationValue,
    Focus,
    Iterations,
    Loop,
    Marks,
    PictureRole,
    Report,
    Snapshot,
    Span,
)
from explorer.text.text import verbatim
from tests.views.made import heard, hold, picture
from tests.views.noise.named import named
from views.noise.curve_plot import CurvePlot, x_of
from views.noise.noise_view import NoiseView

NUMBERS = np.arange(8.0, dtype=np.float32).reshape(4, 2)
OUTPUT = Report("f", "ok", pictures=(picture(NUMBERS, "the output"), picture(NUMBERS, "the noise", "normal", "draw")))
C, A, D = (picture(NUMBERS, f"{name}: f32[4,2]", name, "value") for name in "cad")
VALUE = EquationValue(2, 1, "f", 3, (C, A))
LOOPED = EquationValue(3, 1, "f", 4, (D,), (Loop("scan", 20, 12), Loop("while", 3, 0)))
REFUSED = EquationValue(4, 1, "f", 5, sentence="f32[1000000000] has 1,000,000,000 elements.")


@pytest.fixture
def view(qtbot: QtBot) -> NoiseView:
    made = hold(qtbot, NoiseView(), 500, 400)
    made.show_snapshot(Snapshot(1, "cpu:0", complete=True, reports=(OUTPUT,)))
    return made


def description(view: NoiseView) -> str:
    return view.accessibleDescription()


def slider(view: NoiseView, name: str) -> QSlider:
    return named(view, QSlider, name)


def sliders(view: NoiseView) -> list[tuple[int, int]]:
    """Return the position and the maximum of the slider of each loop."""
    shown = [each for each in view.findChildren(QSlider) if each.isVisibleTo(view)]
    return [(each.value(), each.maximum()) for each in shown if "axis" not in each.accessibleName()]


def test_a_value_is_shown_when_it_comes_with_what_the_equation_reads_in_the_list(view: NoiseView) -> None:
    view.show_value(VALUE)
    assert description(view) == "c: f32[4,2]"
    arrays = named(view, QComboBox, "Array")
    assert [arrays.itemText(row) for row in range(arrays.count())] == ["c", "a"]
    assert not view.value_bar.isVisibleTo(view)


@pytest.mark.parametrize("role", ["output", "draw"])
def test_what_was_shown_before_comes_back(view: NoiseView, role: PictureRole) -> None:
    view.show_picture_role(role)
    before = description(view)
    view.show_value(VALUE)
    view.show_value(LOOPED)
    view.show_value(None)
    assert description(view) == before


def test_another_array_that_was_chosen_meanwhile_stays(view: NoiseView) -> None:
    view.show_value(VALUE)
    view.show_picture_role("draw")
    view.show_value(None)
    assert description(view) == "the noise"


def test_loops_around_the_equation_have_sliders(view: NoiseView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.steps_chosen):
        view.show_value(LOOPED)
    assert sliders(view) == [(12, 19), (0, 2)]
    with qtbot.waitSignal(view.steps_chosen) as signal:
        slider(view, "Iteration of the scan").setValue(13)
    assert signal.args == [(13, 0)]
    view.show_value(VALUE)
    assert sliders(view) == []


def test_an_answer_to_an_older_iteration_does_not_pull_the_handle_back(view: NoiseView) -> None:
    view.show_value(LOOPED)
    dragged = slider(view, "Iteration of the scan")
    dragged.setSliderDown(True)
    dragged.setValue(17)
    view.show_value(LOOPED)
    assert dragged.value() == 17
    dragged.setSliderDown(False)
    view.show_value(LOOPED)
    assert dragged.value() == 12


def test_a_value_that_is_refused_or_of_another_variant_leaves_the_picture(view: NoiseView) -> None:
    view.show_value(REFUSED)
    assert "1,000,000,000 elements" in view.value_bar.sentence.text()
    assert view.value_bar.isVisibleTo(view)
    assert description(view) == "the output"
    view.show_value(EquationValue(2, 1, "g", 3, VALUE.pictures))
    assert description(view) == "the output"


def test_a_variable_that_was_clicked_is_the_one_that_is_shown_if_it_has_a_value(view: NoiseView) -> None:
    view.show_value_named("a")
    view.show_value(VALUE)
    assert description(view) == "a: f32[4,2]"
    view.show_value_named("c")
    assert description(view) == "c: f32[4,2]"
    view.show_value_named("elsewhere")
    assert description(view) == "c: f32[4,2]"
    view.show_value(None)
    view.show_value_named("a")
    assert description(view) == "the output"


# -- the curves of a loop, and the ways from them to an iteration -----------------------------------------------------


def curve(name: str, mean: Any, equation: int, *, size: int = 1, first: int = -1) -> Curve:
    values = np.asarray(mean, np.float64)
    bad = (~np.isfinite(values)).astype(np.int64) * size
    numbers = [Array.of(each) for each in (values, values - (size > 1), values + (size > 1), np.abs(values))]
    kind = "f32[]" if size == 1 else f"f32[{size}]"
    return Curve("carry", name, kind, equation, size, *numbers, Array.of(bad), first)


FINE = curve("fine", [1.0, 2.0, 3.0, 4.0], 5)
BAD = curve("w", [1.0, np.nan, np.nan, 2.0], 6, size=3, first=1)


def iterations(*curves: Curve, around: int = 0, **fields: Any) -> Iterations:
    points = len(curves[0].mean.numpy()) if curves else 0
    length = fields.pop("length", points)
    numbers = fields.pop("numbers", np.arange(points))
    return Iterations("scan", length, around, Array.of(numbers, np.int64), curves, **fields)


def of_loop(found: Iterations | None, *loops: Loop, complete: bool = True) -> EquationValue:
    return EquationValue(2, 1, "f", 3, (C,), loops, iterations=found, complete=complete)


def looped(*curves: Curve, **fields: Any) -> EquationValue:
    bad = [each.first_not_finite for each in curves if each.first_not_finite >= 0]
    return of_loop(iterations(*curves, first_not_finite=min(bad, default=-1), **fields))


def shows_curves(view: NoiseView) -> bool:
    return view.iterations.isVisibleTo(view)


def place(plot: CurvePlot, number: int, iteration: int) -> QPointF:
    """Return the middle of a point in the plot of curve `number`."""
    box = plot._plot(QRectF(plot.rect()), number)
    return QPointF(x_of(box, plot._iterations, iteration), box.center().y())


def test_a_selected_loop_shows_its_curves_by_itself_and_gives_the_pane_back(view: NoiseView) -> None:
    before = view.accessibleDescription()
    view.show_value(of_loop(None, complete=False))
    assert not shows_curves(view)
    view.show_value(looped(FINE, BAD))
    assert shows_curves(view)
    assert view.accessibleDescription() == "curves: f: NaN or infinity first appears in iteration 2 of 4."
    view.over_iterations.click()
    assert not shows_curves(view)
    view.over_iterations.click()
    view.show_value(None)
    assert not shows_curves(view)
    assert view.accessibleDescription() == before


def test_an_equation_inside_a_loop_shows_its_value_and_offers_its_curve(view: NoiseView) -> None:
    view.show_value(of_loop(iterations(FINE), Loop("scan", 4, 2)))
    assert not shows_curves(view)
    view.over_iterations.click()
    assert shows_curves(view)
    view.forget()
    assert not shows_curves(view)
    view.show_mode("iterations")
    assert shows_curves(view)
    view.show_mode("auto")
    assert not shows_curves(view)


@pytest.mark.parametrize(("number", "equation"), [(0, 5), (1, 6)])
def test_a_click_on_a_point_goes_to_that_iteration_of_the_equation_that_makes_it(
    view: NoiseView, qtbot: QtBot, number: int, equation: int
) -> None:
    view.show_value(of_loop(iterations(FINE, BAD, around=1), Loop("scan", 9, 7)))
    view.show()
    qtbot.waitExposed(view)
    plot = view.iterations.plot
    with qtbot.waitSignal(view.iteration_chosen) as signal:
        qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=place(plot, number, 2).toPoint())
    assert signal.args == [(Focus("equation", equation, "f"), (7, 2))]


def test_keys_walk_from_point_to_point_and_enter_takes_one(view: NoiseView, qtbot: QtBot) -> None:
    view.show_value(looped(FINE, BAD))
    said = heard(view.hover_text)
    for key in ("Right", "Right", "Left", "End", "Down", "Left", "Home"):
        qtbot.keyClick(view.iterations.plot, Qt.Key[f"Key_{key}"])
    assert said == [
        "fine in iteration 2: 2",
        "fine in iteration 3: 3",
        "fine in iteration 2: 2",
        "fine in iteration 4: 4",
        "w in iteration 4: mean 2, from 1 to 3, norm 2",
        "w in iteration 3: mean NaN, from NaN to NaN, norm NaN; NaN or infinite elements: 3 of 3",
        "w in iteration 1: mean 1, from 0 to 2, norm 1",
    ]
    with qtbot.waitSignal(view.iteration_chosen) as signal:
        qtbot.keyClick(view.iterations.plot, Qt.Key.Key_Return)
    assert signal.args == [(Focus("equation", 6, "f"), (0,))]


@pytest.mark.parametrize(("origin", "equation"), [(9, 9), (-1, 6)])
def test_one_click_goes_to_the_first_bad_iteration_at_the_equation_that_makes_it(
    view: NoiseView, qtbot: QtBot, origin: int, equation: int
) -> None:
    view.show_value(looped(FINE, BAD, origin=origin))
    assert view.iterations.go.text() == "Go to iteration 2"
    with qtbot.waitSignal(view.iteration_chosen) as signal:
        view.iterations.go.click()
    assert signal.args == [(Focus("equation", equation, "f"), (1,))]
    view.show_value(looped(FINE))
    assert not view.iterations.go.isVisibleTo(view)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (iterations(FINE), "4 iterations, all values finite."),
        (iterations(curve("c", [], -1)), "This loop runs no iteration for the current inputs."),
        (
            iterations(FINE, length=2000, numbers=np.arange(499, 2000, 500), left_out=3),
            "2,000 iterations, all values finite. Only every 500th is drawn; all were searched for NaN and infinity. "
            "Arrays that are not drawn: 3.",
        ),
    ],
)
def test_the_words_say_what_was_drawn(view: NoiseView, found: Iterations, words: str) -> None:
    view.show_value(of_loop(found))
    assert view.iterations.words == f"f: {words}"


@pytest.mark.parametrize("values", [[np.nan], [1e308, -1e308], [0.0] * 9, list(range(600))])
def test_any_values_can_be_drawn(view: NoiseView, values: list[float]) -> None:
    drawn = curve("c", values, 0, size=2)
    view.show_value(looped(drawn))
    view.show()
    assert not view.iterations.plot.grab().isNull()
    low, high = curve_range(drawn)
    assert low <= high


def recorded_calls(function: str, line: int, *curves: Curve, first: int = -1) -> Calls:
    found = iterations(*curves, first_not_finite=first)
    path = (Span(2, 0, 2, 6), Span(line, 8, line, 20))
    return Calls(function, path, msgspec.structs.replace(found, primitive="calls"))


CALLS = (
    recorded_calls("step", 7, FINE),
    msgspec.structs.replace(
        recorded_calls("evaluate", 9, curve("loss", [1.0, np.nan, 2.0], -1, first=1), first=1),
        cause=Cause(1, verbatim("`jnp.log(w)` on line 5 makes NaN."), Span(5, 0, 5, 10)),
    ),
)
LOOP = recorded_calls("update", 8, curve("loss", np.linspace(2, 1, 12), -1))


@pytest.mark.parametrize(
    ("calls", "lines", "words"),
    [
        (CALLS, {7}, "step, called on line 7: 4 calls, all values finite."),
        (CALLS, {9}, "evaluate, called on line 9: NaN or infinity first appears in call 2 of 3."),
        (CALLS, {2}, "step, called on line 7: 4 calls, all values finite."),
        (CALLS, set(), "evaluate, called on line 9: NaN or infinity first appears in call 2 of 3."),
        (CALLS, {5}, "evaluate, called on line 9: NaN or infinity first appears in call 2 of 3."),
        (CALLS, {1}, ""),
        (CALLS[:1], set(), ""),
        ((*CALLS[:1], LOOP), set(), "update, called on line 8: 12 calls, all values finite."),
        ((*CALLS[:1], LOOP), {1}, ""),
        ((), {7}, ""),
    ],
)
def test_a_recording_shows_the_curves_of_the_marked_call_or_those_with_nan_or_of_a_loop(
    view: NoiseView, calls: tuple[Calls, ...], lines: set[int], words: str
) -> None:
    report = msgspec.structs.replace(OUTPUT, pictures=(C,), calls=calls)
    view.show_snapshot(Snapshot(2, "", complete=True, reports=(report,)))
    view.show_marks(Marks(lines=frozenset(lines)))
    assert (view.iterations.words if shows_curves(view) else "") == words
    assert view.over_iterations.isVisibleTo(view) == bool(calls)


def test_a_recording_without_arrays_shows_its_curves(view: NoiseView) -> None:
    report = Report("f", "ok", pictures=(), calls=CALLS[:1])
    for calls in ((), report.calls):
        shown = msgspec.structs.replace(report, calls=calls)
        view.show_snapshot(Snapshot(2, "", complete=True, reports=(shown,)))
        assert shows_curves(view) == bool(calls)
    view.over_iterations.click()
    assert not shows_curves(view)


@pytest.mark.rest
def test_two_recordings_show_the_curves_of_the_same_call_next_to_each_other(view: NoiseView) -> None:
    one, two = Report("f", "ok", pictures=(), calls=CALLS), Report("other", "ok", pictures=(), calls=CALLS[:1])
    view.show_snapshot(Snapshot(2, "", complete=True, reports=(one, two)))
    assert not view.other_calls.isVisibleTo(view)
    view.show_marks(Marks(lines=frozenset({7})))
    words = "4 calls, all values finite: step"
    assert view.accessibleDescription() == f"curves: f: {words} | other: {words}"


def test_one_click_goes_to_the_call_with_the_first_nan(view: NoiseView, qtbot: QtBot) -> None:
    report = msgspec.structs.replace(OUTPUT, pictures=(C,), calls=CALLS)
    view.show_snapshot(Snapshot(2, "", complete=True, reports=(report,)))
    assert view.iterations.go.text() == "Go to call 2"
    with qtbot.waitSignal(view.focus_requested) as signal:
        view.iterations.go.click()
    assert signal.args == [Focus("line", 9)]
    plot = view.iterations.plot
    assert plot._shown_step == 1
    assert plot.point_words(plot._chosen((0, 2))) == "loss in call 3: 2"
    view.show_marks(Marks(lines=frozenset({9})))
    assert plot._shown_step == 1
    assert view.iterations.to_cause.text() == "Go to line 5"
    with qtbot.waitSignal(view.focus_requested) as signal:
        view.iterations.to_cause.click()
    assert signal.args == [Focus("line", 5)]
    view.show_marks(Marks(lines=frozenset({7})))
    assert not view.iterations.to_cause.isVisibleTo(view)


def test_the_first_bad_iteration_is_marked_in_the_colour_of_bugs(view: NoiseView) -> None:
    view.show_value(looped(FINE, BAD))
    view.show()
    plot = view.iterations.plot
    image = plot.grab().toImage()
    spot = place(plot, 1, 2)
    spot.setX((place(plot, 1, 1).x() + spot.x()) / 2)
    red, green, _, _ = image.pixelColor(spot.toPoint()).getRgb()
    assert red > green + 10
    fine = place(plot, 0, 2)
    red, green, _, _ = image.pixelColor(fine.toPoint().x() - 20, round(fine.y()) + 15).getRgb()
    assert abs(red - green) <= 10
