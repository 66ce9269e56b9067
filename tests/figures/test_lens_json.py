"""The JSON of lenses has the fields that docs promise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
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
from explorer.messages.lenses.lens import Lens
from explorer.messages.lenses.memory import EagerArray, Kept
from explorer.messages.lenses.registry import LENSES
from explorer.messages.lenses.time import LineShare, TimeLens
from explorer.text.text import Text
from tests.views.program.lenses.lens_answers import CALLS, DEVICES, GRADIENT, MEMORY, VMAP

SAMPLES: dict[str, Lens] = {
    "vmap": VMAP,
    "gradient": GRADIENT,
    "calls": CALLS,
    "devices": DEVICES,
    "memory": msgspec.structs.replace(MEMORY, kept=(Kept("history", 3, 1, 4, 0),), eager=(EagerArray("f32[]", 4, 1),)),
    "time": TimeLens(shares=(LineShare((1,), 1.0, None, None),)),
}


def test_vmap_shows_each_equation_for_one_example_and_for_the_batch() -> None:
    found = VMAP.as_json()
    assert found["axes"] == ["i"]
    assert [each["primitive"] for each in found["equations"]] == [each.primitive for each in VMAP.equations]
    for record, equation in zip(found["equations"], VMAP.equations, strict=True):
        assert list(record) == ["id", "primitive", "line", "one", "batch", "mapped", "became"]
        assert (record["batch"], record["mapped"]) == (list(equation.batch), [list(each) for each in equation.mapped])


def test_gradient_shows_both_passes_and_what_is_kept_between_them() -> None:
    found = GRADIENT.as_json()
    assert list(found) == ["forward", "backward", "residuals", "residual_bytes"]
    last = {"id": 9, "primitive": "mul", "line": 3, "outputs": ["f32[5]"], "finite": False, "of": 0}
    assert found["backward"][-1] == last
    assert sum(each["bytes"] for each in found["residuals"]) == found["residual_bytes"]


def test_calls_show_the_cache_key_and_its_difference() -> None:
    found = CALLS.as_json()
    assert [each["hit"] for each in found] == [False, True, False]
    assert found[0]["lines"] == [4, 5, 7]
    assert found[0]["leaks"] == [{"name": "seen[0]", "type": "f32[3]", "line": 5}]
    assert found[2]["differs"] == ["shape of x", "static value of n"]
    assert found[2]["asked"] == {
        "shape of x": "(5,)",
        "dtype of x": "float32",
        "weak type of x": False,
        "static value of n": "2",
        "structure": "(*, n=static)",
        "function object": 1,
    }
    assert [each["traces"] for each in found] == [1, 1, 2]


def test_devices_shows_each_array_and_who_holds_which_part_of_it() -> None:
    found = DEVICES.as_json()
    assert [each["array"] for each in found] == ["x", "n", "xs", "w", "output"]
    assert found[1] == {"array": "n", "sharding": "", "pieces": []}
    assert found[2]["pieces"][2] == {"device": 2, "index": "[4:8, :]", "replicated": True}


def test_memory_shows_each_buffer_and_the_peak() -> None:
    found = MEMORY.as_json()
    assert [each["live"] for each in found["buffers"]] == [
        [list(span) for span in each.spans] for each in MEMORY.blocks
    ]
    assert (found["peak_bytes"], found["peak_line"]) == (max(found["live_bytes"]), 5)
    assert (found["reserved_bytes"], found["library_bytes"]) == (2048 + 1024 + 6144, 1 << 20)


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


def test_every_field_of_a_lens_and_of_curves_is_documented() -> None:
    assert set(SAMPLES) == set(LENSES)
    lines = (Path(__file__).parents[2] / "docs" / "json.md").read_text(encoding="utf-8").split("\n")
    for name, lens in SAMPLES.items():
        (line,) = (each for each in lines if each.startswith(f"| `{name}.json`"))
        assert set(fields(lens.as_json())) <= set(re.findall(r"`(\w+)`", line)), name
    numbers = Array.of(np.zeros(1))
    curve = Curve("carry", "x", "f32[]", 0, 1, numbers, numbers, numbers, numbers, numbers)
    loop = Iterations("scan", 1, 0, numbers, (curve,)).as_json()
    assert set(fields({"variant": "", "line": 0, **loop})) <= documented("The lenses of export")


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
