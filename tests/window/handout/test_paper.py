from __future__ import annotations

import re

from PySide6.QtWidgets import QApplication

from explorer.window.handout import paper
from tests.window.handout.examples import handout, lesson


def test_a_pdf_has_the_answers_on_pages_of_their_own(qapp: QApplication) -> None:
    made = paper.pdf(handout())
    assert made.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", made)) == 2


def test_each_lesson_begins_a_page(qapp: QApplication) -> None:
    made = paper.pdf(handout(lesson("one"), lesson("two"), lesson("three")))
    assert len(re.findall(rb"/Type /Page\b", made)) >= 4
