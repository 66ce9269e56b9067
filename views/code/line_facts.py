"""BesideLines shows reports next to lines of code: types, costs, differences, how often and why traced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import msgspec
from PySide6.QtCore import QObject

from explorer.figures.curves import seconds_text
from explorer.figures.line_types import line_type_words
from explorer.messages import FunctionTraces, Snapshot, TraceEvent, TraceReason, is_original
from explorer.messages.changed_middle import changed_middle
from explorer.messages.lenses import LineCost
from views.text.differences import DIFFERS, only_in_one_function, only_in_one_text
from views.text.line_marks import line_colours
from views.text.line_text import LineText


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


class LineFacts(msgspec.Struct, frozen=True):
    """The texts next to the lines; rows count from 0."""

    colours: Mapping[int, int] = {}
    """The number of the colour of each line, counted from 1, that became equations."""
    differences: Mapping[int, str] = {}
    """The sign of each row that only one of two compared functions has."""
    retraced: Mapping[int, tuple[int, str]] = {}
    """Rows of functions that were traced more than once, with their counts and reasons."""


def differences(snapshot: Snapshot, source: Callable[[], str], original: str) -> dict[int, str]:
    """Return the rows of `source` that occur in only one of two compared functions, or not in the `original`."""
    known = {variant.name: variant for variant in snapshot.variants if variant.end_line}
    two = [known[report.name] for report in snapshot.reports[:2] if report.name in known]
    has_original = any(is_original(report.name) and not report.recorded for report in snapshot.reports)
    if has_original:
        return dict.fromkeys(only_in_one_text(source(), original).first, "+")
    signs: dict[int, str] = {}
    if len(two) == 2:
        lines = source().split("\n")
        only = only_in_one_function(*(lines[each.line - 1 : each.end_line] for each in two))
        for variant, rows in zip(two, (only.first, only.second), strict=True):
            signs.update((variant.line - 1 + row, DIFFERS) for row in rows)
    return signs


class BesideLines:
    """Shows reports next to the lines of `text`, unless they are hidden."""

    def __init__(self, text: LineText, source: Callable[[], str]) -> None:
        self._text = text
        self._source = source
        self._found = LineFacts()
        self._types: Mapping[int, str] = {}
        self._costs: Mapping[int, LineCost] = {}
        self._settings: Mapping[int, str] = {}
        self._folded: Mapping[int, str] = {}
        self._holds_back = False
        self.original = ""
        """The original text, while the code is compared with it."""

    @property
    def retraced(self) -> Mapping[int, tuple[int, str]]:
        """Rows of functions that were traced more than once; empty while hidden."""
        return self._line_facts.retraced

    def take(self, snapshot: Snapshot) -> None:
        """Show the run's results for single lines."""
        knows_traces = snapshot.complete or any(report.traces is not None for report in snapshot.reports)
        self._found = LineFacts(
            line_colours(snapshot),
            differences(snapshot, self._source, self.original),
            retraced_rows(snapshot, TraceWords()) if knows_traces else self._found.retraced,
        )
        self.show()

    def forget(self) -> None:
        """Show no results for single lines until those of another program are there."""
        self._found = LineFacts()
        self.show()

    def take_types(self, snapshot: Snapshot | None) -> None:
        """Show the types that the lines of all traced programs made; None for none."""
        found = line_type_words(snapshot.reports) if snapshot is not None else {}
        self._types = {line - 1: str(words) for line, words in found.items()}
        self.show()

    def take_costs(self, costs: Mapping[int, LineCost]) -> None:
        """Show the cost of lines, counted from 1."""
        self._costs = {line - 1: cost for line, cost in costs.items()}
        self.show()

    def move(self, before: str, after: str) -> None:
        """Move types and costs to where their lines are now; an edited line loses them until they are known again."""
        if self._types or self._costs:
            front, back = changed_middle(before, after)
            first, last = before.count("\n", 0, front), before.count("\n") - before.count("\n", len(before) - back)
            moved = after.count("\n") - before.count("\n")
            places = {row: row if row < first else row + moved for row in {*self._types, *self._costs}}
            kept = {row: place for row, place in places.items() if not first <= row <= last}
            self._types = {kept[row]: text for row, text in self._types.items() if row in kept}
            self._costs = {kept[row]: cost for row, cost in self._costs.items() if row in kept}
            self.show()

    def take_settings(self, settings: Mapping[int, str]) -> None:
        """Show at these rows the settings that override the code there."""
        self._settings = settings
        self.show()

    def take_folded(self, folded: Mapping[int, str]) -> None:
        """Show at these rows that others are folded below them."""
        self._folded = folded
        self.show()

    def hold_back(self, has_two_halves: bool) -> None:
        """Hide the results of a run, or show them again."""
        self._holds_back = has_two_halves
        self.show()

    def show(self) -> None:
        """Show all that is reported now."""
        marks = self._line_facts
        counts = {row: f"\u21bb {count}" for row, (count, _) in marks.retraced.items()}
        last = max(marks.colours, default=0)
        self._text.mark(
            colours=marks.colours,
            origins=[line if line in marks.colours else 0 for line in range(1, last + 1)],
            only_here=marks.differences,
            types={} if self._holds_back else self._types,
            costs={} if self._holds_back else self._costs,
            counts={**counts, **self._settings, **self._folded},
        )

    @property
    def _line_facts(self) -> LineFacts:
        return LineFacts() if self._holds_back else self._found
