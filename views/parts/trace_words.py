"""How often jitted functions were traced and compiled, and why, in sentences."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QObject

from explorer.figures.curves import seconds_text
from explorer.messages import FunctionTraces, Snapshot, TraceEvent, TraceReason


class TraceWords(QObject):
    """Makes the sentences of the retrace meter in the language of the interface."""

    def function(self, traced: FunctionTraces) -> str:
        """Return how often and why: ``power_sum: traced 8 times, compiled 8 times in 412 ms: new static value``."""
        stages = [
            self._in(self.tr("traced {times}").format(times=self._times(traced.traces)), traced.trace_s),
            *([self._in(self.tr("lowered"), traced.lower_s)] if traced.lower_s else ()),
            self._in(self.tr("compiled {times}").format(times=self._times(traced.compiles)), traced.compile_s),
        ]
        counts = f"{traced.name}: {', '.join(stages)}"
        again = [event for event in traced.events if event.reason != "first call"]
        reasons = ", ".join(dict.fromkeys(self._reason(event.reason) for event in again))
        return f"{counts}: {reasons}" if reasons else counts

    def cause(self, event: TraceEvent) -> str:
        """Return one reason with its count and its lines."""
        times = f" ({self._times(event.count)})" if event.count > 1 else ""
        place = self.tr(", line {line}").format(line=event.span.line) if event.span is not None else ""
        return f"{self._reason(event.reason)}{times}{place}: {event.sentence}"

    def _in(self, words: str, seconds: float) -> str:
        return self.tr("{counts} in {time}").format(counts=words, time=seconds_text(seconds)) if seconds else words

    def _times(self, count: int) -> str:
        return self.tr("once") if count == 1 else self.tr("{count} times").format(count=count)

    def _reason(self, reason: TraceReason) -> str:
        return {
            "first call": self.tr("first call"),
            "new shape": self.tr("new shape"),
            "new dtype": self.tr("new dtype"),
            "new weak type": self.tr("new weak type"),
            "new static value": self.tr("new static value"),
            "new structure": self.tr("new structure"),
            "new function object": self.tr("new function object"),
            "other": self.tr("another reason"),
        }[reason]


def retraced_rows(snapshot: Snapshot, words: TraceWords) -> dict[int, tuple[int, str]]:
    """Return for the row of each function traced more than once how often, and a text that says why."""
    traces: Counter[int] = Counter()
    texts: dict[int, list[str]] = {}
    for report in snapshot.reports:
        for traced in report.traces or ():
            if traced.span is not None and traced.traces > 1:
                row = traced.span.line - 1
                traces[row] = max(traces[row], traced.traces)
                lines = [words.function(traced), *(words.cause(event) for event in traced.events)]
                texts.setdefault(row, []).append("\n".join(lines))
    return {row: (traces[row], "\n\n".join(dict.fromkeys(texts[row]))) for row in traces}
