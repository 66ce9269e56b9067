"""Help > Report a problem: useful facts, nothing private unless the user agrees, and nothing is sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFileDialog, QPlainTextEdit, QPushButton

from explorer.messages import Device, Failure, Hello, Snapshot
from tests.window.ui import Ui
from views.help.report_sheet import ReportSheet

CODE = "secret = 1\n"


@pytest.fixture
def sheet(ui: Ui) -> ReportSheet:
    """Return the report of a window whose worker has died over a user's code."""
    ui.desk.files.open_by_id("selu_eager_or_jit")
    ui.client.say(Hello("3.11", "0.10.2", "0.10.2", (Device("cpu:0", "cpu"),), "cpu:0"))
    ui.session.workspace.edit(CODE)
    ui.session.run()
    died = Failure("WorkerDied", "a segmentation fault")
    ui.client.say(Snapshot(ui.client.request.run, "cpu:0", complete=True, failure=died))
    ui.desk.report.note(f"ValueError in {Path.home()}/x.py")
    ui.desk.report.note_stderr("Fatal Python error")
    ui.desk.on_command("report")
    return ui.window.findChild(ReportSheet)


def text(sheet: ReportSheet) -> str:
    return sheet.findChild(QPlainTextEdit).toPlainText()


def press(sheet: ReportSheet, words: str) -> None:
    next(each for each in sheet.findChildren(QPushButton) if words in each.text().replace("&", "")).click()


def test_it_says_on_what_and_what_went_wrong(sheet: ReportSheet) -> None:
    for words in ("jax 0.10.2", "cpu:0", "a segmentation fault", "ValueError in ~/x.py", "Fatal Python error"):
        assert words in text(sheet)
    assert str(Path.home()) not in text(sheet)


def test_the_code_is_in_it_only_when_it_is_wanted(sheet: ReportSheet) -> None:
    assert CODE.strip() not in text(sheet)
    sheet.findChild(QCheckBox).click()
    assert CODE.strip() in text(sheet)
    press(sheet, "Copy")
    assert QGuiApplication.clipboard().text() == text(sheet)


def test_what_is_read_is_what_is_saved(
    sheet: ReportSheet, ui: Ui, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "report.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(saved), ""))
    press(sheet, "Save")
    assert saved.read_text(encoding="utf-8") == text(sheet)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(saved / "below a file"), ""))
    press(sheet, "Save")
    assert "was not saved" in ui.window.notice.accessibleName()
