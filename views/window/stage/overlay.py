"""The lecturer's overlay on the stage: a sentence, a sign."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from views.window.main_window import MainWindow

SIGN_SIZE, SENTENCE_SIZE = 0.6, 1.1
"""The size of the letters, relative to those of the stage: the sign is for the lecturer."""
SENTENCE_MS = 5000
"""How long a sentence stays."""


class Overlay(QWidget):
    """Lies over the whole window and lets the mouse through."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._sentence, self._sign = "", ""
        self._sentence_over = QTimer(self, singleShot=True, interval=SENTENCE_MS)
        self._sentence_over.timeout.connect(self._forget_sentence)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        window.installEventFilter(self)
        self.hide()

    @property
    def sentence(self) -> str:
        """Return the sentence shown for a moment, or an empty text."""
        return self._sentence

    @property
    def sign(self) -> str:
        """Return the sign that is currently shown, or an empty text."""
        return self._sign

    def tell(self, sentence: str) -> None:
        """Show `sentence` for a few seconds."""
        self._sentence = sentence
        self._sentence_over.start()
        self._change()

    def show_sign(self, sign: str) -> None:
        """Show `sign` at the upper edge until an empty one ends it."""
        self._sign = sign
        self._change()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._window.rect())
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._sign:
            self._paint_words(painter, self._sign, SIGN_SIZE, top=True)
        if self._sentence:
            self._paint_words(painter, self._sentence, SENTENCE_SIZE, top=False)

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
        self._sentence = ""
        self._change()

    def _change(self) -> None:
        """Raise it on top while it has contents."""
        if self._sentence or self._sign:
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
            self.update()
        else:
            self.hide()
