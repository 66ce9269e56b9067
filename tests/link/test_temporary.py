"""What a killed process has left in the folder of temporary files is removed by a later one, and nothing else."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import pytest

from explorer.link import temporary


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_that_was_left_is_removed_after_a_week(place: Path) -> None:
    with temporary.folder() as used:
        left = temporary.make()
        (left / "lesson").mkdir()
        (left / "lesson" / "code.py").touch()
        temporary.sweep()
        assert {*place.iterdir()} == {used, left}
        grow_old(left)
        temporary.sweep()
        assert [*place.iterdir()] == [used]
    assert not [*place.iterdir()]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_nothing_is_removed_that_is_not_ours(place: Path) -> None:
    other, link, file = (place / name for name in ("jax-explorer-main", *(f"{temporary.PREFIX}{n}" for n in "ab")))
    other.mkdir()
    link.symlink_to(other)
    file.touch()
    for each in (other, link, file):
        grow_old(each)
    temporary.sweep()
    assert {*place.iterdir()} == {other, link, file}


def test_a_folder_can_be_removed_by_its_own_program(place: Path) -> None:
    with temporary.folder() as made:
        made.rmdir()
    assert not [*place.iterdir()]


def grow_old(path: Path) -> None:
    long_ago = time.time() - 2 * temporary.OLD_S
    os.utime(path, (long_ago, long_ago), follow_symlinks=False)
