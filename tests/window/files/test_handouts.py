from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QProcess
from PySide6.QtWidgets import QFileDialog

from tests.window.ui import Ui

Begun = list[list[str]]


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Begun:
    """Return the commands of the processes that are begun; the user saves as out.html."""
    found: Begun = []
    monkeypatch.setattr(QProcess, "start", lambda _process, _program, words: found.append(words))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out.html"), ""))
    return found


def test_a_handout_is_made_next_to_the_window_of_the_lesson_as_it_stands(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begun: Begun
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), "Jupyter (*.ipynb)"))
    ui.session.workspace.replace_source("# mine\n")
    ui.desk.on_command("handout")
    ui.desk.on_command("handout")
    (words,) = begun
    assert words[:4] == ["-P", "-m", "explorer", "handout"]
    assert words[4:6] == ["one_key_for_the_batch", "--code"]
    assert words[7:] == ["-o", str(tmp_path / "out.ipynb"), "--lang", "en"]
    assert Path(words[6]).read_text("utf-8") == "# mine\n"
    assert "already being made" in ui.window.notice.accessibleName()
    ui.desk.handouts._on_written(0, QProcess.ExitStatus.NormalExit)
    assert "The handout is in" in ui.window.notice.accessibleName()
    assert not Path(words[6]).exists()


def test_a_handout_of_a_file_is_made_where_its_modules_are(ui: Ui, own: Path, yes: None, begun: Begun) -> None:
    ui.desk.files.open_by_id(str(own))
    ui.session.workspace.edit("x = 2\n")
    ui.desk.on_command("handout")
    ((*_, target, option, code, _o, _out, _lang, _en, _variant, _chosen),) = begun
    assert (target, option, Path(code).read_text("utf-8")) == (str(own), "--code", "x = 2\n")


def test_a_new_file_is_handed_out_as_a_file(ui: Ui, begun: Begun) -> None:
    ui.desk.on_command("new_file")
    ui.session.workspace.edit("x = 3\n")
    ui.desk.on_command("handout")
    ((*_, target, _o, _out, _lang, _en, _variant, _chosen),) = begun
    assert (Path(target).name, Path(target).read_text("utf-8")) == ("untitled_1.py", "x = 3\n")
    ui.desk.handouts.close()
    assert not Path(target).exists()
