"""A small copy of the stage."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from views.theme import LIGHT, Theme

LEAST = QSize(240, 135)


class Mirror(QWidget):
    """Shows a picture as large as possible."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._picture = QPixmap()
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(self.tr("Audience view"))

    @property
    def picture(self) -> QPixmap:
        return self._picture

    def show_picture(self, picture: QPixmap) -> None:
        self._picture = picture
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self._area()
        if self._picture.isNull():
            painter.fillRect(area, QColor(self._theme.hairline))
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(QRectF(area), self._picture, QRectF(self._picture.rect()))
        painter.setPen(QColor(self._theme.edge))
        painter.drawRect(area.adjusted(0, 0, -1, -1))

    def _area(self) -> QRect:
        size = self._picture.size() if not self._picture.isNull() else LEAST
        area = QRect(QPoint(), size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio))
        area.moveCenter(self.rect().center())
        area.moveTop(0)
        return area
