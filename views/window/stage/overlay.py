"""Layers over the stage: the lecturer's overlay, a black screen, a frozen picture."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QScreen,
)
from PySide6.QtWidgets import QApplication, QWidget

from views.window.main_window import MainWindow

MODIFIERS = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_AltGr, Qt.Key.Key_Meta, Qt.Key.Key_CapsLock}
)
"""Modifier keys, which precede another key and do not count as a press."""


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


SIGN_SIZE, SENTENCE_SIZE = 0.6, 1.1
"""The size of the letters, relative to those of the stage: the sign is for the lecturer."""
SENTENCE_MS = 5000
"""How long a sentence stays."""


class Overlay(QWidget):
    """Lies over the whole window and lets the mouse through."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.sentence, self.sign = "", ""
        """What is shown for a moment, and until another one is set."""
        self._sentence_over = QTimer(self, singleShot=True, interval=SENTENCE_MS)
        self._sentence_over.timeout.connect(self._forget_sentence)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        window.installEventFilter(self)
        self.hide()

    def tell(self, sentence: str) -> None:
        """Show `sentence` for a few seconds."""
        self.sentence = sentence
        self._sentence_over.start()
        self._change()

    def show_sign(self, sign: str) -> None:
        """Show `sign` at the upper edge until an empty one ends it."""
        self.sign = sign
        self._change()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.sign:
            self._paint_words(painter, self.sign, SIGN_SIZE, top=True)
        if self.sentence:
            self._paint_words(painter, self.sentence, SENTENCE_SIZE, top=False)

    def _paint_words(self, painter: QPainter, words: str, size: float, *, top: bool) -> None:
        theme = self._window.theme
        font = theme.font(size, bold=top)
        metrics, margin = QFontMetrics(font), theme.px(8)
        most = QRect(0, 0, int(self.width() * 0.8), self.height())
        box = metrics.boundingRect(most, Qt.TextFlag.TextWordWrap, words).adjusted(-margin, -margin, margin, margin)
        box.moveCenter(self.rect().center())
        if top:
            box.moveTop(margin // 2)
        else:
            box.moveBottom(self.height() - 4 * margin)
        painter.setPen(QPen(QColor(theme.focus), theme.px(2)))
        painter.setBrush(QColor(theme.panel))
        painter.drawRoundedRect(box, theme.px(4), theme.px(4))
        painter.setPen(QColor(theme.text))
        painter.setFont(font)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)

    def _forget_sentence(self) -> None:
        self.sentence = ""
        self._change()

    def _change(self) -> None:
        """Raise it on top while it has contents."""
        if self.sentence or self.sign:
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
            self.update()
        else:
            self.hide()
