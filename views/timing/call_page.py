"""One call in stages, after how many calls jit has paid for its first one, and how far to trust the times."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from explorer.figures.curves import Figures, Series, seconds_text
from explorer.messages import Measurement, Value
from views.theme import Theme
from views.timing.bars_page import Bar, BarPart, BarsPage, Group
from views.timing.series_look import LONE
from views.timing.timing_words import TimingWords


class CallWords(QObject):
    """Makes the bars of one call in the language of the interface."""

    def lead(self) -> str:
        """Return the sentence below the bars."""
        return self.tr("The lines that take the time are in Program > time.")

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

    def anatomy(self, series: Series, point: Measurement) -> Group:
        """Return one call of `point` in stages, as far as they are known; the texts name bars with several stages."""
        first = self.tr("first call, cold") if point.cold else self.tr("first call")
        known = (
            (first, self._first_stages(point)),
            (self.tr("later calls, warm"), self._later_stages(point)),
            (self.tr("transfer"), self._transfer_stages(point)),
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
        self._sentences = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._sentences.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._sentences.setAccessibleName(self.tr("Break-even, and how far to trust the times"))
        self._sentences.setContentsMargins(8, 6, 8, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._bars, 1)
        layout.addWidget(self._sentences)

    def show_call(self, figures: Figures, value: Value | None) -> None:
        """Show one call at `value` of the sweep; None where there is none yet."""
        timed = figures.timed(value) if value is not None else []
        groups = [
            *self._call_words.compared(timed),
            *(self._call_words.anatomy(each, point) for each, point in timed),
        ]
        self._bars.show_groups(groups, self._call_words.lead() if groups else "")
        pairs = figures.pairs(value) if value is not None else {}
        sentences = [*self._words.break_evens(pairs), self._words.trust(figures)] if groups else []
        self._sentences.setText("\n".join(filter(None, sentences)))

    def apply_theme(self, theme: Theme) -> None:
        """Apply the colours and sizes of `theme`."""
        self._sentences.setFont(theme.font(0.95))
