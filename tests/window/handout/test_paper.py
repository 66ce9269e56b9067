from __future__ import annotations

import re
import shutil
import subprocess
import unicodedata
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader
from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QImage, QPainter, QTextDocument, QTextImageFormat
from PySide6.QtWidgets import QApplication

from explorer.window.handout import coloured, paper
from explorer.window.handout.records import Figure, Handout
from explorer.window.handout.searchable import _characters
from tests.window.handout.cut import cut
from tests.window.handout.examples import handout, lesson
from views.theme import LIGHT, Theme


def test_a_pdf_has_the_answers_on_pages_of_their_own(qapp: QApplication) -> None:
    made = paper.pdf(handout())
    assert made.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", made)) == 2


STORY = "eager takes 2.5 times, 1,234 offices; 한글 10개가 “45 %” of ½ → x² in `key(0)`"


def fonts() -> list[str]:
    """Return fonts with and without ligatures, and with spaces and digits whose characters Qt gets wrong."""
    known = QFontDatabase.families()
    return [each for each in ("DejaVu Sans", "NanumGothic", "Noto Sans CJK KR") if each in known]


def of_story() -> Handout:
    told = lesson()
    return handout(replace(told, sheets=(replace(told.sheets[0], text=STORY), *told.sheets[1:])))


def words(text: str) -> str:
    """Return `text` with a space between words, wherever they are on a page."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def test_every_word_and_digit_is_found_in_the_pdf(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    if not fonts():
        pytest.skip("none of these fonts is installed here")
    for family in fonts():
        monkeypatch.setattr(Theme, "font", lambda *_, family=family, **__: QFont(family))
        pages = PdfReader(BytesIO(paper.pdf(of_story()))).pages
        read = "".join(page.extract_text() for page in pages)
        assert "".join(STORY.replace("`", "").split()) in "".join(words(read).split())


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="needs pdftotext, of poppler-utils")
def test_another_reader_finds_them_too(qapp: QApplication, tmp_path: Path) -> None:
    if len(LIGHT.font().families()) == 2:
        pytest.skip("no font with Hangul is installed here")
    file = tmp_path / "handout.pdf"
    file.write_bytes(paper.pdf(of_story()))
    read = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, check=True, timeout=60).stdout
    assert words(STORY.replace("`", "")) in words(read.decode())
    assert "return 2 * x" in words(read.decode())


def test_the_letters_of_a_ligature_are_those_that_the_others_leave() -> None:
    found = _characters([((b"o", b"1", b"c", b"e"), "office"), ((b"o", b"c", b"e"), "oce"), ((b"2", b"o"), "\u00a0o")])
    assert found == {b"o": "o", b"c": "c", b"e": "e", b"1": "ffi", b"2": " "}


def test_headings_are_bookmarks_below_each_other(qapp: QApplication) -> None:
    read = PdfReader(BytesIO(paper.pdf(handout(lesson("one"), lesson("two")))))
    title, (first, steps, *_), *_ = read.outline
    assert (title.title, first.title) == ("All of it", "1. Lesson one")
    assert [each.title for each in steps] == ["1. Heading & more", "2. Told", "Try it"]
    assert read.get_destination_page_number(first) == 0
    assert read.root_object["/Lang"] == "en"


def test_each_lesson_begins_a_page(qapp: QApplication) -> None:
    made = paper.pdf(handout(lesson("one"), lesson("two"), lesson("three")))
    assert len(re.findall(rb"/Type /Page\b", made)) >= 4


@pytest.mark.rest
def test_nothing_is_cut(qapp: QApplication) -> None:
    told = lesson()
    code = coloured.plain("long.py", "\n".join("x" * length for length in range(40, 240, 20)))
    text = "\n\n".join(["word " * 200, "w" * 200, "10. ten", *(f"{each}. " + "한글 " * 90 for each in range(11, 40))])
    long = replace(told, code=code, sheets=(replace(told.sheets[0], text=text), *told.sheets[1:]))
    pages = paper.pdf(handout(long, *(lesson(f"no {number}") for number in range(11))))
    assert len(PdfReader(BytesIO(pages)).pages) > 12
    assert cut(pages) == []


def test_a_picture_with_a_larger_ground_covers_nothing_next_to_it(qapp: QApplication) -> None:
    svg = b'<svg width="40" height="30" viewBox="0 0 40 30" xmlns="http://www.w3.org/2000/svg">'
    svg += b'<rect x="-20" y="-20" width="80" height="70" fill="#0060a8"/></svg>'
    figures = paper._Figures({"one": (Figure(svg, "", "", 40), QSizeF(40, 30))}, QSizeF(400, 400), qapp)
    look = QTextImageFormat()
    look.setName("one")
    ground = QImage(80, 80, QImage.Format.Format_RGB32)
    ground.fill(Qt.GlobalColor.white)
    painter = QPainter(ground)
    figures.drawObject(painter, QRectF(20, 20, 40, 30), QTextDocument(), 0, look)
    painter.end()
    assert ground.pixelColor(40, 35) == QColor("#0060a8")
    assert {ground.pixelColor(*place).name() for place in ((40, 15), (40, 55), (15, 35), (65, 35))} == {"#ffffff"}
