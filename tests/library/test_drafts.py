from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from explorer.library import drafts, library, own_file, paths, settings, untitled
from explorer.library.drafts import Drafts
from explorer.library.settings import Arrangement, Settings
from tests.library.left_behind import leave


def sources(target: str) -> list[str]:
    return [each.source for each in drafts.left(target)]


def file_of_the_only_draft() -> Path:
    (file,) = paths.drafts_folder().rglob(f"*{drafts.ENDING}")
    return file


def test_a_draft_comes_back_as_it_was_once_its_window_has_ended() -> None:
    window = Drafts()
    window.keep("one", "x = '한글'\n")
    window.keep("one", "x = '한국'\n\ud800")
    assert (sources("one"), drafts.targets()) == ([], frozenset())
    window.close()
    assert (sources("one"), drafts.targets()) == (["x = '한국'\n\ud800"], {"one"})


def test_no_window_writes_over_what_another_keeps_or_has_left() -> None:
    leave("one", "left")
    here, there = Drafts(), Drafts()
    here.keep("one", "here")
    there.keep("one", "there")
    assert drafts.is_edited_elsewhere("one", here)
    assert not drafts.is_edited_elsewhere("two", here)
    there.discard("one")
    there.discard("never there")
    assert not drafts.is_edited_elsewhere("one", here)
    here.close()
    there.close()
    assert sources("one") == ["here", "left"]
    drafts.discard(drafts.left("one")[0])
    assert sources("one") == ["left"]


def test_after_a_write_that_failed_the_next_one_says_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    window = Drafts()
    window.keep("one", "x = 1")
    with monkeypatch.context() as patch:
        patch.setattr(own_file, "write_atomically", full)
        with pytest.raises(OSError, match="No space left"):
            window.keep("one", "x = 12")
    window.keep("one", "x = 12")
    window.close()
    assert sources("one") == ["x = 12"]


def test_an_unneeded_folder_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    leave("one", "x")
    file = file_of_the_only_draft()
    drafts.discard(drafts.left("one")[0])
    assert file.parent.exists()
    monkeypatch.setattr(drafts, "EMPTY_FOLDER_LIFETIME_S", -1.0)
    assert drafts.targets() == frozenset()
    assert not file.parent.exists()


def test_settings_come_back() -> None:
    arrangement = Arrangement(panes=("keys",), sizes={"wide": {"whole": (1, 2)}}, docks=b"\x00\xff")
    chosen = Settings(theme="dark", scale=1.3, language="ko", geometry=b"\x00\xff", arrangement=arrangement)
    settings.save(chosen)
    assert settings.load() == chosen


def full(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "code.py"
    file.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        library.write_code(file, "new")
    assert file.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.name != "posix", reason="these are permissions of POSIX")
def test_files_of_a_user_are_private() -> None:
    leave("one", "x")
    settings.save(Settings())
    draft = file_of_the_only_draft()
    modes = [file.stat().st_mode & 0o777 for file in (draft, paths.settings_file(), draft.parent)]
    assert modes == [0o600, 0o600, 0o700]


@pytest.mark.parametrize(
    "odd", [Settings(scale=1e9), Settings(arrangement=Arrangement(sizes={"wide": {"whole": (1, 10**12)}}))]
)
def test_sizes_that_no_screen_has_are_put_aside(odd: Settings) -> None:
    settings.save(odd)
    assert settings.load() == Settings()


# -- new files ---------------------------------------------------------------------------------


def test_a_new_file_begins_with_a_program_and_has_a_number_that_is_free() -> None:
    first = untitled.new(())
    assert isinstance(ast.parse(first.source).body[-1], ast.FunctionDef)
    leave("untitled_2_7", "x = 2\n")
    second = untitled.new({first.id})
    assert (first.title.text("en"), first.title.text("ko")) == ("Untitled 1", "제목 없음 1")
    assert second.title.text("en") == "Untitled 3"
    assert second.filename == f"<{second.id}>"


def test_those_that_were_written_in_are_listed_and_found_by_their_ids() -> None:
    assert untitled.unsaved() == ()
    leave("untitled_2_7", "x = 2\n")
    leave("untitled_1_9", "x = 1\n")
    leave("one_key_for_the_batch", "x = 3\n")
    assert [each.id for each in untitled.unsaved()] == ["untitled_1_9", "untitled_2_7"]
    assert {each.id for each in library.everything()} >= {"untitled_1_9", "untitled_2_7"}
    assert library.open_target("untitled_2_7").origin == "new"


@pytest.mark.parametrize("target", ["untitled", "untitled_1", "untitled_x_1", "/a/untitled_1_2", "untitled_1_2.py"])
def test_nothing_else_is_a_new_file(target: str) -> None:
    assert untitled.find(target) is None
