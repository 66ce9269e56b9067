"""Bars of parts side by side, all on one scale, with every figure in words: text that can be copied and read aloud."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QFontMetrics, QResizeEvent

from explorer.text.html import Html, html, tag
from views.parts.own_document import TextBrowser
from views.theme import LIGHT, Theme

GAP_PX = 16
SPACE = Html("&nbsp;")


@dataclass(frozen=True)
class BarPart:
    """One part of a bar."""

    word: str
    size: float
    """Its length, in the unit of all bars."""
    colour_number: int | None = None
    """Index of the series colour; None for the neutral one."""


@dataclass(frozen=True)
class Bar:
    """Parts one after the other."""

    name: str
    parts: tuple[BarPart, ...]
    total: str

    @property
    def size(self) -> float:
        return sum(part.size for part in self.parts)


@dataclass(frozen=True)
class Group:
    """Bars under one heading, with the meaning of their colours below."""

    label: str
    bars: tuple[Bar, ...] = ()
    legend: tuple[tuple[str, int | None], ...] = ()
    """Each text with the number of its colour."""
    alone: bool = False
    """Whether its bars have a scale of their own."""


class BarsPage(TextBrowser):
    """Shows groups of bars as rich text, in which a bar is a row of coloured cells."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._theme = LIGHT
        self._groups: tuple[Group, ...] = ()
        self._lead = ""
        self._written_px = 0
        self.setAccessibleName(name)

    def show_groups(self, groups: Sequence[Group], lead: str) -> None:
        """Show `groups`, one under the other, and a sentence below them."""
        if (tuple(groups), lead) != (self._groups, self._lead):
            self._groups, self._lead = tuple(groups), lead
            self._write()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._theme = theme
        self.setFont(theme.font(0.95))
        self.document().setDocumentMargin(theme.px(8))
        self._write()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Writing may bring the scroll bar, and with it another resizing, before it is done.
        if self.width() != self._written_px:
            self._write()

    def _write(self) -> None:
        bars = [bar for group in self._groups for bar in group.bars]
        metrics = QFontMetrics(self.font())
        begin = max((metrics.horizontalAdvance(bar.name) for bar in bars), default=0) + self._theme.px(GAP_PX)
        self._written_px = self.width()
        room = self._written_px - begin - metrics.horizontalAdvance("888.8 MiB") - 4 * self._theme.px(GAP_PX)
        scales = {
            alone: max(room, 1) / max([bar.size for each in groups for bar in each.bars if bar.size > 0], default=1.0)
            for alone in (False, True)
            for groups in [[each for each in self._groups if each.alone == alone]]
        }
        place = self.verticalScrollBar().value()
        lead = tag("p", self._lead, style="margin:0") if self._lead else ""
        self.setHtml(html(*(self._group(each, begin, scales[each.alone], metrics) for each in self._groups), lead))
        self.verticalScrollBar().setValue(place)

    def _group(self, group: Group, begin: int, scale: float, metrics: QFontMetrics) -> Html:
        label = tag("b", group.label) if group.label else ""
        bars = (self._bar(bar, begin, scale, metrics) for bar in group.bars)
        squares = (
            html(tag("span", "■", style=f"color:{self._colour(number)}"), SPACE, _unbroken(text))
            for text, number in group.legend
        )
        margin = f"margin:0 0 {self._theme.px(10)}px {begin if group.bars else 0}px"
        return html(label, *bars, tag("p", Html(" &nbsp; ".join(squares)), style=margin) if group.legend else "")

    def _bar(self, bar: Bar, begin: int, scale: float, metrics: QFontMetrics) -> Html:
        cells = []
        for part in bar.parts:
            width = max(2, round(part.size * scale)) if part.size else 0
            word = _unbroken(part.word) if metrics.horizontalAdvance(part.word) + GAP_PX < width else ""
            if width:
                letters = tag("font", word, color=self._theme.background)
                cells.append(tag("td", letters, width=width, bgcolor=self._colour(part.colour_number), align="center"))
        name = tag("td", tag("font", _unbroken(bar.name), color=self._theme.dim), width=begin)
        row = tag("tr", name, *cells, tag("td", SPACE, tag("b", bar.total)))
        return tag("table", row, style=f"margin-top:{GAP_PX // 4}px", cellspacing=1, cellpadding=0)

    def _colour(self, number: int | None) -> str:
        return self._theme.dim if number is None else self._theme.series_colour(number)


def _unbroken(text: str) -> Html:
    return Html(html(text).replace(" ", SPACE))
