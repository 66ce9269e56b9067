"""KeyCanvas paints one picture of keys, with zoom, pan, hover, clicks and keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from explorer.figures.forest.key_sentences import KeySentences
from explorer.figures.forest.layout import Step
from views.keys.fans import DrawSpot, outline, spot_at
from views.keys.icicle import IciclePainter
from views.keys.picture import KeyPicture, TreeView
from views.keys.screen import Choice
from views.keys.tree import TreePainter
from views.parts.own_document import plain_tip
from views.theme import Theme, Themed

ZOOM_STEP = 1.25
WHEEL_STEP = 120.0
STEPS: dict[int, Step] = {
    Qt.Key.Key_Up: "parent",
    Qt.Key.Key_Down: "child",
    Qt.Key.Key_Left: "previous",
    Qt.Key.Key_Right: "next",
}
ZOOMS: dict[int, float] = {Qt.Key.Key_Plus: ZOOM_STEP, Qt.Key.Key_Equal: ZOOM_STEP, Qt.Key.Key_Minus: 1 / ZOOM_STEP}


class KeyCanvas(Themed, QWidget):
    """Signals: key_chosen(int), a key's number; draw_chosen(int), the number of a draw from one;
    hover_text(str), the story of the key under the pointer.
    """

    key_chosen = Signal(object)
    draw_chosen = Signal(object)
    hover_text = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = ""
        self._choice: Choice = "auto"
        self._hovered = ""
        self._draw = -1
        """The draw that is in focus, or that was chosen last."""
        self._is_lit = False
        """Whether that draw is in focus."""
        self.spots: list[DrawSpot] = []
        """Where draws can be clicked, as painted last."""
        self._pressed: QPointF | None = None
        self._dragged = False
        self._view: TreeView | None = None
        self.picture: KeyPicture | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # -- what is shown --------------------------------------------------------------------------

    def show_keys(self, words: KeySentences) -> None:
        """Draw these keys; the viewport is kept where the forest has the same shape."""
        self.picture = KeyPicture(words, self.picture)
        self.setAccessibleDescription(words.description())
        self._redraw()

    def show_message(self, sentence: str) -> None:
        """Show a sentence instead of keys."""
        self.picture, self._message = None, sentence
        self.setAccessibleDescription(sentence)
        self._redraw()

    def show_marks(self, keys: frozenset[int], focused: int | None, draw: int | None = None) -> None:
        """Outline `keys` and the draw in focus; the focused key is brought on screen."""
        self._is_lit = draw is not None
        self._draw = self._draw if draw is None else draw
        if self.picture:
            self.picture.marked = keys
            self.picture.focus(focused)
            self._redraw()

    def set_other(self, other: KeyPicture | None) -> None:
        """Take the picture next to this one, so that both have one scale and one form."""
        if self.picture:
            self.picture.other = other
            self._redraw()

    def set_form(self, choice: Choice) -> None:
        """Draw an icicle, a tree, or whichever reads best."""
        self._choice = choice
        self._redraw()

    def apply_theme(self, _theme: Theme) -> None:
        """Recolour and rescale."""
        self._redraw()

    def _redraw(self) -> None:
        if self.picture:
            self.picture.size, self.picture.scale = (self.width(), self.height()), self.theme.scale
            self.picture.choice, self.picture.has_keyboard = self._choice, self.hasFocus()
        self._view = None
        self.update()

    # -- painting -------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.background))
        if self.picture:
            self._paint_keys(painter, self.picture)
        else:
            self._paint_message(painter)
        if self.hasFocus():
            painter.setPen(QColor(self.theme.focus))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    def _paint_keys(self, painter: QPainter, picture: KeyPicture) -> None:
        view = self._seen(picture)
        painter.setClipRect(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.spots = []
        if view.places is not None:
            tree = TreePainter(painter, self.theme, view, view.places, picture.words)
            tree.paint()
            self.spots = tree.spots
            if self._is_lit:
                outline(painter, self.theme, self.spots, self._draw)
        else:
            IciclePainter(painter, self.theme, view, picture.words).paint()

    def _paint_message(self, painter: QPainter) -> None:
        painter.setFont(self.theme.font())
        painter.setPen(QColor(self.theme.dim))
        room = QRectF(self.rect()).adjusted(16, 16, -16, -16)
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self._message)

    def _seen(self, picture: KeyPicture) -> TreeView:
        """Return the current view; it is computed again only after a change."""
        if self._view is None:
            self._view = picture.view()
        return self._view

    def _place_at(self, at: QPointF) -> int | None:
        picture = self.picture
        return picture.at(self._seen(picture), at.x(), at.y()) if picture else None

    # -- the user's hands ---------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.picture is None or not self._obey(self.picture, event.key()):
            super().keyPressEvent(event)

    def _obey(self, picture: KeyPicture, key: int) -> bool:
        """Handle a key of the keyboard; return whether it has a meaning here."""
        if key in STEPS:
            picture.walk(STEPS[key])
            self._tell()
        elif key == Qt.Key.Key_Home:
            picture.go_to(0)
            self._tell()
        elif key in ZOOMS:
            picture.zoom(ZOOMS[key], self.width() / 2, self.height() / 2)
        elif key == Qt.Key.Key_0:
            picture.viewport = None
        elif key == Qt.Key.Key_D and picture.current is not None:
            self._choose_next_draw(picture)
        elif key == Qt.Key.Key_Z and picture.current is not None:
            picture.zoom_to(picture.current)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and picture.current is not None:
            self._activate(picture.current)
        else:
            return False
        self._redraw()
        return True

    def _activate(self, place: int) -> None:
        """Choose the key at `place`."""
        picture = self.picture
        if picture is None:
            return
        picture.current = place
        self.key_chosen.emit(picture.key(place))
        self._redraw()

    def _tell(self) -> None:
        """Say the story of the key that the keyboard is at."""
        if self.picture and self.picture.current is not None:
            self.hover_text.emit(self.picture.story(self.picture.current))
        self._redraw()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed, self._dragged = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._pressed is None:
            on_draw = spot_at(self.spots, here) is not None
            self.setCursor(Qt.CursorShape.PointingHandCursor if on_draw else Qt.CursorShape.ArrowCursor)
            self._hover(self._words_at(here))
            return
        moved = here - self._pressed
        if self.picture and (self._dragged or moved.manhattanLength() >= QApplication.startDragDistance()):
            self._dragged, self._pressed = True, here
            self.picture.pan(moved.x(), moved.y())
            self._redraw()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        clicked = self._pressed is not None and not self._dragged
        self._pressed = None
        spot = spot_at(self.spots, event.position()) if clicked else None
        place = self._place_at(event.position()) if clicked else None
        if spot is not None:
            self._draw = spot.after(self._draw)
            self.draw_chosen.emit(self._draw)
        elif place is not None:
            self._activate(place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._place_at(event.position())
        if self.picture and place is not None:
            self.picture.zoom_to(place)
            self._redraw()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.picture:
            at = event.position()
            self.picture.zoom(ZOOM_STEP ** (event.angleDelta().y() / WHEEL_STEP), at.x(), at.y())
            self._redraw()

    def _words_at(self, at: QPointF) -> str:
        """Return the text for a point: its draws, or the story of its key."""
        spot, place, picture = spot_at(self.spots, at), self._place_at(at), self.picture
        if picture is None or (spot is None and place is None):
            return ""
        if spot is None:
            return picture.story(place or 0)
        words, more = picture.words.draw(spot.draws[0]), len(spot.draws) - 1
        return self.tr("{draw}, and {count} more").format(draw=words, count=more) if more else words

    def _choose_next_draw(self, picture: KeyPicture) -> None:
        """Choose the draw from the key that the keyboard is at, after the one that was chosen last."""
        draws = picture.draws(picture.current) if picture.current is not None else []
        if draws:
            place = draws.index(self._draw) + 1 if self._draw in draws else 0
            self._draw = draws[place % len(draws)]
            self.draw_chosen.emit(self._draw)

    def _hover(self, words: str) -> None:
        if words != self._hovered:
            self._hovered = words
            self.hover_text.emit(words)

    # -- the rest of Qt -------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(440, 240)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._words_at(QPointF(event.pos()))), self)
            return True
        done = super().event(event)
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut, QEvent.Type.Resize):
            self._redraw()
        return done

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover("")
