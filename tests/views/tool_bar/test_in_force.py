"""Settings that overrule the code, and transforms around it, are shown where no control shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import TOP_LEVEL, Applied, Parameter, Transforms, Variant
from explorer.session.controls import Controls
from views.tool_bar.in_force import InForce

PLAIN = Controls(variants=(Variant("f", 1),), variant="f", parameters=(Parameter("batch", 32, 32),))
SET = replace(PLAIN, parameters=(Parameter("batch", 8, 32), Parameter("rate", 0.5, 0.5)))
JIT = Transforms(applied=(Applied("vmap"), Applied("jit")), x64=True)


class Place:
    """The bar, with the controls that it watches."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        self.fields, self.row = QWidget(self.window), QWidget(self.window)
        self.row.hide()
        self.bar = InForce(self.fields, self.row)
        for widget in (self.window, self.bar):
            qtbot.addWidget(widget)
        self.window.show()

    def emitted(self) -> str:
        return "" if self.bar.isHidden() else self.bar.words.accessibleName()


@pytest.fixture
def place(qtbot: QtBot) -> Place:
    return Place(qtbot)


def test_a_setting_is_reported_while_its_field_is_put_away(place: Place) -> None:
    place.bar.show_controls(SET)
    assert place.emitted() == ""
    place.fields.hide()
    assert place.emitted() == "Runs with batch=8; the code says 32."
    place.bar.show_controls(PLAIN)
    assert place.emitted() == ""
    place.bar.show_controls(SET)
    place.fields.show()
    assert place.emitted() == ""


def test_a_setting_that_wins_over_an_edited_default_is_reported_next_to_its_field_too(
    place: Place, qtbot: QtBot
) -> None:
    place.bar.show_controls(replace(SET, overruled=("batch",)))
    assert place.emitted() == "Runs with batch=8; the code says 32."
    with qtbot.waitSignal(place.bar.defaults_wanted):
        place.bar.take_defaults.click()


def test_transforms_are_reported_while_their_row_is_closed(place: Place, qtbot: QtBot) -> None:
    place.bar.show_controls(replace(PLAIN, transforms=JIT))
    assert place.emitted() == "Applied around the code: jit(vmap(f)), x64."
    place.row.show()
    assert place.emitted() == ""
    place.row.hide()
    with qtbot.waitSignal(place.bar.transforms_chosen) as emitted:
        place.bar.take_off.click()
    assert emitted.args == [Transforms()]


def test_only_what_holds_is_reported_for_the_top_level(place: Place) -> None:
    place.bar.show_controls(replace(PLAIN, variant=TOP_LEVEL, transforms=JIT))
    assert place.emitted() == "Applied around the code: x64."
    place.bar.show_controls(replace(PLAIN, transforms=Transforms(partitionable=False)))
    assert place.emitted() == "Applied around the code: not partitionable."
