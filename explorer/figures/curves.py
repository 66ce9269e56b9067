"""Timing curves over a parameter, with paired ratios and break-even calls; times and bytes as text."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from explorer.figures.intervals import median_interval
from explorer.messages import Measurement, Note, NoteKind, Transform, Value
from explorer.messages.lazy_numpy import np

BELOW_FLOOR = 0.9
"""A call below this share of the floor shows that the floor was measured under disturbance."""
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


class Series(NamedTuple):
    """One curve: a variant under its transforms."""

    variant: str
    transforms: tuple[Transform, ...]
    device: str = ""
    """The device, if the run used several; else empty."""

    @property
    def label(self) -> str:
        return f"{self.owner} ({' + '.join(self.transforms)})"

    @property
    def owner(self) -> str:
        """Return the owner of a colour: the variant, with its device if there are several."""
        return f"{self.variant} on {self.device}" if self.device else self.variant


class Ratio(msgspec.Struct, frozen=True):
    """Ratio of two times, with a 95 % interval if available."""

    middle: float
    low: float | None = None
    high: float | None = None

    @property
    def shows_no_difference(self) -> bool:
        """Whether the interval contains 1."""
        return self.low is not None and self.high is not None and self.low <= 1 <= self.high

    @property
    def times(self) -> tuple[str, ...]:
        """The factor by which the faster one is faster: both ends of the interval, or one text if they agree."""
        ends = sorted(each if self.middle >= 1 else 1 / each for each in (self.low, self.high) if each)
        if len(ends) == 2:
            return tuple(dict.fromkeys(times_text(each, ends[1] - ends[0]) for each in ends))
        middle = max(self.middle, 1 / self.middle)
        return (times_text(middle, middle),)

    @property
    def is_about_one(self) -> bool:
        """Whether it is 1 to two digits, without an interval."""
        return self.low is None and 0.95 <= self.middle < 1.05


class Figures(msgspec.Struct, frozen=True):
    """The latest measurement of each point of one run, by series and value of the swept parameter."""

    swept: str
    """The swept parameter; empty for a single point."""
    values: tuple[Value, ...]
    """Its values in the order of the sweep; an empty text for a single point."""
    series: tuple[Series, ...]
    points: dict[tuple[Series, Value], Measurement]

    @staticmethod
    def of(measurements: Iterable[Measurement]) -> Figures:
        """Return `measurements`, given in order of arrival, indexed by series and value."""
        received = tuple(measurements)
        swept = _swept_parameter(received)
        values: dict[Value, None] = {}
        points: dict[tuple[Series, Value], Measurement] = {}
        devices = _devices_of_runs(received)
        for each in received:
            value = each.parameters.get(swept, "")
            values[value] = None
            points[Series(each.variant, each.transforms, devices[each.run]), value] = each
        if all(isinstance(each, int | float) for each in values):
            # The one on screen was measured first.
            values = dict.fromkeys(sorted(values))
        return Figures(swept, tuple(values), tuple(dict.fromkeys(series for series, _ in points)), points)

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants in order, without repetitions."""
        return tuple(dict.fromkeys(series.variant for series in self.series))

    @property
    def owners(self) -> tuple[str, ...]:
        """Return the owners of colours in order, without repetitions: variants, per device."""
        return tuple(dict.fromkeys(series.owner for series in self.series))

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the run, in order; one empty text for a single device."""
        return tuple(dict.fromkeys(series.device for series in self.series))

    @property
    def floor_s(self) -> float | None:
        """Seconds of an empty jitted call, a lower bound for all others; None if unknown, or where one was below it."""
        floor_s = min((point.floor_s for point in self.points.values() if point.floor_s), default=None)
        jitted = [point for point in self.points.values() if "jit" in "".join(point.transforms)]
        timed = [point.median_s for point in jitted if point.median_s]
        return None if floor_s is None or min(timed, default=floor_s) < BELOW_FLOOR * floor_s else floor_s

    def of_series(self, series: Series) -> list[Measurement]:
        """Return the points of `series` in the order of the sweep."""
        found = (self.points.get((series, value)) for value in self.values)
        return [point for point in found if point is not None]

    def timed(self, value: Value) -> list[tuple[Series, Measurement]]:
        """Return the series with a median at `value`, in order."""
        found = [(series, self.points.get((series, value))) for series in self.series]
        return [(series, point) for series, point in found if point is not None and point.median_s is not None]

    def pair(self, owner: str, value: Value) -> tuple[Measurement, Measurement] | None:
        """Return the measurements of `owner` without and with jit at `value`, or in a loop and under vmap.

        None unless both have a median.
        """
        by_transforms = {series.transforms: point for series, point in self.timed(value) if series.owner == owner}
        pairs: tuple[tuple[Transform, Transform], ...] = (("eager", "jit"), ("loop", "jit(vmap)"))
        for without, within in pairs:
            slow, quick = by_transforms.get((without,)), by_transforms.get((within,))
            if slow and quick and not is_jitted(slow):
                return slow, quick
        return None

    def pairs(self, value: Value) -> dict[str, tuple[Measurement, Measurement]]:
        """Return that pair for every owner with one."""
        return {owner: pair for owner in self.owners if (pair := self.pair(owner, value)) is not None}


def ended(measurement: Measurement) -> Measurement:
    """Return `measurement` as final, and marked as cut short if it was not final."""
    if measurement.final:
        return measurement
    return msgspec.structs.replace(measurement, final=True, cut_short=True)


def note_lines(measurement: Measurement) -> list[str]:
    """Return the notes on `measurement`, one line each, in the stable English of scripts."""
    lines = [note.line for note in measurement.notes]
    if measurement.cut_short:
        count = measurement.samples_s.shape[0] if measurement.samples_s else 0
        lines.insert(0, f"cut short: stopped after {count} sample{'' if count == 1 else 's'}")
    return lines


def is_jitted(measurement: Measurement) -> bool:
    """Return whether a measurement without jit is of a function that has no version without."""
    return any(note.kind == "always jitted" for note in measurement.notes)


def is_without_samples(measurement: Measurement) -> bool:
    """Return whether a point has no samples yet, during its first call."""
    return not measurement.final and measurement.samples_s is None


def is_unstable(measurement: Measurement) -> bool:
    """Return whether the median is imprecise or preliminary."""
    unstable = any(note.kind == "unstable" for note in measurement.notes)
    return unstable or measurement.cut_short or not measurement.final


def paired_ratio(longer: Measurement, shorter: Measurement) -> Ratio | None:
    """Return the ratio of the times of `longer` and `shorter`: the median over rounds with both, paired.

    With fewer than six common rounds, it is the ratio of the medians, without an interval. None without a median.
    Pairing removes load common to both: https://arxiv.org/abs/1608.04295.
    """
    if not longer.median_s or not shorter.median_s:
        return None
    of_medians = Ratio(longer.median_s / shorter.median_s)
    # Rounds of different runs, such as on two devices, are not paired.
    if longer.run != shorter.run or not (longer.samples_s and shorter.samples_s and longer.repeats and shorter.repeats):
        return of_medians
    _, mine, theirs = np.intersect1d(longer.repeats.numpy(), shorter.repeats.numpy(), return_indices=True)
    ratios = longer.samples_s.numpy()[mine] / shorter.samples_s.numpy()[theirs]
    interval = median_interval(ratios)
    return Ratio(float(np.median(ratios)), *interval) if interval else of_medians


def break_even(eager: Measurement, jitted: Measurement, *, fresh: bool) -> int | None:
    """Return the number of calls from which jit is no slower in total; None for never.

    With `fresh`, the first eager call includes its compilations, as in a new process.
    """
    if not (eager.median_s and jitted.median_s and eager.first_call_s and jitted.first_call_s):
        return None
    eager_first_s = eager.first_call_s if fresh else eager.median_s
    ahead_s = jitted.first_call_s - eager_first_s
    if ahead_s <= 0:
        return 1
    saved_s = eager.median_s - jitted.median_s
    return 1 + math.ceil(ahead_s / saved_s) if saved_s > 0 else None


def bytes_text(count: float) -> str:
    """Return a number of bytes with a unit that leaves one to four digits: ``1.5 KiB``."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            break
        count /= 1024
    return f"{count:.3g} {unit}" if count < 1000 else f"{count:.0f} {unit}"


def seconds_text(seconds: float) -> str:
    """Return `seconds` to three digits, with a unit: ``5.53 µs``, ``120 ms``."""
    if seconds <= 0:
        return "0 s"
    # Rounded first, so that 999.9 µs becomes 1 ms and not 1000 µs.
    rounded = float(f"{seconds:.3g}")
    scale, unit = next((each for each in UNITS if rounded >= each[0] * (1 - 1e-9)), UNITS[-1])
    count = rounded / scale
    return f"{count:.{max(0, 2 - math.floor(math.log10(count) + 1e-9))}f} {unit}"


def times_text(times: float, width: float) -> str:
    """Return `times` to the digits supported by an interval of `width`, at most three.

    The rule is that of torch.utils.benchmark: https://docs.pytorch.org/docs/stable/benchmark_utils.html.
    """
    decimals = 2 - math.floor(math.log10(times)) if times > 0 else 2
    supported = 1 - math.floor(math.log10(width)) if width > 0 else decimals
    rounded = round(times, min(decimals, supported))
    return f"{rounded:,.{max(0, min(decimals, supported))}f}"


def tick_text(seconds: float) -> str:
    """Return `seconds` for the tick of an axis, without trailing zeros: ``10 µs``, ``0.5 ns``."""
    scale, unit = next((each for each in UNITS if seconds >= each[0] * (1 - 1e-9)), UNITS[-1])
    return f"{seconds / scale:.3g} {unit}"


def _devices_of_runs(measurements: tuple[Measurement, ...]) -> dict[int, str]:
    """Return the device of each run; empty texts for a single run."""
    found: dict[int, str] = {}
    for each in measurements:
        found[each.run] = found.get(each.run) or each.device
    return found if len(found) > 1 else dict.fromkeys(found, "")


def _swept_parameter(measurements: tuple[Measurement, ...]) -> str:
    """Return the swept parameter stated by the run, else the one that differs, as in files of earlier versions."""
    if not measurements:
        return ""
    first = measurements[0].parameters
    return measurements[0].swept or next(
        (name for name in first if len({each.parameters.get(name) for each in measurements}) > 1), ""
    )


DOUBTS: tuple[NoteKind, ...] = ("outputs differ", "constant-folded", "other device", "numpy inputs")
"""Notes that invalidate a whole curve, the worst first; instability concerns single points only."""


def doubt(figures: Figures, series: Series) -> Note | None:
    """Return the worst reason not to rely on the curve of `series`, or None."""
    notes = [note for point in figures.of_series(series) for note in point.notes if note.kind in DOUBTS]
    return min(notes, key=lambda note: DOUBTS.index(note.kind), default=None)
