from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from views.theme import Theme, chosen
from views.window.pane import Pane, PaneTitle
from views.window.pane_area import PaneArea


class View(QLineEdit):
    verdict_changed = Signal(str)

    def apply_theme(self, theme: Theme) -> None:
        self.setFont(theme.mono_font())


@pytest.fixture
def area(qtbot: QtBot) -> PaneArea:
    made = PaneArea()
    qtbot.addWidget(made)
    for pane in made.panes:
        pane.set_view(View())
    made.resize(700, 500)
    made.show()
    return made


def visible(area: PaneArea) -> list[int]:
    return [pane.number for pane in area.panes if pane.isVisible()]


def test_the_four_panes_stand_two_by_two(area: PaneArea) -> None:
    keys, noise, program, timing = (pane.geometry() for pane in area.panes)
    assert keys.top() == noise.top() < program.top() == timing.top()
    assert keys.left() == program.left() < noise.left()
    assert timing.left() > program.left()


def test_a_double_click_on_a_title_makes_its_pane_large_and_another_brings_all_back(
    area: PaneArea, qtbot: QtBot
) -> None:
    before = [pane.geometry() for pane in area.panes]
    title = area.noise.findChild(PaneTitle)
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert visible(area) == [2]
    assert area.maximised == 2
    qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert visible(area) == [1, 2, 3, 4]
    qtbot.waitUntil(lambda: [pane.geometry() for pane in area.panes] == before)


def test_going_from_one_large_pane_to_another_remembers_the_grid(area: PaneArea) -> None:
    area.toggle_maximised(1)
    area.toggle_maximised(3)
    assert visible(area) == [3]
    area.toggle_maximised(3)
    assert visible(area) == [1, 2, 3, 4]


def test_a_large_pane_takes_the_keyboard_from_one_that_it_hides(area: PaneArea, qtbot: QtBot) -> None:
    fields = [pane.view for pane in area.panes]
    area.activateWindow()
    fields[2].setFocus()
    qtbot.waitUntil(fields[2].hasFocus)
    area.toggle_maximised(2)
    assert fields[1].hasFocus()
    area.toggle_maximised(2)
    assert fields[1].hasFocus()


def test_a_view_wears_the_looks_that_its_pane_has_whenever_it_comes(qtbot: QtBot) -> None:
    pane, view = Pane(1, "p", "Keys"), View()
    qtbot.addWidget(pane)
    before = view.font()
    pane.apply_theme(chosen("dark", 2.0))
    pane.set_view(view)
    assert view.font().pointSizeF() > before.pointSizeF() * 1.5
    pane.apply_theme(chosen("dark", 1.0))
    assert view.font().pointSizeF() < before.pointSizeF() * 1.5


def test_a_detached_pane_comes_back_into_the_grid(area: PaneArea) -> None:
    area.timing.setFloating(True)
    area.toggle_maximised(1)
    area.restore_grid()
    assert not area.timing.isFloating()
    assert visible(area) == [1, 2, 3, 4]


def test_a_layout_survives_a_restart_and_nonsense_does_no_harm(area: PaneArea, qtbot: QtBot) -> None:
    area.toggle_maximised(2)
    layout = area.save_layout()
    later = PaneArea()
    qtbot.addWidget(later)
    later.show()
    later.restore_layout(layout)
    later.restore_layout(b"nonsense")
    assert visible(later) == [1, 2, 3, 4]


def test_the_verdict_stands_in_the_title_and_for_screen_readers(area: PaneArea) -> None:
    area.keys.view.verdict_changed.emit("1 key spent, shared by 32 examples")
    assert area.keys.accessibleDescription() == "1 key spent, shared by 32 examples"


def test_a_stale_view_is_greyed_after_a_moment_and_a_quick_answer_never_flickers(qtbot: QtBot) -> None:
    pane = Pane(1, "p", "Keys")
    qtbot.addWidget(pane)
    pane.set_view(View())
    pane.show()
    pane.show_stale(True)
    assert not pane.veiled
    pane.show_stale(False)
    pane.show_stale(True)
    qtbot.waitUntil(lambda: pane.veiled)
    pane.show_stale(False)
    assert not pane.veiled
