from __future__ import annotations

from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from explorer.controls import Controls
from explorer.messages import Device, Parameter, Value, Variant
from views.control_bar import ControlBar

Kind = TypeVar("Kind", bound=QWidget)

CONTROLS = Controls(
    devices=(Device("cpu:0", "cpu"), Device("gpu:0", "H200")),
    device="gpu:0",
    variants=(Variant("bug", 1, "One key."), Variant("fix", 5)),
    variant="bug",
    compare="fix",
    parameters=(Parameter("batch", 32, 32), Parameter("flag", True, True), Parameter("name", "a", "a")),
)


@pytest.fixture
def bar(qtbot: QtBot) -> ControlBar:
    made = ControlBar()
    qtbot.addWidget(made)
    made.show_controls(CONTROLS)
    return made


def named(bar: ControlBar, kind: type[Kind], name: str) -> Kind:
    (found,) = [each for each in bar.findChildren(kind) if each.accessibleName() == name]
    return found


def entries(box: QComboBox) -> list[str]:
    return [box.itemText(row) for row in range(box.count())]


def test_it_shows_the_controls(bar: ControlBar) -> None:
    assert named(bar, QComboBox, "Device").currentText() == "gpu:0"
    assert entries(named(bar, QComboBox, "Variant")) == ["bug", "fix"]
    assert entries(named(bar, QComboBox, "Compare with")) == ["nothing", "fix"]
    assert named(bar, QSpinBox, "batch").value() == 32


def test_titles_replace_names_and_the_names_are_still_what_is_told(bar: ControlBar, qtbot: QtBot) -> None:
    bar.show_titles({"fix": "한 번에 하나씩"})
    box = named(bar, QComboBox, "Variant")
    assert entries(box) == ["bug", "한 번에 하나씩"]
    with qtbot.waitSignal(bar.variant_chosen) as chosen:
        box.setCurrentIndex(1)
        box.activated.emit(1)
    assert chosen.args == ["fix"]


def test_showing_tells_nothing(bar: ControlBar, qtbot: QtBot) -> None:
    changed = Controls(devices=CONTROLS.devices, device="cpu:0", parameters=(Parameter("batch", 8, 32),))
    with qtbot.assertNotEmitted(bar.parameter_set), qtbot.assertNotEmitted(bar.device_chosen):
        bar.show_controls(changed)


@pytest.mark.parametrize(("typed", "value"), [("64", 64), ("7", 7)])
def test_a_typed_parameter_is_told_with_its_type(bar: ControlBar, qtbot: QtBot, typed: str, value: Value) -> None:
    field = named(bar, QSpinBox, "batch")
    with qtbot.waitSignal(bar.parameter_set) as told:
        field.selectAll()
        qtbot.keyClicks(field, typed)
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert named(bar, QSpinBox, "batch").value() == value
    assert told.args is not None
    assert type(told.args[0].value) is int


def test_switches_and_texts_are_told(bar: ControlBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.parameter_set) as told:
        named(bar, QCheckBox, "flag").toggle()
    assert told.args == [Parameter("flag", False, True)]
    line = named(bar, QLineEdit, "name")
    with qtbot.waitSignal(bar.parameter_set) as told:
        line.setText("b")
        line.editingFinished.emit()
    assert told.args == [Parameter("name", "b", "a")]


def test_fields_stay_while_only_values_change(bar: ControlBar) -> None:
    field = named(bar, QSpinBox, "batch")
    bar.show_controls(Controls(parameters=(Parameter("batch", 8, 32), *CONTROLS.parameters[1:])))
    assert named(bar, QSpinBox, "batch") is field
    assert field.value() == 8


def test_other_parameters_make_other_fields(bar: ControlBar, qtbot: QtBot) -> None:
    bar.show_controls(Controls(parameters=(Parameter("rate", 0.5, 0.5), Parameter("huge", 2**40, 2**40))))
    qtbot.waitUntil(lambda: not [each for each in bar.findChildren(QSpinBox) if each.accessibleName() == "batch"])
    assert named(bar, QLineEdit, "huge").text() == str(2**40)
