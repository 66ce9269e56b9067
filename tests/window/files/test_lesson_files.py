from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QProcess, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from explorer.library import lesson_file, library
from explorer.messages import Parameter
from tests.window.ui import Ui, answer
from views.window.file_drops import FileDrops, path_of


def saved(ui: Ui, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    ui.desk.on_command("save_lesson")
    return path


def test_a_lesson_is_saved_and_opened_as_it_stood(ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, lesson = ui.session.workspace, ui.desk.lesson
    workspace.replace_source(workspace.source + "\n# mine\n")
    lesson.go_to(1)
    workspace.set_parameter(Parameter("batch", 8, 32))
    ui.desk.lesson.uncover()
    workspace.choose_compare("one_big_draw")
    edited, page, controls = workspace.source, lesson.page, workspace.controls
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    ui.desk.files.open_by_id("seed_and_key")
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    assert ui.desk.files.open_by_id(str(path))
    assert workspace.source == edited
    assert workspace.controls.edited
    assert (workspace.controls.variant, workspace.controls.compare) == (controls.variant, "one_big_draw")
    assert workspace.settings == {"batch": 8}
    assert (lesson.page.place, lesson.page.revealed, lesson.page.heading) == (1, True, page.heading)
    workspace.reset()
    assert workspace.source == library.open_target("one_key_for_the_batch").source


def test_panes_come_back_as_they_lay_whatever_the_page_is_about(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    ui.window.resize(1600, 900)
    ui.desk.lesson.go_to(3)
    ui.desk.arranging.choose_pane("timing")
    ui.desk.arranging.toggle_list()
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    (before,) = ui.desk.arranging.arrangements.values()
    ui.desk.files.open_by_id("seed_and_key")
    ui.desk.files.open_by_id(str(path))
    assert ui.desk.lesson.page.place == 3
    assert ui.desk.arranging.arrangements[str(path)] == before


def test_nothing_of_a_lesson_file_runs_before_the_question_is_answered(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    ui.client.asked.clear()
    asked: list[QMessageBox] = []

    def answered(box: QMessageBox) -> int:
        asked.append(box)
        assert ui.client.asked == []
        assert "This lesson came from a file. Run its code?" in box.text()
        assert "def shared_key" in box.detailedText()
        return QMessageBox.StandardButton.No.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    ui.desk.files.open_by_id(str(path))
    assert len(asked) == 1
    assert ui.client.asked == []
    assert ui.session.workspace.scenario == library.open_target("one_key_for_the_batch")


def test_save_writes_the_lesson_file_that_is_open(ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    ui.desk.files.open_by_id(str(path))
    ui.session.workspace.replace_source("# mine\n")
    ui.desk.on_command("save")
    assert lesson_file.read(path).source == "# mine\n"


def test_a_file_that_is_no_lesson_is_reported_and_changes_nothing(ui: Ui, tmp_path: Path) -> None:
    path = tmp_path / "bad.jaxlesson"
    path.write_text("no zip", encoding="utf-8")
    before = ui.session.workspace.scenario
    ui.desk.files.open_by_id(str(path))
    assert "bad.jaxlesson is no lesson file" in ui.window.notice.accessibleName()
    assert ui.session.workspace.scenario == before


def test_a_disk_that_is_full_is_reported(ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    saved(ui, tmp_path / "file" / "mine.jaxlesson", monkeypatch)
    assert "mine.jaxlesson was not saved" in ui.window.notice.accessibleName()


def test_a_handout_is_made_next_to_the_window_of_the_lesson_as_it_stands(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(QProcess, "start", lambda _process, _program, words: begun.append(words))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), "PDF (*.pdf)"))
    ui.session.workspace.replace_source("# mine\n")
    ui.desk.on_command("handout")
    ui.desk.on_command("handout")
    (words,) = begun
    assert words[:4] == ["-P", "-m", "explorer", "handout"]
    assert words[5:] == ["-o", str(tmp_path / "out.pdf"), "--lang", "en"]
    assert lesson_file.read(Path(words[4])).source == "# mine\n"
    assert "already being made" in ui.window.notice.accessibleName()
    ui.desk.lesson_files._on_written(0, QProcess.ExitStatus.NormalExit)
    assert "The handout is in" in ui.window.notice.accessibleName()
    assert not Path(words[4]).exists()


def test_a_file_may_be_dropped_on_whatever_stands_in_the_window(ui: Ui, tmp_path: Path) -> None:
    path, dropped, source = str(tmp_path / "a.jaxlesson"), [], ui.session.workspace.source
    FileDrops(ui.window).dropped.connect(dropped.append)
    ui.window.show()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    given = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    below = [each for each in ui.window.findChildren(QWidget) if each.isVisible()]
    for widget in (ui.window, *below):
        QApplication.sendEvent(widget, QDragEnterEvent(widget.rect().center(), *given))
        QApplication.sendEvent(widget, QDropEvent(QPointF(widget.rect().center()), *given))
    ui.window.close()
    assert dropped == [path] * (1 + len(below))
    assert ui.session.workspace.source == source


@pytest.mark.parametrize(
    ("urls", "path"),
    [
        (["file:///a/b.py"], "/a/b.py"),
        (["file:///a/b.jaxlesson"], "/a/b.jaxlesson"),
        (["file:///a/folder"], "/a/folder"),
        (["file:///a/b.png"], ""),
        (["https://a/b.py"], ""),
        (["file:///a/b.py", "file:///a/c.py"], ""),
    ],
)
def test_one_file_that_can_be_opened_may_be_dropped(urls: list[str], path: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    assert path_of(data) == path
