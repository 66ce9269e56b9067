"""CallPage: one call in stages as bars, after how many calls jit has paid, and trust in the times."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series, seconds_text
from explorer.messages import Measurement, Value
from explorer.text.html import Html, html, tag
from views.parts.controls import fill
from views.parts.own_document import TextBrowser
from views.theme import Theme, Themed, lettered
from views.timing.series_look import LONE
from views.timing.timing_words import TimingWords

GAP_PX = 16
SPACE = Html("&nbsp;")


class BarPart(msgspec.Struct, frozen=True):
    """One part of a bar."""

    word: str
    size: float
    """Its length, in the unit of all bars."""
    colour_number: int | None = None
    """Index of the series colour; None for the neutral one."""


class Bar(msgspec.Struct, frozen=True):
    """Parts one after the other."""

    name: str
    parts: tuple[BarPart, ...]
    total: str

    @property
    def size(self) -> float:
        return sum(part.size for part in self.parts)


class Group(msgspec.Struct, frozen=True):
    """Bars under one heading, with the meaning of their colours below."""

    label: str
    bars: tuple[Bar, ...] = ()
    legend: tuple[tuple[str, int | None], ...] = ()
    """Each text with the number of its colour."""
    alone: bool = False
    """Whether its bars have a scale of their own."""


class BarsPage(Themed, TextBrowser):
    """Shows groups of bars as rich text, in which a bar is a row of coloured cells."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._groups: tuple[Group, ...] = ()
        self._lead = ""
        self._written_px = 0
        self.setAccessibleName(name)
        lettered(self, 0.95)

    def show_groups(self, groups: Sequence[Group], lead: str) -> None:
        """Show `groups`, one under the other, and a sentence below them."""
        if (tuple(groups), lead) != (self._groups, self._lead):
            self._groups, self._lead = tuple(groups), lead
            self._write()

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
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
        begin = max((metrics.horizontalAdvance(bar.name) for bar in bars), default=0) + self.theme.px(GAP_PX)
        self._written_px = self.width()
        room = self._written_px - begin - metrics.horizontalAdvance("888.8 MiB") - 4 * self.theme.px(GAP_PX)
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
        margin = f"margin:0 0 {self.theme.px(10)}px {begin if group.bars else 0}px"
        return html(label, *bars, tag("p", Html(" &nbsp; ".join(squares)), style=margin) if group.legend else "")

    def _bar(self, bar: Bar, begin: int, scale: float, metrics: QFontMetrics) -> Html:
        cells = []
        for part in bar.parts:
            width = max(2, round(part.size * scale)) if part.size else 0
            word = _unbroken(part.word) if metrics.horizontalAdvance(part.word) + GAP_PX < width else ""
            if width:
                letters = tag("font", word, color=self.theme.background)
                cells.append(tag("td", letters, width=width, bgcolor=self._colour(part.colour_number), align="center"))
        name = tag("td", tag("font", _unbroken(bar.name), color=self.theme.dim), width=begin)
        row = tag("tr", name, *cells, tag("td", SPACE, tag("b", bar.total)))
        return tag("table", row, style=f"margin-top:{GAP_PX // 4}px", cellspacing=1, cellpadding=0)

    def _colour(self, number: int | None) -> str:
        return self.theme.dim if number is None else self.theme.series_colour(number)


def _unbroken(text: str) -> Html:
    return Html(html(text).replace(" ", SPACE))


class CallWords(QObject):
    """Makes the bars of one call in the language of the interface."""

    def compared(self, timed: Sequence[tuple[Series, Measurement]]) -> list[Group]:
        """Return the bars of a later call in all series together; [] for a single one."""
        lone = len({series.owner for series, _ in timed}) == 1
        bars = tuple(
            Bar(
                " + ".join(series.transforms) if lone else series.label,
                (BarPart("", point.median_s, LONE.get(series.transforms[-1]) if lone else None),),
                seconds_text(point.median_s),
            )
            for series, point in timed
            if point.median_s
        )
        return [Group(self.tr("A later call"), bars, alone=True)] if len(bars) > 1 else []

    def anatomy(self, series: Series, point: Measurement, *, transfers: bool = True) -> Group:
        """Return one call of `point` in stages, as far as they are known, with its `transfers` or without; the texts
        name bars with several stages.
        """
        first = self.tr("first call, cold") if point.cold else self.tr("first call")
        known = (
            (first, self._first_stages(point)),
            (self.tr("later calls, warm"), self._later_stages(point)),
            (self.tr("transfer"), self._transfer_stages(point) if transfers else ()),
        )
        bars = tuple(
            Bar(name, stages, seconds_text(sum(stage.size for stage in stages))) for name, stages in known if stages
        )
        several = (stage for bar in bars if len(bar.parts) > 1 for stage in bar.parts)
        legend = ((f"{stage.word} {seconds_text(stage.size)}", stage.colour_number) for stage in several)
        return Group(series.label, bars, tuple(legend))

    def _first_stages(self, point: Measurement) -> tuple[BarPart, ...]:
        first_s = point.first_call_s or 0.0
        stages = (point.trace_s, point.lower_s, point.compile_s)
        if any(each is None for each in stages):
            return (BarPart("", first_s),)
        trace_s, lower_s, compile_s = (each or 0.0 for each in stages)
        return (
            BarPart(self.tr("trace"), trace_s, 5),
            BarPart(self.tr("lower"), lower_s, 4),
            BarPart(self.tr("compile"), compile_s, 1),
            BarPart(self.tr("first run"), max(first_s - trace_s - lower_s - compile_s, 0.0), 2),
        )

    def _later_stages(self, point: Measurement) -> tuple[BarPart, ...]:
        if point.median_s is None:
            return ()
        returned_s = point.returned_s
        # Both are medians of their own: where nothing is waited for, either may come out a little longer.
        if returned_s is None or returned_s >= point.median_s:
            return (BarPart("", point.median_s),)
        return (
            BarPart(self.tr("until it returns"), returned_s, 3),
            BarPart(self.tr("waiting"), point.median_s - returned_s, 0),
        )

    def _transfer_stages(self, point: Measurement) -> tuple[BarPart, ...]:
        both = ((self.tr("to the device"), point.to_device_s, 6), (self.tr("from the device"), point.to_host_s, 7))
        return tuple(BarPart(word, seconds, colour) for word, seconds, colour in both if seconds is not None)


class CallPage(QWidget):
    """Bars, and sentences that stay below them."""

    def __init__(self) -> None:
        super().__init__()
        self._words, self._call_words = TimingWords(), CallWords()
        self._bars = BarsPage(self.tr("One call, stage by stage"))
        self._sentences = lettered(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True), 0.95)
        self._sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentences.setAccessibleName(self.tr("Break-even, and how far to trust the times"))
        self._sentences.setContentsMargins(8, 6, 8, 4)
        fill(QVBoxLayout(self), (self._bars, 1), self._sentences)

    def show_call(self, figures: Figures, value: Value | None) -> None:
        """Show one call at `value` of the sweep; None where there is none yet."""
        timed = figures.timed(value) if value is not None else []
        # An audience cannot scroll: it sees the stages of a call, and nothing that leads away from them.
        whole = not self._bars.theme.on_stage
        stages = (self._call_words.anatomy(each, point, transfers=whole) for each, point in timed)
        groups = [*(self._call_words.compared(timed) if whole else ()), *stages]
        lead = self.tr("The lines that take the time are in Program > time.")
        self._bars.show_groups(groups, lead if groups and whole else "")
        pairs = figures.pairs(value) if value is not None else {}
        sentences = [*self._words.break_evens(pairs), self._words.trust(figures)] if groups else []
        self._sentences.setText("\n".join(filter(None, sentences)))
