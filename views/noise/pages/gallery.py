"""Gallery: a batch of images, each as an image: equal ones lettered, selected ones outlined."""

from __future__ import annotations

import math

import msgspec
import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
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

from explorer.figures.row_letters import RowLetters, row_letters
from views.noise.arrays.heat_colours import Scale, colour_table
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap.cell_geometry import CellGeometry, CellWindow, PlotPainter, index_after_key
from views.noise.heatmap.cell_marks import NAN, draw_shape
from views.noise.pages.image_batch import Tones, image_axes, images_of, pixels_of, tones_of
from views.noise.pages.page import Matrix, PicturePage, PictureView

LEAST_TILE = 28
"""Images are drawn no smaller than this many pixels; more than fit are scrolled."""
LARGEST_TILE = 480


class Tiles(msgspec.Struct, frozen=True):
    """The layout: rows of tiles, as large as possible, each below its caption."""

    width: float
    height: float
    """The height of an image."""
    caption: float
    gap: float
    across: int
    count: int

    @property
    def step(self) -> float:
        """Pixels from one row of tiles to the next."""
        return self.height + self.caption + self.gap

    @property
    def bottom(self) -> float:
        """Where the last row of tiles ends."""
        return math.ceil(self.count / self.across) * self.step - self.gap

    def place(self, number: int) -> QRectF:
        """Return the rectangle of image `number`, before scrolling."""
        down, right = divmod(number, self.across)
        return QRectF(right * (self.width + self.gap), self.caption + down * self.step, self.width, self.height)

    def at(self, point: QPointF) -> int | None:
        """Return the number of the tile at `point`, None where there is none."""
        down, right = int(point.y() // self.step), int(point.x() // (self.width + self.gap))
        number = down * self.across + right
        return number if 0 <= right < self.across and 0 <= number < self.count else None

    def between(self, top: float, bottom: float) -> range:
        """Return the tiles that are at least partly between these heights."""
        first, last = int(top // self.step), int(bottom // self.step)
        return range(max(0, first) * self.across, min(self.count, (last + 1) * self.across))


def tiles_for(count: int, aspect: float, width: float, height: float, caption: float, gap: float) -> Tiles:
    """Return the largest tiles that show `count` images at once, or the smallest where they cannot.

    `aspect` is the width of an image over its height; the longer side is that of the tile.
    """
    wide, high = min(1.0, aspect), min(1.0, 1 / aspect)
    best, best_across = float(LEAST_TILE), max(1, int((width + gap) // (LEAST_TILE * wide + gap)))
    for across in range(1, count + 1):
        lines = math.ceil(count / across)
        side_across = (width - (across - 1) * gap) / across / wide
        side = min(side_across, ((height - (lines - 1) * gap) / lines - caption) / high, LARGEST_TILE)
        if side > best:
            best, best_across = side, across
        if side_across < LEAST_TILE:
            break
    return Tiles(best * wide, best * high, caption, gap, best_across, count)


EDGE = 2
"""Pixels around all images."""


class Gallery(PicturePage):
    """Arrow keys walk through the images."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._images: Matrix = np.zeros((0, 1, 1, 1))
        self._tones = Tones(0.0, 1.0)
        self.letters: RowLetters = row_letters(np.empty(0, np.int64))
        self._cursor = 0
        self._scrolled = 0.0
        self.setAccessibleName(self.tr("Images, one for each row"))

    def show_view(self, view: PictureView) -> None:
        axes = image_axes(view.picture.values.shape, view.axis)
        assert axes is not None
        images = images_of(view.picture, view.axis, axes)
        if images.shape != self._images.shape:
            self._scrolled, self._cursor = 0.0, 0
        self._images, self._tones = images, tones_of(view.picture)
        self.letters = row_letters(view.groups[: len(images)])
        self.setAccessibleDescription(str(view.picture.verdict))
        super().show_view(view)
        self.notes_changed.emit()

    def mark_rows(self, rows: frozenset[int]) -> None:
        super().mark_rows(rows)
        shown = [place for place in self._view.places_of(rows) if place < len(self._images)] if len(rows) == 1 else []
        if shown:
            self._cursor = shown[0]
            self._bring_into_view(shown[0])

    @property
    def scale(self) -> Scale | None:
        """The colour scale in use, None for images with their own colours."""
        return self._view.scale if self._images.shape[3] == 1 else None

    @property
    def notes(self) -> str:
        """Return notes on the colours and on how much of the images is shown."""
        notes = []
        if self._images.shape[3] > 1:
            ends = (value_words(self._tones.dark, 3), value_words(self._tones.bright, 3))
            notes.append(self.tr("Red, green, blue from {} to {}.").format(*ends))
        if self._view.picture.not_finite:
            notes.append(self.tr("× in a corner: values that are NaN or infinite."))
        step = self._sampling(self.tiles().height)
        if step > 1:
            notes.append(self.tr("Drawn: 1 pixel in {}.").format(step))
        if self._scroll_range() > 0:
            notes.append(self.tr("Scroll to see all {}.").format(f"{len(self._images):,}"))
        return " ".join(notes)

    # -- geometry -----------------------------------------------------------------------------

    def tiles(self) -> Tiles:
        """Return the layout of the images."""
        caption = QFontMetricsF(self.theme.font(0.8)).height()
        count, height, width, _ = self._images.shape
        room = (self.width() - 2 * EDGE, self.height() - 2 * EDGE)
        return tiles_for(count, width / height, *room, caption, self.theme.px(5))

    def _place(self, tiles: Tiles, number: int) -> QRectF:
        return tiles.place(number).translated(EDGE, EDGE - self._scrolled)

    def _sampling(self, height: float) -> int:
        """Return k: every k-th pixel of an image is drawn, of more than fit into `height`."""
        return max(1, math.ceil(int(self._images.shape[1]) / max(1.0, height * self.devicePixelRatioF())))

    def _scroll_range(self) -> float:
        return max(0.0, self.tiles().bottom + 2 * EDGE - self.height() - 0.5)

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
        self.notes_changed.emit()

    def _image_at(self, point: QPointF) -> int | None:
        return self.tiles().at(point + QPointF(0, self._scrolled))

    # -- painting -----------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, tiles, marked = QPainter(self), self.tiles(), self._view.places_of(self._marked)
        for number in tiles.between(self._scrolled, self._scrolled + self.height()):
            self._draw_tile(painter, number, self._place(tiles, number), marked=number in marked)
        painter.end()

    def _draw_tile(self, painter: QPainter, number: int, place: QRectF, *, marked: bool) -> None:
        theme, letters = self.theme, self.letters.of(number)
        self._draw_image(painter, self._images[number], place)
        high = QFontMetricsF(theme.font(0.8)).height()
        label = QRectF(place.left(), place.top() - high, place.width(), high)
        colour = QColor(theme.series_colour(int(self.letters.of_row[number]))) if letters else QColor(theme.hairline)
        # A number cut at the bottom is useless.
        if label.bottom() <= self.height():
            painter.setFont(theme.font(0.8, bold=marked))
            painter.setPen(QColor(theme.text if marked else theme.dim))
            painter.drawText(label, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, f"{number:,}")
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
        step = self._sampling(place.height())
        table = colour_table(self._view.scale.kind, self.theme)
        pixels = np.ascontiguousarray(pixels_of(image[::step, ::step], self._view.scale, table, self._tones))
        height, width = pixels.shape
        painter.drawImage(place, QImage(pixels.data, width, height, width * 4, QImage.Format.Format_RGB32))
        if self._view.picture.not_finite and not np.isfinite(image.astype(np.float64)).all():
            size = self.theme.px(5)
            paint = PlotPainter(painter, CellGeometry(place, CellWindow.whole(1, 1), 1, 1), self.theme)
            for halo in (True, False):
                draw_shape(paint, NAN, place.topRight() + QPointF(-2 * size, 2 * size), size, halo=halo)

    # -- mouse and keys -----------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        number = self._image_at(event.position())
        self.hovered.emit("" if number is None else self._words_at(number, event.position()))

    def _words_at(self, number: int, point: QPointF) -> str:
        place, words = self._place(self.tiles(), number), self._image_words(number)
        _, height, width, _ = self._images.shape
        down = int((point.y() - place.top()) / place.height() * height)
        right = int((point.x() - place.left()) / place.width() * width)
        if not (0 <= down < height and 0 <= right < width):
            return words
        values = ", ".join(value_words(value, 4) for value in self._images[number, down, right])
        return self.tr("{}, pixel {}, {}: {}").format(words, down, right, values)

    def _image_words(self, number: int) -> str:
        words = self.tr("image {}").format(f"{number:,}")
        letters = self.letters.of(number)
        return self.tr("{}, like all images {}").format(words, letters) if letters else words

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        number = self._image_at(event.position())
        if event.button() != Qt.MouseButton.LeftButton or number is None:
            return
        self._go_to(number)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._scroll_to(self._scrolled - event.angleDelta().y() / 120 * self.tiles().step)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        tiles = self.tiles()
        page = tiles.across * max(1, int(self.height() // tiles.step))
        number = index_after_key(event, self._cursor, len(self._images), line=tiles.across, page=page)
        if number is not None:
            self._go_to(number)
        else:
            super().keyPressEvent(event)

    def _go_to(self, number: int) -> None:
        self._cursor = number
        self._bring_into_view(number)
        self.hovered.emit(self._image_words(number))
        if self._view.rows_are_examples:
            self.row_chosen.emit(number)
