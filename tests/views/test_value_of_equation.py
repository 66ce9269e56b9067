"""The value of the selected equation in the noise pane, next to what was there before."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from explorer.messages import Array, EquationValue, Loop, Picture, PictureRole, Report, Snapshot
from views.noise_view import NoiseView


def picture(role: PictureRole, name: str, verdict: str) -> Picture:
    values = np.arange(8.0, dtype=np.float32).reshape(4, 2)
    groups = Array.of(np.arange(4), np.int32)
    return Picture(role, name, values.shape, "float32", Array.of(values), 0, groups, 4, verdict, high=7.0)


OUTPUT = Report("f", "ok", pictures=(picture("output", "output", "the output"), picture("draw", "normal", "the noise")))
VALUE = EquationValue(2, 1, "f", 3, (picture("value", "c", "c: f32[4,2]"), picture("value", "a", "a: f32[4,2]")))
LOOPED = EquationValue(
    3, 1, "f", 4, (picture("value", "d", "d: f32[4,2]"),), (Loop("scan", 20, 12), Loop("while", 3, 0))
)
REFUSED = EquationValue(4, 1, "f", 5, sentence="f32[1000000000] has 1,000,000,000 elements.")


@pytest.fixture
def view(qtbot: QtBot) -> NoiseView:
    made = NoiseView()
    qtbot.addWidget(made)
    made.show_snapshot(Snapshot(1, "cpu:0", complete=True, reports=(OUTPUT,)))
    return made


def told(view: NoiseView) -> str:
    return view.accessibleDescription()


def sliders(view: NoiseView) -> list[tuple[int, int]]:
    return [(each.value(), each.maximum()) for each in view.value_bar.sliders if each.isVisibleTo(view)]


def test_without_a_value_there_is_no_bar(view: NoiseView) -> None:
    assert not view.value_bar.isVisibleTo(view)


def test_a_value_is_shown_when_it_comes_with_what_the_equation_reads_in_the_list(view: NoiseView) -> None:
    view.show_value(VALUE)
    assert told(view) == "c: f32[4,2]"
    arrays = view.chooser.arrays
    assert [arrays.itemText(row) for row in range(arrays.count())] == ["c", "a"]
    assert not view.value_bar.isVisibleTo(view)


@pytest.mark.parametrize("role", ["output", "draw"])
def test_what_was_shown_before_comes_back(view: NoiseView, role: PictureRole) -> None:
    view.show_picture_role(role)
    before = told(view)
    view.show_value(VALUE)
    view.show_value(LOOPED)
    view.show_value(None)
    assert told(view) == before


def test_another_array_that_was_chosen_meanwhile_stays(view: NoiseView) -> None:
    view.show_value(VALUE)
    view.show_picture_role("draw")
    view.show_value(None)
    assert told(view) == "the noise"


def test_loops_around_the_equation_have_sliders(view: NoiseView, qtbot: QtBot) -> None:
    view.show_value(LOOPED)
    assert sliders(view) == [(12, 19), (0, 2)]
    with qtbot.waitSignal(view.steps_chosen) as signal:
        view.value_bar.sliders[0].setValue(13)
    assert signal.args == [(13, 0)]
    view.show_value(VALUE)
    assert sliders(view) == []


def test_a_new_round_tells_nothing_back(view: NoiseView, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(view.steps_chosen):
        view.show_value(LOOPED)


def test_a_value_that_is_refused_says_why_and_leaves_the_picture(view: NoiseView) -> None:
    view.show_value(REFUSED)
    assert "1,000,000,000 elements" in view.value_bar.sentence.text()
    assert view.value_bar.isVisibleTo(view)
    assert told(view) == "the output"


def test_a_value_of_another_variant_shows_nothing(view: NoiseView) -> None:
    view.show_value(EquationValue(2, 1, "g", 3, VALUE.pictures))
    assert told(view) == "the output"


def test_a_variable_that_was_clicked_is_the_one_that_is_shown(view: NoiseView) -> None:
    view.show_value_named("a")
    view.show_value(VALUE)
    assert told(view) == "a: f32[4,2]"
    view.show_value_named("c")
    assert told(view) == "c: f32[4,2]"


def test_a_name_without_a_value_changes_nothing(view: NoiseView) -> None:
    view.show_value(VALUE)
    view.show_value_named("elsewhere")
    assert told(view) == "c: f32[4,2]"
    view.show_value(None)
    view.show_value_named("a")
    assert told(view) == "the output"
