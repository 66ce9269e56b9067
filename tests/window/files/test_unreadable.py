"""An unreadable file of ours keeps no window from opening, and is reported once, in a sentence."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer import app
from explorer.library import library, own_file, paths, settings
from explorer.library.progress import Progress
from explorer.library.settings import Settings
from explorer.messages import frames
from tests.library.damage import CONTENTS, PLACES, damage
from tests.library.left_behind import leave
from tests.views.made import hold
from tests.window.ui import Ui
from views.window.notice_bar import NoticeBar

LESSON = "one_key_for_the_batch"


@pytest.mark.parametrize("form", [next(iter(CONTENTS)), next(iter(PLACES))])
def test_a_window_opens_whatever_has_become_of_settings_progress_and_drafts(
    form: str, qapp: QApplication, qtbot: QtBot
) -> None:
    own_file.newly_put_aside()
    settings.save(Settings(theme="dark", tour_seen=True))
    progress = Progress(on_disk=True)
    progress.tick(LESSON, 0)
    progress.keep()
    leave("another", "x = 1")
    (draft,) = paths.drafts_folder().rglob("*.draft")
    leave(LESSON, "y = 2")
    for file in (paths.settings_file(), paths.progress_file(), draft):
        damage(file, form)
    ui = Ui(qapp, settings.load())
    ui.desk.take_up(library.open_target(LESSON))
    ui.window.show()
    list(app.rest(ui.window, ui.session, ui.desk, present=False))
    notice_text = ui.window.notice.accessibleName()
    assert all(name in notice_text for name in ("settings-file", "progress-file"))
    # The draft of the lesson that is open is offered all the same, next to that.
    ui.window.notice.answered.emit("use_draft")
    assert ui.session.workspace.source == "y = 2"
    ui.desk.files.tell_unreadable()
    assert ui.window.notice.isHidden() or ui.window.notice.accessibleName() == notice_text
    ui.close()
    assert isinstance(settings.load(), Settings)
    assert own_file.newly_put_aside() == ()


def test_what_is_read_only_when_a_program_is_opened_is_reported_then(ui: Ui, tmp_path: Path, yes: None) -> None:
    paths.consents_file().parent.mkdir(parents=True, exist_ok=True)
    paths.consents_file().write_bytes(b"\xff")
    path = tmp_path / "a.py"
    path.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    ui.desk.files.open_by_id(str(path))
    assert "consents-file" in ui.window.notice.accessibleName()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_no_unicode_is_opened_and_remembered_like_any_other(
    ui: Ui, tmp_path: Path, yes: None
) -> None:
    path = tmp_path / os.fsdecode(b"\xff.py")
    path.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    ui.desk.files.open_by_id(str(path))
    assert ui.client.request.filename == str(path)
    frames.encode(ui.client.request)
    ui.session.workspace.edit("x = 1\n")
    ui.session.workspace.keep_draft()
    ui.desk.crash_recovery._keep()
    ui.desk.appearance.choose_theme("dark")
    ui.desk.put_away()
    assert settings.load().theme == "dark"
    assert own_file.newly_put_aside() == ()


def test_what_was_asked_already_stays_with_its_answers(qtbot: QtBot) -> None:
    bar = hold(qtbot, NoticeBar())
    bar.ask("A draft.", ("use", "Use it"), ("", "Close"))
    bar.add("A file.")
    assert bar.accessibleName() == "A draft. A file."
    with qtbot.waitSignal(bar.answered, check_params_cb=lambda answer: answer == "use"):
        bar._buttons[0].click()
