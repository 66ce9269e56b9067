"""A pane's picture on the clipboard and in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.views.window.test_panes import View
from views.window.pane import Pane


class Drawn(View):
    """A view that is drawn in lines."""

    def svg(self) -> bytes:
        return b"<svg/>"


class Printed(View):
    def picture(self) -> QPixmap:
        return QPixmap(70, 30)


@pytest.fixture
def pane(qtbot: QtBot) -> Pane:
    made = Pane(1, "keys_pane", "Keys")
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


@pytest.mark.parametrize(("view", "svg"), [(View, b""), (Drawn, b"<svg/>")])
def test_a_picture_goes_onto_the_clipboard_in_each_form_that_there_is(pane: Pane, view: type[View], svg: bytes) -> None:
    pane.set_view(view())
    pane.picture.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert QGuiApplication.clipboard().image().width() == pane.view.width()
    assert not QImage.fromData(data.data("image/png").data()).isNull()
    assert bytes(data.data("image/svg+xml").data()) == svg


def test_a_view_that_prints_itself_is_printed(pane: Pane) -> None:
    pane.set_view(Printed())
    pane.picture.copy()
    assert QGuiApplication.clipboard().image().width() == 70


@pytest.mark.parametrize(
    ("name", "kind", "written"),
    [
        ("a.png", "PNG (*.png)", "a.png"),
        ("a.svg", "PNG (*.png)", "a.svg"),
        ("a", "SVG (*.svg)", "a.svg"),
        ("a.1", "PNG (*.png)", "a.1.png"),
    ],
)
def test_a_picture_is_saved_in_the_form_that_was_asked_for(
    pane: Pane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str, written: str
) -> None:
    pane.set_view(Drawn())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), kind))
    emitted: list[str] = []
    pane.picture.reported.connect(emitted.append)
    pane.picture.save()
    content = (tmp_path / written).read_bytes()
    assert content == b"<svg/>" if written.endswith("svg") else content.startswith(b"\x89PNG")
    assert str(tmp_path / written) in emitted[0]


def test_a_picture_that_cannot_be_written_is_reported(
    pane: Pane, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane.set_view(View())
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "a.png"), "PNG (*.png)"))
    emitted: list[str] = []
    pane.picture.reported.connect(emitted.append)
    pane.picture.save()
    assert "not saved" in emitted[0]


def test_what_is_covered_has_no_picture(pane: Pane) -> None:
    pane.set_view(View())
    pane.cover(True)
    assert not pane.picture.is_there
    assert not any(action.isEnabled() for action in pane.widget().actions())
    pane.cover(False)
    assert pane.picture.is_there
