from __future__ import annotations

import errno
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.library import lesson_archive, library


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


def test_a_lesson_is_unpacked_once_next_to_its_archive_with_the_edits_of_who_sent_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.jaxlesson"
    sheet = b'title = { en = "Mine" }\n'
    zipped(path, {**manifest(), "lesson/scenario.toml": sheet, "lesson/more/a.csv": b"1\n", "edited.py": b"y = 2\n"})
    code = lesson_archive.unpacked(path)
    folder = tmp_path / "mine"
    assert code == folder / "code.py"
    there = {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}
    assert there == {"code.py", "scenario.toml", "more/a.csv"}
    scenario = library.open_target(str(code))
    assert (scenario.id, scenario.source, scenario.title.text("en")) == (str(folder), "y = 2\n", "Mine")
    code.write_text("z = 3\n", encoding="utf-8")
    assert lesson_archive.unpacked(path).read_text(encoding="utf-8") == "z = 3\n"


def test_a_bare_file_comes_back_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.jaxlesson"
    zipped(path, {**manifest(code="lesson/own.py"), "lesson/own.py": b"x = 2\n"})
    assert library.open_target(str(lesson_archive.unpacked(path))).source == "x = 2\n"


# -- files that are none ------------------------------------------------------------------------


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "text": (lambda path: path.write_text("no zip"), "is no lesson: it is not a zip"),
    "empty": (lambda path: path.write_bytes(b""), "is no lesson: it is not a zip"),
    "no manifest": (lambda path: zipped(path, {"lesson/code.py": b""}), "it has no manifest.json"),
    "broken manifest": (lambda path: zipped(path, {"manifest.json": b"{"}), "its manifest.json cannot be read"),
    "strange manifest": (lambda path: zipped(path, manifest(code=[])), "its manifest.json cannot be read"),
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
    "false size": (with_a_false_size, "is no lesson: it is not a zip, or a broken one"),
    "link": (with_a_link, "in it is a link"),
}


def test_a_disk_that_takes_no_more_gives_a_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jaxlesson"
    zipped(path, manifest())

    def full(_file: Path, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(library.UnreadableCode, match=r"a\.jaxlesson cannot be unpacked: No space left on device"):
        lesson_archive.unpacked(path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_none_gives_a_sentence_and_touches_nothing(name: str, tmp_path: Path) -> None:
    make, sentence = BAD[name]
    path = tmp_path / "bad.jaxlesson"
    make(path)
    with pytest.raises(library.UnreadableCode, match=sentence) as error:
        lesson_archive.unpacked(path)
    assert str(error.value).count("\n") == 0
    assert list(tmp_path.iterdir()) == [path]
