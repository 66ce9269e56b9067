"""Real bugs are told at their lines, and their fixes are not."""

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
from tests.worker.checks.inspected import Told, expected, told
from tests.worker.checks.real_fixes.cases import FIXES, HEAD, TAIL, RealFix

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype")

OF_TRACING = ("host-random", "host-state", "leaked-tracer", "recompiles")
UNSEEN_BY_RUN = ("host-state", "leaked-tracer")
"""`run` leaves the code as it is, and sees nothing of state. In this process the script is not what it looks through
for tracers."""
CASES = [pytest.param(fix, id=name) for name, fix in FIXES.items()]


def serious(found: Told, *kinds: str) -> Told:
    """Return those of `found` that are no notes, of `kinds` if there are any."""
    return {each for each in found if not each[1].startswith("note") and (not kinds or each[1].endswith(kinds))}


def told_by_run(folder: Path, program: str) -> Told:
    """Return what ``jax-explorer run --values`` tells of a script."""
    script, file = folder / "train.py", folder / "report.json"
    script.write_text(HEAD + program + TAIL, encoding="utf-8")
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
    """Put Python's way to say an error in the place of that of pytest-qt."""
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)


@pytest.mark.parametrize("fix", CASES)
def test_what_is_traced_is_told_of_the_broken_program_only(fix: RealFix) -> None:
    wanted = serious(expected(HEAD + fix.broken), *OF_TRACING)
    assert serious(told(HEAD + fix.broken, variant="main")) == wanted
    assert serious(told(HEAD + fix.fixed, variant="main")) == set()


@pytest.mark.parametrize("fix", CASES)
def test_a_run_tells_of_the_broken_program_only(fix: RealFix, tmp_path: Path) -> None:
    wanted = {each for each in expected(HEAD + fix.broken) if not each[1].endswith(UNSEEN_BY_RUN)}
    assert told_by_run(tmp_path, fix.broken) == wanted
    assert told_by_run(tmp_path, fix.fixed) == set()


def test_each_names_its_source() -> None:
    sources = [fix.source for fix in FIXES.values()]
    assert len(set(sources)) == len(sources) >= 10
    assert all(" 0" not in each and each.rpartition(" ")[2].isdigit() and "/" in each for each in sources)
