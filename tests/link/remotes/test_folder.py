"""Which files travel with a program."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from explorer.link.remotes import folder
from explorer.link.remotes.trouble import NoRemote


def test_files_next_to_the_program_travel_and_nothing_hidden_made_or_from_elsewhere(tmp_path: Path) -> None:
    own = tmp_path / "thesis"
    for name in ("train.py", "data.csv", "lib/a.py", ".env", ".git/config", "__pycache__/train.pyc", "venv/pyvenv.cfg"):
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text("text", encoding="utf-8")
    (tmp_path / "secret").touch()
    (tmp_path / "others").mkdir()
    (own / "out").symlink_to(tmp_path / "secret")
    (own / "others").symlink_to(tmp_path / "others")
    (own / "again.csv").symlink_to(own / "data.csv")
    files = folder.files_of(own)
    assert [each.name for each in files] == ["again.csv", "data.csv", "lib/a.py", "train.py"]
    assert [each.size for each in files] == [4] * 4
    made = folder.packed(own, files)
    assert zipfile.ZipFile(io.BytesIO(made.packed)).read("again.csv") == b"text"
    assert zipfile.ZipFile(io.BytesIO(folder.of_one(own / "train.py").packed)).namelist() == ["train.py"]


def test_a_folder_that_is_too_much_does_not_travel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_bytes(b"12345")
    monkeypatch.setattr(folder, "MOST_FILES", 2)
    with pytest.raises(NoRemote, match="has more than 2 files"):
        folder.files_of(tmp_path)
    monkeypatch.setattr(folder, "MOST_FILES", 3)
    monkeypatch.setattr(folder, "MOST_BYTES", 14)
    with pytest.raises(NoRemote, match="more than 0 MB"):
        folder.files_of(tmp_path)
