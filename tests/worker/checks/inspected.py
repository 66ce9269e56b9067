"""Small programs watched while they are traced, with the expected findings written at their lines."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from explorer.messages import Finding
from explorer.worker.checks.tracing import recompiles
from explorer.worker.checks.tracing.inspection import Inspection
from explorer.worker.code import calls, trees, user_code
from explorer.worker.program.retraces import Meter

PROGRAMS = Path(__file__).parents[2] / "checks"
_EXPECTED = re.compile(r"# ((?:bug|warning|note): .*)$")

Findings = set[tuple[int, str]]


def programs(kind: str, sort: str) -> dict[str, str]:
    """Return the source of each ``tests/checks/KIND/while_tracing/SORT_*.py`` by its name; `sort` is bad or good."""
    paths = sorted((PROGRAMS / kind.replace("-", "_") / "while_tracing").glob(f"{sort}_*.py"))
    return {path.stem.removeprefix(f"{sort}_").replace("_", " "): path.read_text(encoding="utf-8") for path in paths}


@functools.cache
def found(source: str, filename: str = "<case>", *, variant: str = "run") -> tuple[Finding, ...]:
    """Return the findings of `variant` of `source`. Raises what it raises."""
    inspection, meter = Inspection(lambda name: name == filename), Meter(lambda name: name == filename)
    with inspection.watching():
        program = user_code.load(source, filename, compiled=inspection.compiled)
        with meter.watching():
            trees.waited_for(calls.call(program.function(variant, ()), {}))
    return (*inspection.findings(), *recompiles.find(meter.traces(), meter.bodies()))


def findings_of(source: str, *, variant: str = "run") -> Findings:
    """Return the line, and the level and the kind, of each finding."""
    return {(each.line or 0, f"{each.level}: {each.kind}") for each in found(source, variant=variant)}


def expected(source: str) -> Findings:
    """Return the findings written at the lines of `source`."""
    lines = ((number, _EXPECTED.search(line)) for number, line in enumerate(source.split("\n"), 1))
    return {(number, each) for number, words in lines if words for each in words[1].split(", ")}
