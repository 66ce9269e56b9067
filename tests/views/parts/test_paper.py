from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from views.parts.drawing import Drawing, below_each_other, trimmed
from views.theme import LIGHT


def paint(painter: QPainter) -> None:
    painter.setFont(LIGHT.font())
    painter.setPen(QColor(LIGHT.text))
    painter.drawText(QPointF(10, 60), "aba 가")
    painter.drawRect(QRectF(10, 70, 20, 10))


def drawing(what: object = paint) -> Drawing:
    return Drawing("name", "title", "What it shows.", QSizeF(200, 300), what, LIGHT)  # type: ignore[arg-type]


def test_letters_are_outlines_that_are_drawn_once_each(qapp: QApplication) -> None:
    document = drawing().svg().decode()
    root = ET.fromstring(document)
    names = [each.tag.rpartition("}")[2] for each in root.iter()]
    assert "text" not in names
    assert names.count("use") == 4
    assert len(root.findall(".//{*}defs/{*}path")) == 3


def dense(painter: QPainter) -> None:
    paint(painter)
    painter.fillRect(QRectF(40, 70, 20, 10), QBrush(QColor(LIGHT.text), Qt.BrushStyle.Dense4Pattern))


def test_letters_stand_next_to_a_pattern_that_is_named_by_itself(qapp: QApplication) -> None:
    roots = [ET.fromstring(drawing(what).svg()) for what in (dense, lambda painter: dense(painter) or paint(painter))]
    ids = [{each.get("id") for each in root.iter()} - {None} for root in roots]
    assert not ids[0] & ids[1]
    for root, known in zip(roots, ids, strict=True):
        text = ET.tostring(root, encoding="unicode")
        assert set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)) <= {(each, "") for each in known} | {
            ("", each) for each in known
        }
        assert "url(#" in text


def test_what_is_empty_above_and_below_is_cut_off(qapp: QApplication) -> None:
    cut = trimmed(drawing())
    assert 30 < cut.size.height() < 60
    assert cut.size.width() == 200


def test_an_empty_picture_is_none(qapp: QApplication) -> None:
    assert trimmed(drawing(lambda _painter: None)) is None


def test_a_png_is_twice_as_fine_and_a_caption_stands_below(qapp: QApplication) -> None:
    image = QImage.fromData(drawing().with_caption().png())
    assert image.width() == 400
    assert image.height() > 600


def test_one_stands_below_the_other(qapp: QApplication) -> None:
    both = below_each_other(drawing(), drawing(), 5)
    assert both.size == QSizeF(200, 605)
    assert below_each_other(drawing(), None, 5).size == QSizeF(200, 300)
