"""The sign of votes by phone at the foot of the stage: a QR code, the address and the room code."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from views.theme import LIGHT, Theme, capital_height
from views.window.main_window import MainWindow

SHARE = 0.28
"""The height of the QR code, as a share of the stage's."""
QUIET = 4
"""White modules around the code, as ISO/IEC 18004 asks for."""
LARGEST, LEAST = 1 / 19, 1 / 30
"""Height of the capital letters, as a share of the stage's; the back row reads a thirtieth."""
PITCH = 1.8
"""From line to line, in capital letters: fonts ask for very different heights."""
STEPS = 14
"""Sizes that are tried from `LARGEST` to `LEAST`."""


class VoteSign(QWidget):
    """Lies to the right of the words, at the foot of `window`, whose code and panes end above it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._theme = LIGHT
        self._address, self._code = "", ""
        self._modules: Sequence[Sequence[int]] = ()
        self._pixels = 1
        """Of a module; whole ones, so that all are equal."""
        # Above the code and the panes, and below everything else that covers the stage.
        self.lower()
        window.centralWidget().lower()
        self._watched = (window.centralWidget(), window.story)
        for part in self._watched:
            part.installEventFilter(self)
        self.hide()

    @property
    def address(self) -> str:
        """The address on it."""
        return self._address

    @property
    def code(self) -> str:
        """The room code on it."""
        return self._code

    def tell(self, address: str, code: str) -> None:
        """Show the `address`, such as 10.0.0.7:8642, and the room `code`; the QR code has both."""
        # Not at the top: only a presentation with phones needs it.
        import segno

        if (address, code) != (self._address, self._code):
            self._address, self._code = address, code
            self._modules = segno.make_qr(f"http://{address}/#{code}").matrix
            self.setAccessibleName(" ".join(self._lines()))
        self.show()
        self._place()

    def put_away(self) -> None:
        """Hide it; code and panes get the room back."""
        self.hide()
        self._place()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the edge of the words."""
        if watched in self._watched and event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide):
            self._place()
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        painter.fillRect(self.rect(), QColor(theme.background))
        painter.fillRect(0, 0, self.width(), 1, QColor(theme.hairline))
        self._paint_modules(painter, QPoint(self._edge(), self._edge()))
        font = next((each for each in self._fonts() if self._fits(QFontMetrics(each))), self._fonts()[-1])
        metrics, lines = QFontMetrics(font), self._lines()
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        capitals, pitch = metrics.capHeight(), _pitch(metrics)
        top = (self.height() - (len(lines) - 1) * pitch - capitals) // 2
        for number, words in enumerate(lines):
            painter.drawText(self._code_size() + 3 * self._edge(), top + capitals + number * pitch, words)

    def _paint_modules(self, painter: QPainter, at: QPoint) -> None:
        """Paint the code dark on white in every theme: many phones read no other."""
        size, one = self._code_size(), self._pixels
        painter.fillRect(at.x(), at.y(), size, size, QColor("#ffffff"))
        for down, row in enumerate(self._modules, QUIET):
            for along, dark in enumerate(row, QUIET):
                if dark:
                    painter.fillRect(at.x() + along * one, at.y() + down * one, one, one, QColor("#000000"))

    def _lines(self) -> tuple[str, ...]:
        return self.tr("Vote by phone:"), self._address, self.tr("Room code {}").format(self._code)

    def _fonts(self) -> list[QFont]:
        """Return the fonts to choose from, the largest first."""
        unit = self._window.height() / capital_height(self.logicalDpiY()) / self._theme.scale
        sizes = (LARGEST + step / STEPS * (LEAST - LARGEST) for step in range(STEPS + 1))
        return [self._theme.font(unit * size, bold=True) for size in sizes]

    def _fits(self, metrics: QFontMetrics) -> bool:
        """Return whether the lines have room next to the code."""
        lines, width = self._lines(), self.width() - self._code_size() - 4 * self._edge()
        return max(map(metrics.horizontalAdvance, lines)) <= width and len(lines) * _pitch(metrics) <= self.height()

    def _code_size(self) -> int:
        return self._pixels * (len(self._modules) + 2 * QUIET)

    def _edge(self) -> int:
        return self._theme.px(4)

    def _place(self) -> None:
        """Take the room right of the words, and for the code what the lines leave of it."""
        window, story = self._window, self._window.story
        if story not in self._watched:
            # In another language the window has other parts, and another sign.
            return
        ground = window.centralWidget().geometry()
        if not story.isHidden():
            ground.setLeft(story.mapTo(window, story.rect().topRight()).x() + 2)
        widest = max(map(QFontMetrics(self._fonts()[-1]).horizontalAdvance, self._lines()))
        room = min(int(SHARE * window.height()), ground.width() - widest - 4 * self._edge())
        self._pixels = max(1, room // (len(self._modules) + 2 * QUIET))
        foot = 0 if self.isHidden() else self._code_size() + 2 * self._edge()
        # The code column may stand in the column of the panes, above the lists.
        is_within = window.results.isAncestorOf(window.code_column)
        window.code_column.setContentsMargins(0, 0, 0, 0 if is_within else foot)
        window.results.setContentsMargins(0, 0, 0, foot)
        window.results.refresh()
        ground.setTop(ground.bottom() + 1 - foot)
        self.setGeometry(ground)
        self.update()


def _pitch(metrics: QFontMetrics) -> int:
    return round(PITCH * metrics.capHeight())
