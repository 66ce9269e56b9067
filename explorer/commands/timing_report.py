"""The report of ``jax-explorer time``: a table."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.figures.curves import Ratio, is_jitted, note_lines, paired_ratio, seconds_text
from explorer.messages import Measurement

HEADINGS = ("variant", "as", "at", "median", "quartiles", "compile", "first call")


def table(measurements: Sequence[Measurement]) -> str:
    """Return the measurements as aligned columns, with the common settings and the device below.

    Each row is compared with the first of its point, pair by pair; the interval is that of the ratio.
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
            "+".join(each.transforms),
            " ".join(setting for setting in here if setting not in same),
            _time(each.median_s),
            f"{_time(each.q1_s)} to {_time(each.q3_s)}" if each.q1_s is not None else "",
            _time(each.compile_s),
            _time(each.first_call_s),
            _against(head, each) if each is not head and _name(head) == _name(first) else "",
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
    return f"{measurement.variant} ({'+'.join(measurement.transforms)})"


def _against(head: Measurement, each: Measurement) -> str:
    """Return how `each` compares with `head`; empty for a function with and without jit that has no version without."""
    is_same = each.variant == head.variant and is_jitted(head) and each.transforms != head.transforms
    return "" if is_same else ratio_text(paired_ratio(head, each))


def ratio_text(ratio: Ratio | None) -> str:
    """Return how many times faster something is that another takes `ratio` times as long as."""
    if ratio is None:
        return ""
    if ratio.shows_no_difference:
        return "no difference shown"
    if ratio.is_about_one:
        return "about as fast"
    about = "about " if ratio.low is None else ""
    return f"{about}{' to '.join(ratio.times)} times {'faster' if ratio.middle >= 1 else 'slower'}"


def _notes(measurement: Measurement) -> list[str]:
    failure = measurement.failure
    return [*note_lines(measurement), *([f"{failure.type}: {failure.message}"] if failure else [])]


def _time(seconds: float | None) -> str:
    return "" if seconds is None else seconds_text(seconds)
