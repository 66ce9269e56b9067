from __future__ import annotations

import os
from pathlib import Path

import pytest

from explorer.library import drafts, paths, settings
from explorer.library.settings import Arrangement, Settings


def test_a_draft_comes_back_as_it_was() -> None:
    drafts.keep("one", "x = '한글'\n")
    draft = drafts.find("one")
    assert draft is not None
    assert (draft.target, draft.source) == ("one", "x = '한글'\n")
    assert drafts.targets() == {"one"}


def test_a_discarded_draft_is_gone() -> None:
    drafts.keep("one", "x")
    drafts.discard("one")
    drafts.discard("never there")
    assert drafts.find("one") is None


def test_a_damaged_draft_is_none() -> None:
    drafts.keep("one", "x")
    (file,) = paths.drafts_folder().iterdir()
    file.write_bytes(b"{")
    assert drafts.find("one") is None
    assert drafts.targets() == frozenset()


def test_settings_come_back_and_damaged_ones_are_the_defaults() -> None:
    arrangements = {"one": Arrangement(panes=("keys",), sizes={"wide": {"whole": (1, 2)}}, docks=b"\x00\xff")}
    chosen = Settings(theme="dark", scale=1.3, language="ko", geometry=b"\x00\xff", arrangements=arrangements)
    settings.save(chosen)
    assert settings.load() == chosen
    paths.settings_file().write_text("not json", encoding="utf-8")
    assert settings.load() == Settings()


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "code.py"
    file.write_text("old", encoding="utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        paths.write_atomically(file, b"new")
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]
