"""The anatomy of one call: what the first call spends on which stage, against each later call, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.figures.curves import seconds_text
from views.theme import LIGHT, Theme

LEAST_PX = 2.0


@dataclass(frozen=True)
class Stage:
    """One part of a first call."""

    word: str
    seconds: float
    colour_number: int | None = None
    """Of the series colours; None for the neutral one."""


@dataclass(frozen=True)
class Bar:
    """Stages one after the other, such as those of a first call."""

    name: str
    stages: tuple[Stage, ...]

    @property
    def seconds(self) -> float:
        return sum(stage.seconds for stage in self.stages)


@dataclass(frozen=True)
class Anatomy:
    """One call: the first one, each later one, and what it takes to bring its arrays to the device and back."""

    label: str
    bars: tuple[Bar, ...]

    @property
    def told(self) -> tuple[Stage, ...]:
        """The stages that are named one by one: those of bars that have several."""
        return tuple(stage for bar in self.bars if len(bar.stages) > 1 for stage in bar.stages)


class CallBars(QWidget):
    """Draws the bars of each call, all on one scale, and their stages in words."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._calls: tuple[Anatomy, ...] = ()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("One call, stage by stage"))

    def show_calls(self, calls: Sequence[Anatomy]) -> None:
        """Show `calls`, one under the other."""
        self._calls = tuple(calls)
        self.setAccessibleDescription(". ".join(f"{call.label}: {', '.join(self._words(call))}" for call in calls))
        self.updateGeometry()
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self.setFont(theme.font())
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return round(sum(self._height(call, width) for call in self._calls)) + self._theme.px(8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.background))
        top = 0.0
        for call in self._calls:
            self._draw_call(painter, call, top)
            top += self._height(call, self.width())

    # -- drawing ------------------------------------------------------------------------------

    def _draw_call(self, painter: QPainter, call: Anatomy, top: float) -> None:
        row, margin = self._row(), self._theme.px(8)
        painter.setFont(self._bold())
        painter.setPen(QColor(self._theme.text))
        label = painter.fontMetrics().elidedText(call.label, Qt.TextElideMode.ElideMiddle, self.width() - 2 * margin)
        painter.drawText(QRectF(margin, top, self.width() - 2 * margin, row), Qt.AlignmentFlag.AlignVCenter, label)
        for number, bar in enumerate(call.bars):
            self._draw_bar(painter, bar, top + (1 + number) * row)
        under = top + (1 + len(call.bars)) * row
        for stage, box in zip(call.told, self._chips(call, self.width()), strict=True):
            self._draw_chip(painter, stage, box.translated(0.0, under))

    def _draw_bar(self, painter: QPainter, bar: Bar, top: float) -> None:
        row, start = self._row(), self._start()
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.dim))
        painter.drawText(QRectF(self._theme.px(8), top, start, row), Qt.AlignmentFlag.AlignVCenter, bar.name)
        left = start
        for stage in bar.stages:
            box = QRectF(left, top + row * 0.12, max(LEAST_PX, stage.seconds * self._pixels_per_second()), row * 0.76)
            painter.fillRect(box, self._colour(stage))
            self._draw_inside(painter, stage, box)
            left = box.right() + 1
        painter.setFont(self._bold())
        painter.setPen(QColor(self._theme.text))
        text = QRectF(left + self._theme.px(4), top, self.width() - left, row)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, seconds_text(bar.seconds))

    def _draw_inside(self, painter: QPainter, stage: Stage, bar: QRectF) -> None:
        if QFontMetricsF(self.font()).horizontalAdvance(stage.word) + self._theme.px(8) < bar.width():
            painter.setPen(QColor(self._theme.background))
            painter.drawText(bar, Qt.AlignmentFlag.AlignCenter, stage.word)

    def _draw_chip(self, painter: QPainter, stage: Stage, box: QRectF) -> None:
        side = self._theme.px(10)
        painter.fillRect(QRectF(box.left(), box.center().y() - side / 2, side, side), self._colour(stage))
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.text))
        text = box.adjusted(side + self._theme.px(4), 0, 0, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, _chip_text(stage))

    # -- places -------------------------------------------------------------------------------

    def _row(self) -> float:
        return QFontMetricsF(self.font()).height() + self._theme.px(4)

    def _height(self, call: Anatomy, width: int) -> float:
        chips = self._chips(call, width)
        rows = (1 + len(call.bars)) * self._row() + (chips[-1].bottom() if chips else 0.0)
        return rows + self._theme.px(10)

    def _start(self) -> float:
        """Return where the bars start, right of their names."""
        metrics = QFontMetricsF(self.font())
        names = (bar.name for call in self._calls for bar in call.bars)
        return max(map(metrics.horizontalAdvance, names), default=0.0) + self._theme.px(16)

    def _pixels_per_second(self) -> float:
        longest = max((bar.seconds for call in self._calls for bar in call.bars), default=0.0)
        room = (
            self.width() - self._start() - QFontMetricsF(self._bold()).horizontalAdvance("888 ms ") - self._theme.px(16)
        )
        return max(room, 1.0) / longest if longest > 0 else 0.0

    def _chips(self, call: Anatomy, width: int) -> list[QRectF]:
        """Return a box for each stage that is told in words, wrapped to `width`."""
        metrics, start, row = QFontMetricsF(self.font()), self._start(), self._row()
        left, top, boxes = start, 0.0, []
        for stage in call.told:
            wanted = self._theme.px(14) + metrics.horizontalAdvance(_chip_text(stage)) + 1
            if left + wanted > width and left > start:
                left, top = start, top + row
            boxes.append(QRectF(left, top, wanted, row))
            left += wanted + self._theme.px(12)
        return boxes

    def _bold(self) -> QFont:
        return self._theme.font(bold=True)

    def _colour(self, stage: Stage) -> QColor:
        number = stage.colour_number
        return QColor(self._theme.dim if number is None else self._theme.series_colour(number))

    def _words(self, call: Anatomy) -> list[str]:
        bars = [f"{bar.name} {seconds_text(bar.seconds)}" for bar in call.bars]
        return [*bars, *map(_chip_text, call.told)]


def _chip_text(stage: Stage) -> str:
    return f"{stage.word} {seconds_text(stage.seconds)}"
