"""The folder of a program travels to a remote only where the user has agreed, and only while its file is open."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from PySide6.QtWidgets import QLabel

from explorer.library import library
from explorer.link.remotes import folder as folders
from explorer.link.remotes.remote import Remote
from explorer.messages import Failure, Report, Snapshot
from tests.window.ui import Ui as Window
from views.tool_bar.remote_sheet import FolderQuestion

LAB = Remote("lab", ("ssh", "lab", "python3"))


@pytest.fixture
def far(ui: Window, own: Path) -> Window:
    """Return a window with a file whose program runs on a remote."""
    (own.parent / "data.csv").write_text("1,2", encoding="utf-8")
    workspace = ui.session.workspace
    workspace.know_remotes((LAB,), {})
    ui.desk.files.allow(library.open_target(str(own)))
    workspace.open(library.open_target(str(own)))
    workspace.choose_remote("lab")
    return ui


def test_a_folder_travels_once_that_was_agreed_to(far: Window, own: Path) -> None:
    far.window.action("send_folder").trigger()
    (question,) = far.window.findChildren(FolderQuestion)
    assert str(own.parent) in question.text()
    assert "data.csv\nown.py" in question.informativeText()
    assert far.client.remote == LAB
    question.accept()
    assert far.client.remote.folder.path == str(own.parent)
    assert far.desk.appearance.settings.remotes == ()
    far.session.workspace.open(library.open_target("one_key_for_the_batch"))
    assert far.client.remote == LAB


def test_a_folder_that_is_too_much_is_reported_and_nothing_is_asked(
    far: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders, "MOST_FILES", 1)
    far.window.action("send_folder").trigger()
    assert far.window.findChildren(FolderQuestion) == []
    assert any("more than 1 files" in each.text() for each in far.window.findChildren(QLabel))


def test_an_import_that_fails_for_want_of_the_folder_says_how_to_send_it(far: Window) -> None:
    workspace = far.session.workspace
    missing = Failure("FileNotFoundError", "[Errno 2] No such file or directory: 'data.csv'")
    snapshot = Snapshot(1, "cpu:0", complete=True, reports=(Report("f", failure=missing),))
    (report,) = workspace.explained(snapshot).reports
    assert str(report.failure.explanation).startswith("data.csv is next to this file")
    other = msgspec.structs.replace(missing, message="[Errno 2] No such file or directory: 'none.csv'")
    (report,) = workspace.explained(Snapshot(1, "cpu:0", complete=True, reports=(Report("f", failure=other),))).reports
    assert report.failure == other
