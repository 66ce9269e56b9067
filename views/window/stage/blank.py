"""Covers of the screen that the room sees: a black one until a click or a key, or a frozen picture."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from views.code.fix_menu import MODIFIERS


class FrozenPicture(QWidget):
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


class BlackScreen(QWidget):
    """Covers `over`, and takes every key and click, so that nothing happens unseen.

    Signals:
        over: it was closed.
    """

    over = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._under = over
        self.setGeometry(over.rect())
        self.setCursor(Qt.CursorShape.BlankCursor)
        over.installEventFilter(self)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.raise_()
        self.show()

    def put_away(self) -> None:
        """Show the stage again."""
        if (application := QApplication.instance()) is not None:
            application.removeEventFilter(self)
        self.hide()
        self.deleteLater()
        self.over.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the first key, whatever widget has the keyboard, and follow the size of the covered window."""
        kind = event.type()
        if kind == QEvent.Type.Resize and watched is self._under:
            self.setGeometry(self._under.rect())
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
            return False
        if event.key() in MODIFIERS or self.isHidden():
            return False
        # The key press follows an accepted ShortcutOverride; a held key counts as one press.
        event.accept()
        if kind == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self.put_away()
        return True

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self.put_away()

    def paintEvent(self, _event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), Qt.GlobalColor.black)
