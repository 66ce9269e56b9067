"""The parameter strip of a presentation, and the chips below it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSpinBox
from pytestqt.qtbot import QtBot

from explorer.messages import Applied, Parameter, Transforms, Variant
from tests.window.place import Place
from views.window.stage.chips import StageChips
from views.window.stage.parameter_strip import ParameterStrip
from views.window.stage.stage import Bars

VARIANTS = (Variant("shared_key", 19), Variant("key_per_example", 24))


@pytest.fixture(autouse=True)
def _presenting(place: Place) -> None:
    run(place)
    place.desk.on_command("present")


def run(place: Place, *, batch: int = 32) -> None:
    """Let the worker answer, of code whose default of the batch is `batch`."""
    value = place.session.workspace.settings.get("batch", batch)
    place.client.answer("shared_key", variants=VARIANTS, parameters=(Parameter("batch", value, batch),))


def press(qtbot: QtBot, place: Place, keys: str | Qt.Key) -> None:
    """Press `keys` where the keyboard is."""
    QApplication.processEvents()
    for key in [keys] if isinstance(keys, Qt.Key) else keys:
        qtbot.keyClick(place.window.focusWidget() or place.window, key)
        QApplication.processEvents()


def bars(place: Place) -> Bars:
    bars = place.desk.presentation.stage.bars
    assert bars is not None
    return bars


def strip(place: Place) -> ParameterStrip:
    return bars(place).strip


def chips(place: Place) -> StageChips:
    return bars(place).chips


def told(place: Place) -> str:
    """Return what the chip of the lesson tells; empty while it is hidden."""
    return chips(place).back.text() if chips(place).isVisible() and chips(place).back.isVisible() else ""


def test_p_four_enter_changes_the_first_parameter_and_the_chip_tells(place: Place, qtbot: QtBot) -> None:
    assert not strip(place).isVisible()
    press(qtbot, place, "p")
    assert strip(place).isVisible()
    press(qtbot, place, "4")
    assert place.session.workspace.settings == {}, "nothing that is half typed runs"
    press(qtbot, place, Qt.Key.Key_Return)
    assert place.session.workspace.settings == {"batch": 4}
    assert told(place) == "batch 4 · lesson says 32 · reset"
    chips(place).back.click()
    assert place.session.workspace.settings == {}
    assert told(place) == ""


@pytest.mark.parametrize("key", ["p", Qt.Key.Key_Escape])
def test_p_and_escape_put_it_away_and_forget_what_is_half_typed(place: Place, qtbot: QtBot, key: str | Qt.Key) -> None:
    press(qtbot, place, "p7")
    press(qtbot, place, key)
    assert not strip(place).isVisible()
    assert place.window.isFullScreen()
    assert place.session.workspace.settings == {}
    press(qtbot, place, "p")
    assert strip(place).findChild(QSpinBox).value() == 32
    press(qtbot, place, "p3")
    assert place.window.area.program.isVisible(), "a digit is a pane again"


def test_backspace_brings_back_what_the_lesson_says(place: Place, qtbot: QtBot) -> None:
    place.session.workspace.set_parameter(Parameter("batch", 4, 32))
    place.session.workspace.choose_variant("key_per_example")
    assert "variant key_per_example · lesson says shared_key" in chips(place).back.accessibleName()
    press(qtbot, place, Qt.Key.Key_Backspace)
    assert told(place) == ""
    assert place.session.workspace.controls.variant == "shared_key"
    assert place.session.workspace.settings == {}


def test_tab_goes_round_in_the_strip(place: Place, qtbot: QtBot) -> None:
    press(qtbot, place, "p")
    reached = []
    for _ in range(8):
        press(qtbot, place, Qt.Key.Key_Tab)
        reached.append(place.window.focusWidget())
    assert all(strip(place).isAncestorOf(each) for each in reached)
    assert len(set(reached)) > 2


def test_the_pages_turn_while_the_strip_is_open(place: Place, qtbot: QtBot) -> None:
    press(qtbot, place, "p")
    for _ in range(9):
        if not place.desk.lesson.page.revealed:
            press(qtbot, place, Qt.Key.Key_PageDown)
    assert place.desk.lesson.page.revealed
    assert strip(place).isVisible()


def test_an_edited_default_wins_over_a_control_that_nobody_touched(place: Place) -> None:
    workspace = place.session.workspace
    workspace.edit(workspace.source.replace("batch=32", "batch=64"))
    place.session.run()
    assert "batch" not in place.client.request.parameters
    run(place, batch=64)
    assert [each.value for each in workspace.controls.parameters] == [64]
    assert workspace.controls.overruled == ()


def test_the_chip_tells_transforms_and_takes_them_off(place: Place) -> None:
    place.session.workspace.choose_transforms(Transforms(applied=(Applied("vmap"), Applied("jit"))))
    assert chips(place).off.text() == "applied: jit(vmap(shared_key)) · remove"
    assert chips(place).off.isVisible()
    chips(place).off.click()
    assert not chips(place).isVisible()


def test_the_strip_speaks_the_other_language_and_goes_with_the_presentation(place: Place, qtbot: QtBot) -> None:
    place.session.workspace.set_parameter(Parameter("batch", 4, 32))
    press(qtbot, place, "l")
    run(place)
    place.session.workspace.set_parameter(Parameter("batch", 4, 32))
    assert "batch 4" in chips(place).back.text()
    assert "레슨" in chips(place).back.text()
    press(qtbot, place, "l")
    place.desk.on_command("present")
    assert place.desk.presentation.stage.bars is None
