"""The JSON for scripts has the fields that docs promise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from explorer.figures import json_records
from explorer.messages import (
    SILENT,
    Array,
    Curve,
    Failure,
    Finding,
    FunctionTraces,
    Iterations,
    JaxChecker,
    Measurement,
    Place,
    Report,
    Snapshot,
    Span,
    TraceEvent,
)
from explorer.text.text import Text


def fields(record: Any) -> Iterator[str]:
    if isinstance(record, list):
        for each in record:
            yield from fields(each)
    elif isinstance(record, dict):
        for name, value in record.items():
            yield name
            # The parts of a cache key are named after its arguments.
            yield from fields(value) if name not in ("asked", "parameters") else ()


def documented(heading: str) -> set[str]:
    text = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8")
    (section,) = (each for each in text.split("\n## ") if each.startswith(heading))
    return set(re.findall(r"`(\w+)`", section))


def test_every_field_of_curves_is_documented() -> None:
    numbers = Array.of(np.zeros(1))
    curve = Curve("carry", "x", "f32[]", 0, 1, numbers, numbers, numbers, numbers, numbers)
    loop = Iterations("scan", 1, 0, numbers, (curve,)).as_json()
    assert set(fields({"line": 0, **loop})) <= documented("check and run")


def test_every_field_of_check_run_and_time_is_documented() -> None:
    span = Span(1, 0, 1, 4, "other.py")
    report = Report(
        "f",
        failure=Failure("ValueError", "no"),
        findings=(Finding("key-reuse", "bug", "Twice.", (span,), places=(Place("draw", span),)),),
        traces=(FunctionTraces("f", span, 1, 1, (TraceEvent("first", Text("")),)),),
        jax_checker=JaxChecker(SILENT, SILENT, Text("Alike.")),
    )
    check = json_records.check_record("f.py", "0.10", Snapshot(1, "", complete=True, reports=(report,)))
    known = documented("check and run")
    assert set(fields(check)) | set(fields(json_records.run_record("0.10", report))) <= known
    point = Measurement(0, "f", ("jit",), {}, "cpu:0")
    assert set(fields(json_records.measurement_record(point))) <= documented("time\n")
