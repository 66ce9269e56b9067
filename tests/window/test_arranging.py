"""Where everything is in a window with a lesson: after a question, a step, a choice, another lesson, a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace as replace_fields
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from explorer.library import library, settings
from explorer.messages import Array, Failure, Picture, Report, Snapshot, Span, Variant
from tests.window.ui import Ui, answer
from tests.worker import analysed
from views.window.strips import Strip

LAPTOP, WIDE = (1366, 768), (1920, 1080)


@pytest.fixture(autouse=True)
def _on_a_laptop(ui: Ui) -> None:
    resize(ui, LAPTOP)


def resize(ui: Ui, size: tuple[int, int]) -> None:
    ui.window.resize(*size)
    for _ in range(5):
        QApplication.processEvents()


def panes(ui: Ui) -> list[str]:
    return [name for name, pane in ui.window.area.by_name.items() if pane.isVisible()]


def strips(ui: Ui) -> dict[str, str]:
    """Return title and verdict of each strip in sight."""
    found = ui.window.strips.findChildren(Strip)
    return {strip.accessibleName(): strip.accessibleDescription() for strip in found if strip.isVisible()}


def almost(sizes: dict[str, tuple[int, ...]]) -> object:
    """Return an object that equals `sizes` up to Qt's rounding."""
    return {name: pytest.approx(each, abs=3) for name, each in sizes.items()}


def press(ui: Ui, qtbot: QtBot, title: str) -> None:
    strip = next(each for each in ui.window.strips.findChildren(Strip) if each.accessibleName().endswith(title))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)


def test_an_answer_uncovers_the_pane_and_the_code_stays_below_it(ui: Ui) -> None:
    assert panes(ui) == []
    assert set(strips(ui).values()) == {"after your answer"}
    ui.desk.lesson.choose(0)
    assert panes(ui) == ["noise"]
    assert ui.window.code.isVisible()
    assert "after your answer" not in strips(ui).values()


@pytest.mark.parametrize("lesson", ["a_training_step", "biased_chain", "over_devices", "written_in_place"])
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


def test_what_the_story_was_about_stays_next_to_its_exercises(ui: Ui) -> None:
    while not ui.desk.lesson.page.tasks:
        ui.desk.lesson.go_on()
    assert ui.desk.lesson.plan.pane == ""
    assert panes(ui) == ["noise"]


def test_a_click_on_what_is_covered_uncovers_without_an_answer(ui: Ui, qtbot: QtBot) -> None:
    press(ui, qtbot, "Noise")
    page = ui.desk.lesson.page
    assert (page.revealed, page.ask.chosen if page.ask else 0, panes(ui)) == (True, None, ["noise"])


def test_results_that_come_move_nothing(ui: Ui) -> None:
    ui.desk.lesson.choose(0)
    before = (panes(ui), almost(ui.window.save_sizes()))
    ui.client.answer("shared_key", "key_per_example", variants=(Variant("shared_key", 19),))
    QApplication.processEvents()
    assert (panes(ui), ui.window.save_sizes()) == before


def test_the_findings_open_and_fold_again(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.lesson.choose(0)
    press(ui, qtbot, "Findings")
    assert ui.window.bottom.isVisible()
    assert "Findings" not in strips(ui)
    (fold,) = [each for each in ui.window.findChildren(QToolButton) if each.accessibleName() == "Fold the findings"]
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not ui.window.bottom.isVisible()
    assert "Findings" in strips(ui)


def test_a_strip_opens_its_pane_until_a_step_is_about_another(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.lesson.choose(0)
    press(ui, qtbot, "Keys")
    assert panes(ui) == ["keys"]
    ui.desk.lesson.go_on()
    ui.desk.lesson.choose(0)
    assert panes(ui) == ["program"]


def test_what_is_opened_and_dragged_is_kept_for_its_lesson_and_over_a_restart(
    ui: Ui, qtbot: QtBot, qapp: QApplication
) -> None:
    ui.desk.lesson.choose(0)
    ui.desk.on_command("lessons")
    press(ui, qtbot, "Findings")
    sizes = ui.window.whole.sizes()
    ui.window.whole.setSizes([sizes[0], 500, sum(sizes) - sizes[0] - 500])
    ui.window.whole.splitterMoved.emit(500, 2)
    dragged = ui.window.save_sizes()
    ui.desk.files.open_by_id("first_jaxpr")
    assert (ui.window.scenarios.isVisible(), ui.window.bottom.isVisible()) == (False, False)
    ui.desk.files.open_by_id("one_key_for_the_batch")
    ui.desk.lesson.uncover()
    assert (ui.window.scenarios.isVisible(), ui.window.bottom.isVisible()) == (True, True)
    assert ui.window.save_sizes() == almost(dragged)
    ui.window.close()
    later = Ui(qapp, settings.load())
    later.desk.take_up(library.open_target("one_key_for_the_batch"))
    later.window.show()
    resize(later, LAPTOP)
    later.desk.lesson.uncover()
    assert (later.window.scenarios.isVisible(), later.window.save_sizes()) == (True, almost(dragged))
    later.desk.on_command("grid")
    assert (later.window.scenarios.isVisible(), later.window.bottom.isVisible()) == (False, False)
    assert later.window.save_sizes() != almost(dragged)
    later.close()


def test_on_a_wide_screen_a_pane_can_be_made_large_folded_and_brought_back(ui: Ui) -> None:
    resize(ui, WIDE)
    assert panes(ui) == ["keys", "noise", "program", "timing"]
    assert all(pane.is_covered for pane in ui.window.area.panes)
    ui.desk.lesson.choose(0)
    assert not any(pane.is_covered for pane in ui.window.area.panes)
    ui.desk.on_command("pane_3")
    assert panes(ui) == ["program"]
    ui.desk.on_command("pane_3")
    ui.window.area.timing.fold_requested.emit("timing")
    assert (panes(ui), list(strips(ui))) == (["keys", "noise", "program"], ["Timing"])
    ui.desk.on_command("pane_4")
    assert panes(ui) == ["keys", "noise", "program", "timing"]


def test_the_edge_between_two_panes_stays_where_it_was_dragged_to_for_its_lesson(ui: Ui, qtbot: QtBot) -> None:
    resize(ui, WIDE)
    ui.desk.lesson.choose(0)
    area = ui.window.area
    even = area.keys.width()
    edge = QPoint(area.keys.geometry().right() + 2, area.keys.geometry().center().y())
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(area, edge + QPoint(150, 0))
    QApplication.processEvents()
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=edge + QPoint(150, 0))
    for lesson, width in (("first_jaxpr", even), ("one_key_for_the_batch", even + 150)):
        ui.desk.files.open_by_id(lesson)
        ui.desk.lesson.uncover()
        resize(ui, WIDE)
        assert area.keys.width() == pytest.approx(width, abs=5)
    arrangements = ui.desk.arranging.arrangements["one_key_for_the_batch"]
    assert next(iter(arrangements.sizes.values()))["panes"][0] == area.keys.width()
    ui.desk.on_command("grid")
    resize(ui, WIDE)
    assert area.keys.width() == pytest.approx(even, abs=5)


def test_the_code_keeps_its_text_size_and_the_window_its_width_wherever_the_code_goes(
    ui: Ui, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    ui.desk.appearance.step_scale(1)
    failure = Failure("TypeError", "none", Span(21, 4, 21, 8), "Because.")
    ui.desk.lesson.uncover()
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, failure=failure))
    for target in (str(own), "first_jaxpr"):
        ui.desk.files.open_by_id(target)
        resize(ui, LAPTOP)
        assert ui.window.code.text.font().pointSizeF() == ui.window.theme.mono_font().pointSizeF()
        assert ui.window.minimumSizeHint().width() < LAPTOP[0]


def test_a_detached_pane_is_neither_shown_twice_nor_folded(ui: Ui) -> None:
    ui.desk.lesson.choose(0)
    ui.window.area.noise.setFloating(True)
    assert ui.window.area.noise.isVisible()
    assert "Noise" not in strips(ui)
    ui.window.area.noise.setFloating(False)
    assert panes(ui) == ["noise"]


@pytest.mark.parametrize(
    ("before", "after"), [("", "noise"), ("pane_3", "program"), ("keyboard in it", "program"), ("pane_4", "timing")]
)
def test_ones_own_code_opens_what_has_something_to_say_once_unless_a_pane_is_in_use(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str, after: str
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    own = tmp_path / "own.py"
    own.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    ui.desk.files.open_by_id(str(own))
    assert panes(ui) == ["program"]
    assert ui.window.bottom.isVisible()
    if before.startswith("pane"):
        ui.desk.on_command(before)
    elif before:
        ui.window.activateWindow()
        ui.window.area.program.widget().setFocus()
    keys = next(each for each in ui.window.strips.findChildren(Strip) if each.accessibleName() == "Keys")
    QApplication.processEvents()
    corner = keys.geometry()

    def give(*pictures: Picture) -> None:
        reports = (Report("f", "ok", pictures=pictures),)
        variants = (Variant("f", 1),)
        ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, variants=variants, reports=reports))

    values, groups = Array.of([1.0, 2.0]), Array.of([0, 1], "int32")
    give(Picture("output", "output", (2,), "float32", values, 0, groups, 2, "2 values"))
    QApplication.processEvents()
    assert (panes(ui), keys.geometry()) == ([after], corner)
    ui.session.run()
    give()
    assert panes(ui) == [after]


def test_a_script_opens_its_keys_before_its_checks_are_done(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    own = tmp_path / "own.py"
    own.write_text("import jax\njax.random.normal(jax.random.key(0))\n", encoding="utf-8")
    found = analysed.snapshot(own.read_text("utf-8"))
    ui.desk.files.open_by_id(str(own))
    assert panes(ui) == ["program"]
    ui.client.say(replace_fields(found, run=ui.client.request.run, complete=False))
    assert panes(ui) == ["keys"]


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


def test_a_story_above_the_code_has_the_height_that_it_needs_in_its_new_width(ui: Ui) -> None:
    window = ui.window
    window.show()
    for width in (1366, 1920, 1366, 1920):
        window.resize(width, 900)
        for _ in range(5):
            QApplication.processEvents()
    assert not ui.desk.arranging._layout.code_below
    assert window.story.height() >= window.story.height_for(window.story.width())
