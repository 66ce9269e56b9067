"""A black screen over the stage, until a click or a key closes it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

MODIFIERS = (
    Qt.Key.Key_Shift,
    Qt.Key.Key_Control,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_CapsLock,
)
"""Modifier keys, which precede another key and do not count as a press."""


class Blank(QWidget):
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
