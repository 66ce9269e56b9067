from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from explorer.messages import TOP_LEVEL, Device, Variant
from explorer.session.controls import Controls, TimingChoice
from tests.views.made import hold
from views.timing.menus import ChoiceMenu

CPUS = (Device("cpu:0", "cpu"), Device("cpu:1", "cpu"))
CONTROLS = Controls(variants=(Variant("느린", 1), Variant("fast", 5)), devices=CPUS, device="cpu:0")


@pytest.fixture
def menu(qtbot: QtBot) -> ChoiceMenu:
    menu = hold(qtbot, ChoiceMenu())
    menu.show_controls(CONTROLS)
    return menu


def actions(menu: ChoiceMenu) -> list[QAction]:
    menu.menu().aboutToShow.emit()
    return menu.menu().actions()


def entry(menu: ChoiceMenu, text: str) -> QAction:
    return next(action for action in actions(menu) if action.text() == text)


def ticked(menu: ChoiceMenu) -> list[str]:
    return [action.text() for action in actions(menu) if action.isChecked()]


def test_at_first_every_variant_is_ticked_as_written_and_under_jit(menu: ChoiceMenu) -> None:
    assert ticked(menu) == ["느린", "fast", "as written (eager)", "jit", "one device"]


def test_the_top_level_of_a_file_is_not_timed(menu: ChoiceMenu) -> None:
    menu.show_controls(replace(CONTROLS, variants=(Variant(TOP_LEVEL, 1), *CONTROLS.variants)))
    assert ticked(menu)[:2] == ["느린", "fast"]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("느린", TimingChoice(variants=("fast",))),
        ("jit", TimingChoice(transforms=("eager",))),
        ("jit(vmap)", TimingChoice(transforms=("eager", "jit", "jit(vmap)"))),
        ("cpu:1", TimingChoice(other_device="cpu:1")),
    ],
)
def test_a_tick_chooses_what_is_timed(menu: ChoiceMenu, qtbot: QtBot, text: str, chosen: TimingChoice) -> None:
    with qtbot.waitSignal(menu.timing_chosen) as emitted:
        entry(menu, text).trigger()
    assert emitted.args == [chosen]


def test_the_last_variant_stays_ticked(menu: ChoiceMenu, qtbot: QtBot) -> None:
    menu.show_controls(replace(CONTROLS, timing=TimingChoice(variants=("fast",))))
    with qtbot.assertNotEmitted(menu.timing_chosen):
        entry(menu, "fast").trigger()
    assert entry(menu, "fast").isChecked()


def test_where_there_is_one_device_a_sentence_says_how_to_get_more(menu: ChoiceMenu) -> None:
    menu.show_controls(replace(CONTROLS, devices=CPUS[:1]))
    texts = [action.text() for action in actions(menu) if not action.isEnabled()]
    assert "JAX has one device here; for more CPU devices see the Run menu" in texts


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Down])
def test_any_key_that_one_would_try_opens_it(menu: ChoiceMenu, qtbot: QtBot, key: Qt.Key) -> None:
    menu.show()
    seen: list[bool] = []

    def look() -> None:
        seen.append(menu.menu().isVisible())
        menu.menu().close()

    menu.menu().aboutToShow.connect(lambda: QTimer.singleShot(0, look))
    qtbot.keyClick(menu, key)
    qtbot.waitUntil(lambda: seen == [True])
