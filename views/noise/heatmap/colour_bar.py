"""The colour bar under a heatmap, with the values at the ends and the middle of its scale."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from views.noise.arrays.heat_colours import LEVELS, Scale, colour_table
from views.noise.arrays.picture_choice import value_words
from views.noise.heatmap.cell_geometry import draw_frame
from views.noise.heatmap.cell_marks import ABOVE, BELOW, SYMBOLS
from views.theme import LIGHT, Theme


class ColourBar(QAbstractButton):
    """A strip of colours with three labels under it; two for truth values.

    Where the colours end before the furthest values it is a switch: checked, they reach to the furthest ones.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._scale = Scale("diverging", -1.0, 1.0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Colour bar"))
        self.setCheckable(True)
        self._may_clip = False
        self.show_scale(self._scale, clips=False)

    def show_scale(self, scale: Scale, *, clips: bool) -> None:
        """Show `scale`; `clips` says that it ends before the furthest values unless the bar is checked."""
        self._scale = scale
        self._may_clip = clips
        self.setEnabled(clips)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if clips else Qt.FocusPolicy.NoFocus)
        self.setAccessibleDescription(", ".join(self.labels()))
        further = self.tr("A few values are far outside the colour range and are marked. Click to see the whole range.")
        nearer = self.tr("The colours cover every value. Click to limit them to the range of most values.")
        self.setToolTip((nearer if self.isChecked() else further) if clips else "")
        self.update()

    def labels(self) -> tuple[str, ...]:
        """Return the labels from left to right."""
        if self._scale.kind == "two-valued":
            return ("False", "True")
        middle = (self._scale.low + self._scale.high) / 2
        low, middle_words, high = (value_words(value, 3) for value in (self._scale.low, middle, self._scale.high))
        if self._may_clip and not self.isChecked():
            high = f"{high} {SYMBOLS[ABOVE]}"
            low = f"{SYMBOLS[BELOW]} {low}" if self._scale.low < 0 else low
        return low, middle_words, high

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._theme.font(0.8))
        return QSize(self._theme.px(200), self._strip_height() + int(metrics.height()) + 3)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(60), self.sizeHint().height())

    def _strip_height(self) -> int:
        return self._theme.px(7)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        strip = QRectF(0.5, 0.5, min(self.width() - 1, self._theme.px(260)), self._strip_height())
        pixels = colour_table(self._scale.kind, self._theme)[:LEVELS].copy()
        image = QImage(pixels.data, LEVELS, 1, LEVELS * 4, QImage.Format.Format_RGB32)
        painter.drawImage(strip, image)
        draw_frame(painter, self._theme, strip, focused=self.hasFocus())
        painter.setPen(QColor(self._theme.dim))
        painter.setFont(self._theme.font(0.8))
        self._write_labels(painter, QRectF(strip.left(), strip.bottom() + 1, strip.width(), self.height()))
        painter.end()

    def _write_labels(self, painter: QPainter, place: QRectF) -> None:
        """Write the labels under the strip; where three have no room, the two at the ends."""
        labels = self.labels()
        needed = sum(painter.fontMetrics().horizontalAdvance(label) for label in labels) + self._theme.px(16)
        top, side = Qt.AlignmentFlag.AlignTop, Qt.AlignmentFlag
        if len(labels) == 3 and needed <= place.width():
            painter.drawText(place, side.AlignHCenter | top, labels[1])
        painter.drawText(place, side.AlignLeft | top, labels[0])
        painter.drawText(place, side.AlignRight | top, labels[-1])
