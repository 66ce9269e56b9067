"""One call taken apart: the stages of the first, of each later one, and of bringing its arrays there and back."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.figures.curves import Series
from explorer.messages import Measurement
from views.timing.pages.call_bars import Anatomy, Bar, Stage


class CallWords(QObject):
    """Makes the bars of one call in the language of the interface."""

    def anatomy(self, series: Series, point: Measurement) -> Anatomy:
        """Return one call of `point` in stages, as far as they are known."""
        first = self.tr("first call, cold") if point.cold else self.tr("first call")
        bars = (
            Bar(first, self._first_stages(point)),
            Bar(self.tr("later calls, warm"), self._later_stages(point)),
            Bar(self.tr("transfer"), self._transfer_stages(point)),
        )
        return Anatomy(series.label, tuple(bar for bar in bars if bar.stages))

    def _first_stages(self, point: Measurement) -> tuple[Stage, ...]:
        first_s = point.first_call_s or 0.0
        stages = (point.trace_s, point.lower_s, point.compile_s)
        if any(each is None for each in stages):
            return (Stage("", first_s),)
        trace_s, lower_s, compile_s = (each or 0.0 for each in stages)
        return (
            Stage(self.tr("trace"), trace_s, 5),
            Stage(self.tr("lower"), lower_s, 4),
            Stage(self.tr("compile"), compile_s, 1),
            Stage(self.tr("first run"), max(first_s - trace_s - lower_s - compile_s, 0.0), 2),
        )

    def _later_stages(self, point: Measurement) -> tuple[Stage, ...]:
        if point.median_s is None:
            return ()
        returned_s = point.returned_s
        # Both are medians of their own: where nothing is waited for, either may come out a little longer.
        if returned_s is None or returned_s >= point.median_s:
            return (Stage("", point.median_s),)
        return (
            Stage(self.tr("until it returns"), returned_s, 3),
            Stage(self.tr("waiting"), point.median_s - returned_s, 0),
        )

    def _transfer_stages(self, point: Measurement) -> tuple[Stage, ...]:
        both = ((self.tr("to the device"), point.to_device_s, 6), (self.tr("back"), point.to_host_s, 7))
        return tuple(Stage(word, seconds, colour) for word, seconds, colour in both if seconds is not None)
