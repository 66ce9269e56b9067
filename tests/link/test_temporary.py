"""What a killed process has left in the folder of temporary files is removed by a later one, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from explorer.link import temporary

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
MAKES = """
import signal
from explorer.link import temporary
print(temporary.make(), flush=True)
signal.pause()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(temporary, "YOUNG_S", -1.0)
    return tmp_path


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_folder_lives_as_long_as_its_process(how: int) -> None:
    with subprocess.Popen([sys.executable, "-c", MAKES], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        (folder / "lesson").mkdir()
        (folder / "lesson" / "code.py").touch()
        temporary.sweep()
        assert folder.is_dir()
        process.send_signal(how)
    assert folder.is_dir()
    temporary.sweep()
    assert not folder.exists()


def test_nothing_is_removed_that_is_not_ours_or_is_in_use(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [
        place / name for name in ("jax-explorer-main", f"{temporary.PREFIX}notes", f"{temporary.PREFIX}a b c d e")
    ]
    for each in others:
        each.mkdir()
    link, own, file = (place / f"{temporary.PREFIX}{name}" for name in ("linklink", "ownedown", "filefile"))
    link.symlink_to(others[0])
    file.touch()
    own.mkdir()
    monkeypatch.setattr(temporary, "YOUNG_S", 60.0)
    temporary.sweep()
    assert own.is_dir()
    monkeypatch.setattr(temporary, "YOUNG_S", -1.0)
    with temporary.folder() as made:
        temporary.sweep()
        assert made.is_dir()
        assert {*place.iterdir()} == {*others, link, file, made}
    assert not made.exists()


def test_a_folder_can_be_removed_by_its_own_program(place: Path) -> None:
    with temporary.folder() as made:
        made.rmdir()
    assert os.listdir(place) == []  # noqa: PTH208
