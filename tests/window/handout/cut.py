"""Texts and pictures of a PDF that are not whole on their page."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from pypdf import PageObject, PdfReader
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPolygonF, QTransform

ASCENT, WIDTH = 0.6, 0.3
"""How far a letter reaches from its origin at least, in sizes of its font."""
SLACK = 1.0
"""Points by which a picture may be larger than the area that shows it: rounding."""


def cut(pdf: bytes) -> list[str]:
    """Return the places of letters and pictures that are clipped or beyond the edge of their page."""
    pages = PdfReader(BytesIO(pdf)).pages
    return [
        f"page {number}: {area.getRect()}"
        for number, page in enumerate(pages, 1)
        for area, clip in _painted(page)
        if not clip.adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(area)
    ]


def _painted(page: PageObject) -> Iterator[tuple[QRectF, QRectF]]:
    """Yield the area of each letter, image and clipped picture, with the area of the page that shows it."""
    at, clip = QTransform(), QRectF(0, 0, float(page.mediabox.width), float(page.mediabox.height))
    kept, path = list[tuple[QTransform, QRectF]](), list[QPointF]()
    line, size = QTransform(), 0.0
    contents = page.get_contents()
    for operands, operator in contents.operations if contents is not None else ():
        match operator:
            case b"q":
                kept.append((at, clip))
            case b"Q":
                at, clip = kept.pop()
            case b"cm":
                at = _matrix(operands) * at
            case b"m" | b"l" | b"c":
                path.append(at.map(QPointF(*map(float, operands[-2:]))))
            case b"W" | b"W*":
                yield QPolygonF(path).boundingRect(), clip
                clip = clip.intersected(QPolygonF(path).boundingRect())
            case b"n" | b"f" | b"f*" | b"S" | b"B" | b"B*":
                path = []
            case b"Do":
                yield at.mapRect(QRectF(0, 0, 1, 1)), clip
            case b"Tf":
                size = float(operands[1])
            case b"Tm" | b"Td":
                line = _matrix(operands) * (line if operator == b"Td" else QTransform())
            case b"Tj":
                yield (line * at).mapRect(QRectF(0, 0, WIDTH * size, ASCENT * size)), clip


def _matrix(operands: list[Any]) -> QTransform:
    numbers = [float(each) for each in operands]
    return QTransform(*numbers) if len(numbers) == 6 else QTransform.fromTranslate(*numbers)
