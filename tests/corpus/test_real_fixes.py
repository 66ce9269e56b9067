"""Bugs that were found and repaired in public repositories are reported for scripts too, and only where they are."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from explorer.commands.programs import run
from explorer.commands.programs.script import Script
from tests.corpus.cases import Case, cases

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype")

UNSEEN_BY_RUN = ("host-state", "leaked-tracer")
"""`run` leaves the code unchanged, and sees no state. In this process the script is not searched for tracers."""
CASES = cases("real-fixes")


@pytest.fixture(autouse=True)
def pythons_own_last_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore Python's own error report, which pytest-qt replaces."""
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_run_with_values_reports_what_is_no_note(case: Case, tmp_path: Path) -> None:
    script, file = tmp_path / "script.py", tmp_path / "findings.json"
    script.write_text(f"{case.source}\nprint({case.name}())\n", encoding="utf-8")
    run.run(Script(str(script)), str(file), values=True)
    record: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    assert record["error"] is None
    found = {(each["line"], f"{each['level']}: {each['kind']}") for each in record["findings"]}
    assert {each for each in found if not each[1].startswith("note")} == {
        each for each in case.marks if not each[1].startswith("note") and not each[1].endswith(UNSEEN_BY_RUN)
    }


def test_each_names_its_source_and_has_its_repaired_twin() -> None:
    broken = [case for case in CASES if not case.name.startswith("repaired_")]
    repaired = [case for case in CASES if case not in broken]
    assert [case.name for case in repaired] == [f"repaired_{case.name}" for case in broken if case.marks]
    origins = {case.origin for case in broken}
    assert len(origins) == len(broken) >= 10
    assert all(origins)
