"""A lesson's words read pictures of its own folder, and nothing else from anywhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from views.story.story_text import MOST_BYTES, StoryText, picture_path


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    folder = tmp_path / "lesson"
    (folder / "more").mkdir(parents=True)
    (folder / "a.png").write_bytes(b"a")
    (folder / "more" / "한 글.png").write_bytes(b"b")
    (tmp_path / "secret.png").write_bytes(b"s")
    return folder


@pytest.mark.parametrize(
    "name", ["a.png", "./a.png", "more/../a.png", "more/한 글.png", "more/%ED%95%9C%20%EA%B8%80.png"]
)
def test_pictures_of_the_lesson_are_read(lesson: Path, name: str) -> None:
    assert picture_path(str(lesson), QUrl(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "../secret.png",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://a.example/b.png",
        "//host/share/b.png",
        "\\\\host\\share\\b.png",
        "data:image/png;base64,AAAA",
        "qrc:/a.png",
        "more",
        "nowhere.png",
        "",
        "\0",
    ],
)
def test_nothing_else_is(lesson: Path, name: str) -> None:
    assert picture_path(str(lesson), QUrl(name)) is None
    assert picture_path("", QUrl(name)) is None


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_a_link_that_leads_out_and_a_picture_beyond_measure_are_not_read(lesson: Path) -> None:
    (lesson / "out.png").symlink_to(lesson.parent / "secret.png")
    (lesson / "loop.png").symlink_to(lesson / "loop.png")
    with (lesson / "large.png").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert [picture_path(str(lesson), QUrl(name)) for name in ("out.png", "loop.png", "large.png")] == [None] * 3


def test_a_style_sheet_and_a_text_are_not_read(lesson: Path, qtbot: QtBot) -> None:
    text = StoryText()
    qtbot.addWidget(text)
    text.set_folder(str(lesson))
    image, style = QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.StyleSheetResource
    assert (text.loadResource(image.value, QUrl("a.png")), text.loadResource(style.value, QUrl("a.png"))) == (b"a", b"")
