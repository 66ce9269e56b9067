"""Pictures as SVG documents."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QBuffer, QIODevice, QRect, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator


def svg(size: QSize, dots_per_inch: int, title: str, description: str, draw: Callable[[QPainter], None]) -> bytes:
    """Return the painting of `draw`, of `size` pixels, as an SVG document in UTF-8."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(dots_per_inch)
    generator.setSize(size)
    generator.setViewBox(QRect(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    generator.setDescription(description)
    painter = QPainter(generator)
    draw(painter)
    painter.end()
    return bytes(buffer.data().data())
