"""Bugs that were found and fixed in public repositories, each rewritten as a small program, broken and fixed.

The first line of ``real_fixes/bad_x.py`` names the source. The expected findings are written at its lines;
``fixed_x.py`` has none.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest

from explorer.commands.programs import run
from explorer.commands.programs.script import Script
from tests.corpus.cases import Marks, marks_in
from tests.worker.checks import watched

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype")

OF_TRACING = ("host-random", "host-state", "leaked-tracer", "recompiles")
UNSEEN_BY_RUN = ("host-state", "leaked-tracer")
"""`run` leaves the code unchanged, and sees no state. In this process the script is not searched for tracers."""
BAD = sorted((Path(__file__).parent / "real_fixes").glob("bad_*.py"))
each_bug = pytest.mark.parametrize("bad", BAD, ids=lambda path: path.stem.removeprefix("bad_"))


def expected(source: str) -> Marks:
    return {(number, mark) for number, line in enumerate(source.split("\n"), 1) for mark in marks_in(line)}


def findings_of(source: str) -> Marks:
    """Return the findings of tracing in ``main`` of `source`."""
    found = watched.found_while_tracing(source, "main")
    return {(each.line or 0, f"{each.level}: {each.kind}") for each in found}


def serious(found: Marks, *kinds: str) -> Marks:
    """Return those of `found` that are no notes, of `kinds` if there are any."""
    return {each for each in found if not each[1].startswith("note") and (not kinds or each[1].endswith(kinds))}


def fixed(bad: Path) -> Path:
    return bad.with_name(bad.name.replace("bad_", "fixed_"))


def findings_of_run(script: Path, file: Path) -> Marks:
    """Return the findings of ``jax-explorer run --values`` for a script, read from the report in `file`."""
    run.run(Script(str(script)), str(file), values=True)
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert record["error"] is None
    return serious({(each["line"], f"{each['level']}: {each['kind']}") for each in record["findings"]})


@pytest.fixture(autouse=True)
def the_width_of_numbers_is_put_back() -> Iterator[None]:
    yield
    jax.config.update("jax_enable_x64", False)


@pytest.fixture(autouse=True)
def pythons_own_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore Python's own error report, which pytest-qt replaces."""
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)


@each_bug
def test_what_is_traced_is_reported_for_the_broken_program_only(bad: Path) -> None:
    source = bad.read_text(encoding="utf-8")
    assert serious(findings_of(source)) == serious(expected(source), *OF_TRACING)
    assert serious(findings_of(fixed(bad).read_text(encoding="utf-8"))) == set()


@each_bug
def test_a_run_reports_the_broken_program_only(bad: Path, tmp_path: Path) -> None:
    source = bad.read_text(encoding="utf-8")
    wanted = {each for each in expected(source) if not each[1].endswith(UNSEEN_BY_RUN)}
    assert findings_of_run(bad, tmp_path / "bad.json") == wanted
    assert findings_of_run(fixed(bad), tmp_path / "fixed.json") == set()


def test_each_names_its_source() -> None:
    sources = [path.read_text(encoding="utf-8").split("\n")[0].strip('"') for path in BAD]
    assert len(set(sources)) == len(sources) >= 10
    assert all(" 0" not in each and each.rpartition(" ")[2].isdigit() and "/" in each for each in sources)
