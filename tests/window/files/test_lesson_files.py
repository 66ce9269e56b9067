from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QProcess, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from explorer.library import consents, lesson_file, library
from explorer.library.consents import Consents
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
        assert "This lesson came from a file. Run its code on this computer?" in box.text()
        assert "def shared_key" in box.detailedText()
        return QMessageBox.StandardButton.No.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    ui.desk.files.open_by_id(str(path))
    assert len(asked) == 1
    assert ui.client.asked == []
    assert ui.session.workspace.scenario == library.open_target("one_key_for_the_batch")


def test_a_lesson_can_be_read_first_and_nothing_of_it_runs_until_the_user_says_so(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    workspace, begun = ui.session.workspace, []
    monkeypatch.setattr(QProcess, "start", lambda *_: begun.append(1))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.html"), ""))
    ui.client.asked.clear()
    answer(monkeypatch, QMessageBox.StandardButton.Open)
    ui.desk.files.open_by_id(str(path))
    assert workspace.scenario is not None
    assert workspace.scenario.id == str(path)
    # The question is not asked again, nor is anything that leads to a run of use.
    ui.desk.files.open_by_id("seed_and_key")
    ui.client.asked.clear()
    monkeypatch.setattr(QMessageBox, "exec", None)
    ui.desk.files.open_by_id(str(path))
    assert "has not run on this computer" in ui.window.notice.accessibleName()
    ui.desk.lesson.go_to(2)
    workspace.edit(workspace.source + "\nx = 1\n")
    workspace.set_parameter(Parameter("batch", 8, 32))
    workspace.choose_variant("key_per_example")
    for ask in (ui.session.run, ui.session.ask_for_fixes, ui.session.timings.start, ui.session.restart):
        ask()
    ui.session.choose_lens("vmap")
    ui.desk.on_command("handout")
    assert (ui.client.asked, ui.client.asked_ahead, begun) == ([], [], [])
    assert (workspace.request(0), workspace.timing_requests(lambda: 0)) == (None, [])
    ui.desk.on_command("run")
    assert ui.client.request.source.endswith("x = 1\n")
    assert ui.window.notice.isHidden()


def test_all_code_that_may_run_is_shown_and_what_is_not_shown_is_reported(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    (folder / "more").mkdir(parents=True)
    for name in ("code.py", "helper.py", "more/other.py", "a.npz"):
        (folder / name).write_text(f"# in {name}\n", encoding="utf-8")
    (folder / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    scenario = library.open_target(str(folder))
    path = tmp_path / "a.jaxlesson"
    path.write_bytes(lesson_file.packed(scenario, "# edited\n", lesson_file.Choices()))
    shown: list[str] = []

    def answered(box: QMessageBox) -> int:
        shown.append(box.detailedText())
        return QMessageBox.StandardButton.No.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    ui.desk.files.open_by_id(str(path))
    ui.desk.files.open_by_id(str(folder))
    code = [f"# in {name}" for name in ("code.py", "helper.py", "more/other.py")]
    assert all(each in text for text in shown for each in code)
    assert "# edited" in shown[0]
    assert "a.npz (11 bytes)" in shown[0]
    (folder / "helper.py").write_text("x = 1\n" * 50_000, encoding="utf-8")
    ui.desk.files.open_by_id(str(folder))
    assert shown[2].endswith("more characters are not shown here. Read them before you run.")
    assert "more/other.py" in shown[2]


def test_what_runs_is_what_was_agreed_to_whatever_becomes_of_the_file_meanwhile(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = saved(ui, tmp_path / "mine.jaxlesson", monkeypatch)
    scenario, asked = library.open_target("seed_and_key"), []

    def answered(box: QMessageBox) -> int:
        asked.append(box.detailedText())
        path.write_bytes(lesson_file.packed(scenario, "evil()\n", lesson_file.Choices()))
        return QMessageBox.StandardButton.Yes.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    ui.desk.files.open_by_id(str(path))
    assert "evil" not in ui.client.request.source
    assert ui.client.request.source in asked[0]
    ui.desk.files.open_by_id("one_key_for_the_batch")
    ui.desk.files.open_by_id(str(path))
    assert len(asked) == 2
    assert "evil()" in asked[1]


def test_what_a_folder_holds_after_the_question_is_asked_for_again(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("code.py", "helper.py"):
        (folder / name).write_text("x = 1\n", encoding="utf-8")
    before = consents.files_of(library.open_target(str(folder)))

    def answered(_: QMessageBox) -> int:
        (folder / "helper.py").write_text("evil()\n", encoding="utf-8")
        return QMessageBox.StandardButton.Yes.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    ui.desk.files.open_by_id(str(folder))
    assert Consents(on_disk=True).has(before)
    assert not Consents(on_disk=True).has(consents.files_of(library.open_target(str(folder))))


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
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), "Jupyter (*.ipynb)"))
    ui.session.workspace.replace_source("# mine\n")
    ui.desk.on_command("handout")
    ui.desk.on_command("handout")
    (words,) = begun
    assert words[:4] == ["-P", "-m", "explorer", "handout"]
    assert words[5:] == ["-o", str(tmp_path / "out.ipynb"), "--lang", "en"]
    assert lesson_file.read(Path(words[4])).source == "# mine\n"
    assert "already being made" in ui.window.notice.accessibleName()
    ui.desk.lesson_files._on_written(0, QProcess.ExitStatus.NormalExit)
    assert "The handout is in" in ui.window.notice.accessibleName()
    assert not Path(words[4]).exists()


def test_a_handout_of_a_file_is_made_where_its_modules_are(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[list[str]] = []
    monkeypatch.setattr(QProcess, "start", lambda _process, _program, words: begun.append(words))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.html"), ""))
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    path = tmp_path / "mine.py"
    path.write_text("x = 1\n", encoding="utf-8")
    ui.desk.files.open_by_id(str(path))
    ui.session.workspace.edit("x = 2\n")
    ui.desk.on_command("handout")
    ((*_, target, option, code, _o, _out, _lang, _en, _variant, _chosen),) = begun
    assert (target, option, Path(code).read_text("utf-8")) == (str(path), "--code", "x = 2\n")


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
