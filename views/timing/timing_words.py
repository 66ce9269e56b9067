"""TimingWords: timings in sentences: verdict, doubts, reasons, break-even."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from itertools import permutations

from msgspec.structs import replace
from PySide6.QtCore import QObject

from explorer.figures.curves import Figures, Ratio, Series, break_even, doubt, is_unstable, paired_ratio, seconds_text
from explorer.messages import Measurement, Note, NoteKind, Value, unmarked
from explorer.text.text import Text

LONGEST_REASON = 90
LOOP = "loop"
ON_JIT: tuple[NoteKind, ...] = ("without jit", "jits inside", "always jitted")


class TimingWords(QObject):
    """Makes the sentences of the timing pane in the language of the interface."""

    def place(self, figures: Figures, value: Value) -> str:
        """Return the position in the sweep: ``batch = 512``; empty where there is one point."""
        return f"{figures.swept} = {value}" if figures.swept else ""

    def end(self, figures: Figures, series: Series) -> str:
        """Return the reason in a few words why the curve of `series` ends early; empty where it does not."""
        if found := doubt(figures, series):
            return self._doubt(found.kind)
        points = figures.of_series(series)
        last = next((point for point in points if self.reason(point)), None)
        if last is None or (last.failure is None and last.cut_short):
            return self.tr("cut short") if any(point.cut_short for point in points) else ""
        return self.tr("failed here") if last.failure is not None else self.tr("over its budget")

    def _doubt(self, kind: NoteKind) -> str:
        """Return in two or three words why a curve is not reliable."""
        return {
            "outputs differ": self.tr("outputs differ"),
            "constant-folded": self.tr("constant-folded"),
            "other device": self.tr("on another device"),
            "numpy inputs": self.tr("NumPy inputs"),
        }[kind]

    def doubts(self, figures: Figures) -> list[str]:
        """Return the worst reason of each curve that is not reliable, and of which curves it is if not of all."""
        labels: dict[Text, list[str]] = {}
        for series in figures.series:
            if (note := doubt(figures, series)) is not None:
                labels.setdefault(note.text, []).append(series.label)
        every = len(figures.series)
        return [str(text) if len(of) == every else f"{', '.join(of)}: {text}" for text, of in labels.items()]

    def trust(self, figures: Figures) -> str:
        """Return how far to trust the times, and why: the worst doubt, if any; empty where only more time can tell."""
        if not all(point.final for point in figures.points.values()):
            return self.tr("You can see whether the times are reliable when all points are measured.")
        if doubts := self.doubts(figures):
            return self.tr("Not reliable: {reasons}.").format(reasons="; ".join(doubts))
        if any(is_unstable(point) for point in figures.points.values() if point.median_s is not None):
            return ""
        return self.tr("Reliable: every result was waited for, and no doubt was found.")

    def floor(self, floor_s: float) -> str:
        """Return the label of the floor."""
        return self.tr("dispatch floor {time}").format(time=seconds_text(floor_s))

    def ratio(self, ratio: Ratio | None) -> str:
        """Return the speed-up or slow-down for a `ratio` of times, in words."""
        if ratio is None:
            return ""
        if ratio.shows_no_difference:
            return self.tr("no measurable difference")
        if ratio.is_about_one:
            return self.tr("about as fast")
        low, high = ratio.times[0], ratio.times[-1]
        times = self.tr("{low} to {high}").format(low=low, high=high) if low != high else low
        if ratio.low is None:
            times = self.tr("about {times}").format(times=times)
        template = self.tr("{times} times faster") if ratio.middle >= 1 else self.tr("{times} times slower")
        return template.format(times=times)

    def point(self, figures: Figures, series: Series, value: Value) -> str:
        """Return the text for one point of a curve."""
        point = figures.points[series, value]
        place = self.place(figures, value)
        start = f"{series.label}, {place}" if place else series.label
        if point.median_s is None:
            return f"{start}: {self.reason(point)}"
        text = self.tr("{start}: {median} a call, half of them from {q1} to {q3}, {samples} samples").format(
            start=start,
            median=seconds_text(point.median_s),
            q1=seconds_text(point.q1_s or 0.0),
            q3=seconds_text(point.q3_s or 0.0),
            samples=point.samples_s.shape[0] if point.samples_s else 0,
        )
        stopped = [self.tr("cut short")] if point.cut_short else []
        return ". ".join([text, *self._against(figures, series, value), *stopped, *map(self._note, point.notes)])

    def _against(self, figures: Figures, series: Series, value: Value) -> Iterator[str]:
        first = figures.points.get((figures.series[0], value))
        ratio = self.ratio(paired_ratio(first, figures.points[series, value])) if first is not None else ""
        if ratio and series != figures.series[0]:
            yield self.tr("against {first}: {ratio}").format(first=figures.series[0].label, ratio=ratio)

    def reason(self, point: Measurement) -> str:
        """Return the reason why `point` has no median; empty where it has one or it is still to come."""
        if point.failure is not None:
            return unmarked(point.failure.words)
        if point.cut_short and point.median_s is None:
            return self.tr("stopped before there was a sample")
        return next((str(note.text) for note in point.notes if note.kind == "skipped"), "")

    def _note(self, note: Note) -> str:
        return self.tr("unstable: {reason}").format(reason=note.text) if note.kind == "unstable" else str(note.text)

    def verdict(self, figures: Figures) -> str:
        """Return the headline: the speed-up by jit, or the lowest of several curves; none from unstable points."""
        done = all(point.final for point in figures.points.values())
        if done and figures.points:
            shaky = {value for (_, value), point in figures.points.items() if point.median_s and is_unstable(point)}
            stable = tuple(value for value in figures.values if value not in shaky)
            # Of a loop over fewer examples than the program has, nothing is said in their place.
            if not stable or (figures.values[-1] in shaky and any(LOOP in each.transforms for each in figures.series)):
                return self._unstable_verdict(figures)
            figures = replace(figures, values=stable)
        value = next((each for each in reversed(figures.values) if len(figures.timed(each)) > 1), None)
        sentence = self._lone_verdict(figures) if value is None else self._compared_verdict(figures, value)
        return sentence if done or not sentence else self.tr("{sentence}, so far").format(sentence=sentence)

    def _unstable_verdict(self, figures: Figures) -> str:
        """Return the name of the faster one, if every sample of it is faster than any of the other one."""
        pair = figures.pair(figures.owners[0], figures.values[-1])
        if pair is not None and not pair[1].device:
            return self._compared_verdict(figures, figures.values[-1])
        for faster, slower in permutations(pair or (), 2):
            if faster.samples_s and slower.samples_s and max(faster.samples_s.numpy()) < min(slower.samples_s.numpy()):
                text = self.tr("{name} is faster in every sample; the times vary too much for a factor")
                return text.format(name=" + ".join(faster.transforms))
        return self.tr("the times vary too much to compare")

    def _compared_verdict(self, figures: Figures, value: Value) -> str:
        """Return how the curves compare at `value`."""
        place = self.place(figures, value)
        pair = figures.pair(figures.owners[0], value) if len(figures.variants) == 1 else None
        if pair is not None and not pair[1].device:
            # XLA leaves out what no output needs.
            return self.tr("no speed-up is known: {name} returns no array, so jit computes nothing").format(
                name=next(iter(figures.variants))
            )
        if pair is not None and LOOP in pair[0].transforms:
            text = self.tr("{ratio}, vmap against a loop over {count} examples")
            text = text.format(ratio=self.ratio(paired_ratio(*pair)), count=value)
            return "; ".join([text, *self._from_where(figures)])
        if pair is not None:
            text = self.tr("{ratio} with jit").format(ratio=self.ratio(paired_ratio(*pair)))
            inside = [str(note.text) for note in pair[0].notes if note.kind == "jits inside"]
            return "; ".join([self.tr("{text} at {place}").format(text=text, place=place) if place else text, *inside])
        jitted = [note for _, point in figures.timed(value) for note in point.notes if note.kind == "always jitted"]
        if jitted and len(figures.variants) == 1:
            return self.tr("no speed-up is known: {reason}").format(reason=jitted[0].text)
        text = self._quickest(figures, value)
        return self.tr("{text} at {place}").format(text=text, place=place) if place else text

    def _from_where(self, figures: Figures) -> list[str]:
        """Return from how many examples on vmap is faster than a loop over them, as far as it was measured."""
        faster: list[Value] = []
        for value in reversed(figures.values):
            pair = figures.pair(figures.owners[0], value)
            ratio = paired_ratio(*pair) if pair is not None else None
            if ratio is None or ratio.middle <= 1 or ratio.shows_no_difference:
                break
            faster.append(value)
        if not faster:
            return []
        if faster[-1] == figures.values[0]:
            return [self.tr("faster at every size measured")]
        return [self.tr("faster from {count} examples on").format(count=faster[-1])]

    def break_even(self, eager: Measurement, jitted: Measurement) -> str:
        """Return after how many calls jit has paid for its compilation; empty for unstable times."""
        if not (eager.final and jitted.final):
            return self.tr("You can see when jit pays for itself once both are measured.")
        if is_unstable(eager) or is_unstable(jitted):
            return ""
        warm = break_even(eager, jitted, fresh=False)
        fresh = break_even(eager, jitted, fresh=True)
        if warm is None:
            return self.tr("jit never pays for itself: its calls are not faster.")
        text = self.tr(
            "jit has paid for its compilation by call {calls}; in a new process, where eager code compiles too, by "
            "call {fresh}."
        )
        return text.format(calls=f"{warm:,}", fresh=f"{fresh or warm:,}")

    def break_evens(self, pairs: Mapping[str, tuple[Measurement, Measurement]]) -> list[str]:
        """Return the same for each variant in `pairs`."""
        texts = {variant: self.break_even(*pair) for variant, pair in pairs.items() if LOOP not in pair[0].transforms}
        return [f"{variant}: {text}" if len(texts) > 1 else text for variant, text in texts.items() if text]

    def remarks(self, figures: Figures) -> str:
        """Return notes on how to read the curves, in one line."""
        stopped: dict[str, list[str]] = {}
        for series in figures.series:
            if stop := self._stop(figures, series):
                value, reason = stop
                place = self.place(figures, value) if value != figures.values[0] else ""
                label = self.tr("{text} at {place}").format(text=series.label, place=place) if place else series.label
                stopped.setdefault(reason, []).append(label)
        found = [
            self.tr("no times: {reason}").format(reason=reason)
            if len(labels) == len(figures.series)
            else self.tr("no times for {labels}: {reason}").format(labels=", ".join(labels), reason=reason)
            for reason, labels in stopped.items()
        ]
        found += dict.fromkeys(
            f"{series.label}: {note.text}"
            for (series, _), point in figures.points.items()
            for note in point.notes
            if note.kind in ON_JIT
        )
        timed = [point for point in figures.points.values() if point.median_s is not None and point.final]
        unstable = sum(map(is_unstable, timed))
        if unstable:
            words = self.tr("unstable points (hollow in the curves): {count} of {all}")
            found.append(words.format(count=unstable, all=len(timed)))
        return "; ".join(found)

    def _stop(self, figures: Figures, series: Series) -> tuple[Value, str] | None:
        for value in figures.values:
            point = figures.points.get((series, value))
            if point is not None and (reason := self.reason(point)):
                return value, textwrap.shorten(reason, LONGEST_REASON, placeholder=" …")
        return None

    def _lone_verdict(self, figures: Figures) -> str:
        timed = [(value, each) for value in figures.values for each in figures.timed(value)]
        if not timed:
            return ""
        value, (_, point) = timed[-1]
        place = self.place(figures, value)
        text = self.tr("{median} a call").format(median=seconds_text(point.median_s or 0.0))
        return self.tr("{text} at {place}").format(text=text, place=place) if place else text

    def _quickest(self, figures: Figures, value: Value) -> str:
        """Return a sentence on the lowest curve, and on those that this run cannot distinguish from it.

        A title shortens it to what is before a colon, which says who.
        """
        (first, best), *others = sorted(figures.timed(value), key=lambda each: each[1].median_s or 0.0)
        ratios = [(series, paired_ratio(point, best)) for series, point in others]
        equal = [first, *(series for series, ratio in ratios if ratio is not None and ratio.shows_no_difference)]
        # Where all run alike, a variant that calls jit itself is not called eager.
        alike = len({each.transforms for each in figures.series}) == 1
        names = [each.owner if alike else each.label for each in equal]
        if len(equal) == 2:
            return self.tr("{one} and {other} are equally quick").format(one=names[0], other=names[1])
        if len(equal) > 2:
            return self.tr("{one} and {count} others are equally quick").format(one=names[0], count=len(equal) - 1)
        return self.tr("{one} is quickest: {time}").format(one=names[0], time=seconds_text(best.median_s or 0.0))
