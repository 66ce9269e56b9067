"""Snapshots and measurements in the JSON form that scripts rely on; ``key_hex``, the digits of a key."""

from __future__ import annotations

from typing import Any

from explorer.figures.curves import note_lines
from explorer.figures.timing_csv import FIGURES, STAGES
from explorer.messages import PARTS, Failure, Finding, FunctionTraces, KeyGraph, Measurement, Place, Report, Snapshot

MEASURED = ("variant", "transforms", "parameters", "device", "calls_per_sample", "cold", "cut_short")
MAX_KEYS = 100
"""Largest number of keys per finding; `count`, `examples` and `distinct` cover the rest."""


def check_record(target: str, jax_version: str, snapshot: Snapshot) -> dict[str, Any]:
    """Return the output of ``check --json``."""
    return {
        "target": target,
        "jax": jax_version,
        "device": snapshot.device,
        "error": failure_record(snapshot.failure),
        "variants": [report_record(report) for report in snapshot.reports],
    }


def report_record(report: Report) -> dict[str, Any]:
    """Return one entry of "variants"."""
    graph, extents = report.keys, {look.part: look.extent for look in report.coverage}
    counts = {
        "seeds": graph.seeds if graph else 0,
        "splits": graph.splits if graph else 0,
        "nodes": graph.nodes if graph else 0,
        "draws": graph.draws if graph else 0,
    }
    record = {
        "name": report.name,
        "status": report.status,
        "printed": report.printed,
        "error": failure_record(report.failure),
        "keys": counts,
        "looked_at": {part: extents.get(part, "no") for part in PARTS},
        "findings": [finding_record(finding, graph) for finding in report.findings or ()],
    }
    if report.traces is not None:
        record["traces"] = [_traces_record(each) for each in report.traces]
    if report.jax_checker is not None:
        checker = report.jax_checker
        record["jax_checker"] = {
            "static": checker.static.text,
            "runtime": checker.runtime.text,
            "comparison": str(checker.comparison),
        }
    return record


def _traces_record(traces: FunctionTraces) -> dict[str, Any]:
    """Return one entry of "traces": a jitted function, its numbers of traces and compilations, and the reasons."""
    return {
        "name": traces.name,
        "line": traces.span.line if traces.span else None,
        "traces": traces.traces,
        "compiles": traces.compiles,
        "trace_s": traces.trace_s,
        "lower_s": traces.lower_s,
        "compile_s": traces.compile_s,
        "events": [
            {
                "reason": each.reason,
                "sentence": str(each.sentence),
                "line": each.span.line if each.span else None,
                "count": each.count,
            }
            for each in traces.events
        ],
    }


def run_record(jax_version: str, report: Report) -> dict[str, Any]:
    """Return the output of ``run --json``, for a stand-alone program whose code may be in several files."""
    record = report_record(report)
    places = [[span.file for span in finding.spans] for finding in report.findings or ()]
    return {
        "target": report.name,
        "jax": jax_version,
        "status": report.status,
        "error": record["error"],
        "keys": record["keys"],
        "looked_at": record["looked_at"],
        "findings": [{**finding, "files": files} for finding, files in zip(record["findings"], places, strict=True)],
        "notes": list(map(str, report.keys.notes)) if report.keys else [],
        "curves": [each.as_json() for each in report.calls],
    }


def finding_record(finding: Finding, graph: KeyGraph | None) -> dict[str, Any]:
    """Return one entry of "findings"; keys are given by their data in hexadecimal."""
    return {
        "kind": finding.kind,
        "level": finding.level,
        "message": str(finding.message),
        "line": finding.line,
        "lines": [span.line for span in finding.spans],
        "places": [_place_record(place) for place in finding.places],
        "axis": finding.axis,
        "examples": finding.examples,
        "distinct": finding.distinct,
        "count": finding.count,
        "lesson": finding.lesson,
        "keys": [key_hex(graph, key) for key in finding.keys[:MAX_KEYS]] if graph else [],
    }


def _place_record(place: Place) -> dict[str, Any]:
    record: dict[str, Any] = {"role": place.role, "line": place.span.line}
    return {**record, "file": place.span.file} if place.span.file else record


def failure_record(failure: Failure | None) -> dict[str, Any] | None:
    """Return the value of "error"."""
    if failure is None:
        return None
    return {
        "type": failure.type,
        "message": str(failure.message),
        "line": failure.line,
        "explanation": str(failure.explanation),
    }


def measurement_record(measurement: Measurement) -> dict[str, Any]:
    """Return one entry of "points" of ``time --json``; times are in seconds per call."""
    return {
        **{name: getattr(measurement, name) for name in (*MEASURED, *FIGURES, *STAGES)},
        "transforms": list(measurement.transforms),
        "samples": measurement.samples_s.shape[0] if measurement.samples_s else 0,
        "notes": note_lines(measurement),
        "error": failure_record(measurement.failure),
    }


def key_hex(graph: KeyGraph, key: int) -> str:
    """Return the key data of node `key` as hexadecimal digits."""
    return "".join(f"{int(word):08x}" for word in graph.data.numpy()[key])
