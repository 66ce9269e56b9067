"""A lesson's text reads pictures of its own folder, and nothing else."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QUrl
from PySide6.QtGui import QColor, QImage, Qt, QTextDocument
from PySide6.QtWidgets import QApplication, QTextBrowser, QWidget
from pytestqt.qtbot import QtBot

import explorer
import views
from explorer.scenario.page import Page
from explorer.window.handout import web
from explorer.window.handout.records import AnsweredPage
from tests.views.made import put_up
from tests.views.parts.opened_files import opened
from tests.window.handout.examples import handout, lesson
from views.parts.own_document import OwnDocument, plain_tip
from views.parts.own_picture import MOST_BYTES, picture, read_picture
from views.story.story_view import StoryView
from views.theme import LIGHT
from views.window.stage.presenter_window import PresenterNotes, PresenterWindow

ROOT = Path(__file__).parents[3]
HIGH = 333
"""Pixels of each picture: a text that shows one is at least as high."""
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">{}</svg>'
)


def drawn(path: Path) -> Path:
    image = QImage(40, HIGH, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    assert image.save(str(path))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "lesson"
    (made / "more").mkdir(parents=True)
    drawn(made / "a.png")
    drawn(made / "more" / "한 글.png")
    drawn(tmp_path / "outside.png")
    return made


def hostile(folder: Path) -> list[str]:
    """Return names of files outside, in every form that Qt understands."""
    outside = folder.parent / "outside.png"
    return [
        "../outside.png",
        "more/../../outside.png",
        "%2e%2e/outside.png",
        str(outside),
        f"/{outside}",
        f"//localhost{outside}",
        f"file://{outside}",
        f"file:{outside}",
        f"file://localhost{outside}",
        f"FILE://{outside}",
        f"qrc:{outside}",
        f"qrc:/..{outside}",
        f":{outside}",
        f"http://127.0.0.1:9{outside}",
        "//host/share/b.png",
        "\\\\host\\share\\b.png",
        "C:/outside.png",
        "C:outside.png",
        "a.png?b",
        "a.png:stream.png",
        "nul.png",
        "more/COM1.png",
        "data:image/png;base64,AAAA",
        "code.py",
        "more",
        "more.png",
        "nowhere.png",
        "",
        "\0",
    ]


def page(folder: Path, *names: str) -> Page:
    words = "\n\n".join(f'![z](<{name}>)\n\n<img src="{name}">' for name in names if name.strip("\0"))
    return Page("A lesson", "", 0, 1, "Look", words, folder=str(folder))


def handed_out(shown: Page) -> str:
    sheet = AnsweredPage(shown.heading, shown.text, folder=shown.folder)
    return web.page(handout(replace(lesson(), sheets=(sheet,))))


@pytest.mark.parametrize(
    "name", ["a.png", "./a.png", "more/../a.png", "more/한 글.png", "more/%ED%95%9C%20%EA%B8%80.png"]
)
def test_pictures_of_the_lesson_are_read(folder: Path, name: str) -> None:
    assert picture(str(folder), name).height() == HIGH


def test_nothing_else_is(folder: Path) -> None:
    (folder / "code.py").write_text("x = 1")
    (folder / "more.png").mkdir()
    assert [name for name in hostile(folder) if read_picture(str(folder), name) is not None] == []
    assert read_picture("", "a.png") is None


def test_a_name_that_leads_elsewhere_is_refused_before_anything_is_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def touched(path: Path, *_: object, **__: object) -> None:
        raise AssertionError(path)

    for look in ("resolve", "stat", "is_file"):
        monkeypatch.setattr(Path, look, touched)
    inside = {"a.png?b", "code.py", "more", "more.png", "nowhere.png"}
    assert [name for name in hostile(folder) if name not in inside and read_picture(str(folder), name)] == []


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there, and there are no pipes in folders")
def test_what_is_no_small_file_of_the_lesson_is_not_read(folder: Path) -> None:
    (folder / "out.png").symlink_to(folder.parent / "outside.png")
    (folder / "zero.png").symlink_to("/dev/zero")
    (folder / "loop.png").symlink_to(folder / "loop.png")
    os.mkfifo(folder / "pipe.png")
    with (folder / "large.png").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    names = ("out.png", "zero.png", "loop.png", "pipe.png", "large.png")
    assert [read_picture(str(folder), name) for name in names] == [None] * len(names)


def test_a_small_file_of_a_picture_beyond_measure_is_not_unpacked(folder: Path) -> None:
    large = QImage(9000, 9000, QImage.Format.Format_Mono)
    large.fill(0)
    assert large.save(str(folder / "large.png"))
    assert (folder / "large.png").stat().st_size < MOST_BYTES
    assert picture(str(folder), "large.png").isNull()


def test_a_drawing_that_refers_to_what_is_not_in_it_is_not_read(folder: Path) -> None:
    outside = folder.parent / "outside.png"
    own = '<defs><rect id="r" width="9" height="9"/></defs><use xlink:href="#r"/>'
    bad = [
        DRAWING.format(f'<image xlink:href="{outside}" width="9" height="9"/>'),
        DRAWING.format(f"<image xlink:href = 'file://{outside}' width='9' height='9'/>"),
        DRAWING.format('<image xlink:href="data:image/svg+xml;base64,PHN2Zz4=" width="9" height="9"/>'),
        f'<?xml version="1.0"?><?xml-stylesheet type="text/css" href="{outside}"?>' + DRAWING.format(""),
        f'<!DOCTYPE svg [<!ENTITY e "{outside}">]>' + DRAWING.format('<image xlink:href="&e;" width="9" height="9"/>'),
        DRAWING.format(f"<style>@import '{outside}';</style>"),
    ]
    (folder / "good.svg").write_text(DRAWING.format(own), encoding="utf-8")
    assert not picture(str(folder), "good.svg").isNull()
    for content in bad:
        (folder / "bad.svg").write_text(content, encoding="utf-8")
        assert read_picture(str(folder), "bad.svg") is None, content
        # Nor under a name that is checked less closely.
        (folder / "bad.png").write_text(content, encoding="utf-8")
        assert picture(str(folder), "bad.png").isNull()
    (folder / "bad.svg").write_bytes(bad[0].encode("utf-16"))
    assert read_picture(str(folder), "bad.svg") is None


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel of Linux tells what is opened")
def test_a_story_is_shown_measured_copied_and_handed_out_without_access_outside(folder: Path, qtbot: QtBot) -> None:
    """Every view with the words of a lesson is given names of files outside its folder."""
    os.mkfifo(folder / "pipe.png")
    names = [*hostile(folder), "pipe.png", str(folder / "pipe.png"), "/dev/zero", "file:///dev/zero"]
    with opened([folder.parent / "outside.png", folder / "pipe.png", Path("/dev/zero")]) as seen:
        for each in show_everywhere(folder, names):
            qtbot.addWidget(each)
    assert seen == set()


def show_everywhere(folder: Path, names: list[str]) -> tuple[QWidget, ...]:
    """Show, measure, copy and hand out a text with pictures of these `names`; return the windows."""
    shown = page(folder, *names)
    story, presenter = StoryView(), PresenterWindow()
    story.show_page(shown)
    story.resize(600, 500)
    story.show()
    story.grab()
    text = story.findChild(QTextBrowser)
    text.selectAll()
    text.copy()
    QApplication.processEvents()
    presenter.show_script(PresenterNotes(note=shown.text, next_title=shown.text, next_text=shown.text, asks=True))
    presenter.show()
    presenter.grab()
    handed_out(shown)
    return story, presenter


BEGINS = "what follows is hostile"
TRACED = f"""
import sys
from contextlib import suppress
from pathlib import Path
from PySide6.QtWidgets import QApplication
from tests.views.parts.test_outside import hostile, show_everywhere
application, folder = QApplication([]), Path(sys.argv[1])
windows = show_everywhere(folder, ["a.png", "nowhere.png"])
with suppress(OSError):
    open("{BEGINS}")
windows = show_everywhere(folder, hostile(folder))
"""


@pytest.mark.rest
@pytest.mark.process
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
def test_no_system_call_names_a_file_or_an_address_outside(folder: Path, tmp_path: Path) -> None:
    """A text with every hostile name opens and connects to nothing that it does not without them."""
    log = tmp_path / "log"
    command = ["strace", "-f", "-qq", "-s", "4096", "-e", "trace=open,openat,connect", "-o", str(log)]
    subprocess.run([*command, sys.executable, "-c", TRACED, str(folder)], check=True, cwd=ROOT)
    before, begins, after = log.read_text(errors="replace").partition(BEGINS)
    assert begins
    calls = re.findall(r"(?:open|openat|connect)\(.*?(?=, O_|\) = )", after)
    inside = re.compile(rf'open(at)?\(.*"{re.escape(str(folder))}/(?!.*\.\.)')
    assert [each for each in calls if each not in before and not inside.match(each)] == []


def test_the_lesson_s_own_picture_is_on_the_page_in_its_height_and_in_the_handout(folder: Path, qtbot: QtBot) -> None:
    story = put_up(qtbot, StoryView(), 500, 900)
    story.show_page(page(folder, "a.png"))
    grabbed = story.grab().toImage()
    assert any(grabbed.pixelColor(30, y) == QColor("#ff00ff") for y in range(grabbed.height()))
    assert "data:image" not in handed_out(page(folder, "../outside.png"))
    assert 'src="data:image/png;base64,' in handed_out(page(folder, "a.png"))


def test_a_copy_that_is_measured_looks_like_the_document_itself(folder: Path, qapp: QApplication) -> None:
    document = OwnDocument(qapp)
    document.set_folder(str(folder))
    document.setDefaultFont(LIGHT.font(1.5))
    document.setDocumentMargin(17)
    document.setIndentWidth(31)
    document.setMarkdown("# Title\n\n- one\n  - two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![z](a.png)")
    copy = document.twin(qapp)
    for each in (document, copy):
        each.setTextWidth(300)
    assert copy.size() == document.size()


def test_a_style_sheet_and_a_text_are_not_read(folder: Path, qapp: QApplication) -> None:
    document = OwnDocument()
    document.set_folder(str(folder))
    for kind in QTextDocument.ResourceType:
        assert document.loadResource(kind.value, QUrl("a.png")) == b""


@pytest.mark.rest
@pytest.mark.parametrize("module", [explorer, views])
def test_no_text_is_shown_in_a_document_of_qt_s_own(module: object) -> None:
    """A document made elsewhere, or copied by Qt, would read any file."""
    (root,) = module.__path__  # type: ignore[attr-defined]
    named = {"QTextDocument", "QTextBrowser", "QTextEdit", "clone"}
    found = [
        f"{path.name}:{node.lineno}"
        for path in Path(root).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in named)
        or (
            isinstance(node, ast.ClassDef)
            and path.name != "own_document.py"
            and any(getattr(base, "id", "") in named for base in node.bases)
        )
    ]
    assert found == []


@pytest.mark.parametrize("words", ["a <img src='file:///dev/zero'> b", "<b>\nx", "&lt;img&gt;"])
def test_words_of_a_program_stand_in_a_tool_tip_as_they_are(words: str, qapp: QApplication) -> None:
    document = OwnDocument()
    tip = plain_tip(words)
    assert Qt.mightBeRichText(tip)
    document.setHtml(tip)
    assert document.toPlainText() == words
    assert plain_tip("f(x) < 3\nplain") == "f(x) < 3\nplain"
