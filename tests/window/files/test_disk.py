"""The open file changes on the disk: nothing typed here or written there is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from explorer.library import drafts, paths
from tests.library.left_behind import leave
from tests.window.place import Place, answer
from views.code.difference_sheet import DifferenceSheet
from views.text.line_text import LineText

OURS, THEIRS = "def f():\n    return 2.0\n", "def f():\n    return 3.0\n"


@pytest.fixture
def opened(place: Place, own: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    place.desk.files.open_by_id(str(own))
    return own


def type_(place: Place, source: str) -> None:
    place.window.code.set_source(source, keep_undo=True)
    place.window.code.source_edited.emit(source)


def offered(place: Place) -> list[str]:
    """Return the answers on the notice bar."""
    buttons = place.window.notice.findChildren(QPushButton)
    return [each.text() for each in buttons if each.isVisible()]


def press(place: Place, text: str) -> None:
    next(each for each in place.window.notice.findChildren(QPushButton) if each.text() == text).click()


def other_editor_writes(path: Path, text: str) -> None:
    """Write as many editors do: another file in its place."""
    beside = path.with_suffix(".tmp")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


@pytest.mark.parametrize("written", ["in place", "another in its place"])
def test_what_another_editor_writes_is_read_again_each_time(
    place: Place, opened: Path, qtbot: QtBot, written: str
) -> None:
    before = place.window.code.source()
    for text in (OURS, THEIRS):
        if written == "in place":
            opened.write_text(text, encoding="utf-8")
        else:
            other_editor_writes(opened, text)
        qtbot.waitUntil(lambda text=text: place.window.code.source() == text)
        assert (place.client.request.source, place.window.isWindowModified()) == (text, False)
    assert not place.window.notice.isVisible()
    assert opened.name in place.window.status.sentence()
    place.window.code.text.undo()
    place.window.code.text.undo()
    assert place.session.workspace.source == before


def test_edits_on_both_sides_are_asked_about_and_both_stay(place: Place, opened: Path, qtbot: QtBot) -> None:
    type_(place, OURS)
    other_editor_writes(opened, THEIRS)
    qtbot.waitUntil(lambda: offered(place) == ["Reload", "Keep mine", "Compare"])
    assert (place.window.code.source(), opened.read_text()) == (OURS, THEIRS)
    place.session.workspace.close()
    assert [each.source for each in drafts.left(str(opened))] == [OURS]


def ask(place: Place, opened: Path) -> None:
    type_(place, OURS)
    opened.write_text(THEIRS, encoding="utf-8")
    place.desk.files.disk.check()


def test_reload_takes_theirs_and_undo_brings_mine_back(place: Place, opened: Path) -> None:
    ask(place, opened)
    press(place, "Reload")
    assert (place.session.workspace.source, place.window.isWindowModified()) == (THEIRS, False)
    place.window.code.text.undo()
    assert (place.session.workspace.source, place.window.isWindowModified()) == (OURS, True)


def test_keep_mine_goes_on_and_the_next_save_writes_it(place: Place, opened: Path) -> None:
    ask(place, opened)
    press(place, "Keep mine")
    place.desk.files.disk.check()
    assert (place.session.workspace.source, offered(place)) == (OURS, [])
    place.desk.on_command("save")
    assert (opened.read_text(), place.window.isWindowModified()) == (OURS, False)


def test_compare_shows_both_beside_each_other_and_asks_again(place: Place, opened: Path) -> None:
    ask(place, opened)
    press(place, "Compare")
    (sheet,) = place.window.findChildren(DifferenceSheet)
    texts = {text.accessibleName(): text for text in sheet.findChildren(LineText)}
    assert {name: text.toPlainText() for name, text in texts.items()} == {"On disk": THEIRS, "Here": OURS}
    assert [dict(text.marks.only_here) for text in texts.values()] == [{1: "-"}, {1: "+"}]
    assert all(text.isReadOnly() for text in texts.values())
    assert offered(place) == ["Reload", "Keep mine", "Compare"]
    sheet.close()


def test_a_save_never_writes_over_what_nobody_here_has_seen(place: Place, opened: Path) -> None:
    type_(place, OURS)
    opened.write_text(THEIRS, encoding="utf-8")
    place.desk.on_command("save")
    assert opened.read_text() == THEIRS
    assert "not saved" in place.window.notice.accessibleName()
    press(place, "Keep mine")
    place.desk.on_command("save")
    assert opened.read_text() == OURS


def test_a_change_while_something_else_was_open_is_told_too(place: Place, opened: Path) -> None:
    type_(place, OURS)
    place.desk.files.open_by_id("selu_eager_or_jit")
    opened.write_text(THEIRS, encoding="utf-8")
    place.desk.files.open_by_id(str(opened))
    assert place.window.code.source() == OURS
    place.desk.on_command("save")
    assert opened.read_text() == THEIRS
    assert offered(place) == ["Reload", "Keep mine", "Compare"]


def test_the_same_text_on_both_sides_is_no_question(place: Place, opened: Path) -> None:
    type_(place, OURS)
    opened.write_text(OURS, encoding="utf-8")
    place.desk.files.disk.check()
    assert (offered(place), place.window.isWindowModified(), drafts.targets()) == ([], False, frozenset())


def test_a_question_goes_when_the_file_says_again_what_it_said(place: Place, opened: Path) -> None:
    before = opened.read_text()
    ask(place, opened)
    opened.write_text(before, encoding="utf-8")
    place.desk.files.disk.check()
    assert not place.window.notice.isVisible()


def test_a_question_is_asked_in_another_language_too(place: Place, opened: Path, qtbot: QtBot) -> None:
    ask(place, opened)
    place.desk.on_command("language_ko")
    qtbot.waitUntil(lambda: len(offered(place)) == 3)
    place.window.notice.answered.emit("disk_reload")
    assert place.window.code.source() == THEIRS


def test_a_file_that_is_gone_is_told_kept_as_a_draft_and_written_anew(place: Place, opened: Path, qtbot: QtBot) -> None:
    source = opened.read_text()
    opened.unlink()
    qtbot.waitUntil(place.window.notice.isVisible)
    assert "gone from disk" in place.window.notice.accessibleName()
    assert (place.window.code.source(), place.window.isWindowModified()) == (source, True)
    place.desk.files.open_by_id("selu_eager_or_jit")
    place.desk.files.open_by_id(str(opened))
    assert place.window.code.source() == source
    place.desk.on_command("save")
    assert (opened.read_text(), place.window.isWindowModified()) == (source, False)


def test_edits_to_a_file_that_is_gone_are_offered_in_a_later_run(
    place: Place, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    leave(str(own), OURS)
    own.unlink()
    place.desk.files.open_by_id(str(own))
    place.window.notice.answered.emit("use_draft")
    assert place.window.code.source() == OURS


def test_a_draft_that_is_older_than_its_file_says_so(place: Place, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    leave(str(own), OURS)
    place.desk.files.open_by_id(str(own))
    assert "changed since" not in place.window.notice.accessibleName()
    place.desk.files.open_by_id("selu_eager_or_jit")
    (kept,) = (each.kept_at.timestamp() for each in drafts.left(str(own)))
    os.utime(own, (kept + 60, kept + 60))
    place.desk.files.open_by_id(str(own))
    assert "changed since" in place.window.notice.accessibleName()


def test_what_cannot_be_read_is_never_written_over_unasked(place: Place, opened: Path) -> None:
    type_(place, OURS)
    opened.write_bytes(b"x = '\xe9'")
    place.desk.files.disk.check()
    assert offered(place) == ["Keep mine"]
    place.desk.on_command("save")
    assert opened.read_bytes() == b"x = '\xe9'"
    assert place.window.code.source() == OURS


# -- new files ----------------------------------------------------------------------------------------------------


def test_a_new_file_runs_at_once_and_asks_where_when_it_is_saved(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.desk.on_command("new_file")
    assert place.client.request.source == place.window.code.source() != ""
    assert ("Untitled 1" in place.window.windowTitle(), list(tmp_path.glob("*.py"))) == (True, [])
    type_(place, OURS)
    asked: list[str] = []
    saved = tmp_path / "mine.py"

    def where(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        asked.append(Path(start).name)
        return str(saved), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", where)
    place.desk.on_command("save")
    assert (saved.read_text(), asked, drafts.targets()) == (OURS, ["untitled_1.py"], frozenset())
    assert place.session.workspace.scenario.id == str(saved)
    assert not [each for each in place.desk.files._listed if each.origin == "new"]


def test_new_files_are_told_apart_and_kept_until_they_are_saved(place: Place, qtbot: QtBot) -> None:
    texts = []
    for text in (OURS, THEIRS):
        place.desk.on_command("new_file")
        type_(place, text)
        texts.append((place.session.workspace.scenario.title.text("en"), place.session.workspace.scenario.id))
    assert [title for title, _ in texts] == ["Untitled 1", "Untitled 2"]
    place.window.close()
    assert {each.source for _, target in texts for each in drafts.left(target)} == {OURS, THEIRS}


def test_an_unsaved_new_file_is_offered_at_the_next_start_and_opens_as_it_was(place: Place) -> None:
    target = "untitled_3_99"
    leave(target, OURS)
    place.desk.files.offer_untitled(target)
    assert "Untitled 3" in place.window.notice.accessibleName()
    press(place, "Open it")
    assert (place.window.code.source(), place.window.isWindowModified()) == (OURS, True)
    assert place.client.request.source == OURS
    assert not place.window.notice.isVisible()


def test_new_files_lie_nowhere(place: Place) -> None:
    place.desk.on_command("new_file")
    place.desk.files.disk.check()
    assert not paths.my_scenarios_folder().exists()
    assert not place.window.notice.isVisible()
