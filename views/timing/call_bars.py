"""The anatomy of one call: what the first call spends on which stage, against each later call, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.timing_figures import seconds_text
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
class Anatomy:
    """One call: the stages of the first, and what each later one takes."""

    label: str
    stages: tuple[Stage, ...]
    later_s: float | None

    @property
    def first_s(self) -> float:
        return sum(stage.seconds for stage in self.stages)


class CallBars(QWidget):
    """Draws for each call a bar of stages, a bar of a later call to the same scale, and all of it in words."""

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
        self._draw_bar(painter, self.tr("first call"), call.first_s, call.stages, top + row)
        if call.later_s is not None:
            later = (Stage("", call.later_s, None),)
            self._draw_bar(painter, self.tr("each later call"), call.later_s, later, top + 2 * row)
        for stage, box in zip(call.stages, self._chips(call, self.width()), strict=False):
            self._draw_chip(painter, stage, box.translated(0.0, top + 3 * row))

    def _draw_bar(self, painter: QPainter, name: str, seconds: float, stages: tuple[Stage, ...], top: float) -> None:
        row, start = self._row(), self._start()
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.dim))
        painter.drawText(QRectF(self._theme.px(8), top, start, row), Qt.AlignmentFlag.AlignVCenter, name)
        left = start
        for stage in stages:
            bar = QRectF(left, top + row * 0.12, max(LEAST_PX, stage.seconds * self._pixels_per_second()), row * 0.76)
            painter.fillRect(bar, self._colour(stage))
            self._draw_inside(painter, stage, bar)
            left = bar.right() + 1
        painter.setFont(self._bold())
        painter.setPen(QColor(self._theme.text))
        text = QRectF(left + self._theme.px(4), top, self.width() - left, row)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, seconds_text(seconds))

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
        rows = 3 * self._row() + (chips[-1].bottom() if chips else 0.0)
        return rows + self._theme.px(10)

    def _start(self) -> float:
        """Return where the bars start, right of their names."""
        metrics = QFontMetricsF(self.font())
        names = (self.tr("first call"), self.tr("each later call"))
        return max(metrics.horizontalAdvance(name) for name in names) + self._theme.px(16)

    def _pixels_per_second(self) -> float:
        longest = max((max(call.first_s, call.later_s or 0.0) for call in self._calls), default=0.0)
        room = (
            self.width() - self._start() - QFontMetricsF(self._bold()).horizontalAdvance("888 ms ") - self._theme.px(16)
        )
        return max(room, 1.0) / longest if longest > 0 else 0.0

    def _chips(self, call: Anatomy, width: int) -> list[QRectF]:
        """Return a box for each stage in words, wrapped to `width`; none where there is one stage only."""
        if len(call.stages) < 2:
            return []
        metrics, start, row = QFontMetricsF(self.font()), self._start(), self._row()
        left, top, boxes = start, 0.0, []
        for stage in call.stages:
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
        words = [self.tr("first call {time}").format(time=seconds_text(call.first_s))]
        words += [_chip_text(stage) for stage in call.stages if len(call.stages) > 1]
        if call.later_s is not None:
            words.append(self.tr("each later call {time}").format(time=seconds_text(call.later_s)))
        return words


def _chip_text(stage: Stage) -> str:
    return f"{stage.word} {seconds_text(stage.seconds)}"
