from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import TOP_LEVEL, Applied, Argument, Parameter, Transforms, Variant
from explorer.session.controls import Controls
from views.tool_bar.settings_in_force import SettingsInForce
from views.tool_bar.transform_options import TransformOptions
from views.tool_bar.transform_row import TransformRow

X = Argument("x", "f32[32,10]", (32, 10), is_float=True)
KEY = Argument("key", "key<fry>[]", is_key=True)
CONTROLS = Controls(variants=(Variant("f", 1, arguments=(X, KEY)), Variant("g", 5)), variant="f")


@pytest.fixture
def row(qtbot: QtBot) -> TransformRow:
    made = TransformRow()
    made.show()
    qtbot.addWidget(made)
    made.show_controls(CONTROLS)
    return made


def show(row: TransformRow, *applied: Applied, **flags: bool) -> None:
    row.show_controls(replace(CONTROLS, transforms=Transforms(applied=applied, **flags)))


def options(row: TransformRow) -> list[TransformOptions]:
    return [each for each in row.findChildren(TransformOptions) if each.isVisibleTo(row)]


def click(qtbot: QtBot, row: TransformRow, chip: str) -> Transforms:
    with qtbot.waitSignal(row.transforms_chosen) as emitted:
        row.chips[chip].click()  # type: ignore[index]
    return emitted.args[0]


def shown(box: QComboBox) -> list[str]:
    return [box.itemText(row) for row in range(box.count())]


def test_transforms_compose_in_the_order_of_the_clicks(row: TransformRow, qtbot: QtBot) -> None:
    chosen = click(qtbot, row, "vmap")
    assert chosen.applied == (Applied("vmap"),)
    show(row, *chosen.applied)
    chosen = click(qtbot, row, "jit")
    assert chosen.applied == (Applied("vmap"), Applied("jit"))
    show(row, *chosen.applied)
    assert (row.chips["vmap"].text(), row.chips["jit"].text()) == ("1 vmap", "2 jit")
    assert row.call.accessibleName() == "jax.jit(jax.vmap(f, in_axes=(0, None)))(x, key)"


def test_a_second_click_takes_a_transform_away(row: TransformRow, qtbot: QtBot) -> None:
    show(row, Applied("vmap"), Applied("jit"))
    assert click(qtbot, row, "vmap").applied == (Applied("jit"),)


def test_vmap_offers_the_axes_of_each_argument(row: TransformRow, qtbot: QtBot) -> None:
    show(row, Applied("vmap"))
    (option,) = options(row)
    assert shown(option.boxes["x"]) == ["axis 0 (32)", "axis 1 (10)", "shared"]
    assert shown(option.boxes["key"]) == ["shared"]
    assert (option.boxes["x"].currentText(), option.boxes["key"].currentText()) == ("axis 0 (32)", "shared")
    with qtbot.waitSignal(row.transforms_chosen) as emitted:
        option.boxes["x"].setCurrentIndex(1)
        option.boxes["x"].activated.emit(1)
    assert emitted.args[0].applied == (Applied("vmap", {"x": 1, "key": None}),)  # type: ignore[index]


def test_grad_offers_what_can_be_differentiated_and_the_sum(row: TransformRow, qtbot: QtBot) -> None:
    show(row, Applied("grad"))
    (option,) = options(row)
    assert shown(option.boxes[""]) == ["x"]
    with qtbot.waitSignal(row.transforms_chosen) as emitted:
        option.summed.click()
    assert emitted.args[0].applied == (Applied("grad", summed=True),)  # type: ignore[index]


def test_nothing_is_put_around_the_top_level_and_what_is_can_be_taken_away(row: TransformRow) -> None:
    top = replace(CONTROLS, variants=(Variant(TOP_LEVEL, 1), *CONTROLS.variants), variant=TOP_LEVEL)
    row.show_controls(replace(top, transforms=Transforms(applied=(Applied("jit"),))))
    assert [name for name, chip in row.chips.items() if chip.isEnabled()] == ["jit"]
    assert not row.call.isVisible()
    row.show_controls(CONTROLS)
    assert all(chip.isEnabled() for chip in row.chips.values())


def test_flags_are_reported(row: TransformRow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(row.transforms_chosen) as emitted:
        row.x64.click()
    assert emitted.args[0].x64  # type: ignore[index]
    show(row, partitionable=False)
    assert not row.partitionable.isChecked()
    assert row.call.accessibleName() == "with jax.threefry_partitionable(False): f(x, key)"


def test_without_a_transform_there_is_no_call_to_copy_and_jit_needs_to_know_nothing(row: TransformRow) -> None:
    assert not row.copy.isVisibleTo(row)
    show(row, Applied("jit"))
    assert row.copy.isVisibleTo(row)
    row.copy.click()
    assert QGuiApplication.clipboard().text() == "jax.jit(f)(x, key)"
    assert options(row) == []


def test_a_box_keeps_the_keyboard_while_its_choice_changes(row: TransformRow) -> None:
    show(row, Applied("vmap"))
    before = options(row)[0].boxes["x"]
    show(row, Applied("vmap", {"x": 1}))
    assert options(row)[0].boxes["x"] is before
    assert before.currentText() == "axis 1 (10)"


# -- what holds though no control shows it ----------------------------------------------------------------------------


PLAIN = Controls(variants=(Variant("f", 1),), variant="f", parameters=(Parameter("batch", 32, 32),))
SET = replace(PLAIN, parameters=(Parameter("batch", 8, 32), Parameter("rate", 0.5, 0.5)))
BOTH = Transforms(applied=(Applied("vmap"), Applied("jit")), x64=True)


class Place:
    """The bar, with the row that it watches."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        self.row = QWidget(self.window)
        self.row.hide()
        self.bar = SettingsInForce(self.row)
        for widget in (self.window, self.bar):
            qtbot.addWidget(widget)
        self.window.show()

    def emitted(self) -> str:
        return "" if self.bar.isHidden() else self.bar.words.accessibleName()


@pytest.fixture
def place(qtbot: QtBot) -> Place:
    return Place(qtbot)


def test_a_setting_that_wins_over_an_edited_default_is_reported_next_to_its_field_too(
    place: Place, qtbot: QtBot
) -> None:
    place.bar.show_controls(replace(SET, overruled=("batch",)))
    assert place.emitted() == "Runs with batch=8; the code says 32."
    with qtbot.waitSignal(place.bar.defaults_wanted):
        place.bar.take_defaults.click()


def test_transforms_are_reported_while_their_row_is_closed(place: Place, qtbot: QtBot) -> None:
    place.bar.show_controls(replace(PLAIN, transforms=BOTH))
    assert place.emitted() == "Applied around the code: jit(vmap(f)), x64."
    place.row.show()
    assert place.emitted() == ""
    place.row.hide()
    with qtbot.waitSignal(place.bar.transforms_chosen) as emitted:
        place.bar.take_off.click()
    assert emitted.args == [Transforms()]


def test_only_what_holds_is_reported_for_the_top_level(place: Place) -> None:
    place.bar.show_controls(replace(PLAIN, variant=TOP_LEVEL, transforms=BOTH))
    assert place.emitted() == "Applied around the code: x64."
    place.bar.show_controls(replace(PLAIN, transforms=Transforms(partitionable=False)))
    assert place.emitted() == "Applied around the code: not partitionable."
