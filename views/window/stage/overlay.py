"""The lecturer's overlay on the stage: a dot, a spotlight, pen strokes, a sentence."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from views.window.main_window import MainWindow

INK, INK_ON_DARK = "#c2006b", "#ff6ec0"
"""Seen on paper and on the dark ground; no series, finding or verdict has this colour."""
DIM_ALPHA, DIM_ALPHA_ON_DARK = 150, 185
"""Opacity of the dimmed area around a spotlight, 0 to 255."""
DOT_SHARE = 1 / 24
"""The size of the dot, as a share of the stage's height."""
PEN_SHARE = 1 / 180
SIGN_SIZE, SENTENCE_SIZE = 0.6, 1.1
"""The size of the letters, relative to those of the stage: the sign is for the lecturer."""
SENTENCE_MS = 5000
"""How long a sentence stays."""


class Overlay(QWidget):
    """Lies over the whole window and lets the mouse through, but while the pen is on."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._dot: QPoint | None = None
        self._light: QRect | None = None
        self._strokes: list[QPolygonF] = []
        self._pen_is_on = False
        self._draws = False
        self._sentence, self._sign = "", ""
        self._sentence_over = QTimer(self, singleShot=True, interval=SENTENCE_MS)
        self._sentence_over.timeout.connect(self._forget_sentence)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        window.installEventFilter(self)
        self.hide()

    @property
    def dot(self) -> QPoint | None:
        """The position of the dot; None for none."""
        return self._dot

    @property
    def light(self) -> QRect | None:
        """Return the lit area; None without a spotlight."""
        return self._light

    @property
    def strokes(self) -> tuple[QPolygonF, ...]:
        """Return the strokes drawn since the last clearing."""
        return tuple(self._strokes)

    @property
    def pen_is_on(self) -> bool:
        return self._pen_is_on

    @property
    def sentence(self) -> str:
        """Return the sentence shown for a moment, or an empty text."""
        return self._sentence

    @property
    def sign(self) -> str:
        """Return the sign that is currently shown, or an empty text."""
        return self._sign

    def show_dot(self, at: QPoint | None) -> None:
        """Show a large dot at `at`, or none."""
        self._dot = at
        self._change()

    def show_light(self, area: QRect | None) -> None:
        """Dim the stage outside of `area`; None for no dimming."""
        self._light = area
        self._change()

    def tell(self, sentence: str) -> None:
        """Show `sentence` for a few seconds."""
        self._sentence = sentence
        self._sentence_over.start()
        self._change()

    def show_sign(self, sign: str) -> None:
        """Show `sign` at the upper edge until an empty one ends it."""
        self._sign = sign
        self._change()

    def take_pen(self, on: bool) -> None:
        """Switch the pen on or off; without it the window gets the mouse."""
        self._pen_is_on, self._draws = on, False
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not on)
        self.setCursor(Qt.CursorShape.CrossCursor if on else Qt.CursorShape.ArrowCursor)
        self._change()

    def clear(self) -> None:
        """Clear the drawings."""
        self._strokes, self._draws = [], False
        self._change()

    def begin_stroke(self, at: QPointF) -> None:
        """Begin a line at `at`."""
        self._draws = True
        self._strokes.append(QPolygonF([at]))
        self._change()

    def go_on_with_stroke(self, at: QPointF) -> None:
        """Lead the line on to `at`, where one has been begun."""
        if self._draws:
            self._strokes[-1].append(at)
            self.update()

    def end_stroke(self) -> None:
        self._draws = False

    # -- Qt's events --------------------------------------------------------------------------

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window; drawings would be in the wrong position after a change."""
        if event.type() == QEvent.Type.Resize and self.size() != self._window.size():
            self.setGeometry(self._window.rect())
            self.clear()
        return False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.begin_stroke(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.go_on_with_stroke(event.position())

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.end_stroke()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._light is not None:
            self._paint_light(painter, self._light)
        self._paint_strokes(painter)
        if self._dot is not None:
            self._paint_dot(painter, self._dot)
        if self._sign:
            self._paint_words(painter, self._sign, SIGN_SIZE, top=True)
        if self._sentence:
            self._paint_words(painter, self._sentence, SENTENCE_SIZE, top=False)

    # -- what it paints -----------------------------------------------------------------------

    @property
    def _ink(self) -> QColor:
        return QColor(INK_ON_DARK if self._window.theme.dark else INK)

    def _paint_light(self, painter: QPainter, area: QRect) -> None:
        theme = self._window.theme
        lit = QRectF(area.adjusted(-theme.px(3), -theme.px(2), theme.px(3), theme.px(2))).intersected(
            QRectF(self.rect())
        )
        around, hole = QPainterPath(), QPainterPath()
        around.addRect(QRectF(self.rect()))
        hole.addRoundedRect(lit, theme.px(4), theme.px(4))
        painter.fillPath(around - hole, QColor(0, 0, 0, DIM_ALPHA_ON_DARK if theme.dark else DIM_ALPHA))
        if not area.isEmpty():
            painter.setPen(QPen(QColor(theme.focus), theme.px(2)))
            painter.drawPath(hole)

    def _paint_strokes(self, painter: QPainter) -> None:
        width = max(3.0, self.height() * PEN_SHARE)
        # A line in the colour of the ground around it parts the ink from what is below.
        for colour, more in ((QColor(self._window.theme.background), 2 * width / 3), (self._ink, 0.0)):
            cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
            painter.setPen(QPen(colour, width + more, Qt.PenStyle.SolidLine, cap, join))
            for stroke in self._strokes:
                if stroke.size() == 1:
                    painter.drawPoint(stroke.at(0))
                else:
                    painter.drawPolyline(stroke)

    def _paint_dot(self, painter: QPainter, at: QPoint) -> None:
        radius = max(10.0, self.height() * DOT_SHARE / 2)
        fill = self._ink
        fill.setAlpha(210)
        painter.setBrush(fill)
        painter.setPen(QPen(QColor("#ffffff"), radius / 5))
        painter.drawEllipse(QPointF(at), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor("#000000"), radius / 10))
        painter.drawEllipse(QPointF(at), radius * 1.1, radius * 1.1)

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
        shows = self._dot is not None or self._light is not None or bool(self._strokes or self._sentence or self._sign)
        if shows or self._pen_is_on:
            self.setGeometry(self._window.rect())
            self.raise_()
            self.show()
            self.update()
        else:
            self.hide()
