"""Says which line is which, with a piece of each and a tick to show or hide it; wraps to the width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QStyle, QStyleOptionButton, QWidget

from views.theme import LIGHT, Theme


@dataclass(frozen=True)
class LegendEntry:
    """What tells some lines from the others: a colour and symbol, a dash, or all of them."""

    label: str
    colour: str
    symbol: str = ""
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine
    strong: bool = False
    """Whether it is lit up, and so in bold."""
    name: str = ""
    """By which it is shown or hidden."""
    shown: bool | None = None
    """Whether its lines are drawn; None where that is not to be chosen."""


class EntryBox(QCheckBox):
    """One entry: its tick where it has one, a piece of line, and its label."""

    def __init__(self, legend: QWidget) -> None:
        super().__init__(legend)
        self._theme = LIGHT
        self._entry = LegendEntry("", "#000000")

    @property
    def entry(self) -> LegendEntry:
        return self._entry

    def show_entry(self, entry: LegendEntry, theme: Theme) -> None:
        """Show `entry`; one whose lines are not to be chosen takes no keys."""
        self._entry, self._theme = entry, theme
        self.setAccessibleName(entry.label)
        self.setToolTip(entry.label)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if entry.shown is None else Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, entry.shown is None)
        self.setChecked(entry.shown is not False)
        self.update()

    def hitButton(self, place: QPointF) -> bool:  # type: ignore[override]  # noqa: N802
        return self.rect().contains(place)  # type: ignore[call-overload, no-any-return]

    def wanted_width(self) -> float:
        """Return the pixels that all of it takes, in bold, so that nothing moves when it is lit up."""
        metrics = QFontMetricsF(self._theme.font(0.95, bold=True))
        return self._start() + metrics.horizontalAdvance(self._entry.label) + 1

    def sizeHint(self) -> QSize:
        return QSize(round(self.wanted_width()), round(QFontMetricsF(self._theme.font(0.95)).height()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        entry, left, colour = self._entry, self._tick_width(), QColor(self._entry.colour)
        if entry.shown is not None:
            self._draw_tick(painter)
        middle = QPointF(left + self._sample() / 2, self.height() / 2)
        reach = QPointF(self._sample() / 2, 0)
        painter.setPen(QPen(colour, self._theme.line_width, entry.dash))
        painter.drawLine(middle - reach, middle + reach)
        if entry.symbol:
            painter.save()
            painter.translate(middle)
            drawSymbol(painter, entry.symbol, self._theme.px(9), QPen(colour, 0), colour)
            painter.restore()
        text = QRectF(self.rect()).adjusted(self._start(), 0, 0, 0)
        painter.setFont(self._theme.font(0.95, bold=entry.strong))
        painter.setPen(QColor(self._theme.text if entry.shown is not False else self._theme.dim))
        elided = painter.fontMetrics().elidedText(entry.label, Qt.TextElideMode.ElideMiddle, round(text.width()) + 1)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, elided)

    def _draw_tick(self, painter: QPainter) -> None:
        option, side = QStyleOptionButton(), self._theme.px(13)
        self.initStyleOption(option)
        option.rect = QRect(1, (self.height() - side) // 2, side, side)
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.focus), 2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_IndicatorCheckBox, option, painter, self)

    def _tick_width(self) -> float:
        return 0.0 if self._entry.shown is None else float(self._theme.px(18))

    def _sample(self) -> int:
        return self._theme.px(26)

    def _start(self) -> float:
        return self._tick_width() + self._sample() + self._theme.px(6)


class LineLegend(QWidget):
    """Shows a sample and the label of each entry, in their order.

    Signals:
        hidden_changed: frozenset of the names that shall not be shown.
    """

    hidden_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._entries: tuple[LegendEntry, ...] = ()
        self._boxes: list[EntryBox] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Legend"))

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show `entries` and no others."""
        self._entries = tuple(entries)
        self.setAccessibleDescription(", ".join(entry.label for entry in entries))
        self._fit()

    def apply_theme(self, theme: Theme) -> None:
        """Take the colours and sizes of `theme`."""
        self._theme = theme
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Put the entries into one row after the other."""
        while len(self._boxes) < len(self._entries):
            box = EntryBox(self)
            box.clicked.connect(self._on_ticked)
            self._boxes.append(box)
        margin, height = self._theme.px(8), round(QFontMetricsF(self._theme.font(0.95)).height()) + self._theme.px(3)
        left, top = margin, 0
        for number, box in enumerate(self._boxes):
            box.setVisible(number < len(self._entries))
            if number >= len(self._entries):
                continue
            box.show_entry(self._entries[number], self._theme)
            wanted = min(round(box.wanted_width()) + 1, self.width() - 2 * margin)
            if left > margin and left + wanted > self.width() - margin:
                left, top = margin, top + height
            box.setGeometry(left, top, wanted, height)
            left += wanted + self._theme.px(14)
        self.setFixedHeight(top + height + self._theme.px(4) if self._entries else 0)

    def _on_ticked(self) -> None:
        boxes = self._boxes[: len(self._entries)]
        self.hidden_changed.emit(frozenset(box.entry.name for box in boxes if not box.isChecked()))
