from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.window.ui import Ui
from views.window.file_drops import FileDrops, path_of


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
