from __future__ import annotations

import re

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QTextDocument, QTextImageFormat
from PySide6.QtWidgets import QApplication

from explorer.window.handout import paper
from explorer.window.handout.records import Figure
from tests.window.handout.examples import handout, lesson


def test_a_pdf_has_the_answers_on_pages_of_their_own(qapp: QApplication) -> None:
    made = paper.pdf(handout())
    assert made.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", made)) == 2


def test_each_lesson_begins_a_page(qapp: QApplication) -> None:
    made = paper.pdf(handout(lesson("one"), lesson("two"), lesson("three")))
    assert len(re.findall(rb"/Type /Page\b", made)) >= 4


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
