"""Rubbish folders of lessons: each costs little and one sentence, and opens or runs nothing by itself."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices

import scenarios
from explorer.library import library, paths
from explorer.scenario.scenario import Scenario
from tools.endurance.desk import RealDesk
from tools.endurance.promises import Record

SCHEMES = ("http", "https", "file", "smb", "ftp", "mailto", "javascript", "data", "ssh")
LINKS = "".join(
    f"[here]({scheme}:///etc/passwd) <{scheme}://a.example/b> ![i]({scheme}://a.example/c.png)\n" for scheme in SCHEMES
)
NAMES = ("scenario.toml", "code.py", "story.md", "story.ko.md", "story.en.md", "figure.png", "README", "x.py")
RUBBISH = (
    b"",
    b"\0" * 100, b"\xff\xfe\xff", b"a = " + b"[" * 40_000, b"a = " + b"1" * 9_000,
    b"[" * 100_000, b"devices = 100000\n", b"devices = -1\n",
    b'title = "x"\n' * 3, b"[title]\nen = 1\n", b"[[steps]]\n" * 5000, b"variants = 3\n", b"order = nan\n",
    b"# " + b"a" * 1_000_000, b"![i](" * 20_000, b"<img src=file:///etc/passwd>" * 100, b"`" * 50_000,
    b"|a" * 50_000,
    b"> " * 20_000, b"* " * 20_000, b"[a](b" * 20_000, b"\x89PNG\r\n\x1a\n" + b"\0" * 64, "제목 = '한글'\n".encode(),
)  # fmt: skip
OPENED_S = 0.1
PAGES = 3


class _Opened(QObject):
    """Records anything that would be opened outside of the window."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[str] = []
        for scheme in SCHEMES:
            QDesktopServices.setUrlHandler(scheme, self, "take")

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url.toString())


def run(record: Record, most: int = sys.maxsize) -> None:
    """Make folders of rubbish, list them and open each, until the time is over or there were `most`."""
    chance, originals = random.Random(record.seed), _originals()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        desk, opened = RealDesk(folder), _Opened()
        mine = paths.my_scenarios_folder()
        try:
            while record.goes_on(most):
                record.begin("")
                shutil.rmtree(mine, ignore_errors=True)
                lesson = mine / f"lesson{record.runs}"
                # Its own for each: a program of the lesson before, stopped just now, may yet write the one it had.
                ran = folder / f"ran{record.runs}"
                _make(lesson, chance, originals, ran)
                _try(desk, record, lesson)
                if opened.urls or ran.exists():
                    # It was listed, and no one has opened it.
                    _fail(record, "unasked", f"{opened.urls}, ran: {ran.exists()}", lesson)
                    opened.urls.clear()
                _open(desk, record, lesson)
                if opened.urls:
                    _fail(record, "a link opened", f"{opened.urls}", lesson)
                    opened.urls.clear()
        finally:
            desk.close()


def _originals() -> list[dict[str, bytes]]:
    root = Path(scenarios.__path__[0])
    folders = [each for each in sorted(root.iterdir()) if (each / "code.py").exists()]
    return [{file.name: file.read_bytes() for file in each.iterdir() if file.is_file()} for each in folders]


def _make(lesson: Path, chance: random.Random, originals: list[dict[str, bytes]], ran: Path) -> None:
    """Write a lesson that is damaged in one to five ways; its code would leave the file `ran`."""
    lesson.mkdir(parents=True)
    files = dict(chance.choice(originals))
    files["code.py"] = f"open({str(ran)!r}, 'w')\n".encode() + files["code.py"]
    for _ in range(chance.randrange(1, 6)):
        _damage(files, chance)
    for name, content in files.items():
        with contextlib.suppress(OSError, ValueError):
            (lesson / name).write_bytes(content)
    if chance.random() < 0.3:
        with contextlib.suppress(OSError):
            _link(lesson, chance)


def _damage(files: dict[str, bytes], chance: random.Random) -> None:
    name = chance.choice([*files, *NAMES])
    content = files.get(name, b"")
    at = chance.randrange(len(content) + 1)
    way = chance.randrange(8)
    if way == 0:
        files.pop(name, None)
    elif way == 1:
        files[name] = chance.choice(RUBBISH)
    elif way == 2:
        files[name] = content[:at]
    elif way == 3:
        files[name] = content[:at] + chance.choice(RUBBISH)[:2000] + content[at:]
    elif way == 4:
        files[name] = content[:at] + chance.randbytes(chance.randrange(1, 40)) + content[at + 5 :]
    elif way == 5:
        files["story.en.md"] = files.get("story.en.md", b"## a\n") + LINKS.encode()
    elif way == 6:
        lines = content.splitlines(keepends=True)
        chance.shuffle(lines)
        files[name] = b"".join(lines)
    else:
        files[chance.choice(["a" * 200, "한글.md", "story.xx.md", ".hidden", "con", "a b.py", "-x", "__init__.py"])] = (
            content
        )


def _link(lesson: Path, chance: random.Random) -> None:
    target = chance.choice(
        (lesson, lesson.parent, Path("/"), Path("/etc/passwd"), Path("/dev/zero"), lesson / "nowhere")
    )
    name = lesson / chance.choice((*NAMES, "loop"))
    name.unlink(missing_ok=True)
    name.symlink_to(target)
    if chance.random() < 0.3 and hasattr(os, "mkfifo"):
        os.mkfifo(lesson / f"pipe{chance.choice(NAMES)}")


def _try(desk: RealDesk, record: Record, lesson: Path) -> None:
    start = time.monotonic()
    try:
        known: Scenario | None = next((each for each in library.everything() if lesson.name in each.id), None)
    except Exception as error:  # whatever it is, the window would not start
        _fail(record, "the list", repr(error), lesson)
        return
    desk.desk.files.list_scenarios()
    desk.settle()
    record.figure("the list with a folder of rubbish", OPENED_S, "s", 99).add(time.monotonic() - start)
    record.count("listed" if known else "not listed")
    if known is not None and known.problem:
        record.count("told what is wrong with it")
    desk.judge_holds(record, lesson.name)
    if troubles := desk.take_troubles():
        _fail(record, "window", troubles, lesson)


def _open(desk: RealDesk, record: Record, lesson: Path) -> None:
    """Open `lesson` as a user does, and read on."""
    start = time.monotonic()
    if desk.desk.files.open_by_id(lesson.name):
        record.count("opened")
        for _ in range(PAGES):
            desk.desk.lesson.go_on()
            desk.settle()
    record.figure("a lesson of rubbish opened and read", OPENED_S * PAGES, "s", 99).add(time.monotonic() - start)
    desk.client.stop()
    if troubles := desk.take_troubles():
        _fail(record, "window", troubles, lesson)


def _fail(record: Record, kind: str, words: str, lesson: Path) -> None:
    """Save `lesson` as one readable text with all its files."""
    parts = [
        f"{file.name} {file.read_bytes()!r}" for file in lesson.iterdir() if file.is_file() and not file.is_symlink()
    ]
    links = [f"{file.name} -> {file.readlink()}" for file in lesson.iterdir() if file.is_symlink()]
    record.fail(kind, words, "\n".join([*parts, *links]), ".txt")
