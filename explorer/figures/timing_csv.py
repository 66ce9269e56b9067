"""Measurements as comma-separated values, for spreadsheets and scripts."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from explorer.figures.curves import note_lines
from explorer.messages import Measurement

FIGURES = ("median_s", "q1_s", "q3_s", "low_s", "high_s")
STAGES = ("trace_s", "lower_s", "compile_s", "first_call_s", "returned_s", "to_device_s", "to_host_s", "floor_s")
MEMORY = ("argument_bytes", "output_bytes", "temporary_bytes", "code_bytes", "peak_bytes", "process_bytes")


def timing_csv(measurements: Iterable[Measurement], about: Mapping[str, str] | None = None) -> str:
    """Return a header and one line for each final measurement; times in seconds, empty where there is none.

    Each parameter has a column of its own. Notes and a failure share one column, parted by semicolons. What `about`
    says stands in every line, in columns at the end.
    """
    final = [each for each in measurements if each.final]
    parameters = tuple(dict.fromkeys(name for each in final for name in each.parameters))
    columns = (
        "variant",
        "transforms",
        *parameters,
        *FIGURES,
        "samples",
        "calls_per_sample",
        *STAGES,
        "cold",
        *MEMORY,
        "device",
        "wrong_way",
        "cut_short",
        "badges_failed",
        "notes",
        *(about or {}),
    )
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for each in final:
        cells = {**_cells(each), **(about or {})}
        writer.writerow(each.parameters.get(column) if column in parameters else cells[column] for column in columns)
    return text.getvalue()


def _cells(measurement: Measurement) -> dict[str, Any]:
    return {
        "variant": measurement.variant,
        "transforms": " ".join(measurement.transforms),
        **{name: getattr(measurement, name) for name in (*FIGURES, *STAGES, "cold")},
        "samples": measurement.samples_s.shape[0] if measurement.samples_s else 0,
        "calls_per_sample": measurement.calls_per_sample,
        **{name: getattr(measurement.memory, name, None) for name in MEMORY},
        "device": measurement.device,
        "wrong_way": measurement.wrong_way,
        "cut_short": measurement.cut_short,
        "badges_failed": "; ".join(each.name for each in measurement.badges if each.ok is False),
        "notes": "; ".join(_notes(measurement)),
    }


def _notes(measurement: Measurement) -> list[str]:
    failure = measurement.failure
    reasons = [f"{failure.type}: {failure.message}"] if failure is not None else []
    return [*reasons, *note_lines(measurement)]
