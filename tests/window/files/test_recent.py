"""File > Open recent."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer.library import paths, settings
from tests.window.ui import Ui
from views.window.file_drops import FileDrops, path_of


def listed(ui: Ui) -> list[str]:
    """Return the entries of the opened menu."""
    next(each for each in ui.window.menuBar().findChildren(QMenu) if each.title() == "&File").aboutToShow.emit()
    actions = [ui.window.action(f"recent_{number}") for number in range(1, 11)]
    return [action.text() for action in actions if action.isVisible()]


def test_what_was_open_is_listed_newest_first_and_kept_over_a_restart(ui: Ui, own: Path, yes: None) -> None:
    for target in ("selu_eager_or_jit", str(own), "selu_eager_or_jit", "one_key_for_the_batch"):
        ui.desk.files.open_by_id(target)
    ui.desk.on_command("new_file")
    first, second, third = listed(ui)
    assert first == "&1 Noise for a batch"
    assert second.startswith("&2 ")
    assert third == f"&3 own.py   {own.parent}"
    ui.desk.on_command("recent_3")
    assert ui.session.workspace.scenario.id == str(own)
    ui.window.close()
    assert settings.load().recent == (str(own), "one_key_for_the_batch", "selu_eager_or_jit")


def test_there_are_ten_at_most(ui: Ui) -> None:
    for number in range(12):
        ui.desk.recent.note(ui.session.workspace.scenario.__class__(str(number), "mine", "", "", None))
    assert len(listed(ui)) == 10


def test_what_is_gone_is_reported_and_taken_off(ui: Ui, own: Path, yes: None) -> None:
    ui.desk.files.open_by_id(str(own))
    ui.desk.files.open_by_id("one_key_for_the_batch")
    own.unlink()
    ui.desk.on_command("recent_2")
    assert "no longer exists" in ui.window.notice.accessibleName()
    assert listed(ui) == ["&1 Noise for a batch"]


def test_a_lesson_that_was_copied_into_a_folder_meanwhile_is_listed(
    ui: Ui, qapp: QApplication, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    ui.desk.files.list_scenarios()
    seen: list[str] = []
    show = ui.window.scenarios.show_scenarios
    monkeypatch.setattr(
        ui.window.scenarios,
        "show_scenarios",
        lambda listed, *rest: (seen.extend(each.id for each in listed), show(listed, *rest)),
    )
    folder = paths.my_scenarios_folder() / "copied"
    folder.mkdir(parents=True)
    (folder / "code.py").write_text("def f():\n    return 1\n")
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: "copied" in seen)


# -- files that are dropped on the window -----------------------------------------------------------------------------


def test_a_file_may_be_dropped_on_whatever_stands_in_the_window(ui: Ui, tmp_path: Path) -> None:
    path, dropped, source = str(tmp_path / "a.jaxrec"), [], ui.session.workspace.source
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
        (["file:///a/b.jaxrec"], "/a/b.jaxrec"),
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
