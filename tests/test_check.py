from __future__ import annotations

import pytest

from explorer.check import Checked, judge
from explorer.diagnostics import text
from explorer.messages import Failure, Finding, Level, Report, Snapshot, Span
from explorer.scenario import Scenario, Texts, VariantPlan

PLANS = (
    VariantPlan("bug", Texts("Bug"), expects=("shared-noise",)),
    VariantPlan("fix", Texts("Fix")),
    VariantPlan("fails", Texts("Fails"), error="TypeError"),
)
SCENARIO = Scenario("one", "built-in", "one/code.py", "import jax\nkey = 한글(jax)\n", Texts("One"), variants=PLANS)
BARE = Scenario("/x/own.py", "file", "/x/own.py", SCENARIO.source, Texts("own.py"))


def found(name: str, *kinds: str, level: Level = "bug", error: str = "") -> Report:
    findings = tuple(Finding(kind, level, "Why.", (Span(2, 6, 2, 13), Span(1, 0, 1, 6))) for kind in kinds)
    return Report(name, "error" if error else "ok", Failure(error, "no") if error else None, findings=findings)


@pytest.mark.parametrize(
    ("scenario", "report", "code", "words"),
    [
        (SCENARIO, found("bug", "shared-noise"), 0, ""),
        (SCENARIO, found("bug"), 1, "expected is shared-noise"),
        (SCENARIO, found("bug", "shared-noise", "key-reuse"), 1, "has key-reuse, shared-noise"),
        (SCENARIO, found("fix", "unused-key", level="note"), 0, ""),
        (SCENARIO, found("fix", "key-reuse"), 1, "expected is nothing"),
        (SCENARIO, found("fails", error="TypeError"), 0, ""),
        (SCENARIO, found("fails", error="ValueError"), 2, "raised ValueError"),
        (SCENARIO, found("fails"), 2, "raised nothing"),
        (SCENARIO, found("fix", error="ValueError"), 2, "failed: ValueError"),
        (BARE, found("own"), 0, ""),
        (BARE, found("own", "key-reuse"), 1, "has key-reuse"),
        (BARE, found("own", "key-reuse", error="E"), 2, "failed"),
    ],
)
def test_a_program_is_held_to_what_it_must_show(scenario: Scenario, report: Report, code: int, words: str) -> None:
    complaints, exit_code = judge(scenario, Snapshot(1, "cpu:0", True, reports=(report,)))
    assert exit_code == code
    assert words in " ".join(complaints)
    assert bool(complaints) == bool(code)


def test_code_that_cannot_run_is_exit_code_2() -> None:
    snapshot = Snapshot(1, "cpu:0", True, failure=Failure("SyntaxError", "bad"))
    assert judge(BARE, snapshot) == (("SyntaxError: bad",), 2)


def test_both_places_of_a_finding_are_quoted_and_marked() -> None:
    snapshot = Snapshot(1, "cpu:0", True, reports=(found("own", "key-reuse"),))
    lines = text(BARE, Checked("0", snapshot, (), 1), colour=False).splitlines()
    assert lines[0] == "own: 1 bug"
    assert lines[1] == "  bug: key-reuse: Why."
    assert lines[2] == "    first /x/own.py:2:7"
    assert lines[3].endswith("| key = 한글(jax)")
    assert lines[5] == "    then /x/own.py:1:1"
    assert lines[7].endswith("| ^^^^^^")
