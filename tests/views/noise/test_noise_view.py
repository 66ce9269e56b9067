"""The noise pane shows every report's arrays with their verdicts, and turns clicks into a focus."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QSlider
from pytestqt.qtbot import QtBot

from explorer.messages import (
    TOP_LEVEL,
    Failure,
    Finding,
    Focus,
    Marks,
    Picture,
    Report,
    ShardRange,
    Snapshot,
    Span,
    Status,
)
from explorer.scenario.scenario import StepPlan
from tests.views.made import heard, hold, picture, put_up, snapshot
from tests.views.noise.named import named
from views.noise import paper
from views.noise.arrays.picture_choice import shown_name
from views.noise.heatmap.heatmap import ColourBar
from views.noise.noise_half import NoiseHalf
from views.noise.noise_view import NoiseView
from views.theme import LIGHT, apply_to_tree, chosen

RANDOM = np.random.default_rng(0)
ROWS = RANDOM.normal(size=(32, 10)).astype(np.float32)
SAME = np.repeat(ROWS[:1], 32, 0)
SHARED = Finding("shared-noise", "bug", "", axis=0, examples=32, distinct=1)


def report(name: str, *pictures: Picture, findings: tuple[Finding, ...] = ()) -> Report:
    return Report(name, "ok", pictures=pictures, findings=findings)


BUG = report("bug", picture(SAME, "32 examples, 1 distinct row: they all share one key"), findings=(SHARED,))
FIX = report("fix", picture(ROWS * 2, "32 examples, all different"))
WITH_ALL = report(
    "bug",
    picture(SAME, "32 examples, 1 distinct row"),
    picture(ROWS[0], "10 examples", "normal, line 4", "draw"),
    picture(ROWS[1], "10 others", "normal, line 5", "draw"),
    picture(SAME, "the same", "output - x", "difference"),
)


@pytest.fixture
def view(qtbot: QtBot) -> NoiseView:
    made = hold(qtbot, NoiseView(), 900, 500)
    apply_to_tree(made, LIGHT)
    return made


ROWS_LIE = "Axis that makes the rows"


def button(view: NoiseView, name: str) -> QAbstractButton:
    return named(view, QAbstractButton, name)


def roles(view: NoiseView) -> list[str]:
    """Return the roles that there are to choose from."""
    titles = ("Output", "Draws", "Output − input", "Value")
    return [title for title in titles if button(view, title).isVisibleTo(view)]


def sliders(view: NoiseView) -> list[str]:
    return [each.accessibleName() for each in view.findChildren(QSlider) if each.isVisibleTo(view)]


def choose(chooser: QComboBox, place: int) -> None:
    """Choose from a list as a user does."""
    chooser.setCurrentIndex(place)
    chooser.activated.emit(place)


def colour_bar(view: NoiseView) -> ColourBar:
    return named(view, ColourBar, "Colour bar")


def colours(view: NoiseView) -> str:
    """Return the labels below the colour bar."""
    return colour_bar(view).accessibleDescription()


def image_of(view: NoiseView) -> QImage:
    return view.grab().toImage()


def click_row(qtbot: QtBot, half: NoiseHalf, row: int) -> None:
    cell = half.heatmap.geometry_of_cells().cell_rectangle(row, row, 1, 1)
    qtbot.mouseClick(half.heatmap, Qt.MouseButton.LeftButton, pos=cell.center().toPoint())


def test_one_report_fills_the_pane_and_its_verdict_goes_to_the_title(qtbot: QtBot, view: NoiseView) -> None:
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(BUG))
    assert emitted.args == ["32 examples, 1 distinct row: they all share one key"]
    assert view.accessibleDescription() == emitted.args[0]
    assert view.halves[1].isHidden()
    assert [each.accessibleName() for each in view.halves] == ["", ""]
    apply_to_tree(view, chosen("light", 1.2, 1.0, 1.0))
    assert view.halves[0].accessibleName() == "bug", "on a stage it has its name"
    assert view.halves[0].heatmap.letters.of(0) == view.halves[0].heatmap.letters.of(31) == "A"
    view.hold_back(True)
    assert view.accessibleDescription() == view.halves[0].head == "32 examples, 1 distinct row"
    view.hold_back(False)
    assert view.accessibleDescription() == view.halves[0].head == emitted.args[0]


def test_two_reports_stand_side_by_side_on_one_scale(qtbot: QtBot, view: NoiseView) -> None:
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(BUG, FIX))
    assert emitted.args == [
        "bug: 32 examples, 1 distinct row: they all share one key | fix: 32 examples, all different"
    ]
    assert not view.halves[1].isHidden()
    greatest = float(np.abs(ROWS * 2).max())
    assert colours(view) == f"{-greatest:.3g}, 0, {greatest:.3g}"
    assert view.halves[1].heatmap.letters.of(0) == ""


def test_only_roles_that_exist_are_offered(view: NoiseView) -> None:
    view.show_snapshot(snapshot(WITH_ALL))
    assert roles(view) == ["Output", "Draws", "Output − input"]
    view.show_snapshot(snapshot(BUG))
    assert roles(view) == []
    view.show_snapshot(snapshot(report("walk", picture(ROWS[0]))))
    assert not named(view, QComboBox, "Array").isVisibleTo(view)


def test_roles_and_arrays_are_switched_and_a_choice_survives_reports_without_it(qtbot: QtBot, view: NoiseView) -> None:
    view.show_snapshot(snapshot(WITH_ALL))
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        button(view, "Draws").click()
    assert emitted.args == ["curve: 10 examples"]
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        choose(named(view, QComboBox, "Array"), 1)
    assert emitted.args == ["curve: 10 others"]
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        button(view, "Output − input").click()
    assert emitted.args == ["the same"]
    view.show_snapshot(snapshot(BUG))
    assert view.halves[0].words == BUG.pictures[0].verdict
    view.show_snapshot(snapshot(WITH_ALL))
    assert view.halves[0].words == "the same"


def test_draws_on_other_lines_are_matched_by_their_place(view: NoiseView) -> None:
    other = report("fix", picture(ROWS, "fix draw", "normal, line 9", "draw"))
    view.show_snapshot(snapshot(WITH_ALL, other))
    button(view, "Draws").click()
    assert [half.words for half in view.halves] == ["10 examples", "fix draw"]


FAILED = Failure("TypeError", "no", Span(4, 0, 4, 1))
SENTENCES = {
    "nothing yet": (None, "Nothing has run yet. The noise of each example will appear here."),
    "waiting for all": (snapshot(complete=False), "Waiting for the program …"),
    "waiting for one": (snapshot(Report("run"), complete=False), "Waiting for run …"),
    "draws may come": (snapshot(report("run"), complete=False), "Waiting for run …"),
    "no variant": (snapshot(), "There is no variant to show."),
    "did not start": (
        snapshot(failure=FAILED),
        "The program failed on line 4 with TypeError, so there is nothing to show.",
    ),
    "all took too long": (snapshot(failure=Failure("Timeout", "no")), "There is nothing to show. Findings says why."),
    "nothing is known of one": (snapshot(Report("bug")), "The arrays of bug were not recorded."),
    "no array": (snapshot(report("bug")), "bug returned no array, so there is nothing to draw."),
    "failed on a line": (
        snapshot(Report("bug", "error", failure=FAILED)),
        "bug failed on line 4 with TypeError, so there is nothing to show.",
    ),
    "a script failed": (
        snapshot(Report(TOP_LEVEL, "error", failure=FAILED)),
        "The script failed on line 4 with TypeError, so there is nothing to show.",
    ),
    "a script keeps nothing": (
        snapshot(report(TOP_LEVEL)),
        "The script keeps no array, so there is nothing to draw.",
    ),
    "failed somewhere": (
        snapshot(Report("bug", "error", failure=Failure("TypeError", "no"))),
        "bug failed with TypeError, so there is nothing to show.",
    ),
    "took too long": (
        snapshot(Report("bug", "timeout")),
        "bug took too long and was stopped, so there is nothing to show.",
    ),
    "stopped": (snapshot(Report("bug", "stopped")), "bug was stopped, so there is nothing to show."),
}


@pytest.mark.parametrize(("shown", "sentence"), SENTENCES.values(), ids=SENTENCES)
def test_a_sentence_stands_where_there_is_no_picture(view: NoiseView, shown: Snapshot | None, sentence: str) -> None:
    if shown is not None:
        view.show_snapshot(shown)
    assert view.halves[0].words == sentence
    assert view.halves[0].accessibleDescription() == sentence
    assert colour_bar(view).isHidden()


def test_a_report_without_this_role_says_so_next_to_one_that_has_it(view: NoiseView, qtbot: QtBot) -> None:
    view.show_snapshot(snapshot(WITH_ALL, FIX))
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        button(view, "Output − input").click()
    assert emitted.args[0].count("fix") == 1
    assert view.halves[1].words == "fix has nothing to show under “Output − input”."


@pytest.mark.parametrize("status", ["ok", "error"])
def test_pictures_are_shown_whatever_the_status(view: NoiseView, status: Status) -> None:
    view.show_snapshot(snapshot(Report("bug", status, pictures=BUG.pictures, failure=FAILED)))
    assert view.halves[0].words == BUG.pictures[0].verdict


ODD = {
    "empty batch": picture(np.zeros((0, 10)), "0 examples: the batch is empty"),
    "no columns": picture(np.zeros((3, 0)), "3 examples without any values"),
    "one number": picture(np.float32(1.5), "one value: 1.5"),
    "one truth value": picture(np.array([[True]]), "1 example"),
    "all NaN": picture(np.full((3, 2), np.nan), "3 examples, every value is NaN"),
    "the largest numbers": picture(np.array([[-1e308, 1e308]]), "1 example"),
    "a thousand values": picture(RANDOM.normal(size=1000), "1,000 examples"),
    "six axes": picture(RANDOM.normal(size=(2, 3, 2, 3, 2, 3)), "2 examples"),
}


def test_clicking_a_row_asks_for_a_focus_on_that_example(qtbot: QtBot, view: NoiseView) -> None:
    view.show_snapshot(snapshot(BUG, FIX))
    view.grab()
    with qtbot.waitSignal(view.focus_requested) as asked:
        click_row(qtbot, view.halves[1], 5)
    assert asked.args == [Focus(kind="row", index=5, variant="fix")]


def test_marked_rows_are_outlined_also_after_a_new_snapshot(view: NoiseView) -> None:
    view.show_snapshot(snapshot(BUG))
    plain = image_of(view)
    view.show_marks(Marks(rows={"bug": frozenset({3, 4}), "fix": frozenset({9})}))
    marked = image_of(view)
    assert marked != plain
    view.show_snapshot(snapshot(BUG))
    assert image_of(view) == marked
    view.show_marks(Marks())
    assert image_of(view) == plain


def test_the_value_under_the_pointer_is_reported(qtbot: QtBot, view: NoiseView) -> None:
    view.show_snapshot(snapshot(BUG))
    value = f"{SAME[5, 3]:.6g}"
    with qtbot.waitSignal(view.hover_text) as emitted:
        view.halves[0].heatmap.cell_hovered.emit((5, 3))
    assert emitted.args == [f"example 5, feature 3: {value}, like all rows A"]
    with qtbot.waitSignal(view.hover_text) as emitted:
        view.halves[0].heatmap.cell_hovered.emit(None)
    assert emitted.args == [""]
    view.show_snapshot(snapshot(BUG, FIX))
    with qtbot.waitSignal(view.hover_text) as emitted:
        view.halves[1].heatmap.cell_hovered.emit((5, 3))
    assert emitted.args == [f"fix, example 5, feature 3: {ROWS[5, 3] * 2:.6g}"]


CUBE = RANDOM.normal(size=(4, 32, 3, 10)).astype(np.float32)


def test_axes_of_a_higher_rank_have_sliders(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("chains", picture(CUBE, axis=1))))
    assert named(view, QComboBox, ROWS_LIE).currentIndex() == 1
    assert sliders(view) == ["Index along axis 0", "Index along axis 2"]
    assert view.halves[0].heatmap.shape == (32, 10)
    named(view, QSlider, "Index along axis 2").setValue(1)
    with_slider = hover_text_at(view, (7, 9))
    assert with_slider == f"example 7, axis 0 at 0, axis 2 at 1, axis 3 at 9: {CUBE[0, 7, 1, 9]:.6g}"


def test_rows_along_another_axis_are_lettered_too_but_are_no_examples(qtbot: QtBot, view: NoiseView) -> None:
    cube = CUBE.copy()
    cube[3] = cube[1]
    view.show_snapshot(snapshot(report("chains", picture(cube, axis=1))))
    assert view.halves[0].heatmap.letters.of(1) == ""
    choose(named(view, QComboBox, ROWS_LIE), 0)
    assert view.halves[0].heatmap.shape == (4, 10)
    assert [view.halves[0].heatmap.letters.of(row) for row in range(4)] == ["", "A", "", "A"]
    assert "The examples are on axis 1." in view.halves[0].notes
    with qtbot.assertNotEmitted(view.focus_requested):
        view.halves[0].heatmap.row_chosen.emit(0)


def test_two_halves_show_their_rows_along_one_axis(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("fix", picture(CUBE)), report("bug", picture(CUBE, axis=1))))
    assert [half.heatmap.shape[0] for half in view.halves] == [32, 32]


def test_what_was_chosen_of_one_program_is_no_wish_for_the_next(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("run", picture(np.zeros((3, 4))))))
    choose(view.axes.rows, 1)
    view.forget()
    view.show_snapshot(snapshot(report("other", picture(np.zeros((5, 6))))))
    assert view.axes.rows.currentText() == "axis 0"


def test_plots_side_by_side_begin_and_end_at_one_height_whatever_stands_under_them(view: NoiseView) -> None:
    view.show_snapshot(snapshot(BUG, report("noted", picture(ROWS, note="Only the beginning is here."))))
    view.grab()
    first, second = (half.heatmap for half in view.halves)
    assert (first.mapTo(view, QPoint()).y(), first.height()) == (second.mapTo(view, QPoint()).y(), second.height())


FAR = ROWS.copy()
FAR[3, 4], FAR[5, 6] = 1000.0, -1000.0


def test_values_far_beyond_the_others_are_marked(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("far", picture(FAR))))
    assert "▲ above the colours (1)" in view.halves[0].notes
    assert "▼ below the colours (1)" in view.halves[0].notes
    assert colours(view).endswith("▲")


def test_a_value_not_finite_elsewhere_is_reported(view: NoiseView) -> None:
    cube = CUBE.copy()
    cube[3, 0, 0, 0] = np.nan
    view.show_snapshot(snapshot(report("chains", picture(cube, axis=1))))
    assert "1 more values elsewhere are NaN or infinite." in view.halves[0].notes


def test_modes_that_do_not_suit_are_greyed_and_say_why(view: NoiseView) -> None:
    view.show_snapshot(snapshot(BUG))
    model = named(view, QComboBox, "Type of plot").model()
    flags = [bool(model.flags(model.index(place, 0)) & Qt.ItemFlag.ItemIsEnabled) for place in range(4)]
    assert flags == [False, True, False, False]
    assert "number of axes" in model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "not images" in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    view.show_mode("images")
    assert view.halves[0].mode == "heatmap"


@pytest.mark.parametrize("mode", ["line", "heatmap", "images", "scatter"])
def test_every_mode_draws_every_array(view: NoiseView, mode: str) -> None:
    for odd in (*ODD.values(), picture(RANDOM.normal(size=(3, 8, 8))), picture(CUBE), picture(SAME > 0)):
        view.show_snapshot(snapshot(report("odd", odd), BUG))
        view.show_mode(mode)
        image_of(view)
        assert view.halves[0].words == odd.verdict


def test_roles_and_modes_can_be_chosen_by_name(qtbot: QtBot, view: NoiseView) -> None:
    view.show_snapshot(snapshot(WITH_ALL))
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_picture_role("draw", "normal, line 5")
    assert emitted.args == ["curve: 10 others"]
    with qtbot.assertNotEmitted(view.verdict_changed):
        view.show_picture_role("no such role")
        view.show_mode("no such mode")
    view.show_picture_role("output")
    view.show_mode("scatter")
    assert view.halves[0].mode == "scatter"


IMAGES = picture(RANDOM.uniform(size=(6, 20, 20)), "6 images")


def test_large_images_that_a_program_returns_are_shown_as_images_until_another_way_is_chosen(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("images", IMAGES)))
    assert view.halves[0].mode == "images"
    view.show_mode("heatmap")
    assert view.halves[0].mode == "heatmap"
    view.show_mode("auto")
    assert view.halves[0].mode == "images"
    view.show_snapshot(snapshot(report("small", picture(RANDOM.normal(size=(3, 8, 8))))))
    assert view.halves[0].mode == "heatmap"


def test_a_step_chooses_an_array_by_name_and_a_way_to_see_it(view: NoiseView) -> None:
    named_values = {"a": ROWS, "b": ROWS[:, 0], "c": SAME}
    arrays = [picture(values, name, f"output['{name}']") for name, values in named_values.items()]
    view.show_snapshot(snapshot(report("both", *arrays)))
    view.show_plan(StepPlan(picture="output['b']", look="scatter"))
    assert (view.halves[0].picture, view.halves[0].mode) == (arrays[1], "heatmap")
    view.show_plan(StepPlan(picture="output['a']", look="scatter"))
    assert (view.halves[0].picture, view.halves[0].mode) == (arrays[0], "scatter")
    view.show_plan(StepPlan())
    assert (view.halves[0].picture, view.halves[0].mode) == (arrays[0], "scatter")


def test_two_curves_have_one_scale(view: NoiseView) -> None:
    low, high = (picture(np.linspace(0, most, 200), f"to {most}") for most in (1.0, 9.0))
    view.show_snapshot(snapshot(report("low", low), report("high", high)))
    images = [half.grab(half.rect()).toImage() for half in view.halves]
    view.show_snapshot(snapshot(report("low", low), report("high", low)))
    assert view.halves[0].grab(view.halves[0].rect()).toImage() != images[0]


def hover_text_at(view: NoiseView, cell: tuple[int, int]) -> str:
    emitted = heard(view.hover_text)
    view.halves[0].heatmap.cell_hovered.emit(cell)
    return emitted[-1]


@pytest.mark.parametrize("count", [2, 1000])
def test_one_row_of_numbers_is_a_line_and_needs_no_colours(qtbot: QtBot, view: NoiseView, count: int) -> None:
    values = RANDOM.normal(size=count)
    view.show_snapshot(snapshot(report("walk", picture(values))))
    assert colour_bar(view).isHidden()
    with qtbot.waitSignal(view.focus_requested) as asked:
        view.halves[0].curve.row_chosen.emit(1)
    assert asked.args == [Focus(kind="row", index=1, variant="walk")]
    assert view.halves[0].mode == "line"
    view.show_mode("heatmap")
    assert view.halves[0].mode == "heatmap"
    assert not colour_bar(view).isHidden()


def test_one_row_of_yes_and_no_is_no_line(view: NoiseView) -> None:
    view.show_snapshot(snapshot(report("mask", picture(np.array([True, False, True])))))
    assert view.halves[0].mode == "heatmap"


@pytest.mark.rest
def test_what_is_left_out_is_reported_under_the_picture(view: NoiseView) -> None:
    large = np.zeros((3000, 10))
    large[5, 5] = np.nan
    view.show_snapshot(snapshot(report("large", picture(large, note="Showing rows 0 to 2,999 of 5,000."))))
    view.grab()
    notes = view.halves[0].notes
    assert "Marked: × NaN (1)." in notes
    assert "Showing rows 0 to 2,999 of 5,000." in notes
    assert f"1 row in {view.halves[0].heatmap.sampling[0]}" in notes


def test_the_device_of_an_example_is_reported_under_the_pointer_and_below_the_picture(
    qtbot: QtBot, view: NoiseView
) -> None:
    pieces = tuple(ShardRange(4 * place, 4 * place + 4, f"cpu:{place}") for place in range(8))
    spread = msgspec.structs.replace(picture(ROWS * 2, "32 examples, all different"), shards=pieces)
    view.show_snapshot(snapshot(report("fix", spread)))
    half = view.halves[0]
    with qtbot.waitSignal(view.hover_text) as emitted:
        half.heatmap.cell_hovered.emit((5, 3))
    assert emitted.args[0].endswith(", on cpu:1")
    assert "Examples 0 to 3 on cpu:0, 4 to 7 on cpu:1, 8 to 11 on cpu:2, 12 to 15 on cpu:3, …." in half.notes


def test_a_draw_of_bernoulli_is_called_what_it_shows() -> None:
    assert shown_name("bernoulli, line 7") == "bernoulli, line 7 (uniform, before < p)"
    assert shown_name("normal, line 8") == "normal, line 8"


METRICS = (("loss", 1.5), ("accuracy", 0.25))


def test_single_values_of_one_program_are_one_table(view: NoiseView) -> None:
    pictures = [picture(np.float32(value), f"one value: {value}", f"output['{name}']") for name, value in METRICS]
    view.show_snapshot(snapshot(report("f", *pictures)))
    table = next(each for each in view.findChildren(QLabel) if each.isVisibleTo(view) and "<table" in each.text())
    for name, value in METRICS:
        assert f"output[&#x27;{name}&#x27;]" in table.text()
        assert str(value) in table.text()
    assert view.accessibleDescription() == "2 values"
    view.show_snapshot(snapshot(report("f", pictures[0])))
    assert any(each.text() == "output['loss']\n1.5\nfloat32" for each in view.findChildren(QLabel))
    broken = picture(np.float32(np.nan), "one value: nan", "output['grad']")
    view.show_snapshot(snapshot(report("f", *pictures, broken)))
    assert view.accessibleDescription() == "3 values, 1 of them NaN or infinite"
    view.show_snapshot(snapshot(BUG))
    assert not table.text(), "hidden words would still take room"


# -- on paper ---------------------------------------------------------------------------------------------------------


def shown(qtbot: QtBot, *reports: Report) -> tuple[NoiseView, Snapshot]:
    view, found = put_up(qtbot, NoiseView()), snapshot(*reports)
    view.show_snapshot(found)
    return view, found


def test_a_caption_names_the_array_where_there_are_several_and_a_line_has_no_cells(qtbot: QtBot) -> None:
    several = report("a", picture(np.eye(3), "3 examples", "output['x']"))
    alone = report("b", picture(np.eye(3), "3 examples"))
    first, second = paper.drawings(*shown(qtbot, several, alone), LIGHT)
    assert first.caption.startswith("output['x']: 3 examples.")
    assert second.caption.startswith("3 examples.")
    assert first.has_cells
    (line,) = paper.drawings(*shown(qtbot, report("a", picture(np.arange(5.0), "5 values"))), LIGHT)
    assert not line.has_cells


def test_what_has_no_picture_is_reported_in_words(qtbot: QtBot) -> None:
    value = report("a", picture(np.array(True), "one value: True", "output['deleted']"))
    view, found = shown(qtbot, value, report("b"))
    texts = paper.instead(view, found, LIGHT)
    assert texts[0] == "a: output['deleted']: one value: True."
    assert texts[1].startswith("b: ")
    assert paper.drawings(view, found, LIGHT) == ()
