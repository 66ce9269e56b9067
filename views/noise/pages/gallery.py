"""A batch of images, each as an image: equal ones lettered, selected ones outlined."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from views.noise.arrays.cell_words import value_words
from views.noise.arrays.heat_colours import Scale, colour_table
from views.noise.arrays.row_letters import RowLetters, row_letters
from views.noise.arrays.row_pair import difference
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow
from views.noise.heatmap.cell_marks import NAN, draw_shape
from views.noise.heatmap.paint import Paint
from views.noise.pages.gallery_tiles import Tiles, tiles_for
from views.noise.pages.image_batch import ImageAxes, Tones, image_axes, images_of, pixels_of, tones_of
from views.noise.sight import Matrix, Sight
from views.theme import LIGHT, Theme


class Gallery(QWidget):
    """Arrow keys walk through the images.

    Signals: as every Page.
    """

    row_chosen = Signal(object)
    pair_chosen = Signal(object)
    hovered = Signal(str)
    said_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight: Sight | None = None
        self._axes: ImageAxes | None = None
        self._images: Matrix = np.zeros((0, 1, 1, 1))
        self._names: list[str] = []
        self._tones = Tones(0.0, 1.0)
        self._letters: RowLetters = row_letters(np.empty(0, np.int64))
        self._marked: frozenset[int] = frozenset()
        self._cursor, self._anchor = 0, 0
        self._scrolled = 0.0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Images, one for each row"))

    def show_sight(self, sight: Sight) -> None:
        axes = image_axes(sight.picture.values.shape, sight.axis)
        assert axes is not None
        images = images_of(sight.picture, sight.axis, axes)
        groups = sight.groups[: len(images)]
        self._names = []
        if (pair := sight.pair) is not None:
            first, last = images[pair.first], images[pair.last]
            images = np.stack([first, last, difference(first, last)])
            groups = np.array([0, 0 if pair.equal else 1, 2])
            self._names = [f"{pair.first:,}", f"{pair.last:,}", f"{pair.last:,} − {pair.first:,}"]
        if images.shape != self._images.shape:
            self._scrolled, self._cursor = 0.0, 0
        self._sight, self._axes, self._images = sight, axes, images
        self._tones, self._letters = tones_of(sight.picture), row_letters(groups)
        self.setAccessibleDescription(sight.picture.verdict)
        self.update()
        self.said_changed.emit()

    def mark_rows(self, rows: frozenset[int]) -> None:
        self._marked = rows
        shown = [place for place in range(len(self._images)) if self._row(place) in rows] if len(rows) == 1 else []
        if shown:
            self._cursor = self._anchor = shown[0]
            self._bring_into_view(shown[0])
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def letter_of(self, place: int) -> str:
        """Return the letter at image `place`, '' for one that is like no other."""
        return self._letters.of(place)

    @property
    def scale(self) -> Scale | None:
        """The colours in use, None for images with colours of their own."""
        return self._sight.scale if self._sight is not None and self._images.shape[3] == 1 else None

    @property
    def words(self) -> str:
        return ""

    @property
    def notes(self) -> str:
        """What the colours stand for, and how much of the images is to be seen."""
        if self._sight is None:
            return ""
        notes = []
        if self._images.shape[3] > 1:
            ends = (value_words(self._tones.dark, 3), value_words(self._tones.bright, 3))
            notes.append(self.tr("Red, green, blue from {} to {}.").format(*ends))
        if self._sight.picture.not_finite:
            notes.append(self.tr("× in a corner: values that are NaN or infinite."))
        tiles = self.tiles()
        step = math.ceil(self._images.shape[1] / max(1.0, tiles.height * self.devicePixelRatioF()))
        if step > 1:
            notes.append(self.tr("Drawn: 1 pixel in {}.").format(step))
        if self._scroll_range() > 0:
            notes.append(self.tr("Scroll to see all {}.").format(f"{len(self._images):,}"))
        return " ".join(notes)

    # -- geometry -----------------------------------------------------------------------------

    def _gap(self) -> float:
        return float(self._theme.px(5))

    def tiles(self) -> Tiles:
        """Return where the images lie."""
        caption = QFontMetricsF(self._theme.font(0.8)).height()
        count, height, width, _ = self._images.shape
        return tiles_for(count, width / height, self.width() - 4, self.height() - 4, caption, self._gap())

    def _place(self, tiles: Tiles, number: int) -> QRectF:
        return tiles.place(number, self._gap()).translated(2, 2 - self._scrolled)

    def _scroll_range(self) -> float:
        tiles = self.tiles()
        return max(0.0, tiles.lines * (tiles.step + self._gap()) - self._gap() + 4 - self.height() - 0.5)

    def _scroll_to(self, pixels: float) -> None:
        self._scrolled = max(0.0, min(self._scroll_range(), pixels))
        self.update()

    def _bring_into_view(self, number: int) -> None:
        tiles = self.tiles()
        place = self._place(tiles, number)
        above, below = place.top() - tiles.caption, place.bottom() - self.height()
        self._scroll_to(self._scrolled + (above if above < 0 else max(0.0, below)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_to(self._scrolled)
        self.said_changed.emit()

    def _image_at(self, point: QPointF) -> int | None:
        tiles = self.tiles()
        down = int((point.y() + self._scrolled) // (tiles.step + self._gap()))
        right = int(point.x() // (tiles.width + self._gap()))
        number = down * tiles.across + right
        return number if 0 <= right < tiles.across and 0 <= number < len(self._images) else None

    def _row(self, place: int) -> int:
        """Return which row of the picture image `place` shows."""
        pair = self._sight.pair if self._sight is not None else None
        return place if pair is None else (pair.first, pair.last, -1)[place]

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._sight is None or not len(self._images):
            return
        painter = QPainter(self)
        tiles = self.tiles()
        first = int(self._scrolled // (tiles.step + self._gap())) * tiles.across
        lines = math.ceil(self.height() / (tiles.step + self._gap())) + 1
        for number in range(first, min(len(self._images), first + lines * tiles.across)):
            self._draw_tile(painter, number, self._place(tiles, number), tiles.caption)
        painter.end()

    def _draw_tile(self, painter: QPainter, number: int, place: QRectF, caption: float) -> None:
        assert self._sight is not None
        theme, image = self._theme, self._images[number]
        self._draw_image(painter, image, place)
        label = QRectF(place.left(), place.top() - caption, place.width(), caption)
        marked = self._sight.rows_are_examples and self._row(number) in self._marked
        painter.setFont(theme.font(0.8, bold=marked))
        painter.setPen(QColor(theme.text if marked else theme.dim))
        name = self._names[number] if self._names else f"{number:,}"
        painter.drawText(label, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        colour = QColor(theme.hairline)
        if letters := self._letters.of(number):
            colour = QColor(theme.series_colour(int(self._letters.of_row[number])))
            painter.setFont(theme.font(0.8, bold=True))
            painter.setPen(QColor(theme.text))
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, letters)
        painter.setPen(QPen(colour, 1.5))
        painter.drawRect(place)
        if marked:
            painter.setPen(QPen(QColor(theme.focus), 3 * theme.scale))
            painter.drawRect(place.adjusted(-1, -1, 1, 1))
        if self.hasFocus() and number == self._cursor:
            painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
            painter.drawRect(place.adjusted(2, 2, -2, -2))

    def _draw_image(self, painter: QPainter, image: Matrix, place: QRectF) -> None:
        """Draw one image, each pixel in its own colour; of more pixels than fit, every k-th."""
        assert self._sight is not None
        step = max(1, math.ceil(image.shape[0] / max(1.0, place.height() * self.devicePixelRatioF())))
        shown = image[::step, ::step]
        table = colour_table(self._sight.scale.kind, self._theme)
        pixels = np.ascontiguousarray(pixels_of(shown, self._sight.scale, table, self._tones))
        height, width = pixels.shape
        painter.drawImage(place, QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32))
        if self._sight.picture.not_finite and not np.isfinite(image.astype(np.float64)).all():
            size = self._theme.px(5)
            window = CellWindow.whole(1, 1)
            paint = Paint(painter, CellGeometry(place, window, 1, 1), self._theme)
            for halo in (True, False):
                draw_shape(paint, NAN, place.topRight() + QPointF(-2 * size, 2 * size), size, halo=halo)

    # -- mouse and keys -----------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._image_at(event.position())
        if number is None or self._sight is None:
            self.hovered.emit("")
            return
        place = self._place(self.tiles(), number)
        _, height, width, channels = self._images.shape
        down = int((event.position().y() - place.top()) / place.height() * height)
        right = int((event.position().x() - place.left()) / place.width() * width)
        words = self._image_words(number)
        if 0 <= down < height and 0 <= right < width:
            values = [value_words(value, 4) for value in self._images[number, down, right]]
            words = self.tr("{}, pixel {}, {}: {}").format(words, down, right, ", ".join(values[:channels]))
        self.hovered.emit(words)

    def _image_words(self, number: int) -> str:
        name = self._names[number] if self._names else f"{number:,}"
        words = self.tr("image {}").format(name)
        letters = self.letter_of(number)
        return self.tr("{}, like all images {}").format(words, letters) if letters else words

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self._image_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or number is None:
            return
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._cursor = number
            self._add(number)
        else:
            self._go_to(number)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scroll_to(self._scrolled - QPoint(event.angleDelta()).y() / 120 * self.tiles().step)
        event.accept()

    def leaveEvent(self, _event: QEvent) -> None:
        self.hovered.emit("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        tiles = self.tiles()
        page = tiles.across * max(1, int(self.height() // (tiles.step + self._gap())))
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -tiles.across,
            Qt.Key.Key_Down: tiles.across,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -len(self._images),
            Qt.Key.Key_End: len(self._images),
            Qt.Key.Key_Return: 0,
            Qt.Key.Key_Enter: 0,
        }
        key = Qt.Key(event.key())
        kept = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = kept == Qt.KeyboardModifier.ControlModifier
        if not len(self._images) or (kept and not control):
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Space:
            self._add(self._cursor)
        elif key in steps:
            self._go_to(max(0, min(len(self._images) - 1, self._cursor + steps[key])), choose=not control)
        else:
            super().keyPressEvent(event)

    def _go_to(self, number: int, *, choose: bool = True) -> None:
        self._cursor = number
        self._bring_into_view(number)
        self.hovered.emit(self._image_words(number))
        row = self._row(number)
        if choose and row >= 0:
            self._anchor = number
            if self._sight is not None and self._sight.rows_are_examples:
                self.row_chosen.emit(row)

    def _add(self, number: int) -> None:
        if not self._names and number != self._anchor:
            self.pair_chosen.emit((self._anchor, number))

    def focusInEvent(self, event: QEvent) -> None:
        self.update()
        event.accept()
