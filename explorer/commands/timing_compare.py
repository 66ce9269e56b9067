"""What changed between two runs of ``jax-explorer time``, and whether that is more than noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

BETWEEN_PROCESSES = 1.3
"""Up to this factor two processes differ in the median of the same code, by where its memory lies and who shares the
machine. A greater change is told as one, a smaller one is not."""
CIRCUMSTANCES = ("jax", "python", "machine", "device")

Record = Mapping[str, Any]


class BadRecord(Exception):
    """There is no record of a timing run here; the message says what is wrong."""


def read(path: str) -> Record:
    """Return the record that ``time --json`` wrote to `path`. Raises BadRecord."""
    try:
        record = msgspec.json.decode(Path(path).read_bytes())
    except OSError as error:
        raise BadRecord(f"{path} cannot be read: {error.strerror}.") from None
    except msgspec.DecodeError as error:
        raise BadRecord(f"{path} is not the JSON that `jax-explorer time --json` writes: {error}.") from None
    if not isinstance(record, dict) or not isinstance(record.get("points"), list):
        raise BadRecord(f"{path} is not the JSON that `jax-explorer time --json` writes: it has no points.")
    return record


def differences(old: Record, new: Record) -> Iterator[str]:
    """Yield what changed from `old` to `new`, a sentence for each point of `new` and for what else is to know."""
    others = [
        f"{name} {_told(old, name)} then, {_told(new, name)} now"
        for name in CIRCUMSTANCES
        if _told(old, name) != _told(new, name)
    ]
    if others:
        yield f"These runs cannot be compared honestly: {'; '.join(others)}. The factors below hold for all of it."
    before = {_place(point): point for point in old["points"]}
    for point in new["points"]:
        place = _place(point)
        yield f"{_words(point)}: {_difference(before.pop(place, None), point)}"
    for point in before.values():
        yield f"{_words(point)}: not timed now"


def _difference(old: Record | None, new: Record) -> str:
    if old is None:
        return "not timed then"
    if new.get("median_s") is None or old.get("median_s") is None:
        missing = [when for when, point in (("then", old), ("now", new)) if point.get("median_s") is None]
        return f"no figure {' and '.join(missing)}"
    if any(point.get("low_s") is None or point.get("high_s") is None for point in (old, new)):
        return f"{_times(new['median_s'] / old['median_s'])}, from too few samples to say more"
    factor = new["median_s"] / old["median_s"]
    low, high = new["low_s"] / old["high_s"], new["high_s"] / old["low_s"]
    between = f"{_times(factor)} ({low:.3g} to {high:.3g})"
    if low <= 1 <= high:
        return f"no difference that these runs can show: {between}"
    if low < BETWEEN_PROCESSES and high > 1 / BETWEEN_PROCESSES:
        return f"{between}; two processes may differ by that without a change of the code"
    return f"{'slower' if factor > 1 else 'faster'}: {between}"


def _times(factor: float) -> str:
    return f"{factor:.3g} times as long as then"


def _place(point: Record) -> tuple[Any, ...]:
    settings = tuple(sorted((name, str(value)) for name, value in point["parameters"].items()))
    return point["variant"], *point["transforms"], point.get("wrong_way", ""), settings


def _words(point: Record) -> str:
    settings = (f"{name}={value}" for name, value in point["parameters"].items())
    return " ".join(
        each for each in (point["variant"], *point["transforms"], point.get("wrong_way"), *settings) if each
    )


def _told(record: Record, name: str) -> str:
    return str(record.get(name) or "unknown")
