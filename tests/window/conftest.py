from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from explorer.library import library
from explorer.library.settings import Settings
from tests.window.ui import Ui, answer
from views import theme


@pytest.fixture
def ui(qapp: QApplication, qtbot: QtBot) -> Iterator[Ui]:
    theme.apply_to_application(qapp, theme.LIGHT)
    made = Ui(qapp, Settings())
    made.desk.take_up(library.open_target("one_key_for_the_batch"))
    made.desk.files.list_scenarios()
    # The screen of the tests is so small that the window would fill it.
    made.window.showNormal()
    yield made
    made.close()


@pytest.fixture
def yes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every question be answered with yes."""
    answer(monkeypatch, QMessageBox.StandardButton.Yes)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    return path
