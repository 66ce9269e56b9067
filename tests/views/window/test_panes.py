from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from tests.views.made import put_up
from views.theme import apply_to_tree, chosen, lettered
from views.window.pane import Pane, PaneTitle
from views.window.pane_area import PaneArea


class View(QLineEdit):
    verdict_changed = Signal(str)


@pytest.fixture
def area(qtbot: QtBot) -> PaneArea:
    made = put_up(qtbot, PaneArea(), 700, 500)
    for pane in made.panes:
        pane.set_view(lettered(View(), code=True))
    return made


def visible(area: PaneArea) -> list[int]:
    return [pane.number for pane in area.panes if pane.isVisible()]


def test_the_four_panes_stand_two_by_two(area: PaneArea) -> None:
    keys, noise, program, timing = (pane.geometry() for pane in area.panes)
    assert keys.top() == noise.top() < program.top() == timing.top()
    assert keys.left() == program.left() < noise.left()
    assert timing.left() > program.left()


def test_what_a_pane_holds_moves_no_edge(area: PaneArea) -> None:
    QApplication.processEvents()
    before = [pane.geometry() for pane in area.panes]
    area.program.view.setMinimumHeight(400)
    QApplication.processEvents()
    assert [pane.geometry() for pane in area.panes] == before


def test_a_double_click_on_a_title_asks_for_its_pane(area: PaneArea, qtbot: QtBot) -> None:
    title = area.noise.findChild(PaneTitle)
    with qtbot.waitSignal(area.noise.maximise_requested) as asked:
        qtbot.mouseDClick(title, Qt.MouseButton.LeftButton)
    assert asked.args == ["noise"]


def test_one_pane_fills_the_area_and_four_share_it_again_as_before(area: PaneArea, qtbot: QtBot) -> None:
    def are_even() -> bool:
        sides = [(pane.width(), pane.height()) for pane in area.panes]
        return all(max(each) - min(each) < 30 for each in zip(*sides, strict=True))

    area.show_panes(["noise"])
    assert visible(area) == [2]
    qtbot.waitUntil(lambda: area.noise.width() > 600)
    area.show_panes(["keys", "noise", "program", "timing"])
    assert visible(area) == [1, 2, 3, 4]
    qtbot.waitUntil(are_even)


def test_only_what_is_one_of_several_or_was_enlarged_can_be_made_large_or_brought_back(area: PaneArea) -> None:
    button = area.noise.findChild(QToolButton, "maximise")
    seen = []
    for names, enlarged in ((["noise"], False), (["noise"], True), (["keys", "noise"], False)):
        area.show_panes(names, enlarged=enlarged)
        seen.append((button.isVisible(), "Back" in button.toolTip()))
    assert seen == [(False, False), (True, True), (True, False)]


def test_a_detached_pane_stays_while_others_come_and_go(area: PaneArea) -> None:
    area.timing.setFloating(True)
    area.show_panes(["keys"])
    assert visible(area) == [1, 4]


def test_a_detached_pane_has_a_frame_and_closing_it_puts_it_back(area: PaneArea, qtbot: QtBot) -> None:
    (detach,) = [each for each in area.timing.findChildren(QToolButton) if each.accessibleName() == "Detach Timing"]
    (fold,) = [each for each in area.timing.findChildren(QToolButton) if each.accessibleName() == "Fold Timing"]
    assert not fold.isHidden()
    qtbot.mouseClick(detach, Qt.MouseButton.LeftButton)
    assert fold.isHidden(), "it would do nothing that can be seen"
    assert area.timing.isFloating()
    flags = area.timing.windowFlags()
    assert flags & Qt.WindowType.WindowTitleHint
    assert flags & Qt.WindowType.WindowCloseButtonHint
    assert not flags & Qt.WindowType.FramelessWindowHint
    area.timing.close()
    assert (area.timing.isFloating(), visible(area)) == (False, [1, 2, 3, 4])


def test_what_is_covered_cannot_be_read_and_comes_back(area: PaneArea, qtbot: QtBot) -> None:
    area.keys.view.verdict_changed.emit("1 key spent")
    area.keys.cover(True)
    assert (area.keys.view.isVisible(), area.keys.accessibleDescription()) == (False, "after your answer")
    area.keys.view.verdict_changed.emit("2 keys spent")
    assert area.keys.accessibleDescription() == "after your answer"
    cover = area.keys.body.cover
    with qtbot.waitSignal(cover.answer_wanted):
        qtbot.mouseClick(cover, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(cover.uncover_wanted):
        qtbot.mouseClick(cover.findChild(QPushButton), Qt.MouseButton.LeftButton)
    area.keys.cover(False)
    assert (area.keys.view.isVisible(), area.keys.accessibleDescription()) == (True, "2 keys spent")


def test_a_detached_pane_is_so_after_a_restart_and_nonsense_does_no_harm(area: PaneArea, qtbot: QtBot) -> None:
    assert area.docks() == b""
    area.keys.detach(True)
    docks = area.docks()
    later = put_up(qtbot, PaneArea())
    later.put_docks(docks)
    assert later.keys.isFloating()
    later.put_docks(b"nonsense")
    assert visible(later) == [1, 2, 3, 4]
    assert later.docks() == b""


def test_a_pane_says_that_it_is_at_work_after_a_moment_and_a_quick_answer_never_flickers(qtbot: QtBot) -> None:
    pane = put_up(qtbot, Pane(1, "p", "Keys"))
    view = View()
    pane.set_view(view)
    view.verdict_changed.emit("clean")
    emitted: list[str] = []
    pane.verdict_reported.connect(lambda _name, verdict: emitted.append(verdict))
    pane.show_stale(True)
    assert not pane.is_at_work
    pane.show_stale(False)
    pane.show_stale(True)
    qtbot.waitUntil(lambda: pane.is_at_work)
    # What was true of an older state is not said of this one, and nothing is greyed.
    assert (pane.accessibleDescription(), emitted) == ("running…", ["running…"])
    assert view.isEnabled()
    pane.show_stale(False)
    assert not pane.is_at_work
    assert (pane.accessibleDescription(), emitted[-1]) == ("clean", "clean")


def test_on_a_stage_a_title_has_no_buttons(area: PaneArea) -> None:
    for theme, panes, shown in (
        (chosen("light", 1.0, 1.0, 1.0), ["keys"], 0),
        (chosen("light", 1.0), [*area.by_name], 3),
    ):
        area.show_panes(panes)
        apply_to_tree(area.keys, theme)
        buttons = area.keys.findChild(PaneTitle).findChildren(QToolButton)
        assert sum(not each.isHidden() for each in buttons) == shown


# -- the picture of a pane --------------------------------------------------------------------------------------------


@pytest.fixture
def pane(qtbot: QtBot) -> Pane:
    return put_up(qtbot, Pane(1, "keys_pane", "Keys"), 300, 200)


def test_a_picture_goes_onto_the_clipboard(pane: Pane) -> None:
    pane.set_view(View())
    pane.picture.copy()
    assert QGuiApplication.clipboard().image().width() == pane.view.width()


def test_a_view_that_has_more_to_say_on_paper_is_printed(pane: Pane) -> None:
    pane.set_view(View())
    pane.picture.prints = lambda: QPixmap(70, 30)
    pane.picture.copy()
    assert QGuiApplication.clipboard().image().width() == 70


def test_what_is_covered_has_no_picture(pane: Pane) -> None:
    pane.set_view(View())
    pane.cover(True)
    assert not pane.picture.is_there
    assert not any(action.isEnabled() for action in pane.widget().actions())
    pane.cover(False)
    assert pane.picture.is_there
