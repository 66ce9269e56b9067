"""What came from elsewhere runs after the user has agreed, and not before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QFileDialog, QMessageBox

from explorer.library import consents, library
from explorer.library.consents import Consents
from explorer.messages import Parameter
from tests.window.ui import Ui, answer

CODE = """\
def inputs(batch=32):
    return {"x": batch}


def one(x):
    return x


def two(x):
    return 2 * x
"""


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """Return the folder of a lesson from elsewhere."""
    folder = tmp_path / "mine"
    (folder / "more").mkdir(parents=True)
    (folder / "code.py").write_text(CODE, encoding="utf-8")
    for name in ("helper.py", "more/other.py", "a.npz"):
        (folder / name).write_text(f"# in {name}\n", encoding="utf-8")
    (folder / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    return folder


def test_nothing_runs_before_the_question_is_answered(ui: Ui, lesson: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ui.client.asked.clear()
    asked: list[QMessageBox] = []

    def answered(box: QMessageBox) -> int:
        asked.append(box)
        assert ui.client.asked == []
        assert "Opening a file runs its code on this computer." in box.text()
        return QMessageBox.StandardButton.No.value

    monkeypatch.setattr(QMessageBox, "exec", answered)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(lesson))
    ui.desk.on_command("open_folder")
    assert len(asked) == 1
    assert all(each in asked[0].detailedText() for each in ("def one", "# in helper.py", "# in more/other.py"))
    assert ui.client.asked == []
    assert ui.session.workspace.scenario == library.open_target("one_key_for_the_batch")
    (lesson / "helper.py").write_text("x = 1\n" * 50_000, encoding="utf-8")
    ui.desk.files.open_by_id(str(lesson))
    # Its text now ends with how much of it is not shown.
    assert "Read them before you run." in asked[1].detailedText()


def test_a_lesson_can_be_read_first_and_nothing_of_it_runs_until_the_user_says_so(
    ui: Ui, lesson: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace, begun = ui.session.workspace, []
    monkeypatch.setattr(QProcess, "start", lambda *_: begun.append(1))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.html"), ""))
    ui.client.asked.clear()
    answer(monkeypatch, QMessageBox.StandardButton.Open)
    ui.desk.files.open_by_id(str(lesson))
    assert workspace.scenario.id == str(lesson)
    # The question is not asked again, nor is anything that leads to a run of use.
    ui.desk.files.open_by_id("seed_and_key")
    ui.client.asked.clear()
    monkeypatch.setattr(QMessageBox, "exec", None)
    ui.desk.files.open_by_id(str(lesson))
    assert "has not run on this computer" in ui.window.notice.accessibleName()
    workspace.edit(workspace.source + "\nx = 1\n")
    workspace.set_parameter(Parameter("batch", 8, 32))
    workspace.choose_variant("two")
    for ask in (ui.session.run, ui.session.ask_for_fixes, ui.session.timings.start, ui.session.restart):
        ask()
    ui.session.choose_lens("vmap")
    ui.desk.on_command("handout")
    assert (ui.client.asked, ui.client.asked_ahead, begun) == ([], [], [])
    assert (workspace.request(0), workspace.timing_requests(lambda: 0)) == (None, [])
    ui.desk.on_command("run")
    assert ui.client.request.source.endswith("x = 1\n")
    assert ui.window.notice.isHidden()


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
