"""The legend of lines, with a sample of each; a click hides its lines or shows them again; wraps to the width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import drawSymbol
from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QCheckBox

from views.parts.flow_row import FlowRow
from views.parts.own_document import plain_tip
from views.theme import LIGHT, Theme

SAMPLE_PX = (26, 12)
PIXMAP_SCALE = 4
"""Drawn larger than shown, so that it stays sharp on dense screens."""
STRONG = 1.75
"""The factor of the width of a highlighted line."""


@dataclass(frozen=True)
class LegendEntry:
    """The distinguishing mark of some lines: a colour and symbol, a dash, or all of them."""

    label: str
    colour: str
    symbol: str = ""
    dash: Qt.PenStyle = Qt.PenStyle.SolidLine
    strong: bool = False
    """Whether it is highlighted."""
    name: str = ""
    """By which it is shown or hidden."""
    shown: bool | None = None
    """Whether its lines are drawn; None where that is not to be chosen."""


class EntryBox(QCheckBox):
    """One entry: a piece of line and its label, struck out while its lines are hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.entry = LegendEntry("", "")

    def show_entry(self, entry: LegendEntry, theme: Theme) -> None:
        """Show `entry`; one without a choice takes no keys."""
        self.entry = entry
        fixed = entry.shown is None
        self.setText(entry.label.replace("&", "&&"))
        self.setAccessibleName(entry.label)
        hint = (
            "" if fixed else self.tr("Click to hide its lines") if entry.shown else self.tr("Click to show its lines")
        )
        self.setToolTip(plain_tip("\n".join(filter(None, (entry.label, hint)))))
        font = theme.font(0.95)
        font.setStrikeOut(entry.shown is False)
        self.setFont(font)
        self.setIcon(QIcon(_sample(entry, theme)))
        self.setIconSize(QSize(*map(theme.px, SAMPLE_PX)))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if fixed else Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, fixed)
        self.setStyleSheet("QCheckBox::indicator { width: 0; border: none; }")
        self.setChecked(bool(entry.shown))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(super().sizeHint().width() + metrics.height() // 2, metrics.height())


def _sample(entry: LegendEntry, theme: Theme) -> QPixmap:
    """Return a piece of the line of `entry` with its symbol."""
    width, height = map(theme.px, SAMPLE_PX)
    pixmap = QPixmap(width * PIXMAP_SCALE, height * PIXMAP_SCALE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(PIXMAP_SCALE, PIXMAP_SCALE)
    draw_sample(painter, entry, theme)
    painter.end()
    return pixmap


def draw_sample(painter: QPainter, entry: LegendEntry, theme: Theme) -> None:
    """Draw a piece of the line of `entry` with its symbol, from the origin on."""
    width, height = map(theme.px, SAMPLE_PX)
    painter.setPen(QPen(QColor(entry.colour), theme.line_width * (STRONG if entry.strong else 1), entry.dash))
    painter.drawLine(QPointF(0, height / 2), QPointF(width, height / 2))
    if entry.symbol:
        painter.translate(width / 2, height / 2)
        drawSymbol(painter, entry.symbol, theme.px(9), pg.mkPen(None), pg.mkBrush(entry.colour))


class LineLegend(FlowRow):
    """Shows a sample and the label of each entry, in their order.

    Signals:
        hidden_changed: frozenset of the names that should not be shown.
    """

    hidden_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._entries: tuple[LegendEntry, ...] = ()
        self._boxes: list[EntryBox] = []
        self.setAccessibleName(self.tr("Legend"))

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        return self._entries

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show `entries` and no others."""
        if self._entries != tuple(entries):
            self._entries = tuple(entries)
            self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._theme = theme
        self._refresh()

    def _refresh(self) -> None:
        self.setAccessibleDescription(", ".join(entry.label for entry in self._entries))
        while len(self._boxes) < len(self._entries):
            self._boxes.append(EntryBox())
            self._boxes[-1].clicked.connect(self._on_ticked)
            self.add(self._boxes[-1])
        for number, box in enumerate(self._boxes):
            box.setVisible(number < len(self._entries))
            if number < len(self._entries):
                box.show_entry(self._entries[number], self._theme)

    def _on_ticked(self) -> None:
        boxes = self._boxes[: len(self._entries)]
        self.hidden_changed.emit(frozenset(box.entry.name for box in boxes if not box.isChecked()))
