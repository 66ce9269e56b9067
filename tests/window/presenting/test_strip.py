"""The parameter strip of a presentation, and the chips below it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSpinBox

from explorer.messages import Applied, Parameter, Transforms
from tests.window.presenting.stages import press_here
from tests.window.ui import VARIANTS, Ui
from views.window.stage.chips import ParameterStrip, StageChips
from views.window.stage.stage import Bars


@pytest.fixture(autouse=True)
def _presenting(ui: Ui) -> None:
    run(ui)
    ui.desk.on_command("present")


def run(ui: Ui, *, batch: int = 32) -> None:
    """Let the worker answer, for code whose default of the batch is `batch`."""
    value = ui.session.workspace.settings.get("batch", batch)
    ui.client.answer("shared_key", variants=VARIANTS, parameters=(Parameter("batch", value, batch),))


def bars(ui: Ui) -> Bars:
    return ui.desk.presentation.stage.bars


def strip(ui: Ui) -> ParameterStrip:
    return bars(ui).strip


def chips(ui: Ui) -> StageChips:
    return bars(ui).chips


def chip_text(ui: Ui) -> str:
    """Return the text of the lesson's chip; empty while it is hidden."""
    return chips(ui).back.text() if chips(ui).isVisible() and chips(ui).back.isVisible() else ""


def test_p_four_enter_changes_the_first_parameter_and_the_chip_shows(ui: Ui) -> None:
    assert not strip(ui).isVisible()
    press_here(ui, "p")
    assert strip(ui).isVisible()
    press_here(ui, "4")
    assert ui.session.workspace.settings == {}, "nothing that is half typed runs"
    press_here(ui, Qt.Key.Key_Return)
    assert ui.session.workspace.settings == {"batch": 4}
    assert chip_text(ui) == "batch 4 · lesson says 32 · reset"
    chips(ui).back.click()
    assert ui.session.workspace.settings == {}
    assert chip_text(ui) == ""


@pytest.mark.parametrize("key", ["p", Qt.Key.Key_Escape])
def test_p_and_escape_put_it_away_and_forget_what_is_half_typed(ui: Ui, key: str | Qt.Key) -> None:
    press_here(ui, *"p7")
    press_here(ui, key)
    assert not strip(ui).isVisible()
    assert ui.window.isFullScreen()
    assert ui.session.workspace.settings == {}
    press_here(ui, "p")
    assert strip(ui).findChild(QSpinBox).value() == 32
    press_here(ui, *"p3")
    ui.desk.presentation.lectern.number._on_end()
    assert ui.window.area.program.isVisible(), "a digit is a pane again"


def test_r_brings_back_what_the_lesson_says(ui: Ui) -> None:
    ui.session.workspace.set_parameter(Parameter("batch", 4, 32))
    ui.session.workspace.choose_variant("key_per_example")
    assert "variant key_per_example · lesson says shared_key" in chips(ui).back.accessibleName()
    press_here(ui, "r")
    assert chip_text(ui) == ""
    assert ui.session.workspace.controls.variant == "shared_key"
    assert ui.session.workspace.settings == {}


def test_tab_goes_round_in_the_strip(ui: Ui) -> None:
    press_here(ui, "p")
    reached = []
    for _ in range(8):
        press_here(ui, Qt.Key.Key_Tab)
        reached.append(ui.window.focusWidget())
    assert all(strip(ui).isAncestorOf(each) for each in reached)
    assert len(set(reached)) > 2


def test_the_pages_turn_while_the_strip_is_open(ui: Ui) -> None:
    press_here(ui, "p")
    for _ in range(9):
        if not ui.desk.lesson.page.revealed:
            press_here(ui, Qt.Key.Key_PageDown)
    assert ui.desk.lesson.page.revealed
    assert strip(ui).isVisible()


def test_an_edited_default_wins_over_an_untouched_control(ui: Ui) -> None:
    workspace = ui.session.workspace
    workspace.edit(workspace.source.replace("batch=32", "batch=64"))
    ui.session.run()
    assert "batch" not in ui.client.request.parameters
    run(ui, batch=64)
    assert [each.value for each in workspace.controls.parameters] == [64]
    assert workspace.controls.overruled == ()


def test_the_chip_shows_transforms_and_takes_them_off(ui: Ui) -> None:
    ui.session.workspace.choose_transforms(Transforms(applied=(Applied("vmap"), Applied("jit"))))
    assert chips(ui).off.text() == "applied: jit(vmap(shared_key)) · remove"
    assert chips(ui).off.isVisible()
    chips(ui).off.click()
    assert not chips(ui).isVisible()
