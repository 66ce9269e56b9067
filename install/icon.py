"""Draws an SVG as a picture of SIZE pixels with the Qt of the environment: icon.py FILE.svg SIZE FILE.png, or .ico."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer


def main(source: str, size: int, target: str) -> int:
    """Draw `source` into `target` and return 0 if it could be written."""
    application = QGuiApplication(sys.argv[:1])
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    QSvgRenderer(source).render(painter, QRectF(0, 0, size, size))
    painter.end()
    written = image.save(target)
    application.quit()
    return 0 if written else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
