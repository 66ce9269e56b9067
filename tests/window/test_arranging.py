"""Where everything is in a window with a lesson: after a question, a step, a choice, another lesson, a restart."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QToolButton
from pytestqt.qtbot import QtBot

from explorer.library import library, settings
from explorer.messages import Array, Failure, Picture, Report, Snapshot, Span, Variant
from explorer.window import connections
from tests.window.place import Place, answer
from views.window.strips import Strip

LAPTOP, WIDE = (1366, 768), (1920, 1080)


@pytest.fixture(autouse=True)
def _on_a_laptop(place: Place) -> None:
    resize(place, LAPTOP)


def resize(place: Place, size: tuple[int, int]) -> None:
    place.window.resize(*size)
    for _ in range(5):
        QApplication.processEvents()


def panes(place: Place) -> list[str]:
    return [name for name, pane in place.window.area.by_name.items() if pane.isVisible()]


def strips(place: Place) -> dict[str, str]:
    """Return title and verdict of each strip in sight."""
    found = place.window.strips.findChildren(Strip)
    return {strip.accessibleName(): strip.accessibleDescription() for strip in found if strip.isVisible()}


def almost(sizes: dict[str, tuple[int, ...]]) -> object:
    """Return what equals `sizes` but for what Qt rounds."""
    return {name: pytest.approx(each, abs=3) for name, each in sizes.items()}


def press(place: Place, qtbot: QtBot, title: str) -> None:
    strip = next(each for each in place.window.strips.findChildren(Strip) if each.accessibleName().endswith(title))
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton)


def test_an_answer_uncovers_the_pane_and_the_code_stays_below_it(place: Place) -> None:
    assert panes(place) == []
    assert set(strips(place).values()) == {"after your answer"}
    place.desk.lesson.choose(0)
    assert panes(place) == ["noise"]
    assert place.window.code.isVisible()
    assert "after your answer" not in strips(place).values()


def test_what_the_story_was_about_stays_beside_its_exercises(place: Place) -> None:
    while not place.desk.lesson.page.tasks:
        place.desk.lesson.go_on()
    assert place.desk.lesson.plan.pane == ""
    assert panes(place) == ["noise"]


def test_a_click_on_what_is_covered_uncovers_without_an_answer(place: Place, qtbot: QtBot) -> None:
    press(place, qtbot, "Noise")
    page = place.desk.lesson.page
    assert (page.revealed, page.ask.chosen if page.ask else 0, panes(place)) == (True, None, ["noise"])


def test_results_that_come_move_nothing(place: Place) -> None:
    place.desk.lesson.choose(0)
    before = (panes(place), almost(place.window.save_sizes()))
    place.client.answer("shared_key", "key_per_example", variants=(Variant("shared_key", 19),))
    QApplication.processEvents()
    assert (panes(place), place.window.save_sizes()) == before


def test_the_findings_open_and_fold_again(place: Place, qtbot: QtBot) -> None:
    place.desk.lesson.choose(0)
    press(place, qtbot, "Findings")
    assert place.window.bottom.isVisible()
    assert "Findings" not in strips(place)
    (fold,) = [each for each in place.window.findChildren(QToolButton) if each.accessibleName() == "Fold the findings"]
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not place.window.bottom.isVisible()
    assert "Findings" in strips(place)


def test_a_strip_opens_its_pane_until_a_step_is_about_another(place: Place, qtbot: QtBot) -> None:
    place.desk.lesson.choose(0)
    press(place, qtbot, "Keys")
    assert panes(place) == ["keys"]
    place.desk.lesson.go_on()
    place.desk.lesson.choose(0)
    assert panes(place) == ["program"]


def test_what_is_opened_and_dragged_is_kept_for_its_lesson_and_over_a_restart(
    place: Place, qtbot: QtBot, qapp: QApplication
) -> None:
    place.desk.lesson.choose(0)
    place.desk.on_command("lessons")
    press(place, qtbot, "Findings")
    sizes = place.window.whole.sizes()
    place.window.whole.setSizes([sizes[0], 500, sum(sizes) - sizes[0] - 500])
    place.window.whole.splitterMoved.emit(500, 2)
    dragged = place.window.save_sizes()
    place.desk.files.open_by_id("first_jaxpr")
    assert (place.window.scenarios.isVisible(), place.window.bottom.isVisible()) == (False, False)
    place.desk.files.open_by_id("one_key_for_the_batch")
    place.desk.lesson.uncover()
    assert (place.window.scenarios.isVisible(), place.window.bottom.isVisible()) == (True, True)
    assert place.window.save_sizes() == almost(dragged)
    place.window.close()
    later = Place(qapp, settings.load())
    qtbot.addWidget(later.window)
    connections.connect(later.window, later.session, later.client, later.desk)  # type: ignore[arg-type]
    later.desk.take_up(library.open_target("one_key_for_the_batch"))
    later.window.show()
    resize(later, LAPTOP)
    later.desk.lesson.uncover()
    assert (later.window.scenarios.isVisible(), later.window.save_sizes()) == (True, almost(dragged))
    later.desk.on_command("grid")
    assert (later.window.scenarios.isVisible(), later.window.bottom.isVisible()) == (False, False)
    assert later.window.save_sizes() != almost(dragged)


def test_on_a_wide_screen_a_pane_can_be_made_large_folded_and_brought_back(place: Place) -> None:
    resize(place, WIDE)
    assert panes(place) == ["keys", "noise", "program", "timing"]
    assert all(pane.is_covered for pane in place.window.area.panes)
    place.desk.lesson.choose(0)
    assert not any(pane.is_covered for pane in place.window.area.panes)
    place.desk.on_command("pane_3")
    assert panes(place) == ["program"]
    place.desk.on_command("pane_3")
    place.window.area.timing.fold_requested.emit("timing")
    assert (panes(place), list(strips(place))) == (["keys", "noise", "program"], ["Timing"])
    place.desk.on_command("pane_4")
    assert panes(place) == ["keys", "noise", "program", "timing"]


def test_the_edge_between_two_panes_stays_where_it_was_dragged_to_for_its_lesson(place: Place, qtbot: QtBot) -> None:
    resize(place, WIDE)
    place.desk.lesson.choose(0)
    area = place.window.area
    even = area.keys.width()
    edge = QPoint(area.keys.geometry().right() + 2, area.keys.geometry().center().y())
    qtbot.mousePress(area, Qt.MouseButton.LeftButton, pos=edge)
    qtbot.mouseMove(area, edge + QPoint(150, 0))
    QApplication.processEvents()
    qtbot.mouseRelease(area, Qt.MouseButton.LeftButton, pos=edge + QPoint(150, 0))
    for lesson, width in (("first_jaxpr", even), ("one_key_for_the_batch", even + 150)):
        place.desk.files.open_by_id(lesson)
        place.desk.lesson.uncover()
        resize(place, WIDE)
        assert area.keys.width() == pytest.approx(width, abs=5)
    kept = place.desk.arranging.kept["one_key_for_the_batch"]
    assert next(iter(kept.sizes.values()))["panes"][0] == area.keys.width()
    place.desk.on_command("grid")
    resize(place, WIDE)
    assert area.keys.width() == pytest.approx(even, abs=5)


def test_the_code_keeps_its_text_size_and_the_window_its_width_wherever_the_code_goes(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.appearance.step_scale(1)
    failure = Failure("TypeError", "none", Span(21, 4, 21, 8), "Because.")
    place.desk.lesson.uncover()
    place.client.say(Snapshot(place.client.request.run, "cpu:0", True, failure=failure))
    for target in (str(own), "first_jaxpr"):
        place.desk.files.open_by_id(target)
        resize(place, LAPTOP)
        assert place.window.code.text.font().pointSizeF() == place.window.theme.mono_font().pointSizeF()
        assert place.window.minimumSizeHint().width() < LAPTOP[0]


def test_a_detached_pane_is_neither_shown_twice_nor_folded(place: Place) -> None:
    place.desk.lesson.choose(0)
    place.window.area.noise.setFloating(True)
    assert place.window.area.noise.isVisible()
    assert "Noise" not in strips(place)
    place.window.area.noise.setFloating(False)
    assert panes(place) == ["noise"]


def test_ones_own_code_opens_what_has_something_to_say_once(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    own = tmp_path / "own.py"
    own.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    place.desk.files.open_by_id(str(own))
    assert panes(place) == ["program"]
    assert place.window.bottom.isVisible()

    def give(*pictures: Picture) -> None:
        reports = (Report("f", "ok", pictures=pictures),)
        variants = (Variant("f", 1),)
        place.client.say(Snapshot(place.client.request.run, "cpu:0", True, variants=variants, reports=reports))

    values, groups = Array.of([1.0, 2.0]), Array.of([0, 1], "int32")
    give(Picture("output", "output", (2,), "float32", values, 0, groups, 2, "2 values"))
    assert panes(place) == ["noise"]
    place.session.run()
    give()
    assert panes(place) == ["noise"]


def test_switches_of_lesson_leave_nothing_behind(place: Place) -> None:
    lessons = ("seed_and_key", "one_key_for_the_batch", "split_tree")

    def count_after(switches: int) -> int:
        for turn in range(switches):
            place.desk.files.open_by_id(lessons[turn % 3])
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return len(place.window.findChildren(QObject))

    count_after(6)
    assert count_after(6) == count_after(12)


def test_a_story_above_the_code_has_the_height_that_it_needs_in_its_new_width(place: Place) -> None:
    window = place.window
    window.show()
    for width in (1366, 1920, 1366, 1920):
        window.resize(width, 900)
        for _ in range(5):
            QApplication.processEvents()
    assert not place.desk.arranging._layout.code_below
    assert window.story.height() >= window.story.height_for(window.story.width())
