"""The window as a whole, with a session whose worker never runs: files, theme, language, closing."""

from __future__ import annotations

import gc
import struct
from collections import Counter
from pathlib import Path

import msgspec
import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollBar,
    QTabBar,
    QTextBrowser,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.library import courses, drafts, library, paths, settings
from explorer.link.command import WorkerState
from explorer.messages import (
    ORIGINAL,
    SILENT,
    Failure,
    Finding,
    Focus,
    JaxChecker,
    Parameter,
    Report,
    Snapshot,
    Span,
    Variant,
)
from explorer.window import connections
from tests.library.left_behind import leave
from tests.views.keys.key_notation import key_graph
from tests.views.made import hold
from tests.window.ui import WITH_A_FINDING, Ui, answer, panes
from views.code.problem_line import ProblemLine
from views.findings.finding_rows import ROW_ROLE
from views.help.glossary_window import GlossaryWindow
from views.parts.labels import ShortLabel
from views.window.main_window import FINDINGS_TAB, OUTPUT_TAB, MainWindow
from views.window.strips import PaneStrip

DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


class Screen:
    """Of any size."""

    def __init__(self, width: int, height: int) -> None:
        self._room = QRect(0, 0, width, height)

    def size(self) -> QSize:
        return self._room.size()

    def availableGeometry(self) -> QRect:  # noqa: N802
        return self._room


def saved_on_a_larger_screen() -> bytes:
    """Return what a window of 1632x918 has saved that was closed at 1920x1080."""
    frame, normal, rest = (144, 101, 1777, 1043), (144, 121, 1775, 1038), (0, 0, 0, 1920)
    return struct.pack(">IHH4i4iiBBi4i", 0x1D9D0CB, 3, 0, *frame, *normal, *rest, *normal)


@pytest.mark.parametrize("size", [(1024, 768), (1366, 768), (1920, 1080)])
@pytest.mark.parametrize("geometry", [b"", saved_on_a_larger_screen()])
def test_a_first_window_and_one_from_a_larger_screen_are_maximised(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], geometry: bytes
) -> None:
    window = hold(qtbot, MainWindow())
    monkeypatch.setattr(window, "screen", lambda: Screen(*size))
    window.restore_window(geometry)
    assert window.isMaximized()
    shares = [part / whole for part, whole in zip((window.width(), window.height()), size, strict=True)]
    assert shares == pytest.approx([0.92, 0.92], abs=0.01)
    assert QRect(0, 0, *size).contains(window.geometry())


def test_a_window_is_never_larger_than_its_screen(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    ui.window.resize(1500, 900)
    saved = ui.window.saveGeometry().data()
    for size in ((1366, 768), (1280, 720)):
        monkeypatch.setattr(ui.window, "screen", lambda size=size: Screen(*size))
        ui.window.windowHandle().screenChanged.emit(None)
        assert QRect(0, 0, *size).contains(QRect(QPoint(), ui.window.frameGeometry().size()))
    ui.window.restore_window(saved)
    assert QRect(0, 0, 1280, 720).contains(QRect(QPoint(), ui.window.frameGeometry().size()))


def test_saving_writes_the_file_and_the_code_is_no_longer_edited(ui: Ui, own: Path, yes: None) -> None:
    ui.desk.files.open_by_id(str(own))
    ui.session.workspace.edit("def f():\n    return 2.0\n")
    assert ui.window.isWindowModified()
    ui.desk.on_command("save")
    assert own.read_text(encoding="utf-8") == "def f():\n    return 2.0\n"
    assert not ui.window.isWindowModified()
    assert drafts.targets() == frozenset()


@pytest.mark.parametrize(
    ("name", "there", "saved"),
    [("copy", "", "copy.py"), ("copy.txt", "", ""), ("copy", "copy.py", "")],
    ids=["no ending", "another ending", "no ending but such a file"],
)
def test_code_is_saved_under_a_name_that_python_knows_or_not_at_all(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, there: str, saved: str
) -> None:
    if there:
        (tmp_path / there).write_text("mine = 1\n", encoding="utf-8")
    before = {path.name for path in tmp_path.iterdir()}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
    ui.desk.on_command("save")
    assert {path.name for path in tmp_path.iterdir()} - before == ({saved} if saved else set())
    assert ui.window.notice.isVisible() is not bool(saved)
    assert not there or (tmp_path / there).read_text(encoding="utf-8") == "mine = 1\n"


def test_a_full_disk_is_reported_and_the_code_stays(ui: Ui, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    ui.desk.files.open_by_id(str(own))
    ui.session.workspace.replace_source("precious")
    monkeypatch.setattr(library, "write_code", full)
    ui.desk.on_command("save")
    assert "No space left" in ui.window.notice.accessibleName()
    assert ui.window.code.source() == "precious"


@pytest.mark.parametrize("content", [b"x = '\xe9'", None], ids=["not UTF-8", "not there"])
def test_an_unreadable_file_is_reported_and_changes_nothing(ui: Ui, tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.py"
    if content is not None:
        path.write_bytes(content)
    before = ui.session.workspace.source
    ui.desk.files.open_by_id(str(path))
    assert ui.window.notice.isVisible()
    assert ui.session.workspace.source == before


def test_a_story_of_edited_code_puts_the_original_back_for_undo_to_take_back(ui: Ui, qtbot: QtBot) -> None:
    original, editor = ui.session.workspace.source, ui.window.code.findChild(QPlainTextEdit)
    qtbot.keyClicks(editor, "# ")
    assert ui.desk.lesson.page.edited
    ui.window.story.both_wanted.emit()
    assert (ui.session.workspace.controls.compare, ui.desk.lesson.page.with_original) == (ORIGINAL, True)
    ui.window.story.original_wanted.emit()
    assert (ui.window.code.source(), ui.desk.lesson.page.edited) == (original, False)
    editor.undo()
    assert ui.window.code.source() == f"# {original}"
    assert ui.desk.lesson.page.edited


def test_throwing_old_edits_away_keeps_what_was_typed_since(ui: Ui) -> None:
    leave("selu_eager_or_jit", "# old\n")
    ui.desk.files.open_by_id("selu_eager_or_jit")
    ui.session.workspace.edit("# new\n")
    ui.window.notice.answered.emit("discard_draft")
    ui.session.workspace.close()
    assert [each.source for each in drafts.left("selu_eager_or_jit")] == ["# new\n"]


def test_text_size_and_theme_reach_every_view_and_the_next_start(ui: Ui, qapp: QApplication) -> None:
    before = qapp.font().pointSizeF()
    ui.desk.on_command("larger")
    ui.desk.on_command("dark")
    assert qapp.font().pointSizeF() > before
    ui.window.close()
    saved = settings.load()
    assert (saved.theme, saved.scale, saved.last_target) == ("dark", 1.15, "one_key_for_the_batch")


def test_in_another_language_the_window_is_at_the_same_lesson_page_and_code_with_its_undo(ui: Ui, qtbot: QtBot) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    before = ui.window
    before.setGeometry(20, 30, 1100, 700)
    before.show()
    ui.desk.files.take_course(courses.find("from_zero"))
    ui.desk.files.open_by_id("split_tree")
    ui.desk.lesson.go_to(1, revealed=True)
    before.activateWindow()
    before.code.text.setFocus()
    qtbot.keyClicks(before.code.text, "ab")
    ui.session.workspace.set_parameter(Parameter("seed", 3, 0))
    ui.desk.on_command("dark")
    ui.session.run()
    before.bottom.setCurrentIndex(1)
    workspace, asked = ui.session.workspace, list(ui.client.asked)
    for language in ("ko", "en", "ko"):
        ui.desk.on_command(f"language_{language}")
        assert ui.window is not before
        assert not before.isVisible()
        assert ui.window.focusWidget() is ui.window.code.text
        before = ui.window
        assert (ui.window.isVisible(), ui.window.geometry()) == (True, QRect(20, 30, 1100, 700))
        assert ui.window.action(f"language_{language}").isChecked()
        assert (ui.desk.lesson.page.place, ui.desk.lesson.page.revealed) == (1, True)
        assert "트리" in ui.window.windowTitle() or language == "en"
        assert (ui.window.scenarios.course.id, ui.window.bottom.currentIndex()) == ("from_zero", 1)
        assert ui.window.theme.name == "dark"
        assert ui.window.code.source() == workspace.source
        assert workspace.source.startswith("ab")
        assert workspace.settings == {"seed": 3}
        assert ui.client.asked == asked, "the results are there"
    ui.window.code.text.undo()
    assert workspace.source == workspace.scenario.source
    ui.window.code.text.redo()
    assert workspace.source.startswith("ab")


@pytest.mark.rest
def test_a_pane_is_detached_reached_and_put_back_by_keys_alone(ui: Ui, own: Path, qtbot: QtBot) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.desk.files.allow(library.open_target(str(own)))
    ui.desk.files.open_by_id(str(own))
    ui.window.resize(1366, 768)
    ui.desk.on_command("pane_3")
    QApplication.processEvents()
    pane = ui.window.area.program
    button = next(each for each in pane.findChildren(QAbstractButton) if each.accessibleName() == "Detach Program")
    button.setFocus()
    for put_back in (lambda: qtbot.keyClick(button, Qt.Key.Key_Space), lambda: ui.desk.on_command("grid")):
        qtbot.keyClick(button, Qt.Key.Key_Space)
        assert pane.isFloating()
        qtbot.waitUntil(button.hasFocus)
        reached = []
        for _ in range(8):
            ui.desk.on_command("next_part")
            QApplication.processEvents()
            reached.append(pane.isAncestorOf(QApplication.focusWidget()))
        assert 0 < sum(reached) < 8, "F6 goes there, and on"
        pane.activateWindow()
        button.setFocus()
        qtbot.waitUntil(button.hasFocus)
        put_back()
        assert not pane.isFloating()
        qtbot.waitUntil(button.hasFocus)


def test_a_lesson_that_opens_from_the_code_has_the_keyboard_in_its_story(ui: Ui, own: Path) -> None:
    ui.desk.files.allow(library.open_target(str(own)))
    ui.desk.files.open_by_id(str(own))
    QApplication.processEvents()
    assert ui.window.code.isAncestorOf(ui.window.focusWidget()), "there is nothing to be read"
    ui.desk.files.open_by_id("selu_eager_or_jit")
    QApplication.processEvents()
    assert ui.window.story.isAncestorOf(ui.window.focusWidget()), "a digit answers, and is not typed"
    ui.window.scenarios.setFocus()
    assert ui.window.scenarios.isAncestorOf(ui.window.focusWidget())
    ui.desk.on_command("next_scenario")
    assert ui.window.scenarios.isAncestorOf(ui.window.focusWidget())


@pytest.mark.rest
def test_a_presentation_goes_on_in_another_language(ui: Ui, qtbot: QtBot) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    ui.window.setGeometry(20, 30, 1100, 700)
    ui.window.show()
    scale = ui.desk.appearance.settings.scale
    ui.desk.on_command("present")
    began_s = ui.desk.presentation.lectern.pace.began_s
    for choice in (0, 1, 1):
        ui.desk.presentation.lectern.voting.count(choice)
    for language in ("ko", "en"):
        ui.desk.on_command(f"language_{language}")
        QApplication.processEvents()
        assert (ui.desk.presentation.is_on, ui.window.isFullScreen()) == (True, True)
        assert seen_parts(ui) == ("noise",)
        assert shape(ui)["parts"] == [False] * 6
        assert ui.desk.presentation.lectern.voting.tally().rounds == ((1, 2, 0),)
        assert "3" in ui.window.story.findChild(ShortLabel).text()
        assert ui.desk.presentation.lectern.pace.began_s == began_s
    ui.desk.lesson.uncover()
    ui.desk.presentation.show_pane("timing")
    seen = seen_parts(ui)
    ui.desk.on_command("language_ko")
    QApplication.processEvents()
    assert seen_parts(ui) == seen
    for _ in range(2):
        qtbot.keyClick(ui.window, Qt.Key.Key_Escape)
    assert not ui.window.isFullScreen()
    assert ui.desk.appearance.settings.scale == scale
    qtbot.waitUntil(lambda: ui.window.geometry() == QRect(20, 30, 1100, 700))


@pytest.mark.rest
def test_no_part_of_the_window_outlives_its_language(ui: Ui) -> None:
    connections.add_plots(ui.window, ui.session, ui.desk)
    counts = []
    for language in ("ko", "en") * 2:
        ui.desk.on_command(f"language_{language}")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
        counts.append(Counter(type(widget).__name__ for widget in QApplication.allWidgets()))
    assert counts[0] == counts[2]
    assert counts[1] == counts[3]


def shape(ui: Ui) -> dict[str, object]:
    """Return everything about the window that a presentation must give back."""
    window, area = ui.window, ui.window.area
    parts = (window.menuBar(), window.controls, window.status, window.bottom, window.strips, window.code_column)
    return {
        "window": (window.geometry(), window.isFullScreen(), window.isMaximized()),
        "sizes": window.save_sizes(),
        # Qt gives a hidden pane its position when it is shown.
        "panes": [(pane.isVisible() and pane.geometry(), pane.isFloating()) for pane in area.panes],
        "parts": [part.isVisible() for part in parts],
        "text": (window.font().pointSizeF(), ui.desk.appearance.settings.theme),
        "selection": (ui.session.workspace.controls, ui.session.marks().focus),
    }


def where_it_is_read(ui: Ui) -> tuple[int, bool]:
    page = ui.desk.lesson.page
    return page.place, page.revealed


def drag(window: MainWindow, position: int) -> None:
    """Drag the edge between the left and the right part."""
    sizes = window.whole.sizes()
    window.whole.setSizes([sizes[0], position, sum(sizes) - sizes[0] - position])
    window.whole.splitterMoved.emit(position, 2)


def seen_parts(ui: Ui) -> tuple[str, ...]:
    """Return the parts next to the words."""
    return (*panes(ui), *(("code",) if ui.window.code.isVisible() else ()))


@pytest.mark.parametrize("preparation", ["", "pane_3", "float"])
def test_a_presentation_gives_the_window_back_exactly(ui: Ui, qtbot: QtBot, preparation: str) -> None:
    ui.window.setGeometry(20, 30, 700, 600)
    ui.desk.lesson.uncover()
    QApplication.processEvents()
    drag(ui.window, 400)
    ui.session.choose_focus(Focus("line", 9))
    QApplication.processEvents()
    computed = shape(ui)
    if preparation == "float":
        ui.window.area.timing.setFloating(True)
        ui.window.area.timing.resize(300, 300)
    elif preparation:
        ui.desk.on_command(preparation)
    QApplication.processEvents()
    before = shape(ui)
    ui.desk.on_command("present")
    assert ui.window.isFullScreen()
    assert shape(ui)["parts"] == [False] * 6
    QApplication.processEvents()
    # Without a window manager no one gives the keyboard to the window when a detached pane goes.
    ui.window.activateWindow()
    read = where_it_is_read(ui)
    # Within the step: another one makes room for its own pane.
    for key, turned in ((Qt.Key.Key_PageUp, False), (Qt.Key.Key_PageDown, True)):
        for _ in range(9):
            # A page that is longer than the screen takes more than one press.
            if (where_it_is_read(ui) == read) is not turned:
                qtbot.keyClick(ui.window, key)
                QApplication.processEvents()
    assert where_it_is_read(ui) == read
    ui.desk.on_command("dark")
    qtbot.keyClick(ui.window, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: shape(ui) == before)
    if preparation == "pane_3":
        ui.desk.on_command(preparation)
        qtbot.waitUntil(lambda: shape(ui) == computed)
    ui.window.area.timing.setFloating(False)


def test_the_menus_come_back_where_pyside_has_given_up_its_object_for_them(ui: Ui) -> None:
    before = shape(ui)["parts"]
    ui.desk.on_command("present")
    shiboken6.invalidate(ui.window.menuBar())
    ui.desk.on_command("present")
    assert shape(ui)["parts"] == before


@pytest.mark.rest
def test_a_clickers_two_keys_walk_steps_reveals_and_scenarios(ui: Ui, qtbot: QtBot) -> None:
    ui.desk.on_command("present")
    lesson, seen = ui.desk.lesson, []
    start = ui.session.workspace.scenario
    for key, presses in ((Qt.Key.Key_PageDown, 60), (Qt.Key.Key_PageUp, 600)):
        for _ in range(presses):
            now = (lesson.page.place, lesson.page.revealed, seen_parts(ui))
            # A page that is longer than the screen takes more than one press.
            if now not in seen[-1:]:
                seen.append(now)
            opened = ui.session.workspace.scenario
            if (
                opened is not start
                if key == Qt.Key.Key_PageDown
                else opened == library.built_in()[0] and lesson.page.is_first
            ):
                break
            qtbot.keyClick(ui.window, key)
            QApplication.processEvents()
    assert seen[:10] == [
        (0, False, ("noise",)),
        (0, True, ("noise",)),
        (1, False, ("code",)),
        (1, True, ("program",)),
        (2, False, ("keys",)),
        (2, True, ("keys",)),
        (3, False, ("code",)),
        (3, True, ("noise",)),
        (4, True, ("code",)),
        (0, False, ("code",)),
    ]
    assert ui.session.workspace.scenario == library.built_in()[0]
    ui.desk.on_command("present")


@pytest.mark.rest
def test_a_step_about_what_is_printed_shows_the_output_and_the_next_one_the_findings(ui: Ui) -> None:
    ui.desk.files.open_by_id("print_is_not_there")
    bottom, story = ui.window.bottom, ui.desk.lesson
    assert bottom.currentIndex() == OUTPUT_TAB
    ui.desk.on_command("present")
    seen = [bottom.isVisible()]
    for _ in range(3):
        story.go_on()
        seen.append(bottom.isVisible())
    # Both steps ask before they tell.
    assert seen == [False, True, False, True]
    ui.desk.on_command("present")
    assert bottom.isVisible()
    ui.desk.files.open_by_id("first_jaxpr")
    assert bottom.currentIndex() == FINDINGS_TAB


def test_where_jaxs_checker_is_asked_its_answer_stands_below_the_pane(ui: Ui) -> None:
    ui.desk.on_command("present")
    seen = []
    for _ in range(6):
        lesson = ui.desk.lesson
        seen.append((lesson.page.place, lesson.page.revealed, ui.window.findings.isVisible()))
        lesson.go_on()
    assert [page for page in seen if page[2]] == [(2, True, True)]
    ui.desk.on_command("present")


def test_jaxs_own_checker_is_asked_on_demand_follows_edits_and_ends(ui: Ui, qtbot: QtBot) -> None:
    def answers() -> list[str]:
        rows = ui.window.findings.findChild(QListWidget)
        shown = [rows.item(place).data(ROW_ROLE) for place in range(rows.count())]
        return [row.sentence for row in shown if row.kind == "jax"]

    ui.desk.lesson.uncover()
    ui.ran(Report("shared_key", "ok", findings=()))
    (button,) = [each for each in ui.window.bottom.findChildren(QToolButton) if "JAX" in each.text()]
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert (ui.client.request.jax_checker, button.isChecked()) == (True, True)
    ui.ran(Report("shared_key", "ok", findings=(), jax_checker=JaxChecker(SILENT, SILENT, "Not along the axes.")))
    ui.session.workspace.edit(f"{ui.session.workspace.source}# edited\n")
    ui.session.run()
    assert ui.client.request.jax_checker
    ui.ran(Report("shared_key", "ok", findings=()), complete=False)
    assert "along the axes" in answers()[0], "the older answer stands until the new one comes"
    asked = len(ui.client.asked)
    ui.window.action("jax_checker").trigger()
    assert (answers(), len(ui.client.asked)) == ([], asked), "nothing has to run to hide an answer"


def test_the_selected_finding_is_explained(ui: Ui) -> None:
    lessons = ("many_devices", "one_key_for_the_batch")
    found = tuple(Finding("shared-noise", "bug", "Shared.", (Span(21, 4, 21, 8),), lesson=each) for each in lessons)
    ui.ran(Report("shared_key", "ok", findings=found))
    ui.desk.on_command("finding_explained")
    assert not ui.window.findChildren(GlossaryWindow)
    ui.session.choose_focus(Focus("finding", 1, "shared_key"))
    ui.desk.on_command("finding_explained")
    (page,) = ui.window.findChildren(GlossaryWindow)
    assert page.term == "check:shared-noise"
    assert "in_axes=(0, None)" in page.findChild(QTextBrowser).toPlainText()


def test_problems_in_the_code_do_not_answer_the_question(ui: Ui) -> None:
    ui.ran(WITH_A_FINDING)
    line = ui.window.code.findChild(ProblemLine)
    shown = []
    for command in ("present", "page", "present"):
        if command == "page":
            ui.desk.lesson.go_on()
        else:
            ui.desk.on_command(command)
        shown.append(line.message())
    assert shown == ["", "Line 21: shared noise", "Line 21: 1 bug – see Findings"]


def test_the_word_below_the_code_leads_to_the_finding(ui: Ui, qtbot: QtBot) -> None:
    ui.ran(WITH_A_FINDING)
    ui.desk.lesson.go_on()
    QApplication.processEvents()
    assert not ui.window.findings.isEnabled()
    word = ui.window.code.findChild(QPushButton, "problem")
    qtbot.mouseClick(word, Qt.MouseButton.LeftButton)
    assert ui.window.findings.isEnabled()
    assert ui.session.marks().focus == Focus("finding", 0, "shared_key")
    findings = ui.window.findings.findChild(QListWidget)
    assert findings.hasFocus()
    qtbot.keyClick(findings, Qt.Key.Key_Return)
    assert ui.window.code.text.hasFocus()
    assert ui.window.code.text.textCursor().blockNumber() + 1 == 21
    assert ui.session.marks().focus == Focus("finding", 0, "shared_key")


def test_one_variant_alone_can_be_compared_once_it_is_edited(ui: Ui, own: Path, yes: None) -> None:
    ui.desk.files.open_by_id(str(own))
    ui.client.answer("f", variants=(Variant("f", 1),))
    compare = ui.window.action("compare")
    assert not compare.isEnabled()
    ui.session.workspace.edit("def f():\n    return 2.0\n")
    assert compare.isEnabled()
    compare.trigger()
    assert ui.session.workspace.controls.compare == ORIGINAL


def test_every_command_does_one_thing_and_no_key_does_two(ui: Ui) -> None:
    commands = ui.window.commands
    ids = [command.id for command in commands]
    assert sorted(ids) == sorted(ui.desk.commands) == sorted(set(ids))
    assert [ui.window.action(command.id).shortcuts() for command in commands] == [each.keys for each in commands]
    keys = [name for command in commands for name in command.key_names]
    others = [shortcut.key().toString() for shortcut in ui.window.findChildren(QShortcut, options=DIRECT)]
    assert max(Counter(keys + others).values()) == 1
    assert len(keys) > 30


def test_reading_on_turns_the_pages_of_the_story_and_points_out_the_pane(ui: Ui) -> None:
    story, area = ui.window.story, ui.window.area
    assert area.noise.titleBarWidget().accessibleDescription()
    headings = []
    for _ in range(5):
        headings.append(ui.desk.lesson.page.heading)
        story.next_wanted.emit()
    assert headings == [*["Equal rows"] * 2, *["One example and the batch"] * 2, "What JAX's own checker says"]
    assert [bool(pane.titleBarWidget().accessibleDescription()) for pane in area.panes] == [True, False, False, False]


def test_a_new_scenario_is_a_folder_of_ones_own_to_begin_from(ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    for title in ('My first: a "lesson"', 'My first: a "lesson"', "  "):
        monkeypatch.setattr(QInputDialog, "getText", lambda *_, title=title: (title, True))
        ui.desk.on_command("new_scenario")
    scenario = ui.session.workspace.scenario
    assert (scenario.origin, scenario.id, scenario.problem) == ("mine", "my_first_a_lesson_2", "")
    assert scenario.title.text("en") == 'My first: a "lesson"'
    assert len(scenario.story("ko")) == len(scenario.steps) == 2
    assert str(paths.my_scenarios_folder()) in ui.window.notice.accessibleName()


def test_restarting_the_worker_is_a_command_and_the_status_bar_reports_it(ui: Ui) -> None:
    source = ui.window.code.source()
    ui.window.action("restart").trigger()
    assert ui.client.restarts == 1
    assert ui.window.code.source() == source
    ui.client.state = WorkerState("starting", "The worker was restarted.")
    ui.client.state_changed.emit(ui.client.state)
    assert ui.window.status.sentence() == "The worker was restarted."
    ui.client.state = WorkerState("idle")
    ui.client.state_changed.emit(ui.client.state)
    assert ui.window.status.sentence() == "The worker was restarted."


def test_after_a_stop_nothing_is_reported_as_running(ui: Ui) -> None:
    ui.desk.lesson.go_on()
    failure = Failure("NameError", "name 'x' is not defined")
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", True, failure=failure))
    ui.session.run()
    for state, shown in (("running", "running…"), ("idle", "before the change: ")):
        ui.client.state = WorkerState(state)
        ui.client.state_changed.emit(ui.client.state)
        for timer in ui.window.findings.findChildren(QTimer):
            if timer.isActive():
                timer.timeout.emit()
        assert ui.window.bottom.tabText(FINDINGS_TAB).startswith(f"Findings: {shown}")


@pytest.mark.rest
def test_the_pane_of_arrays_is_called_by_what_the_program_makes(ui: Ui, own: Path, yes: None) -> None:
    pane = ui.window.area.noise
    assert pane.windowTitle() == "Noise"
    ui.desk.files.open_by_id("first_jaxpr")
    assert pane.windowTitle() == "Outputs"
    strips = [each.accessibleName() for each in ui.window.strips.findChildren(PaneStrip)]
    assert strips[1] == "Outputs"
    ui.desk.files.open_by_id(str(own))
    for draws, title in ((3, "Noise"), (0, "Outputs")):
        keys = msgspec.structs.replace(key_graph("seed 1"), draws=draws)
        reports = (Report("f", "ok", keys=keys),)
        run = ui.client.request.run
        ui.client.say(Snapshot(run, "cpu:0", True, variants=(Variant("f", 1),), reports=reports))
        assert pane.windowTitle() == title


def test_every_control_has_a_name_and_says_what_it_is_for_where_the_pointer_rests(ui: Ui) -> None:
    controls = (QAbstractButton, QComboBox, QLineEdit, QAbstractSpinBox, QAbstractSlider)
    of_qt = (QTabBar, QAbstractSpinBox, QComboBox, QLineEdit)
    mine = [
        each
        for each in ui.window.findChildren(QWidget)
        if isinstance(each, controls)
        and not isinstance(each, QScrollBar)
        and not isinstance(each.parent(), of_qt)
        and not each.objectName().startswith("qt_")
    ]
    shown = [each for each in mine if not isinstance(each, QAbstractButton) or each.text() or not each.icon().isNull()]
    assert len(shown) > 40
    unnamed = [each for each in shown if not (each.accessibleName() or getattr(each, "text", str)())]
    assert [(type(each).__name__, each.accessibleName()) for each in shown if not each.toolTip()] == []
    assert unnamed == []


@pytest.mark.rest
def test_f6_goes_round_every_part_that_takes_the_keyboard(ui: Ui, qtbot: QtBot, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def f():\n    return 1\n")
    ui.desk.take_up(library.open_target(str(own)))
    with qtbot.waitExposed(ui.window):
        ui.window.show()
    assert ui.window.code.isAncestorOf(QApplication.focusWidget())
    gone = []
    while not gone or gone[-1] not in gone[:-1]:
        ui.desk.on_command("previous_part")
        gone.append(QApplication.focusWidget())
    assert any(ui.window.strips.isAncestorOf(each) for each in gone)
    assert any(ui.window.controls.isAncestorOf(each) for each in gone)
    assert gone[-1] is gone[0]
