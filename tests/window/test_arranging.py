"""Where everything is in a window with a lesson: after a question, a step, a choice, another lesson, a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace as replace_fields
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from explorer.library import library, settings
from explorer.messages import Failure, Snapshot, Span
from tests.window.ui import Ui, finish_steps, panes, places
from tests.worker import analysed
from views.window.strips import PaneStrip

LAPTOP, WIDE = (1366, 768), (1920, 1080)


@pytest.fixture(autouse=True)
def _on_a_laptop(ui: Ui) -> None:
    resize(ui, LAPTOP)


def resize(ui: Ui, size: tuple[int, int]) -> None:
    ui.window.resize(*size)
    for _ in range(5):
        QApplication.processEvents()
    finish_steps(ui.window)


def strips(ui: Ui) -> dict[str, str]:
    """Return title and verdict of each strip in sight."""
    found = ui.window.strips.findChildren(PaneStrip)
    return {strip.accessibleName(): strip.accessibleDescription() for strip in found if strip.isVisible()}


def almost(sizes: dict[str, tuple[int, ...]]) -> object:
    """Return an object that equals `sizes` up to Qt's rounding."""
    return {name: pytest.approx(each, abs=3) for name, each in sizes.items()}


def press(ui: Ui, qtbot: QtBot, title: str) -> None:
    strip = next(each for each in ui.window.strips.findChildren(PaneStrip) if each.accessibleName().endswith(title))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)


def open_question(ui: Ui) -> None:
    """Open a page whose question covers the Program pane."""
    ui.desk.lesson.go_to(1)
    assert ui.desk.lesson.covered == {"program", "findings"}


def test_a_question_covers_the_pane_with_its_answer_in_place(ui: Ui) -> None:
    before = places(ui)
    open_question(ui)
    assert [pane.name for pane in ui.window.area.panes if pane.is_covered] == ["program"]
    assert ui.window.area.program.accessibleDescription() == "after your answer"
    assert ui.window.bottom.tabText(0) == "Findings: after your answer"
    assert places(ui) == before
    ui.desk.lesson.choose(0)
    assert not any(pane.is_covered for pane in ui.window.area.panes)
    assert places(ui) == before


def test_on_the_way_around_a_question_it_is_asked_first(ui: Ui, qtbot: QtBot) -> None:
    open_question(ui)
    story, next_page = ui.window.story, ui.window.story.findChild(QToolButton, "next")
    qtbot.mouseClick(ui.window.area.program.body.cover, Qt.MouseButton.LeftButton)
    assert not ui.desk.lesson.page.revealed
    assert any("Answer first" in each.text() for each in story.findChildren(QLabel) if each.isVisible())
    ui.desk.lesson.go_to(0)
    open_question(ui)
    for revealed in (False, True):
        qtbot.mouseClick(next_page, Qt.MouseButton.LeftButton)
        assert ui.desk.lesson.page.revealed is revealed


def test_a_pane_on_its_own_stays_covered_until_the_answer(ui: Ui) -> None:
    open_question(ui)
    ui.desk.on_command("pane_3")
    assert (panes(ui), ui.window.area.program.is_covered) == (["program"], True)
    ui.desk.on_command("pane_3")
    assert panes(ui) == ["keys", "noise", "program", "timing"]


@pytest.mark.parametrize("lesson", ["biased_chain", "written_in_place"])
def test_the_lines_that_a_step_marks_are_visible_wherever_the_cursor_is(ui: Ui, lesson: str, qtbot: QtBot) -> None:
    scenario, text, reader = library.open_target(lesson), ui.window.code.text, ui.desk.lesson
    ui.session.workspace.open(scenario)
    ui.window.activateWindow()
    text.setFocus()
    qtbot.waitUntil(text.hasFocus)
    for step in scenario.steps:
        for _ in range(2 if step.question else 1):
            resize(ui, LAPTOP)
            whole = {row for row, place in text.visible_rows() if 0 <= place.top() <= place.bottom() <= text.height()}
            assert text.marks.marked <= whole
            assert bool(text.marks.marked) == step.focus.startswith("line ")
            reader.go_on()


def test_the_findings_fold_to_their_tabs_and_open_again(ui: Ui, qtbot: QtBot) -> None:
    bottom = ui.window.bottom
    opened = bottom.height()
    fold = next(each for each in ui.window.findChildren(QToolButton) if each.accessibleName() == "Fold the findings")
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert bottom.height() == bottom.tabBar().sizeHint().height()
    qtbot.mouseClick(bottom.tabBar(), Qt.MouseButton.LeftButton, pos=bottom.tabBar().tabRect(0).center())
    assert bottom.height() == opened


def test_what_is_opened_and_dragged_is_kept_for_all_lessons_and_over_a_restart(ui: Ui, qapp: QApplication) -> None:
    ui.desk.on_command("lessons")
    sizes = ui.window.whole.sizes()
    ui.window.whole.setSizes([sizes[0], 500, sum(sizes) - sizes[0] - 500])
    ui.window.whole.splitterMoved.emit(500, 2)
    dragged = ui.window.save_sizes()
    ui.desk.files.open_by_id("first_jaxpr")
    assert ui.window.scenarios.isVisible()
    assert ui.window.save_sizes()["whole"] == pytest.approx(dragged["whole"], abs=3)
    ui.window.close()
    later = Ui(qapp, settings.load())
    later.desk.take_up(library.open_target("one_key_for_the_batch"))
    later.window.show()
    resize(later, LAPTOP)
    assert (later.window.scenarios.isVisible(), later.window.save_sizes()) == (True, almost(dragged))
    later.desk.on_command("grid")
    assert not later.window.scenarios.isVisible()
    assert later.window.save_sizes() != almost(dragged)
    later.close()


def test_a_pane_can_be_made_large_folded_and_brought_back(ui: Ui, qtbot: QtBot) -> None:
    for back in (lambda: ui.desk.on_command("pane_3"), lambda: qtbot.keyClick(ui.window, Qt.Key.Key_Escape)):
        ui.desk.on_command("pane_3")
        assert panes(ui) == ["program"]
        back()
        assert panes(ui) == ["keys", "noise", "program", "timing"]
    ui.window.area.timing.fold_requested.emit("timing")
    assert (panes(ui), list(strips(ui))) == (["keys", "noise", "program"], ["Timing"])
    ui.desk.on_command("pane_4")
    assert panes(ui) == ["keys", "noise", "program", "timing"]


def test_the_edge_between_two_panes_stays_where_it_was_dragged_to(ui: Ui, qtbot: QtBot) -> None:
    resize(ui, WIDE)
    ui.desk.lesson.choose(0)
    area = ui.window.area
    even = area.keys.width()
    edge = QPoint(area.keys.geometry().right() + 2, area.keys.geometry().center().y())
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(area, edge + QPoint(150, 0))
    QApplication.processEvents()
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=edge + QPoint(150, 0))
    for lesson, width in (("first_jaxpr", even + 150), ("one_key_for_the_batch", even + 150)):
        ui.desk.files.open_by_id(lesson)
        ui.desk.lesson.uncover()
        resize(ui, WIDE)
        assert area.keys.width() == pytest.approx(width, abs=5)
    assert next(iter(ui.desk.arranging.arrangement.sizes.values()))["panes"][0] == area.keys.width()
    ui.desk.on_command("grid")
    resize(ui, WIDE)
    assert area.keys.width() == pytest.approx(even, abs=5)


def test_the_code_keeps_its_text_size_and_the_window_its_width_wherever_the_code_goes(
    ui: Ui, own: Path, yes: None
) -> None:
    ui.desk.appearance.step_scale(1)
    failure = Failure("TypeError", "none", Span(21, 4, 21, 8), "Because.")
    ui.desk.lesson.uncover()
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, failure=failure))
    for target in (str(own), "first_jaxpr"):
        ui.desk.files.open_by_id(target)
        resize(ui, LAPTOP)
        assert ui.window.code.text.font().pointSizeF() == ui.window.theme.mono_font().pointSizeF()
        assert ui.window.minimumSizeHint().width() < LAPTOP[0]


def test_ones_own_code_has_four_panes_from_the_start_and_the_findings_open(ui: Ui, tmp_path: Path, yes: None) -> None:
    own = tmp_path / "own.py"
    own.write_text("import jax\njax.random.normal(jax.random.key(0))\n", encoding="utf-8")
    ui.desk.files.open_by_id(str(own))
    resize(ui, LAPTOP)
    before = places(ui)
    assert {"keys", "noise", "program", "timing", "lists"} <= before.keys()
    ui.client.say(replace_fields(analysed.snapshot(own.read_text("utf-8")), run=ui.client.request.run))
    QApplication.processEvents()
    assert places(ui) == before


@pytest.mark.rest
def test_switches_of_lesson_leave_nothing_behind(ui: Ui) -> None:
    lessons = ("seed_and_key", "one_key_for_the_batch", "split_tree")

    def count_after(switches: int) -> int:
        for turn in range(switches):
            ui.desk.files.open_by_id(lessons[turn % 3])
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(ui.window.findChildren(QObject))

    count_after(6)
    assert count_after(6) == count_after(12)


def test_a_theme_leaves_the_edges_that_were_dragged_and_evens_those_that_were_not(ui: Ui, qtbot: QtBot) -> None:
    def widths() -> list[int]:
        return [pane.width() for pane in area.panes]

    def shift() -> None:
        finish_steps(ui.window)
        QApplication.processEvents()
        area.resizeDocks([area.keys, area.noise], [300, 600], Qt.Orientation.Horizontal)
        qtbot.waitUntil(lambda: area.keys.width() < even[0] - 50)

    area = ui.window.area
    ui.window.resize(1400, 800)
    qtbot.waitUntil(lambda: abs(area.keys.width() - area.noise.width()) < 3)
    even = widths()
    shift()
    ui.desk.on_command("dark")
    qtbot.waitUntil(lambda: widths() == even)
    shift()
    area.dragged.emit()
    dragged = widths()
    ui.desk.on_command("light")
    finish_steps(ui.window)
    QApplication.processEvents()
    assert widths() == dragged


def test_a_right_click_hides_neither_a_tool_bar_nor_a_pane(ui: Ui) -> None:
    for part in (ui.window.controls, ui.window.area.by_name["keys"]):
        place = QPoint(2, 2)
        clicked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, part.mapToGlobal(place))
        QApplication.sendEvent(part, clicked)
        assert QApplication.activePopupWidget() is None
