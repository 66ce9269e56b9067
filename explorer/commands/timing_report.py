"""The table that ``jax-explorer time`` prints for people."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.figures.curves import Ratio, note_lines, paired_ratio, seconds_text, times_text
from explorer.messages import Measurement

HEADINGS = ("variant", "as", "at", "median", "quartiles", "compile", "first call")


def table(measurements: Sequence[Measurement]) -> str:
    """Return the measurements as aligned columns and, under them, what holds for all: settings and device.

    Each row is compared with the first of its place, pair by pair; the interval is that of the ratio.
    """
    first = measurements[0]
    same = [each for each in settings(first) if all(each in settings(other) for other in measurements)]
    rows = [(*HEADINGS, f"against {_name(first)}", "notes")]
    heads: dict[tuple[str, ...], Measurement] = {}
    for each in measurements:
        here = settings(each)
        head = heads.setdefault(tuple(here), each)
        rows.append((
            each.variant,
            "+".join(filter(None, (*each.transforms, each.wrong_way))),
            " ".join(setting for setting in here if setting not in same),
            _time(each.median_s),
            f"{_time(each.q1_s)} to {_time(each.q3_s)}" if each.q1_s is not None else "",
            _time(each.compile_s),
            _time(each.first_call_s),
            "" if each is head or _name(head) != _name(first) else ratio_text(paired_ratio(head, each)),
            "; ".join(_notes(each)),
        ))  # fmt: skip
    shown = [column for column in range(len(rows[0])) if any(row[column] for row in rows[1:])]
    widths = {column: max(len(row[column]) for row in rows) for column in shown}
    lines = ["  ".join(row[column].ljust(widths[column]) for column in shown).rstrip() for row in rows]
    device = next((each.device for each in measurements if each.device), "")
    return "\n".join([*lines, "; ".join(filter(None, [device, *same]))])


def settings(measurement: Measurement) -> list[str]:
    """Return the parameters of `measurement` as ``name=value``."""
    return [f"{name}={value}" for name, value in measurement.parameters.items()]


def _name(measurement: Measurement) -> str:
    return f"{measurement.variant} ({'+'.join(filter(None, (*measurement.transforms, measurement.wrong_way)))})"


def ratio_text(ratio: Ratio | None) -> str:
    """Return how many times faster something is that another takes `ratio` times as long as."""
    if ratio is None:
        return ""
    if ratio.shows_no_difference:
        return "no difference shown"
    if ratio.is_about_one:
        return "about as fast"
    known = [each for each in (ratio.low, ratio.high) if each is not None]
    word = "faster" if ratio.middle >= 1 else "slower"
    if word == "slower":
        known, ratio = sorted(1 / each for each in known), Ratio(1 / ratio.middle)
    if len(known) < 2:
        return f"about {times_text(ratio.middle, ratio.middle)} times {word}"
    low, high = (times_text(each, known[1] - known[0]) for each in known)
    return f"{low} to {high} times {word}" if low != high else f"{low} times {word}"


def _notes(measurement: Measurement) -> list[str]:
    failure = measurement.failure
    return [*note_lines(measurement), *([f"{failure.type}: {failure.message}"] if failure else [])]


def _time(seconds: float | None) -> str:
    return "" if seconds is None else seconds_text(seconds)
