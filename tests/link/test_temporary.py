"""What a killed process has left in the folder of temporary files is removed by a later one, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from glob import glob
from pathlib import Path

import pytest

from explorer.link import temporary

MAKES = """
import sys
from explorer.link import temporary
if {on_windows}: temporary._hold = temporary._hold_a_file
print(temporary.make(), flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this system hold folders as Windows does, which removes no file that a process has open."""
    remove = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        opened = set()
        for each in glob("/proc/[0-9]*/fd/*"):  # noqa: PTH207
            with suppress(OSError):
                opened.add(os.readlink(each))  # noqa: PTH115
        if str(path) in opened:
            raise PermissionError(path)
        remove(path, missing_ok)

    for name in ("hold", "claim"):
        monkeypatch.setattr(temporary, f"_{name}", getattr(temporary, f"_{name}_a_file"))
    if sys.platform != "win32":
        monkeypatch.setattr(Path, "unlink", unlink)


HERE = pytest.param("", id="as here")
ON_WINDOWS = pytest.param("windows", marks=pytest.mark.skipif(sys.platform == "darwin", reason="it has no /proc"))


@pytest.mark.parametrize("how", ["kill", "terminate"])
@pytest.mark.parametrize("system", [HERE, ON_WINDOWS])
def test_a_folder_lives_as_long_as_its_process(
    how: str, system: str, place: Path, request: pytest.FixtureRequest
) -> None:
    if system:
        request.getfixturevalue(system)
    command = [sys.executable, "-c", MAKES.format(on_windows=bool(system))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        folder = Path(process.stdout.readline().strip())
        (folder / "lesson").mkdir()
        (folder / "lesson" / "code.py").touch()
        temporary.sweep()
        assert folder.is_dir()
        getattr(process, how)()
    assert folder.is_dir()
    temporary.sweep()
    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "darwin", reason="it has no /proc")
def test_a_folder_that_someone_else_removed_leaves_no_file_of_windows(place: Path, windows: None) -> None:
    with temporary.folder() as made:
        made.rmdir()
        temporary.sweep()
        assert len(list(place.iterdir())) == 1
    assert list(place.iterdir()) == []
    (place / f"{temporary.PREFIX}12345678{temporary.OWNER}").touch()
    temporary.sweep()
    assert list(place.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_nothing_is_removed_that_is_not_ours_or_is_in_use(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = [
        place / name for name in ("jax-explorer-main", f"{temporary.PREFIX}notes", f"{temporary.PREFIX}a b c d e")
    ]
    for each in others:
        each.mkdir()
    link, file = (place / f"{temporary.PREFIX}{name}" for name in ("linklink", "filefile"))
    link.symlink_to(others[0])
    file.touch()
    new = place / f"{temporary.NEW}newnewne"
    new.mkdir()
    temporary.sweep()
    assert new.is_dir()
    monkeypatch.setattr(temporary, "YOUNG_S", -1.0)
    with temporary.folder() as made:
        temporary.sweep()
        assert made.is_dir()
        assert {*place.iterdir()} == {*others, link, file, made}
    assert not made.exists()


def test_a_folder_can_be_removed_by_its_own_program(place: Path) -> None:
    with temporary.folder() as made:
        made.rmdir()
    assert list(place.iterdir()) == []
