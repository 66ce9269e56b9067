"""A file of ours in any state is read or put aside, reported once, and nothing hangs or is lost."""

from __future__ import annotations

import ast
import contextlib
import os
import re
from pathlib import Path
from typing import TypeGuard

import pytest

from explorer.library import courses, drafts, library, own_file, paths, settings
from explorer.library.consents import Consents
from explorer.library.drafts import Drafts
from explorer.library.edits import Edits
from explorer.library.own_file import SetAsideFile
from explorer.library.progress import CrashedPositions, Position, Progress
from explorer.library.settings import Settings
from tests.library.damage import FORMS, PLACES, damage
from tests.library.faulty import faulty
from tests.library.left_behind import leave

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_reported() -> None:
    own_file.newly_put_aside()


def the_only_one_put_aside() -> SetAsideFile:
    (found,) = own_file.newly_put_aside()
    return found


@pytest.mark.parametrize("form", FORMS)
def test_settings_that_cannot_be_read_are_the_defaults_and_the_file_is_kept_under_another_name(form: str) -> None:
    file = paths.settings_file()
    settings.save(Settings(theme="dark"))
    damage(file, form)
    before = file.lstat().st_ino
    assert settings.load() == Settings()
    found = the_only_one_put_aside()
    assert found.path == file
    assert found.now.lstat().st_ino == before
    assert not os.path.lexists(file)
    # From then on all is well, and what is put aside next takes nothing's place.
    settings.save(Settings(theme="projector"))
    assert settings.load() == Settings(theme="projector")
    assert own_file.newly_put_aside() == ()
    damage(file, form)
    settings.load()
    assert the_only_one_put_aside().now not in (None, found.now)
    assert found.now.lstat().st_ino == before


@pytest.mark.parametrize("form", FORMS)
def test_progress_that_cannot_be_read_begins_anew_and_is_kept(form: str) -> None:
    progress = Progress(on_disk=True)
    progress.tick("one", 0)
    progress.keep()
    damage(paths.progress_file(), form)
    again = Progress(on_disk=True)
    assert again.ticked("one") == frozenset()
    assert the_only_one_put_aside().path == paths.progress_file()
    again.tick("two", 1)
    again.keep()
    assert Progress(on_disk=True).ticked("two") == {1}


@pytest.mark.parametrize("form", FORMS)
def test_a_draft_that_cannot_be_read_takes_no_other_along_and_its_file_is_kept(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drafts, "EMPTY_FOLDER_LIFETIME_S", -1.0)
    leave("one", "x = 1")
    (file,) = paths.drafts_folder().rglob("*.draft")
    leave("two", "y = 2")
    damage(file, form)
    assert [each.source for each in drafts.left("two")] == ["y = 2"]
    assert (drafts.left("one"), drafts.targets()) == ((), {"two"})
    found = the_only_one_put_aside()
    # Though its folder has no draft any more that could be offered.
    drafts.targets()
    assert os.path.lexists(found.now)


def test_of_a_draft_with_a_byte_that_is_no_unicode_the_rest_of_the_text_is_kept() -> None:
    leave("one", "x = 'a'\ny = 2\n")
    (file,) = paths.drafts_folder().rglob("*.draft")
    file.write_bytes(file.read_bytes().replace(b"'a'", b"'\xff'"))
    assert [each.source for each in drafts.left("one")] == ["x = '\N{REPLACEMENT CHARACTER}'\ny = 2\n"]


def test_what_lies_where_the_folder_of_drafts_should_be_is_put_aside() -> None:
    paths.drafts_folder().parent.mkdir(parents=True)
    paths.drafts_folder().write_bytes(b"?")
    assert drafts.targets() == frozenset()
    assert the_only_one_put_aside().path == paths.drafts_folder()
    leave("one", "x = 1")
    assert drafts.targets() == {"one"}


@pytest.mark.parametrize("form", PLACES)
def test_what_is_typed_while_a_draft_turns_into_something_else_is_written_anew(form: str) -> None:
    window = Drafts()
    window.keep("one", "x = 1")
    (file,) = paths.drafts_folder().rglob("*.draft")
    damage(file, form)
    with contextlib.suppress(OSError):
        window.keep("one", "x = 12")
    window.close()
    if form != "folder":
        assert [each.source for each in drafts.left("one")] == ["x = 12"]


@pytest.mark.parametrize("form", FORMS)
def test_consents_and_positions_that_cannot_be_read_are_none_and_the_next_are_kept(form: str) -> None:
    program = {"a.py": b"x = 1"}
    Consents(on_disk=True).add(program)
    damage(paths.consents_file(), form)
    assert not Consents(on_disk=True).has(program)
    assert the_only_one_put_aside().path == paths.consents_file()
    Consents(on_disk=True).add(program)
    assert Consents(on_disk=True).has(program)
    position = paths.drafts_folder() / "1-a" / drafts.POSITION
    own_file.write_atomically(position, b'{"target": "one"}')
    assert CrashedPositions().newest == Position("one")
    damage(position, form)
    assert CrashedPositions().newest is None
    assert [each.path for each in own_file.newly_put_aside()] == ([] if form == "circle" else [position])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["code.py", "scenario.toml", "story.en.md"])
def test_a_lesson_of_one_s_own_that_cannot_be_read_says_so_in_the_list_of_all(name: str, form: str) -> None:
    folder = paths.my_scenarios_folder() / "mine"
    folder.mkdir(parents=True)
    (folder / "code.py").write_text("def f():\n    return 1.0\n", encoding="utf-8")
    (folder / "scenario.toml").write_text('title = "Mine"\n', encoding="utf-8")
    (folder / "story.en.md").write_text("## Look\n\nHere.\n", encoding="utf-8")
    damage(folder / name, form)
    library.everything()
    # What lies in the user's own folder is theirs: it is left as it is.
    assert own_file.newly_put_aside() == ()
    assert os.path.lexists(folder / name)


@pytest.mark.parametrize("form", FORMS)
def test_a_course_that_cannot_be_read_says_so(form: str, tmp_path: Path) -> None:
    sheet = tmp_path / "course.toml"
    sheet.write_text('title = "All"\nlessons = ["one_key_for_the_batch"]\n', encoding="utf-8")
    damage(sheet, form)
    course = courses.find(str(tmp_path))
    assert course is None or course.problem or not course.lessons


def test_a_file_whose_name_is_no_unicode_takes_no_setting_along() -> None:
    settings.save(Settings(theme="dark", recent=("/a/\udcff.py", "/b.py"), last_target="/a/\udcff.py"))
    found = settings.load()
    assert (found.theme, found.recent[1:]) == ("dark", ("/b.py",))
    progress = Progress(on_disk=True)
    progress.tick("/a/\udcff.py", 0)
    progress.tick("one", 0)
    progress.keep()
    assert Progress(on_disk=True).ticked("one") == {0}
    edits = Edits(on_disk=True)
    edits.keep_position(Position("/a/\udcff.py", place=3, course="\udcff"))
    edits.close()
    leave("/a/\udcff.py", "x = '\udcff'")
    assert [each.source for each in drafts.left("/a/\udcff.py")] == ["x = '\udcff'"]
    agreed = Consents(on_disk=True)
    agreed.add({"\udcff.py": b"x = 1"})
    assert Consents(on_disk=True).has({"\udcff.py": b"x = 1"})
    assert own_file.newly_put_aside() == ()


@pytest.mark.skipif(os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root may read all")
def test_a_file_that_the_system_does_not_give_away_is_put_aside() -> None:
    settings.save(Settings(theme="dark"))
    paths.settings_file().chmod(0)
    assert settings.load() == Settings()
    assert the_only_one_put_aside().path == paths.settings_file()


@pytest.mark.parametrize("for_good", [False, True])
def test_whichever_call_to_the_system_fails_what_counts_as_kept_is_there_and_nothing_is_torn(for_good: bool) -> None:
    nth, is_hit = 0, True
    while is_hit:
        nth, window, kept = nth + 1, Drafts(), ""
        settings.save(Settings(theme="dark"))
        with faulty(nth, for_good=for_good) as faults:
            for source in ("x", "xy", "xyz"):
                with contextlib.suppress(OSError):
                    window.keep(f"{nth}", source)
                    kept = source
            settings.save(Settings(theme="projector"))
        is_hit = faults.hit
        window.close()
        assert kept or for_good
        # Where a write fails after its last byte, more than was promised is there.
        assert not kept or [each.source >= kept for each in drafts.left(f"{nth}")] == [True]
        assert settings.load().theme in ("dark", "projector")
    assert nth > 10
    assert own_file.newly_put_aside() == ()


# -- one way to files -----------------------------------------------------------------------------

TOUCHES = {"read_text", "read_bytes", "write_text", "write_bytes", "fdopen", "mkstemp", "NamedTemporaryFile"}
"""Calls that read or write a file, in addition to `open`."""
QTS = {"QFile", "QSaveFile", "QSettings", "QTextStream", "QDataStream", "QImageReader", "QImageWriter"}
MODE = re.compile(r"[rwxa][bt+]*")
ELSEWHERE = {
    "explorer/library/own_file.py": "is the one way",
    "explorer/library/untitled.py": "ships with the program",
    "explorer/window/handout/web.py": "ships with the program",
    "views/help/glossary_window.py": "ships with the program",
    "views/parts/own_picture.py": "reads pictures, which are checked in another way",
    "views/program/hover.py": "ships with the program",
    "views/theme.py": "ships with the program",
}


def test_the_window_reads_and_writes_files_in_one_way() -> None:
    """Whoever opens a file in another way waits for a pipe, or leaves half of one behind."""
    rooms = ("explorer/library", "explorer/window", "explorer/session", "explorer/scenario", "explorer/focus", "views")
    files = [file for room in rooms for file in sorted((ROOT / room).rglob("*.py"))]
    found = {file.relative_to(ROOT).as_posix() for file in files if _touches(ast.parse(file.read_text("utf-8")))}
    assert found == {*ELSEWHERE}


def _touches(tree: ast.Module) -> bool:
    return any(_is_access(node) for node in ast.walk(tree) if isinstance(node, ast.Call))


def _is_access(call: ast.Call) -> bool:
    name = getattr(call.func, "id", getattr(call.func, "attr", ""))
    owner = getattr(getattr(call.func, "value", None), "id", "")
    modes = [each.value for each in (*call.args, *(each.value for each in call.keywords)) if _is_mode(each)]
    opens = name == "open" and (isinstance(call.func, ast.Name) or owner in ("os", "io", "codecs") or bool(modes))
    return opens or (name in TOUCHES | QTS and owner != "own_file")


def _is_mode(node: ast.expr) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(MODE.fullmatch(node.value))
