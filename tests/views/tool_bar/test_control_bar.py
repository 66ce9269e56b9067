from __future__ import annotations

from typing import TypeVar

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QMainWindow, QSpinBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import ORIGINAL, TOP_LEVEL, Device, Parameter, Variant
from explorer.session.controls import Controls
from tests.views.made import hold
from views.theme import apply_to_tree, chosen
from views.tool_bar.control_bar import ControlBar
from views.tool_bar.control_rows import TitleBox

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
    made = hold(qtbot, ControlBar())
    made.show_controls(CONTROLS)
    return made


def named(bar: ControlBar, kind: type[Kind], name: str) -> Kind:
    (found,) = [each for each in bar.findChildren(kind) if each.accessibleName() == name]
    return found


def entries(box: QComboBox) -> list[str]:
    return [box.itemText(row) for row in range(box.count())]


def test_a_title_without_room_ends_in_dots_and_its_tool_tip_has_the_whole(bar: ControlBar) -> None:
    title = "One key for each of the examples"
    bar.show_titles({"bug": title})
    box = named(bar, TitleBox, "Variant")
    box.resize(100, 30)
    box.show_whole()
    assert box.shown_title().endswith("…")
    assert box.toolTip().startswith(title)
    box.resize(600, 30)
    box.show_whole()
    assert box.shown_title() == title
    assert title not in box.toolTip()


def test_it_shows_the_controls_and_emits_nothing(bar: ControlBar, qtbot: QtBot) -> None:
    assert named(bar, QComboBox, "Device").currentText() == "gpu:0"
    assert entries(named(bar, QComboBox, "Variant")) == ["bug", "fix"]
    assert entries(named(bar, QComboBox, "Compare with")) == ["nothing", "fix"]
    assert named(bar, QSpinBox, "batch").value() == 32
    changed = Controls(devices=CONTROLS.devices, device="cpu:0", parameters=(Parameter("batch", 8, 32),))
    with qtbot.assertNotEmitted(bar.parameter_set), qtbot.assertNotEmitted(bar.device_chosen):
        bar.show_controls(changed)


def test_titles_replace_names_and_signals_still_carry_the_names(bar: ControlBar, qtbot: QtBot) -> None:
    bar.show_titles({"fix": "한 번에 하나씩"})
    box = named(bar, QComboBox, "Variant")
    assert entries(box) == ["bug", "한 번에 하나씩"]
    with qtbot.waitSignal(bar.variant_chosen) as chosen:
        box.setCurrentIndex(1)
        box.activated.emit(1)
    assert chosen.args == ["fix"]


def test_a_whole_file_has_a_name_in_words_and_alone_it_is_no_choice(bar: ControlBar) -> None:
    bar.show_controls(replace(CONTROLS, variants=(Variant(TOP_LEVEL, 1), *CONTROLS.variants)))
    assert entries(named(bar, QComboBox, "Variant")) == ["whole file", "bug", "fix"]
    bar.show_controls(replace(CONTROLS, variants=(Variant(TOP_LEVEL, 1),), variant=TOP_LEVEL))
    assert named(bar, QComboBox, "Variant").isHidden() or not named(bar, QComboBox, "Variant").isVisibleTo(bar)


def test_what_is_edited_can_be_compared_with_itself_as_it_was(bar: ControlBar) -> None:
    bar.show_controls(replace(CONTROLS, edited=True, compare=ORIGINAL))
    box = named(bar, QComboBox, "Compare with")
    assert entries(box) == ["nothing", "fix", "As it was"]
    assert box.currentText() == "As it was"


def test_switches_and_texts_are_reported(bar: ControlBar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bar.parameter_set) as emitted:
        named(bar, QCheckBox, "flag").toggle()
    assert emitted.args == [Parameter("flag", False, True)]
    line = named(bar, QLineEdit, "name")
    with qtbot.waitSignal(bar.parameter_set) as emitted:
        line.setText("b")
        line.editingFinished.emit()
    assert emitted.args == [Parameter("name", "b", "a")]


MANY = tuple(Parameter(name, 64, 64) for name in ("batch", "features", "steps", "noise", "seed"))
LONG = Controls(
    variants=(Variant("independent_noise_for_each_example", 1), Variant("the_same_noise_for_every_example", 1)),
    variant="independent_noise_for_each_example",
    compare="the_same_noise_for_every_example",
)


@pytest.mark.parametrize("width", [700, 1280, 1920])
@pytest.mark.parametrize("count", [0, 3, 5, 40])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_every_button_and_field_can_be_reached_in_any_width(qtbot: QtBot, width: int, count: int, scale: float) -> None:
    window, bar = QMainWindow(), ControlBar()
    qtbot.addWidget(window)
    window.addToolBar(bar)
    window.setFont(chosen("light", scale).font())
    for name in ("run", "stop", "present"):
        bar.add_command(QAction(name, bar))
    parameters = tuple(Parameter(f"{MANY[place % 5].name}{place}", 64, 64) for place in range(count))
    bar.show_controls(replace(LONG, parameters=parameters))
    window.resize(width, 300)
    window.show()
    apply_to_tree(bar, chosen("light", scale))
    qtbot.waitUntil(lambda: bar.width() == width)
    for text in ("run", "stop", "present"):
        (button,) = [each for each in bar.findChildren(QToolButton) if each.text() == text]
        assert bar.rect().contains(_place(button, bar))
    for combo in bar.findChildren(QComboBox):
        assert bar.rect().contains(_place(combo, bar))
    for parameter in parameters:
        field = named(bar, QSpinBox, parameter.name)
        field.setFocus()
        assert bar.rect().contains(_place(field, bar))
    assert not [
        each
        for each in bar.findChildren(QToolButton)
        if each.objectName() == "qt_toolbar_ext_button" and each.isVisible()
    ]


@pytest.mark.parametrize("width", [500, 640, 760, 1024])
def test_names_of_choices_are_never_cut_at_twice_the_text_size(qtbot: QtBot, width: int) -> None:
    bar = hold(qtbot, ControlBar())
    bar.setFont(chosen("light", 2.0).font())
    bar.add_command(QAction("run", bar))
    bar.show_controls(replace(CONTROLS, parameters=MANY[:2]))
    bar.resize(width, 200)
    with qtbot.waitExposed(bar):
        bar.show()
    labels = [each for each in bar.findChildren(QLabel) if each.text() in ("Device", "Variant", "Compare with")]
    assert [each.text() for each in labels if each.width() < each.sizeHint().width()] == []
    assert all(bar.rect().contains(_place(each, bar)) for each in labels)
    bar.show_controls(replace(CONTROLS, variants=CONTROLS.variants[:1], compare="", parameters=()))
    compared = named(bar, QComboBox, "Compare with")
    # What offers nothing takes no line of its own.
    assert not compared.isVisible() or _place(compared, bar).top() == _place(named(bar, QComboBox, "Device"), bar).top()


def _place(widget: QWidget, inside: QWidget) -> QRect:
    return QRect(widget.mapTo(inside, QPoint()), widget.size())


def test_devices_are_grouped_by_remote_and_a_remote_is_chosen_as_one(bar: ControlBar, qtbot: QtBot) -> None:
    bar.show_controls(replace(CONTROLS, remotes=("lab", "box")))
    box = named(bar, TitleBox, "Device")
    assert entries(box) == [*("cpu:0 · this Python", "gpu:0 · this Python", "lab", "box", "Elsewhere…")]
    with qtbot.waitSignal(bar.remote_chosen) as emitted:
        box.activated.emit(box.setCurrentIndex(2) or 2)
    assert emitted.args == ["lab"]
    there = (Device("gpu:0", "H200"), Device("gpu:1", "H200"))
    bar.show_controls(replace(CONTROLS, remotes=("lab", "box"), remote="lab", devices=there))
    assert entries(box) == ["this Python", "gpu:0 · lab", "gpu:1 · lab", "box", "Elsewhere…"]
    bar.show_controls(replace(CONTROLS, remotes=("lab",), remote="lab", devices=(), device=""))
    assert entries(box) == ["this Python", "starting · lab", "Elsewhere…"]
    assert box.currentText() == "starting · lab"
