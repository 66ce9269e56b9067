"""A frozen picture on the audience's screen."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QCloseEvent, QPainter, QPaintEvent, QPixmap, QScreen
from PySide6.QtWidgets import QWidget


class Still(QWidget):
    """Fills a screen with a picture until it is closed."""

    def __init__(self, picture: QPixmap, screen: QScreen) -> None:
        kind = Qt.WindowType
        # The keyboard stays with the stage, whose keys still work.
        super().__init__(None, kind.Window | kind.FramelessWindowHint | kind.WindowDoesNotAcceptFocus)
        self.setObjectName("still")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.picture = picture
        self._stays = True
        self.setScreen(screen)
        self.setGeometry(screen.geometry())
        self.showFullScreen()

    def put_away(self) -> None:
        self._stays = False
        self.close()
        self.deleteLater()

    def closeEvent(self, event: QCloseEvent) -> None:
        event.setAccepted(not self._stays)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawPixmap(QRectF(self.rect()), self.picture, QRectF(self.picture.rect()))
