"""The report of ``jax-explorer time``: a table, and changes since an older run beyond noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from explorer.figures.curves import Ratio, is_jitted, note_lines, paired_ratio, seconds_text
from explorer.messages import Measurement

BETWEEN_PROCESSES = 1.3
"""The factor by which the medians of the same code can differ between two processes, because of memory layout and other
load. Only a greater change is reported."""
CIRCUMSTANCES = ("jax", "python", "machine", "device")
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


# -- two runs ---------------------------------------------------------------------------------


class BadRecord(Exception):
    """A file without a record of a timing run; the message gives the reason."""


class Point(msgspec.Struct):
    """The compared figures of one point that ``time --json`` wrote."""

    variant: str
    transforms: tuple[str, ...]
    parameters: dict[str, object]
    median_s: float | None = None
    low_s: float | None = None
    high_s: float | None = None

    @property
    def words(self) -> str:
        """The identity of the point."""
        here = (f"{name}={value}" for name, value in self.parameters.items())
        return " ".join(filter(None, (self.variant, *self.transforms, *here)))


class Record(msgspec.Struct):
    """The compared figures of one run."""

    points: list[Point]
    jax: str = ""
    python: str = ""
    machine: str = ""
    device: str = ""


def read(path: str) -> Record:
    """Return the record that ``time --json`` wrote to `path`. Raises BadRecord."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Record)
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise BadRecord(f"{path} is not the JSON that `jax-explorer time --json` writes: {error}.") from None


def differences(old: Record, new: Record) -> Iterator[str]:
    """Yield the changes from `old` to `new`: a sentence for each point of `new`, and for differing circumstances."""
    circumstances = [(name, getattr(old, name), getattr(new, name)) for name in CIRCUMSTANCES]
    others = [
        f"{name} {then or 'unknown'} then, {now or 'unknown'} now" for name, then, now in circumstances if then != now
    ]
    if others:
        yield f"These runs cannot be compared honestly: {'; '.join(others)}. The factors below hold for all of it."
    before = {point.words: point for point in old.points}
    for point in new.points:
        yield f"{point.words}: {_difference(before.pop(point.words, None), point)}"
    yield from (f"{words}: not timed now" for words in before)


def _difference(old: Point | None, new: Point) -> str:
    if old is None:
        return "not timed then"
    if new.median_s is None or old.median_s is None:
        missing = [when for when, point in (("then", old), ("now", new)) if point.median_s is None]
        return f"no figure {' and '.join(missing)}"
    factor = new.median_s / old.median_s
    shown = f"{factor:.3g}"
    text = "about the same time" if shown == "1" else f"{shown} times the earlier time"
    if old.low_s is None or old.high_s is None or new.low_s is None or new.high_s is None:
        return f"{text}, from too few samples to say more"
    low, high = new.low_s / old.high_s, new.high_s / old.low_s
    text += f" ({low:.3g} to {high:.3g})"
    if low <= 1 <= high:
        return f"no measurable difference: {text}"
    if low < BETWEEN_PROCESSES and high > 1 / BETWEEN_PROCESSES:
        return f"{text}; two processes may differ by that without a change of the code"
    return f"{'slower' if factor > 1 else 'faster'}: {text}"
