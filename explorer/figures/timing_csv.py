"""Measurements as comma-separated values, for spreadsheets; the names of their figures and stages."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from explorer.figures.curves import note_lines
from explorer.messages import Measurement

FIGURES = ("median_s", "q1_s", "q3_s", "low_s", "high_s")
STAGES = ("trace_s", "lower_s", "compile_s", "first_call_s", "returned_s", "to_device_s", "to_host_s", "floor_s")


def timing_csv(measurements: Iterable[Measurement], about: Mapping[str, str] | None = None) -> str:
    """Return a header and one line per final measurement; times are in seconds, missing figures empty.

    Each parameter has its own column. Notes and a failure share one column, separated by semicolons. `about` adds
    constant columns at the end.
    """
    final = [each for each in measurements if each.final]
    parameters = tuple(dict.fromkeys(name for each in final for name in each.parameters))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    nothing = Measurement(0, "", (), {}, "")
    writer.writerow(heading for heading, _ in _cells(nothing, parameters, about or {}))
    writer.writerows([cell for _, cell in _cells(each, parameters, about or {})] for each in final)
    return text.getvalue()


def _cells(each: Measurement, parameters: tuple[str, ...], about: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield (heading, value) of each column."""
    yield from (("variant", each.variant), ("transforms", " ".join(each.transforms)))
    yield from ((name, each.parameters.get(name)) for name in parameters)
    yield from ((name, getattr(each, name)) for name in FIGURES)
    yield "samples", each.samples_s.shape[0] if each.samples_s else 0
    yield from ((name, getattr(each, name)) for name in ("calls_per_sample", *STAGES, "cold"))
    yield from ((name, getattr(each, name)) for name in ("device", "cut_short"))
    reasons = [f"{each.failure.type}: {each.failure.message}"] if each.failure is not None else []
    yield "notes", "; ".join([*reasons, *note_lines(each)])
    yield from about.items()
