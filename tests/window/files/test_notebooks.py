"""A notebook is opened as a copy, and never written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from explorer.library import drafts
from tests.library.notebooks import notebook
from tests.window.files.test_disk import press, type_
from tests.window.ui import Ui


def test_a_notebook_is_edited_as_a_copy_and_saved_as_another_file(
    ui: Ui, tmp_path: Path, yes: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, asked = tmp_path / "one.ipynb", []
    path.write_bytes(content := notebook("%pip install flax\ndef f():\n    return 1.0"))
    ui.desk.files.open_by_id(str(path))
    assert ui.window.code.source() == "# %% [1]\n# left out: %pip install flax\ndef f():\n    return 1.0\n"
    assert "%pip install flax" in ui.window.notice.accessibleName()
    assert ui.client.request.filename == str(path)
    type_(ui, "y = 2\n")
    ui.session.workspace.keep_draft()

    def choose(_parent: object, _title: str, start: str, *_: str) -> tuple[str, str]:
        asked.append(start)
        return start, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    ui.window.action("save").trigger()
    assert asked == [str(tmp_path / "one.py")]
    assert Path(asked[0]).read_text() == "y = 2\n"
    assert path.read_bytes() == content
    assert not ui.window.isWindowModified()
    ui.session.workspace.close()
    assert drafts.targets() == frozenset()


def test_plots_without_their_library_are_left_out_until_the_user_wants_the_error(
    ui: Ui, tmp_path: Path, yes: None
) -> None:
    path = tmp_path / "one.ipynb"
    path.write_bytes(notebook("%matplotlib inline\nimport matplotlib"))
    ui.desk.files.open_by_id(str(path))
    assert ui.client.request.leaves_out_plots
    ui.ran(left_out=("matplotlib",))
    words = "A copy of the notebook, in Python. Left out: %matplotlib inline; plots (not installed: matplotlib)."
    assert ui.window.notice.accessibleName() == words
    press(ui, "Show the error")
    assert not ui.client.request.leaves_out_plots
    ui.ran(left_out=("matplotlib",))
    assert not ui.window.notice.isVisible()
    ui.desk.files.open_by_id("one_key_for_the_batch")
    assert ui.client.request.leaves_out_plots
