from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec
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


@pytest.mark.skipif(os.name != "posix", reason="these are permissions of POSIX")
def test_what_a_person_has_written_is_for_nobody_else_to_read() -> None:
    drafts.keep("one", "x")
    settings.save(Settings())
    for file in (*paths.drafts_folder().iterdir(), paths.settings_file()):
        assert file.stat().st_mode & 0o777 == 0o600


def test_a_draft_of_the_year_1_is_as_old_as_its_file() -> None:
    drafts.keep("one", "x")
    (file,) = paths.drafts_folder().iterdir()
    file.write_bytes(msgspec.json.encode(drafts.Draft("one", "x", datetime(1, 1, 1, tzinfo=UTC))))
    draft = drafts.find("one")
    assert draft is not None
    assert draft.source == "x"
    assert draft.kept_at.timestamp() == pytest.approx(file.stat().st_mtime)


def test_sizes_that_no_screen_has_are_the_defaults_and_the_rest_stays() -> None:
    broken = Arrangement(sizes={"wide": {"whole": (1, 10**12)}})
    settings.save(Settings(theme="dark", scale=1e9, arrangements={"one": broken, "two": Arrangement()}))
    assert settings.load() == Settings(theme="dark", arrangements={"two": Arrangement()})
