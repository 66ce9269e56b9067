"""The tour's card with a few words next to a part of the window, and an outline of that part."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from views.theme import DIM_TEXT, Theme

WIDTHS = (340, 260, 190)
"""Widths of the card, at text size 1: the first that fits next to its target is used."""
LINE = 3
GAP = 8
"""Pixels between the card and the part, and the edge of the window."""
_ON = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_PageDown, Qt.Key.Key_Space)
_BACK = (Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_PageUp, Qt.Key.Key_Backspace)


class TourCard(QFrame):
    """A few words, three buttons, and the keys that do the same while the card has the keyboard.

    Signals:
        stepped: 1 to go on, -1 to go back.
        ended: the tour is to end.
    """

    stepped = Signal(int)
    ended = Signal()

    def __init__(self, window: QWidget, title: str, words: str, place: int, count: int) -> None:
        super().__init__(window)
        self.setObjectName("tour_card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{title}. {words}")
        self._place = QLabel(self.tr("{place} of {count}").format(place=place + 1, count=count))
        self._place.setForegroundRole(DIM_TEXT)
        self.setAccessibleDescription(self._place.text())
        self._title, self._words = QLabel(title), QLabel(words, wordWrap=True)
        is_last = place == count - 1
        self.skip = QPushButton(self.tr("Skip"))
        self.back = QPushButton(self.tr("Back"))
        self.on = QPushButton(self.tr("Done") if is_last else self.tr("Next"))
        # At its end there is nothing to skip, at its beginning nothing to go back to.
        self.skip.setVisible(not is_last)
        self.back.setVisible(place > 0)
        self.skip.clicked.connect(self.ended)
        self.back.clicked.connect(self._go_back)
        self.on.clicked.connect(self._go_on)
        for button in self._buttons:
            button.installEventFilter(self)
        self._lay_out()

    @property
    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.skip, self.back, self.on

    def wear(self, theme: Theme) -> None:
        """Apply the fonts and colours of `theme`."""
        self._title.setFont(theme.font(1.15, bold=True))
        self.setStyleSheet(
            f"#tour_card {{ background: {theme.background}; border: {LINE}px solid {theme.focus}; "
            f"border-radius: {theme.px(4)}px; }}"
        )
        margin = theme.px(12)
        self._layout.setContentsMargins(margin, margin, margin, margin)
        self._layout.setSpacing(theme.px(8))

    def stand(self, part: QRect, room: QRect, theme: Theme) -> None:
        """Move next to `part` in `room`; where that is too small, cover as little of `part` as possible."""
        least = self._layout.minimumSize().width()
        sizes = [self._size(max(least, min(theme.px(width), room.width())), room) for width in WIDTHS]
        places = [place for size in sizes for place in card_places(part, size, room)]
        self.setGeometry(min(places, key=lambda place: _shared(place, part)))

    def _size(self, width: int, room: QRect) -> QSize:
        return QSize(width, min(self._layout.totalHeightForWidth(width), room.height()))

    def event(self, event: QEvent) -> bool:
        # Else they would be keys of the window, or walk through a story.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_own(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._take(event):
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the arrow keys instead of the buttons; Space and Enter press a button."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent) or not _is_own(event):
            return False
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(watched, QPushButton):
            watched.click()
            return True
        return event.key() != Qt.Key.Key_Space and self._take(event)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Let Tab cycle through the buttons."""
        order = [each for each in self._buttons if not each.isHidden()]
        here = next((place for place, each in enumerate(order) if each.hasFocus()), -1 if forward else 0)
        order[(here + (1 if forward else -1)) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _take(self, event: QKeyEvent) -> bool:
        if not _is_own(event):
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.ended.emit()
        elif event.key() in _ON:
            self._go_on()
        else:
            self._go_back()
        return True

    def _go_on(self) -> None:
        self.stepped.emit(1)

    def _go_back(self) -> None:
        self.stepped.emit(-1)

    def _lay_out(self) -> None:
        self._layout = QVBoxLayout(self)
        for label in (self._place, self._title, self._words):
            self._layout.addWidget(label)
        row = QHBoxLayout()
        row.addWidget(self.skip)
        row.addStretch()
        row.addWidget(self.back)
        row.addWidget(self.on)
        self._layout.addLayout(row)


class Outline(QWidget):
    """A line around a part of the window, through which everything can be clicked."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        pen = QPen(self.palette().link().color(), LINE)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        painter.setPen(pen)
        inside = LINE // 2
        painter.drawRect(self.rect().adjusted(inside, inside, -inside - 1, -inside - 1))
        event.accept()


def card_places(part: QRect, card: QSize, room: QRect) -> tuple[QRect, ...]:
    """Return the candidate rectangles of `card` in `room`: right of `part`, left of it, below it and above it."""
    middle = part.center() - QPoint(card.width() // 2, card.height() // 2)
    places = (
        QPoint(part.right() + GAP, middle.y()),
        QPoint(part.left() - GAP - card.width(), middle.y()),
        QPoint(middle.x(), part.bottom() + GAP),
        QPoint(middle.x(), part.top() - GAP - card.height()),
    )
    return tuple(_within(QRect(place, card), room) for place in places)


def _shared(one: QRect, other: QRect) -> int:
    """Return how many pixels `one` covers of `other`."""
    both = one.intersected(other)
    return both.width() * both.height()


def _within(card: QRect, room: QRect) -> QRect:
    """Return `card` moved into `room` by the smallest distance."""
    x = max(room.left(), min(card.x(), room.right() + 1 - card.width()))
    y = max(room.top(), min(card.y(), room.bottom() + 1 - card.height()))
    return QRect(QPoint(x, y), card.size())


def _is_own(event: QKeyEvent) -> bool:
    plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
    return plain and event.key() in (Qt.Key.Key_Escape, *_ON, *_BACK)
