"""The value of the selected equation in the noise pane, next to the earlier contents."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSlider, QToolButton
from pytestqt.qtbot import QtBot

from explorer.messages import EquationValue, Focus, Loop, Marks, PictureRole, Report, Snapshot
from tests.views.made import picture
from tests.views.noise.named import named
from views.noise.noise_view import NoiseView

NUMBERS = np.arange(8.0, dtype=np.float32).reshape(4, 2)
OUTPUT = Report("f", "ok", pictures=(picture(NUMBERS, "the output"), picture(NUMBERS, "the noise", "normal", "draw")))
C, A, D = (picture(NUMBERS, f"{name}: f32[4,2]", name, "value") for name in "cad")
VALUE = EquationValue(2, 1, "f", 3, (C, A))
LOOPED = EquationValue(3, 1, "f", 4, (D,), (Loop("scan", 20, 12), Loop("while", 3, 0)))
REFUSED = EquationValue(4, 1, "f", 5, sentence="f32[1000000000] has 1,000,000,000 elements.")


@pytest.fixture
def view(qtbot: QtBot) -> NoiseView:
    made = NoiseView()
    qtbot.addWidget(made)
    made.show_snapshot(Snapshot(1, "cpu:0", complete=True, reports=(OUTPUT,)))
    return made


def description(view: NoiseView) -> str:
    return view.accessibleDescription()


def slider(view: NoiseView, name: str) -> QSlider:
    return named(view, QSlider, name)


def sliders(view: NoiseView) -> list[tuple[int, int]]:
    """Return the position and the maximum of the slider of each loop or vmap."""
    shown = [each for each in view.findChildren(QSlider) if each.isVisibleTo(view)]
    return [(each.value(), each.maximum()) for each in shown if "axis" not in each.accessibleName()]


def one_example(view: NoiseView) -> QToolButton:
    return named(view, QToolButton, "One example of vmap 1")


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


def test_a_value_that_is_refused_says_why_and_leaves_the_picture(view: NoiseView) -> None:
    view.show_value(REFUSED)
    assert "1,000,000,000 elements" in view.value_bar.sentence.text()
    assert view.value_bar.isVisibleTo(view)
    assert description(view) == "the output"


def test_a_value_of_another_variant_shows_nothing(view: NoiseView) -> None:
    view.show_value(EquationValue(2, 1, "g", 3, VALUE.pictures))
    assert description(view) == "the output"


def test_a_variable_that_was_clicked_is_the_one_that_is_shown(view: NoiseView) -> None:
    view.show_value_named("a")
    view.show_value(VALUE)
    assert description(view) == "a: f32[4,2]"
    view.show_value_named("c")
    assert description(view) == "c: f32[4,2]"


def test_a_name_without_a_value_changes_nothing(view: NoiseView) -> None:
    view.show_value(VALUE)
    view.show_value_named("elsewhere")
    assert description(view) == "c: f32[4,2]"
    view.show_value(None)
    view.show_value_named("a")
    assert description(view) == "the output"


def mapped_value(*axes: int, shape: tuple[int, ...] = (4, 2, 3)) -> EquationValue:
    """Return a value whose elements encode their indices, with examples along `axes`."""
    values = np.arange(float(np.prod(shape)), dtype=np.float32).reshape(shape)
    return EquationValue(2, 1, "f", 3, (picture(values, "c: all", "c", "value", axis=axes[0], mapped=axes),))


def shown_values(view: NoiseView) -> list[float]:
    picture = view.halves[0].picture
    assert picture is not None
    return list(picture.values.numpy().ravel())


@pytest.mark.parametrize(("axis", "count", "example"), [(0, 4, 3), (1, 2, 1), (2, 3, 2)])
def test_one_example_is_cut_where_vmap_put_the_examples(view: NoiseView, axis: int, count: int, example: int) -> None:
    value = mapped_value(axis)
    view.show_value(value)
    assert sliders(view) == [(0, count - 1)]
    assert description(view) == "c: all"
    slider(view, "Example of vmap 1").setValue(example)
    whole = value.pictures[0].values.numpy()
    assert shown_values(view) == list(np.take(whole, example, axis).ravel())
    assert description(view).startswith(f"c of example {example}: f32[")
    one_example(view).click()
    assert description(view) == "c: all"


def test_the_first_example_is_reached_by_the_switch_and_the_next_by_a_key(view: NoiseView, qtbot: QtBot) -> None:
    view.show_value(mapped_value(0))
    with qtbot.waitSignal(view.focus_requested) as signal:
        one_example(view).click()
    assert signal.args == [Focus("row", 0, "f")]
    with qtbot.waitSignal(view.focus_requested) as signal:
        qtbot.keyClick(slider(view, "Example of vmap 1"), Qt.Key.Key_Right)
    assert signal.args == [Focus("row", 1, "f")]
    assert description(view) == "c of example 1: f32[2,3] from 6 to 11"


def test_a_row_that_is_selected_elsewhere_becomes_the_example(view: NoiseView) -> None:
    view.show_value(mapped_value(0))
    view.show_marks(Marks(rows={"f": frozenset({2})}))
    assert description(view) == "c: all"
    one_example(view).click()
    view.show_marks(Marks(rows={"f": frozenset({3})}))
    assert slider(view, "Example of vmap 1").value() == 3
    assert shown_values(view) == list(np.arange(18.0, 24.0))


def test_a_vmap_over_something_else_than_the_rows_selects_none(view: NoiseView, qtbot: QtBot) -> None:
    view.show_value(mapped_value(2))
    with qtbot.assertNotEmitted(view.focus_requested):
        slider(view, "Example of vmap 1").setValue(2)


def test_each_vmap_has_a_slider_and_both_leave_one_number(view: NoiseView) -> None:
    view.show_value(mapped_value(1, 0, shape=(4, 3)))
    assert sliders(view) == [(0, 2), (0, 3)]
    slider(view, "Example of vmap 1").setValue(2)
    assert shown_values(view) == [2.0, 5.0, 8.0, 11.0]
    slider(view, "Example of vmap 2").setValue(1)
    assert description(view) == "c of example 2, 1: f32[] = 5"


def test_the_chosen_example_stays_from_equation_to_equation(view: NoiseView) -> None:
    view.show_value(mapped_value(0))
    slider(view, "Example of vmap 1").setValue(2)
    view.show_value(EquationValue(3, 1, "f", 4, mapped_value(0, shape=(4, 3)).pictures))
    assert shown_values(view) == [6.0, 7.0, 8.0]


@pytest.mark.parametrize("value", [VALUE, LOOPED, mapped_value(0, shape=(4,))])
def test_without_examples_to_choose_from_there_is_no_slider(view: NoiseView, value: EquationValue) -> None:
    view.show_value(value)
    assert "vmap" not in " ".join(
        each.accessibleName() for each in view.findChildren(QSlider) if each.isVisibleTo(view)
    )
