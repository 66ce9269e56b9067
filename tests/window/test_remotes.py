"""A program on a remote has only its own file there."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from explorer.library import library
from explorer.link.remotes.remote import Remote
from explorer.messages import Failure, Report, Snapshot
from tests.window.ui import Ui as Window

LAB = Remote("lab", ("ssh", "lab", "python3"))


@pytest.fixture
def far(ui: Window, own: Path) -> Window:
    """Return a window with a file whose program runs on a remote."""
    (own.parent / "data.csv").write_text("1,2", encoding="utf-8")
    workspace = ui.session.workspace
    workspace.know_remotes((LAB,))
    ui.desk.files.allow(library.open_target(str(own)))
    workspace.open(library.open_target(str(own)))
    workspace.choose_remote("lab")
    return ui


def test_a_file_that_is_only_here_is_named(far: Window) -> None:
    workspace = far.session.workspace
    missing = Failure("FileNotFoundError", "[Errno 2] No such file or directory: 'data.csv'")
    snapshot = Snapshot(1, "cpu:0", complete=True, reports=(Report("f", failure=missing),))
    (report,) = workspace.explained(snapshot).reports
    assert str(report.failure.explanation).startswith("data.csv is next to this file")
    other = msgspec.structs.replace(missing, message="[Errno 2] No such file or directory: 'none.csv'")
    (report,) = workspace.explained(Snapshot(1, "cpu:0", complete=True, reports=(Report("f", failure=other),))).reports
    assert report.failure == other
