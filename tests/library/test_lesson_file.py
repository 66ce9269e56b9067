from __future__ import annotations

import errno
import json
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from explorer.library import lesson_file, library
from explorer.library.lesson_file import Choices
from explorer.library.settings import Arrangement

LESSON = "one_key_for_the_batch"
CHOICES = Choices("key_per_example", "", {"batch": 8}, "stablehlo", 2, True, Arrangement(("keys",), list_open=False))


def written(path: Path, source: str = "", choices: Choices = CHOICES) -> Path:
    scenario = library.open_target(LESSON)
    path.write_bytes(lesson_file.packed(scenario, source or scenario.source, choices, "0.1.0"))
    return path


def test_a_lesson_comes_back_as_it_stood(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jaxlesson", "# edited\n")
    opened, before = lesson_file.read(path), library.open_target(LESSON)
    assert opened.source == "# edited\n"
    assert opened.choices == CHOICES
    same = structs.replace(opened.scenario, id=before.id, path=before.path, origin=before.origin)
    assert same == before
    assert opened.scenario.id == str(path)
    assert opened.scenario.origin == "file"


def test_the_same_lesson_makes_the_same_file(tmp_path: Path) -> None:
    assert written(tmp_path / "a.jaxlesson").read_bytes() == written(tmp_path / "b.jaxlesson").read_bytes()


def test_a_bare_file_and_a_new_one_make_a_lesson_file(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text("def f():\n    return 1.0\n", encoding="utf-8")
    (tmp_path / "secret.py").write_text("x = 1", encoding="utf-8")
    for scenario in (library.open_target(str(own)), library.untitled.new(())):
        path = tmp_path / "a.jaxlesson"
        path.write_bytes(lesson_file.packed(scenario, "y = 2\n", Choices()))
        assert lesson_file.read(path).source == "y = 2\n"
        assert len(zipfile.ZipFile(path).namelist()) == 3


def test_pictures_of_a_story_and_modules_go_along(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("code.py", "own.py", "story.en.md", "a.png", ".hidden.py", "big.bin"):
        (folder / name).write_text("## A\nb\n" if name.endswith("md") else "x = 1\n", encoding="utf-8")
    (folder / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    path = tmp_path / "a.jaxlesson"
    scenario = library.open_target(str(folder))
    path.write_bytes(lesson_file.packed(scenario, scenario.source, Choices()))
    opened = lesson_file.read(path).scenario
    there = {each.name for each in Path(opened.path).parent.iterdir()}
    assert there == {"code.py", "own.py", "story.en.md", "a.png", "scenario.toml"}
    assert opened.title.text("en") == "Mine"


def test_a_lesson_file_is_a_target_like_any_other(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jaxlesson", "# edited\n")
    scenario = library.open_target(str(path))
    assert scenario.source == library.open_target(LESSON).source
    assert library.as_it_stands(scenario).source == "# edited\n"
    with pytest.raises(library.UnknownTarget, match=r"There is no file"):
        library.open_target(str(tmp_path / "gone.jaxlesson"))


# -- files that are none ------------------------------------------------------------------------


def zipped(path: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)


def manifest(**changes: object) -> dict[str, bytes]:
    return {"manifest.json": json.dumps({"format": 1, **changes}).encode(), "lesson/code.py": b"x = 1\n"}


def with_a_link(path: Path) -> None:
    zipped(path, manifest())
    with zipfile.ZipFile(path, "a") as made:
        link = zipfile.ZipInfo("lesson/link.py")
        link.external_attr = 0o120777 << 16
        made.writestr(link, "/etc/passwd")


def with_a_false_size(path: Path) -> None:
    """Set a small size of a large file, in both places of the zip that hold it."""
    zipped(path, {**manifest(), "lesson/data.txt": b"0" * 3_000_000})
    content = path.read_bytes().replace((3_000_000).to_bytes(4, "little"), (10).to_bytes(4, "little"))
    path.write_bytes(content)


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("no zip"), "is no lesson file: it is not a zip"),
    "empty": (lambda path: path.write_bytes(b""), "is no lesson file: it is not a zip"),
    "half": (lambda path: path.write_bytes(written(path).read_bytes()[:900]), "it is not a zip, or a broken one"),
    "no manifest": (lambda path: zipped(path, {"lesson/code.py": b""}), "it has no manifest.json"),
    "broken manifest": (lambda path: zipped(path, {"manifest.json": b"{"}), "its manifest.json cannot be read"),
    "strange manifest": (lambda path: zipped(path, manifest(choices={"page": []})), "its manifest.json cannot be read"),
    "newer": (lambda path: zipped(path, manifest(format=2)), "by a newer JAX Explorer .format 2; this one reads 1."),
    "no code": (lambda path: zipped(path, manifest(code="lesson/other.py")), "lesson/other.py is not in it"),
    "code elsewhere": (lambda path: zipped(path, manifest(code="/etc/passwd")), "/etc/passwd is not in it"),
    "upwards": (lambda path: zipped(path, {**manifest(), "../evil.py": b""}), "would lie elsewhere"),
    "absolute": (lambda path: zipped(path, {**manifest(), "/tmp/evil.py": b""}), "would lie elsewhere"),
    "drive": (lambda path: zipped(path, {**manifest(), "C:evil.py": b""}), "would lie elsewhere"),
    "backslash": (lambda path: zipped(path, {**manifest(), "..\\evil.py": b""}), "would lie elsewhere"),
    "in a file": (lambda path: zipped(path, {**manifest(), "lesson/code.py/a": b""}), "lies in a file"),
    "one name": (lambda path: zipped(path, {**manifest(), "lesson/CODE.py": b""}), "two of its files have one name"),
    "many": (
        lambda path: zipped(path, {**manifest(), **{f"lesson/{n}.py": b"" for n in range(10_000)}}),
        "it holds 10,002 files",
    ),
    "bomb": (lambda path: zipped(path, {**manifest(), "lesson/a.txt": b"0" * 60_000_000}), "has 60 MB"),
    "bombs": (
        lambda path: zipped(path, {**manifest(), **{f"lesson/{n}.txt": b"0" * 9_000_000 for n in range(5)}}),
        "unpacked it has 45 MB",
    ),
    "long name": (lambda path: zipped(path, {**manifest(), f"lesson/{'a' * 300}.py": b""}), "in it is too long"),
    "long folder": (lambda path: zipped(path, {**manifest(), f"lesson/{'한' * 100}/a.py": b""}), "in it is too long"),
    "long path": (
        lambda path: zipped(path, {**manifest(), f"{'/'.join(['a' * 250] * 7)}/{'b' * 4000}": b""}),
        "in it is too long",
    ),
    "false size": (with_a_false_size, "is no lesson file: it is not a zip, or a broken one"),
    "link": (with_a_link, "in it is a link"),
    "no text": (lambda path: zipped(path, {**manifest(), "edited.py": b"\xff\xfe"}), "edited.py in .* is not UTF-8"),
    "no python": (lambda path: zipped(path, {**manifest(), "lesson/code.py": b"\xff"}), "is not UTF-8"),
}


def test_a_disk_that_takes_no_more_gives_a_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is with a name that this system does not have."""
    path, room = written(tmp_path / "a.jaxlesson"), tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(lesson_file, "_room", lambda: room)
    write, left = Path.write_bytes, [3]

    def full(file: Path, content: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(library.UnreadableCode, match=r"a\.jaxlesson cannot be unpacked: No space left on device"):
        lesson_file.read(path)
    assert list(room.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_names_that_no_other_system_has_do_not_travel(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    strange = [os.fsdecode(b"\xff.csv"), "a:b.csv", "c\\d.csv", "e\n.csv"]
    for name in ("code.py", "data.csv", *strange):
        (folder / name).write_text("x = 1\n", encoding="utf-8")
    (folder / "scenario.toml").write_text('title = { en = "Mine" }\n', encoding="utf-8")
    bare = folder / os.fsdecode(b"own\xff.py")
    bare.write_text("def f(): ...\n", encoding="utf-8")
    path = tmp_path / os.fsdecode(b"a\xff.jaxlesson")
    for target, names in ((folder, {"code.py", "data.csv", "scenario.toml"}), (bare, {"code.py"})):
        scenario = library.open_target(str(target))
        path.write_bytes(lesson_file.packed(scenario, scenario.source, Choices()))
        opened = lesson_file.read(path).scenario
        assert (opened.id, opened.source) == (str(path), scenario.source)
        assert {each.name for each in Path(opened.path).parent.iterdir()} == names


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_none_gives_a_sentence_and_touches_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, sentence = BAD[name]
    room = tmp_path / "room"
    room.mkdir()
    monkeypatch.setattr(lesson_file, "_room", lambda: room)
    path = tmp_path / "bad.jaxlesson"
    make(path)
    with pytest.raises(library.UnreadableCode, match=sentence) as error:
        lesson_file.read(path)
    assert str(error.value).count("\n") == 0
    if name not in ("no text", "no python"):
        assert list(room.iterdir()) == []
    assert {each.name for each in tmp_path.iterdir()} == {"room", "bad.jaxlesson"}


def test_sizes_that_no_screen_has_are_not_taken_over(tmp_path: Path) -> None:
    sizes = {"small": {"lesson": (10**9,)}}
    path = written(tmp_path / "a.jaxlesson", choices=Choices(arrangement=Arrangement(sizes=sizes)))
    assert lesson_file.read(path).choices.arrangement == Arrangement()
