"""The window as a whole, with a session whose worker is never asked: files, theme, language, closing."""

from __future__ import annotations

import gc
from collections import Counter
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QShortcut, QTextDocumentFragment
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.library import drafts, library, paths, settings
from explorer.link.state import WorkerState
from explorer.messages import AS_IT_WAS, Failure, Finding, Focus, Parameter, Report, Snapshot, Span, Variant
from explorer.scenario.page import Page
from explorer.window import connections
from tests.library.left_behind import leave
from tests.views.keys.key_notation import key_graph
from tests.window.place import Place, answer
from views import theme
from views.code.problem_line import ProblemLine
from views.help.glossary_window import GlossaryWindow
from views.window.key_sheet import KeySheet
from views.window.main_window import MainWindow
from views.window.strips import Strip

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Screen:
    """Of any size."""

    def __init__(self, width: int, height: int) -> None:
        self._room = QRect(0, 0, width, height)

    def size(self) -> QSize:
        return self._room.size()

    def availableGeometry(self) -> QRect:  # noqa: N802
        return self._room


@pytest.mark.parametrize(
    ("size", "maximised"), [((1024, 768), True), ((1366, 768), True), ((1499, 900), True), ((1920, 1080), False)]
)
def test_the_first_window_takes_most_of_the_screen_and_all_of_a_small_one(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], maximised: bool
) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    monkeypatch.setattr(window, "screen", lambda: Screen(*size))
    window.restore_window(b"")
    assert window.isMaximized() == maximised
    shares = [part / whole for part, whole in zip((window.width(), window.height()), size, strict=True)]
    assert shares == pytest.approx([0.85, 0.85], abs=0.01)
    assert QRect(0, 0, *size).contains(window.geometry())


def test_the_scenario_stands_in_the_window(place: Place) -> None:
    assert place.window.code.source() == place.session.workspace.source
    assert "One key for the batch" in place.window.windowTitle()


def test_a_file_from_elsewhere_runs_only_when_the_person_agrees(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.No)
    place.desk.files.open_by_id(str(own))
    assert place.session.workspace.scenario is not None
    assert place.session.workspace.scenario.id == "one_key_for_the_batch"
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    assert place.window.code.source() == "def f():\n    return 1.0\n"
    assert place.client.request.filename == str(own)


def test_saving_writes_the_file_and_the_code_is_no_longer_edited(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    place.session.workspace.edit("def f():\n    return 2.0\n")
    assert place.window.isWindowModified()
    place.desk.on_command("save")
    assert own.read_text(encoding="utf-8") == "def f():\n    return 2.0\n"
    assert not place.window.isWindowModified()
    assert drafts.targets() == frozenset()


def test_saving_a_scenario_asks_where_and_goes_on_with_the_copy(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.py"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(copy), ""))
    place.desk.on_command("save")
    assert copy.read_text(encoding="utf-8") == place.session.workspace.source
    assert place.session.workspace.scenario is not None
    assert place.session.workspace.scenario.id == str(copy)


@pytest.mark.parametrize(
    ("name", "there", "saved"),
    [("copy", "", "copy.py"), ("copy.txt", "", ""), ("copy", "copy.py", "")],
    ids=["no ending", "another ending", "no ending but such a file"],
)
def test_code_is_saved_under_a_name_that_python_knows_or_not_at_all(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, there: str, saved: str
) -> None:
    if there:
        (tmp_path / there).write_text("mine = 1\n", encoding="utf-8")
    before = {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
    place.desk.files.save_as()
    assert {path.name for path in tmp_path.iterdir()} - before == ({saved} if saved else set())
    assert place.window.notice.isVisible() is not bool(saved)
    assert not there or (tmp_path / there).read_text(encoding="utf-8") == "mine = 1\n"


def test_a_full_disk_is_told_and_the_code_stays(place: Place, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    place.session.workspace.replace_source("precious")
    monkeypatch.setattr(library, "write_code", full)
    place.desk.on_command("save")
    assert "No space left" in place.window.notice.accessibleName()
    assert place.window.code.source() == "precious"


@pytest.mark.parametrize("content", [b"x = '\xe9'", None], ids=["not UTF-8", "not there"])
def test_an_unreadable_file_is_told_and_changes_nothing(place: Place, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.py"
    if content is not None:
        path.write_bytes(content)
    before = place.session.workspace.source
    place.desk.files.open_by_id(str(path))
    assert place.window.notice.isVisible()
    assert place.session.workspace.source == before


def test_a_reset_can_be_undone(place: Place) -> None:
    original = place.session.workspace.source
    place.window.code.set_source("mine", keep_undo=True)
    place.session.workspace.edit("mine")
    place.desk.on_command("reset")
    assert place.window.code.source() == original
    place.window.code.findChild(QPlainTextEdit).undo()
    assert place.window.code.source() == "mine"


def test_a_story_of_edited_code_puts_the_original_back_for_undo_to_take_back(place: Place, qtbot: QtBot) -> None:
    original, editor = place.session.workspace.source, place.window.code.findChild(QPlainTextEdit)
    qtbot.keyClicks(editor, "# ")
    assert place.desk.lesson.page.edited
    place.window.story.both_wanted.emit()
    assert (place.session.workspace.controls.compare, place.desk.lesson.page.beside) == (AS_IT_WAS, True)
    place.window.story.original_wanted.emit()
    assert (place.window.code.source(), place.desk.lesson.page.edited) == (original, False)
    editor.undo()
    assert place.window.code.source() == f"# {original}"
    assert place.desk.lesson.page.edited


@pytest.mark.parametrize("choice", ["use_draft", "discard_draft"])
def test_edits_from_before_a_crash_are_offered(place: Place, choice: str) -> None:
    leave("selu_eager_or_jit", "# from before the crash\n")
    place.desk.files.open_by_id("selu_eager_or_jit")
    assert "unsaved edits" in place.window.notice.accessibleName()
    place.window.notice.answered.emit(choice)
    used = "from before the crash" in place.window.code.source()
    assert used == (choice == "use_draft")
    if choice == "discard_draft":
        assert drafts.targets() == frozenset()


def test_throwing_old_edits_away_keeps_what_was_typed_since(place: Place) -> None:
    leave("selu_eager_or_jit", "# old\n")
    place.desk.files.open_by_id("selu_eager_or_jit")
    place.session.workspace.edit("# new\n")
    place.window.notice.answered.emit("discard_draft")
    place.session.workspace.close()
    assert [each.source for each in drafts.left("selu_eager_or_jit")] == ["# new\n"]


def test_text_size_and_theme_reach_every_view_and_the_next_start(place: Place, qapp: QApplication) -> None:
    before = qapp.font().pointSizeF()
    place.desk.on_command("larger")
    place.desk.on_command("dark")
    assert qapp.font().pointSizeF() > before
    place.window.close()
    saved = settings.load()
    assert (saved.theme, saved.scale, saved.last_target) == ("dark", 1.15, "one_key_for_the_batch")


def chosen(place: Place) -> dict[str, object]:
    """Return what a person has done to the window, which is no business of its language."""
    window, text = place.window, place.window.code.findChild(QPlainTextEdit)
    return {
        **shape(place),
        "menus": {each.id: window.action(each.id).isChecked() for each in window.commands},
        "tab": window.bottom.currentIndex(),
        "search": window.scenarios.findChild(QLineEdit).text(),
        "text": (window.code.source(), text.textCursor().anchor(), text.textCursor().position()),
        "scrolled": text.verticalScrollBar().value(),
        "typing": text.hasFocus(),
        "page": (place.desk.lesson.page.place, place.desk.lesson.page.revealed, place.desk.lesson.page.ask.chosen),
        "asked": place.session.workspace.controls,
    }


def test_another_language_leaves_everything_as_it_was(place: Place, qtbot: QtBot) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    window = place.window
    window.setGeometry(20, 30, 1100, 700)
    place.desk.lesson.uncover()
    drag(window, 500)
    text = window.code.findChild(QPlainTextEdit)
    text.setFocus()
    qtbot.keyClicks(text, "ab")
    cursor = text.textCursor()
    cursor.setPosition(700)
    cursor.setPosition(710, cursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    window.scenarios.findChild(QLineEdit).setText("batch")
    window.bottom.setCurrentIndex(1)
    place.client.answer(
        "shared_key", "key_per_example", variants=(Variant("shared_key", 19), Variant("key_per_example", 24))
    )
    place.session.choose_focus(Focus("line", 9))
    text.ensureCursorVisible()
    place.desk.on_command("pane_4")
    place.desk.on_command("dark")
    window.area.timing.view.findChild(QTabBar).setCurrentIndex(3)
    QApplication.processEvents()
    before = chosen(place)
    place.desk.on_command("language_ko")
    QApplication.processEvents()
    after = chosen(place)
    assert after.pop("menus") == {**before.pop("menus"), "language_en": False, "language_ko": True}
    assert after == before
    assert window.area.timing.view.findChild(QTabBar).currentIndex() == 3
    window.code.findChild(QPlainTextEdit).undo()
    assert place.session.workspace.source == place.session.workspace.scenario.source


def test_a_detached_pane_stays_where_it_is_in_another_language(place: Place, qtbot: QtBot) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    place.desk.on_command("dark")
    place.window.area.timing.setFloating(True)
    place.window.area.timing.setGeometry(70, 90, 400, 300)
    QApplication.processEvents()
    place.desk.on_command("language_ko")
    pane = place.window.area.timing
    qtbot.waitUntil(lambda: pane.isVisible() and pane.geometry() == QRect(70, 90, 400, 300))
    title = pane.titleBarWidget()
    assert pane.isFloating()
    assert title.palette().color(title.backgroundRole()).name() == theme.DARK.panel
    pane.setFloating(False)


def test_a_pane_is_detached_reached_and_put_back_by_keys_alone(place: Place, own: Path, qtbot: QtBot) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    place.desk.files.allow(library.open_target(str(own)))
    place.desk.files.open_by_id(str(own))
    place.desk.on_command("pane_3")
    QApplication.processEvents()
    pane = place.window.area.program
    button = next(each for each in pane.findChildren(QAbstractButton) if each.accessibleName() == "Detach Program")
    button.setFocus()
    for put_back in (lambda: qtbot.keyClick(button, Qt.Key.Key_Space), lambda: place.desk.on_command("grid")):
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert pane.isFloating()
        qtbot.waitUntil(button.hasFocus)
        reached = []
        for _ in range(8):
            place.desk.on_command("next_part")
            QApplication.processEvents()
            reached.append(pane.isAncestorOf(QApplication.focusWidget()))
        assert 0 < sum(reached) < 8, "F6 goes there, and on"
        pane.activateWindow()
        button.setFocus()
        qtbot.waitUntil(button.hasFocus)
        put_back()
        assert not pane.isFloating()
        qtbot.waitUntil(button.hasFocus)


def test_typing_goes_on_in_another_language(place: Place, qtbot: QtBot) -> None:
    old = place.window.code.findChild(QPlainTextEdit)
    place.desk.on_command("language_ko")
    new = place.window.code.findChild(QPlainTextEdit)
    qtbot.keyClicks(new, "# ")
    assert place.session.workspace.source.startswith("# ")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(old)


def test_the_keyboard_stays_where_it_is_in_another_language(place: Place, own: Path, qtbot: QtBot) -> None:
    place.desk.files.allow(library.open_target(str(own)))
    place.desk.files.open_by_id(str(own))
    place.client.answer("f", variants=(Variant("f", 1),))
    place.window.findings.findChild(QListWidget).setFocus()
    for language in ("language_ko", "language_en"):
        place.desk.on_command(language)
        qtbot.waitUntil(lambda: place.window.findings.findChild(QListWidget).hasFocus())


def test_a_lesson_that_opens_from_the_code_has_the_keyboard_in_its_story(place: Place, own: Path) -> None:
    place.desk.files.allow(library.open_target(str(own)))
    place.desk.files.open_by_id(str(own))
    QApplication.processEvents()
    assert place.window.code.isAncestorOf(place.window.focusWidget()), "there is nothing to be read"
    place.desk.files.open_by_id("selu_eager_or_jit")
    QApplication.processEvents()
    assert place.window.story.isAncestorOf(place.window.focusWidget()), "a digit answers, and is not typed"
    place.window.scenarios.setFocus()
    assert place.window.scenarios.isAncestorOf(place.window.focusWidget())
    place.desk.on_command("next_scenario")
    assert place.window.scenarios.isAncestorOf(place.window.focusWidget())


def test_a_presentation_goes_on_in_another_language(place: Place, qtbot: QtBot) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    place.window.setGeometry(20, 30, 1100, 700)
    for _ in range(3):
        # What is in the panes tells how wide they must be at least.
        QApplication.processEvents()
    before = shape(place)
    place.desk.on_command("present")
    place.desk.lesson.go_on()
    seen = seen_parts(place)
    place.desk.on_command("language_ko")
    QApplication.processEvents()
    assert (seen_parts(place), shape(place)["parts"]) == (seen, [False] * 6)
    for _ in range(9):
        # A page that is longer than the screen takes more than one press.
        if seen_parts(place) == seen:
            qtbot.keyClick(place.window, Qt.Key.Key_PageDown)
    assert seen_parts(place) == ("code",)
    place.desk.on_command("language_en")
    QApplication.processEvents()
    place.desk.on_command("present")
    qtbot.waitUntil(lambda: shape(place) == before)


def test_no_part_of_the_window_outlives_its_language(place: Place) -> None:
    connections.add_plots(place.window, place.session, place.desk)
    counts = []
    for language in ("language_ko", "language_en") * 2:
        place.desk.on_command(language)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        counts.append(Counter(type(widget).__name__ for widget in QApplication.allWidgets()))
    assert counts[0] == counts[2]
    assert counts[1] == counts[3]


def test_the_language_changes_the_story_at_once(place: Place) -> None:
    place.desk.on_command("language_ko")
    assert "배치" in place.window.windowTitle()
    place.desk.on_command("language_en")
    assert "One key" in place.window.windowTitle()


def shape(place: Place) -> dict[str, object]:
    """Return everything about the window that a presentation must give back."""
    window, area = place.window, place.window.area
    parts = (window.menuBar(), window.controls, window.status, window.bottom, window.strips, window.code_column)
    return {
        "window": (window.geometry(), window.isFullScreen(), window.isMaximized()),
        "sizes": window.save_sizes(),
        # Qt gives a hidden pane its place when it is shown.
        "panes": [(pane.isVisible() and pane.geometry(), pane.isFloating()) for pane in area.panes],
        "parts": [part.isVisible() for part in parts],
        "text": (window.font().pointSizeF(), place.desk.appearance.settings.theme),
        "selection": (place.session.workspace.controls, place.session.marks().focus),
    }


def where_it_is_read(place: Place) -> tuple[int, bool]:
    page = place.desk.lesson.page
    return page.place, page.revealed


def drag(window: MainWindow, position: int) -> None:
    """Drag the edge between what stands at the left and at the right."""
    sizes = window.whole.sizes()
    window.whole.setSizes([sizes[0], position, sum(sizes) - sizes[0] - position])
    window.whole.splitterMoved.emit(position, 2)


def seen_parts(place: Place) -> tuple[str, ...]:
    """Return what stands beside the words."""
    panes = tuple(pane.objectName().removesuffix("_pane") for pane in place.window.area.panes if pane.isVisible())
    return (*panes, *(("code",) if place.window.code.isVisible() else ()))


@pytest.mark.parametrize("preparation", ["", "pane_3", "float"])
def test_a_presentation_gives_the_window_back_exactly(place: Place, qtbot: QtBot, preparation: str) -> None:
    place.window.setGeometry(20, 30, 700, 600)
    place.desk.lesson.uncover()
    QApplication.processEvents()
    drag(place.window, 400)
    place.session.choose_focus(Focus("line", 9))
    QApplication.processEvents()
    computed = shape(place)
    if preparation == "float":
        place.window.area.timing.setFloating(True)
    elif preparation:
        place.desk.on_command(preparation)
    QApplication.processEvents()
    before = shape(place)
    place.desk.on_command("present")
    assert place.window.isFullScreen()
    assert shape(place)["parts"] == [False] * 6
    QApplication.processEvents()
    # Without a window manager nobody gives the keyboard to the window when a detached pane goes.
    place.window.activateWindow()
    read = where_it_is_read(place)
    # Within the step: another one makes room for its own pane.
    for key, turned in ((Qt.Key.Key_PageUp, False), (Qt.Key.Key_PageDown, True)):
        for _ in range(9):
            # A page that is longer than the screen takes more than one press.
            if (where_it_is_read(place) == read) is not turned:
                qtbot.keyClick(place.window, key)
    assert where_it_is_read(place) == read
    place.desk.on_command("dark")
    qtbot.keyClick(place.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: shape(place) == before)
    if preparation == "pane_3":
        place.desk.on_command(preparation)
        qtbot.waitUntil(lambda: shape(place) == computed)
    place.window.area.timing.setFloating(False)


def test_the_menus_come_back_where_pyside_has_given_up_its_object_for_them(place: Place) -> None:
    before = shape(place)["parts"]
    place.desk.on_command("present")
    shiboken6.invalidate(place.window.menuBar())
    place.desk.on_command("present")
    assert shape(place)["parts"] == before


def test_a_clickers_two_keys_walk_steps_reveals_and_scenarios(place: Place, qtbot: QtBot) -> None:
    place.desk.on_command("present")
    lesson, seen = place.desk.lesson, []
    start = place.session.workspace.scenario
    for key, presses in ((Qt.Key.Key_PageDown, 60), (Qt.Key.Key_PageUp, 600)):
        for _ in range(presses):
            now = (lesson.page.place, lesson.page.revealed, seen_parts(place))
            # A page that is longer than the screen takes more than one press.
            if now not in seen[-1:]:
                seen.append(now)
            opened = place.session.workspace.scenario
            if (
                opened is not start
                if key == Qt.Key.Key_PageDown
                else opened == library.built_in()[0] and lesson.page.is_first
            ):
                break
            qtbot.keyClick(place.window, key)
    assert seen[:10] == [
        (0, False, ("code",)),
        (0, True, ("noise",)),
        (1, False, ("code",)),
        (1, True, ("program",)),
        (2, False, ("code",)),
        (2, True, ("keys",)),
        (3, False, ("code",)),
        (3, True, ("noise",)),
        (4, True, ("code",)),
        (0, False, ("code",)),
    ]
    assert place.session.workspace.scenario == library.built_in()[0]
    place.desk.on_command("present")


def test_number_keys_choose_the_pane_wherever_the_keyboard_is(place: Place, qtbot: QtBot) -> None:
    place.desk.on_command("present")
    seen = []
    for key in "12345":
        qtbot.keyClick(place.window, key)
        seen.append(seen_parts(place))
    assert seen == [("keys",), ("noise",), ("program",), ("timing",), ("code",)]
    place.desk.on_command("present")
    qtbot.keyClick(place.window, "1")
    # The key is the story's again, and has answered its question.
    assert seen_parts(place) == ("noise", "code")


def test_a_step_about_what_is_printed_shows_the_output_and_the_next_one_the_findings(place: Place) -> None:
    place.desk.files.open_by_id("print_is_not_there")
    bottom, story = place.window.bottom, place.desk.lesson
    assert bottom.currentWidget() is place.window.output
    place.desk.on_command("present")
    seen = [bottom.isVisible()]
    for _ in range(3):
        story.go_on()
        seen.append(bottom.isVisible())
    # Both steps ask before they tell.
    assert seen == [False, True, False, True]
    place.desk.on_command("present")
    assert bottom.isVisible()
    place.desk.files.open_by_id("first_jaxpr")
    assert bottom.currentWidget() is place.window.findings


def test_where_jaxs_checker_is_asked_its_answer_stands_below_the_pane(place: Place) -> None:
    place.desk.on_command("present")
    seen = []
    for _ in range(6):
        lesson = place.desk.lesson
        seen.append((lesson.page.place, lesson.page.revealed, place.window.findings.isVisible()))
        lesson.go_on()
    assert [page for page in seen if page[2]] == [(2, True, True)]
    place.desk.on_command("present")


def test_the_selected_finding_is_explained_and_its_lesson_opens_unless_it_is_open(place: Place) -> None:
    lessons = ("many_devices", "one_key_for_the_batch")
    found = tuple(Finding("shared-noise", "bug", "Shared.", (Span(21, 4, 21, 8),), lesson=each) for each in lessons)
    place.client.say(
        Snapshot(
            place.client.request.run,
            "cpu:0",
            True,
            variants=(Variant("shared_key", 19), Variant("key_per_example", 24)),
            reports=(Report("shared_key", "ok", findings=found),),
        )
    )
    opened = []
    place.session.workspace.scenario_changed.connect(lambda scenario: opened.append(scenario.id))
    place.desk.on_command("finding_lesson")
    place.desk.on_command("finding_explained")
    assert not place.window.findChildren(GlossaryWindow)
    place.session.choose_focus(Focus("finding", 1, "shared_key"))
    place.desk.on_command("finding_explained")
    (page,) = place.window.findChildren(GlossaryWindow)
    assert page.term == "check:shared-noise"
    assert "in_axes=(0, None)" in page.findChild(QTextBrowser).toPlainText()
    place.desk.on_command("finding_lesson")
    assert opened == []
    assert "is already open" in place.window.status.sentence()
    place.session.choose_focus(Focus("finding", 0, "shared_key"))
    place.window.action("finding_lesson").trigger()
    assert opened == ["many_devices"]


def test_a_presentation_that_moved_on_stays_at_the_scenario(place: Place) -> None:
    place.desk.on_command("present")
    place.desk.on_command("next_scenario")
    place.desk.on_command("present")
    assert place.session.workspace.scenario is not None
    assert place.session.workspace.scenario.id != "one_key_for_the_batch"
    assert place.window.strips.isVisible()


def test_a_default_that_is_edited_in_a_presentation_holds_after_it(place: Place) -> None:
    workspace = place.session.workspace
    variants = (Variant("shared_key", 1), Variant("key_per_example", 5))
    place.client.answer("shared_key", variants=variants, parameters=(Parameter("batch", 32, 32),))
    place.desk.on_command("present")
    assert not place.window.in_force.isVisible()
    workspace.edit(workspace.source.replace("batch=32", "batch=64"))
    place.session.run()
    place.client.answer("shared_key", variants=variants, parameters=(Parameter("batch", 64, 64),))
    place.desk.on_command("present")
    place.session.run()
    assert "batch" not in place.client.request.parameters


def test_a_setting_is_told_in_a_presentation_and_can_be_given_up(place: Place) -> None:
    variants = (Variant("shared_key", 1), Variant("key_per_example", 5))
    place.client.answer("shared_key", variants=variants, parameters=(Parameter("batch", 32, 32),))
    place.session.workspace.set_parameter(Parameter("batch", 8, 32))
    assert not place.window.in_force.isVisible()
    place.desk.on_command("present")
    assert not place.window.in_force.isVisible(), "the chip tells it"
    assert place.desk.presentation.stage.bars is not None
    chips = place.desk.presentation.stage.bars.chips
    assert chips.isVisible()
    assert "batch 8" in chips.back.text()
    assert "lesson says 32" in chips.back.text()
    chips.back.click()
    assert not chips.isVisible()
    place.desk.on_command("present")
    assert place.session.workspace.controls.parameters == (Parameter("batch", 32, 32),)


def test_problems_in_the_code_do_not_answer_the_question(place: Place) -> None:
    finding = Finding("shared-noise", "bug", "All rows are equal.", (Span(21, 4, 21, 8),))
    reports = (Report("shared_key", "ok", findings=(finding,)),)
    run = place.client.request.run
    variants = (Variant("shared_key", 19), Variant("key_per_example", 24))
    place.client.say(Snapshot(run, "cpu:0", True, variants=variants, reports=reports))
    line = place.window.code.findChild(ProblemLine)
    told = []
    for command in ("present", "page", "present"):
        if command == "page":
            place.desk.lesson.go_on()
        else:
            place.desk.on_command(command)
        told.append(line.message())
    assert told == ["", *["Line 21: 1 bug – see Findings"] * 2]


def test_the_word_below_the_code_leads_to_the_finding(place: Place, qtbot: QtBot) -> None:
    finding = Finding("shared-noise", "bug", "All rows are equal.", (Span(21, 4, 21, 8),))
    variants = (Variant("shared_key", 19), Variant("key_per_example", 24))
    reports = (Report("shared_key", "ok", findings=(finding,)),)
    place.client.say(Snapshot(place.client.request.run, "cpu:0", True, variants=variants, reports=reports))
    place.desk.lesson.go_on()
    QApplication.processEvents()
    assert not place.window.findings.isVisible()
    word = place.window.code.findChild(QPushButton, "problem")
    qtbot.mouseClick(word, Qt.MouseButton.LeftButton)
    assert place.window.findings.isVisible()
    assert place.session.marks().focus == Focus("finding", 0, "shared_key")
    findings = place.window.findings.findChild(QListWidget)
    assert findings.hasFocus()
    qtbot.keyClick(findings, Qt.Key.Key_Return)
    assert place.window.code.text.hasFocus()
    assert place.window.code.text.textCursor().blockNumber() + 1 == 21
    assert place.session.marks().focus == Focus("finding", 0, "shared_key")


def test_one_variant_alone_can_be_compared_once_it_is_edited(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    place.client.answer("f", variants=(Variant("f", 1),))
    compare = place.window.action("compare")
    assert not compare.isEnabled()
    place.session.workspace.edit("def f():\n    return 2.0\n")
    assert compare.isEnabled()
    compare.trigger()
    assert place.session.workspace.controls.compare == AS_IT_WAS


def test_every_command_does_one_thing_and_no_key_does_two(place: Place) -> None:
    commands = place.window.commands
    ids = [command.id for command in commands]
    assert sorted(ids) == sorted(place.desk.commands) == sorted(set(ids))
    assert [place.window.action(command.id).shortcuts() for command in commands] == [each.keys for each in commands]
    keys = [name for command in commands for name in command.key_names]
    others = [shortcut.key().toString() for shortcut in place.window.findChildren(QShortcut, options=DIRECT)]
    assert max(Counter(keys + others).values()) == 1
    assert len(keys) > 30


@pytest.mark.parametrize("language", ["language_en", "language_ko"])
def test_the_sheet_of_keys_names_every_key_of_the_window(place: Place, qtbot: QtBot, language: str) -> None:
    place.desk.on_command(language)
    qtbot.keyClick(place.window, Qt.Key.Key_F1)
    (sheet,) = place.window.findChildren(KeySheet)
    told = QTextDocumentFragment.fromHtml(sheet.findChild(QLabel).text()).toPlainText().splitlines()
    rows = set(pairwise(told))
    for command in place.window.commands:
        assert not command.keys or (command.name, ", ".join(command.key_names)) in rows
    assert ("단축키" in sheet.windowTitle()) == (language == "language_ko")
    assert sheet.size() == sheet.size().boundedTo(sheet.screen().availableSize())
    sheet.close()


def test_reading_on_turns_the_pages_of_the_story_and_points_out_the_pane(place: Place) -> None:
    story, area = place.window.story, place.window.area
    assert area.noise.titleBarWidget().accessibleDescription()
    headings = []
    for _ in range(5):
        headings.append(place.desk.lesson.page.heading)
        story.next_wanted.emit()
    assert headings == [
        *["Noise for every example"] * 2,
        *["One example and the batch"] * 2,
        "What JAX's own checker says",
    ]
    assert [bool(pane.titleBarWidget().accessibleDescription()) for pane in area.panes] == [True, False, False, False]


def test_another_language_shows_the_same_page(place: Place) -> None:
    place.window.story.choice_made.emit(0)
    place.desk.on_command("language_ko")
    page = place.desk.lesson.page
    assert (page.heading, page.place, page.revealed) == ("샘플마다 노이즈를", 0, True)


def test_next_and_previous_walk_the_list_of_scenarios(place: Place) -> None:
    seen = []
    for command in ("next_scenario", "next_scenario", "previous_scenario"):
        place.desk.on_command(command)
        assert place.session.workspace.scenario is not None
        seen.append(place.session.workspace.scenario.id)
    order = [scenario.id for scenario in library.built_in()]
    at = order.index("one_key_for_the_batch")
    assert seen == [order[at + 1], order[at + 2], order[at + 1]]


def test_a_new_scenario_is_a_folder_of_ones_own_to_begin_from(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for title in ('My first: a "lesson"', 'My first: a "lesson"', "  "):
        monkeypatch.setattr(QInputDialog, "getText", lambda *_, title=title: (title, True))
        place.desk.on_command("new_scenario")
    scenario = place.session.workspace.scenario
    assert scenario is not None
    assert (scenario.origin, scenario.id, scenario.problem) == ("mine", "my_first_a_lesson_2", "")
    assert scenario.title.text("en") == 'My first: a "lesson"'
    assert len(scenario.story("ko")) == len(scenario.steps) == 2
    assert str(paths.my_scenarios_folder()) in place.window.notice.accessibleName()


def test_restarting_the_worker_is_a_command_and_the_status_bar_tells_of_it(place: Place) -> None:
    source = place.window.code.source()
    place.window.action("restart").trigger()
    assert place.client.restarts == 1
    assert place.window.code.source() == source
    place.client.state = WorkerState("starting", "The worker was restarted.")
    place.client.state_changed.emit(place.client.state)
    assert place.window.status.sentence() == "The worker was restarted."
    place.client.state = WorkerState("idle")
    place.client.state_changed.emit(place.client.state)
    assert place.window.status.sentence() == "The worker was restarted."


def test_after_a_stop_nothing_is_said_to_be_running(place: Place) -> None:
    place.desk.lesson.go_on()
    failure = Failure("NameError", "name 'x' is not defined")
    place.client.say(Snapshot(place.client.request.run, "cpu:0", True, failure=failure))
    place.session.run()
    for state, told in (("running", "running…"), ("idle", "before the change: ")):
        place.client.state = WorkerState(state)
        place.client.state_changed.emit(place.client.state)
        for timer in place.window.findings.findChildren(QTimer):
            if timer.isActive():
                timer.timeout.emit()
        strips = {each.accessibleName(): each for each in place.window.strips.findChildren(Strip)}
        assert strips["Findings"].accessibleDescription().startswith(told)


def test_the_pane_of_arrays_is_called_by_what_the_program_makes(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    pane = place.window.area.noise
    assert pane.windowTitle() == "Noise"
    place.desk.files.open_by_id("first_jaxpr")
    assert pane.windowTitle() == "Outputs"
    strips = [each.accessibleName() for each in place.window.strips.findChildren(Strip)]
    assert strips[1] == "Outputs"
    place.desk.files.open_by_id(str(own))
    for draws, title in ((3, "Noise"), (0, "Outputs")):
        keys = msgspec.structs.replace(key_graph("seed 1"), draws=draws)
        reports = (Report("f", "ok", keys=keys),)
        run = place.client.request.run
        place.client.say(Snapshot(run, "cpu:0", True, variants=(Variant("f", 1),), reports=reports))
        assert pane.windowTitle() == title


def test_above_the_code_an_answer_has_the_room_that_it_needs(place: Place) -> None:
    place.window.resize(1920, 1080)
    for _ in range(3):
        QApplication.processEvents()
    story = place.window.story
    asked = story.height()
    place.desk.lesson.go_on()
    for _ in range(3):
        QApplication.processEvents()
    assert story.height() > asked
    assert story.height() >= story.height_for(story.width())


def test_every_control_has_a_name_and_says_what_it_is_for_where_the_pointer_rests(place: Place) -> None:
    controls = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QAbstractSlider)
    of_qt = (QTabBar, QAbstractSpinBox, QComboBox, QLineEdit)
    mine = [
        each
        for each in place.window.findChildren(QWidget)
        if isinstance(each, controls)
        and not isinstance(each, QScrollBar)
        and not isinstance(each.parent(), of_qt)
        and not each.objectName().startswith("qt_")
    ]
    told = [each for each in mine if not isinstance(each, QAbstractButton) or each.text() or not each.icon().isNull()]
    assert len(told) > 40
    unnamed = [each for each in told if not (each.accessibleName() or getattr(each, "text", str)())]
    assert [(type(each).__name__, each.accessibleName()) for each in told if not each.toolTip()] == []
    assert unnamed == []


def test_no_words_from_outside_are_taken_for_html(place: Place) -> None:
    place.desk.files.open_by_id("selu_eager_or_jit")
    rich = [each for each in place.window.findChildren(QLabel) if each.textFormat() == Qt.TextFormat.AutoText]
    assert [each.text() for each in rich if "<" in each.text()] == []
    words = "<img src=file:///nowhere.png>"
    place.window.notice.tell(words)
    place.window.story.show_page(Page(words, words))
    for each in place.window.findChildren(QLabel):
        assert words not in each.text() or each.textFormat() == Qt.TextFormat.PlainText


def test_f6_goes_round_every_part_that_takes_the_keyboard(place: Place, qtbot: QtBot, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def f():\n    return 1\n")
    place.desk.take_up(library.open_target(str(own)))
    with qtbot.waitExposed(place.window):
        place.window.show()
    assert place.window.code.isAncestorOf(QApplication.focusWidget())
    gone = []
    while not gone or gone[-1] not in gone[:-1]:
        place.desk.on_command("previous_part")
        gone.append(QApplication.focusWidget())
    assert any(place.window.strips.isAncestorOf(each) for each in gone)
    assert any(place.window.controls.isAncestorOf(each) for each in gone)
    assert gone[-1] is gone[0]
