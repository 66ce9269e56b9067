"""The open file changes on disk: no edits here and no changes there are lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from explorer.library import drafts, paths
from tests.library.left_behind import leave
from tests.window.ui import Ui

OURS, THEIRS = "def f():\n    return 2.0\n", "def f():\n    return 3.0\n"


@pytest.fixture
def opened(ui: Ui, own: Path, yes: None) -> Path:
    ui.desk.files.open_by_id(str(own))
    return own


def type_(ui: Ui, source: str) -> None:
    ui.window.code.set_source(source, keep_undo=True)
    ui.window.code.source_edited.emit(source)


def offered(ui: Ui) -> list[str]:
    """Return the answers on the notice bar."""
    buttons = ui.window.notice.findChildren(QPushButton)
    return [each.text() for each in buttons if each.isVisible()]


def press(ui: Ui, text: str) -> None:
    next(each for each in ui.window.notice.findChildren(QPushButton) if each.text() == text).click()


def other_editor_writes(path: Path, text: str) -> None:
    """Write as many editors do: another file that replaces it."""
    beside = path.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


@pytest.mark.parametrize("written", ["in place", "another file instead"])
def test_what_another_editor_writes_is_read_again_each_time(ui: Ui, opened: Path, qtbot: QtBot, written: str) -> None:
    before = ui.window.code.source()
    for text in (OURS, THEIRS):
        if written == "in place":
            opened.write_text(text, encoding="utf-8")
        else:
            other_editor_writes(opened, text)
        qtbot.waitUntil(lambda text=text: ui.window.code.source() == text)
        assert (ui.client.request.source, ui.window.isWindowModified()) == (text, False)
    assert not ui.window.notice.isVisible()
    assert opened.name in ui.window.status.sentence()
    ui.window.code.text.undo()
    ui.window.code.text.undo()
    assert ui.session.workspace.source == before


def test_edits_on_both_sides_are_asked_about_and_both_stay(ui: Ui, opened: Path, qtbot: QtBot) -> None:
    type_(ui, OURS)
    other_editor_writes(opened, THEIRS)
    qtbot.waitUntil(lambda: offered(ui) == ["Reload", "Keep mine"])
    assert (ui.window.code.source(), opened.read_text()) == (OURS, THEIRS)
    ui.session.workspace.close()
    assert [each.source for each in drafts.left(str(opened))] == [OURS]


def ask(ui: Ui, opened: Path) -> None:
    type_(ui, OURS)
    opened.write_text(THEIRS, encoding="utf-8")
    ui.desk.files.disk.check()


def test_reload_takes_theirs_and_undo_brings_mine_back(ui: Ui, opened: Path) -> None:
    ask(ui, opened)
    press(ui, "Reload")
    assert (ui.session.workspace.source, ui.window.isWindowModified()) == (THEIRS, False)
    ui.window.code.text.undo()
    assert (ui.session.workspace.source, ui.window.isWindowModified()) == (OURS, True)


def test_keep_mine_goes_on_and_the_next_save_writes_it(ui: Ui, opened: Path) -> None:
    ask(ui, opened)
    press(ui, "Keep mine")
    ui.desk.files.disk.check()
    assert (ui.session.workspace.source, offered(ui)) == (OURS, [])
    ui.desk.on_command("save")
    assert (opened.read_text(), ui.window.isWindowModified()) == (OURS, False)


def test_a_save_never_writes_over_unseen_changes(ui: Ui, opened: Path) -> None:
    type_(ui, OURS)
    opened.write_text(THEIRS, encoding="utf-8")
    ui.desk.on_command("save")
    assert opened.read_text() == THEIRS
    assert "not saved" in ui.window.notice.accessibleName()
    press(ui, "Keep mine")
    ui.desk.on_command("save")
    assert opened.read_text() == OURS


def test_a_change_while_something_else_was_open_is_reported_too(ui: Ui, opened: Path) -> None:
    type_(ui, OURS)
    ui.desk.files.open_by_id("selu_eager_or_jit")
    opened.write_text(THEIRS, encoding="utf-8")
    ui.desk.files.open_by_id(str(opened))
    assert ui.window.code.source() == OURS
    ui.desk.on_command("save")
    assert opened.read_text() == THEIRS
    assert offered(ui) == ["Reload", "Keep mine"]


def test_the_same_text_on_both_sides_is_no_question(ui: Ui, opened: Path) -> None:
    type_(ui, OURS)
    opened.write_text(OURS, encoding="utf-8")
    ui.desk.files.disk.check()
    assert (offered(ui), ui.window.isWindowModified(), drafts.targets()) == ([], False, frozenset())


def test_a_question_goes_when_the_file_has_its_earlier_content_again(ui: Ui, opened: Path) -> None:
    before = opened.read_text()
    ask(ui, opened)
    opened.write_text(before, encoding="utf-8")
    ui.desk.files.disk.check()
    assert not ui.window.notice.isVisible()


def test_a_file_that_is_gone_is_reported_kept_as_a_draft_and_written_anew(ui: Ui, opened: Path, qtbot: QtBot) -> None:
    source = opened.read_text()
    opened.unlink()
    qtbot.waitUntil(ui.window.notice.isVisible)
    assert "gone from disk" in ui.window.notice.accessibleName()
    assert (ui.window.code.source(), ui.window.isWindowModified()) == (source, True)
    ui.desk.files.open_by_id("selu_eager_or_jit")
    ui.desk.files.open_by_id(str(opened))
    assert ui.window.code.source() == source
    ui.desk.on_command("save")
    assert (opened.read_text(), ui.window.isWindowModified()) == (source, False)


def test_edits_to_a_file_that_is_gone_are_offered_in_a_later_run(ui: Ui, own: Path, yes: None) -> None:
    leave(str(own), OURS)
    own.unlink()
    ui.desk.files.open_by_id(str(own))
    ui.window.notice.answered.emit("use_draft")
    assert ui.window.code.source() == OURS


def test_a_draft_that_is_older_than_its_file_says_so(ui: Ui, own: Path, yes: None) -> None:
    leave(str(own), OURS)
    ui.desk.files.open_by_id(str(own))
    assert "changed since" not in ui.window.notice.accessibleName()
    ui.desk.files.open_by_id("selu_eager_or_jit")
    (saved_s,) = (each.saved_at.timestamp() for each in drafts.left(str(own)))
    os.utime(own, (saved_s + 60, saved_s + 60))
    ui.desk.files.open_by_id(str(own))
    assert "changed since" in ui.window.notice.accessibleName()


def test_what_cannot_be_read_is_never_written_over_unasked(ui: Ui, opened: Path) -> None:
    type_(ui, OURS)
    opened.write_bytes(b"x = '\xe9'")
    ui.desk.files.disk.check()
    assert offered(ui) == ["Keep mine"]
    ui.desk.on_command("save")
    assert opened.read_bytes() == b"x = '\xe9'"
    assert ui.window.code.source() == OURS


# -- new files ----------------------------------------------------------------------------------------------------


def test_a_new_file_runs_at_once_and_asks_where_when_it_is_saved(
    ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui.desk.on_command("new_file")
    ui.desk.files.disk.check()
    assert (paths.my_scenarios_folder().exists(), ui.window.notice.isVisible()) == (False, False)
    assert ui.client.request.source == ui.window.code.source() != ""
    assert ("Untitled 1" in ui.window.windowTitle(), list(tmp_path.glob("*.py"))) == (True, [])
    type_(ui, OURS)
    asked: list[str] = []
    saved = tmp_path / "mine.py"

    def where(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        asked.append(Path(start).name)
        return str(saved), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", where)
    ui.desk.on_command("save")
    assert (saved.read_text(), asked, drafts.targets()) == (OURS, ["untitled_1.py"], frozenset())
    assert ui.session.workspace.scenario.id == str(saved)
    assert not [each for each in ui.desk.files.listed if each.origin == "new"]


def test_new_files_are_distinguished_and_kept_until_they_are_saved(ui: Ui) -> None:
    texts = []
    for text in (OURS, THEIRS):
        ui.desk.on_command("new_file")
        type_(ui, text)
        texts.append((ui.session.workspace.scenario.title.text("en"), ui.session.workspace.scenario.id))
    assert [title for title, _ in texts] == ["Untitled 1", "Untitled 2"]
    ui.window.close()
    assert {each.source for _, target in texts for each in drafts.left(target)} == {OURS, THEIRS}


def test_an_unsaved_new_file_is_offered_at_the_next_start_and_opens_as_it_was(ui: Ui) -> None:
    target = "untitled_3_99"
    leave(target, OURS)
    ui.desk.files.offer_untitled(target)
    assert "Untitled 3" in ui.window.notice.accessibleName()
    press(ui, "Open it")
    assert (ui.window.code.source(), ui.window.isWindowModified()) == (OURS, True)
    assert ui.client.request.source == OURS
    assert not ui.window.notice.isVisible()


@pytest.mark.rest
def test_a_question_is_asked_in_another_language_too(ui: Ui, opened: Path, qtbot: QtBot) -> None:
    ask(ui, opened)
    ui.desk.on_command("language_ko")
    qtbot.waitUntil(lambda: len(offered(ui)) == 2)
    ui.window.notice.answered.emit("disk_reload")
    assert ui.window.code.source() == THEIRS
