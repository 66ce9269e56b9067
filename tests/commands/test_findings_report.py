from __future__ import annotations

import msgspec
import pytest

from explorer.commands import findings_report
from explorer.commands.check import CheckResult
from explorer.commands.code_excerpts import Sources
from explorer.commands.findings_report import report_text, text
from explorer.messages import (
    PARTS,
    SILENT,
    CheckerAnswer,
    Coverage,
    Extent,
    Failure,
    Finding,
    JaxChecker,
    Part,
    Report,
    Snapshot,
    Span,
)
from explorer.scenario.scenario import Scenario, VariantPlan
from explorer.scenario.texts import Texts
from explorer.text.text import Text, say

FILES = {
    "a.py": ["import jax", "def f(key):", "    한글 = draw(key)", "\treturn draw(key) + draw(key)", "", "f(key)"],
    "b.py": ["draw(key)"],
}
CODE = Sources(lambda file: FILES.get(file, []), lambda file: file)


def span(line: int, column: int, end_column: int, file: str = "a.py") -> Span:
    return Span(line, column, line, end_column, file)


def reused(*spans: Span) -> Finding:
    return Finding("key-reuse", "bug", "One key is used twice. Split it.", spans)


def look(part: Part, extent: Extent = "whole", says: str = "clean") -> Coverage:
    return Coverage(part, extent, part, says)


def block(*findings: Finding, failure: Failure | None = None) -> list[str]:
    """Return the report of a program with these findings, less the line that counts."""
    report = Report("own", failure=failure, findings=findings, coverage=(look("keys"),))
    return report_text(report, CODE, colour=False).splitlines()[:-2]


def test_a_finding_is_a_sentence_with_both_places_marked_and_what_to_do() -> None:
    assert block(reused(span(3, 9, 18), span(6, 0, 6))) == [
        "bug[key-reuse]: One key is used twice",
        " --> a.py:3:10",
        "  |",
        "3 |     한글 = draw(key)",
        "  |            ^^^^^^^^^ used here",
        "...",
        "6 | f(key)",
        "  | ^^^^^^ used again here",
        "  = help: Split it.",
    ]


def test_places_stand_in_the_order_of_the_code_and_the_first_use_names_the_place() -> None:
    lines = block(reused(span(6, 0, 6), span(3, 9, 18)))
    assert lines[1] == " --> a.py:6:1"
    assert [line[0] for line in lines[3:8:2]] == ["3", ".", " "]
    assert lines[7].endswith("^^^^^^ used here")


def test_two_places_on_one_line_are_marked_under_one_quote_and_an_equal_one_once() -> None:
    lines = block(reused(span(4, 8, 17), span(4, 20, 29)))
    assert lines[3:6] == [
        "4 | \treturn draw(key) + draw(key)",
        "  | \t       ^^^^^^^^^ used here",
        "  | \t                   ^^^^^^^^^ used again here",
    ]
    lines = block(reused(span(6, 0, 6), span(6, 0, 6)))
    assert lines[4:] == ["  | ^^^^^^ used here each time", "  = help: Split it."]


def test_places_in_two_files_are_quoted_each_under_its_own_name_if_they_can_be_read() -> None:
    lines = block(reused(span(6, 0, 6), span(1, 0, 9, "b.py")))
    assert lines[1] == " --> a.py:6:1"
    assert lines[5:8] == [" ::: b.py:1:1", "  |", "1 | draw(key)"]
    assert block(reused(span(12, 0, 6, "gone.py")))[1:] == ["  --> gone.py:12:1", "   = help: Split it."]


def test_a_place_of_several_lines_is_marked_to_the_end_of_its_first() -> None:
    assert block(reused(Span(3, 9, 4, 5, "a.py")))[4] == "  |            ^^^^^^^^^ used here"


@pytest.mark.parametrize(
    ("message", "head"),
    [(say("It is shared."), "It is shared (3 times)"), (say("{count} are shared.", count="3"), "3 are shared")],
)
def test_a_finding_without_a_place_is_a_sentence_and_how_often_is_reported_once(message: Text, head: str) -> None:
    assert block(Finding("shared-noise", "bug", message, count=3)) == [f"bug[shared-noise]: {head}"]


def test_an_error_shows_its_place_and_what_it_means() -> None:
    failure = Failure("TypeError", "bad shapes\nmore of it", span(6, 0, 6), "Transpose one.")
    assert block(failure=failure) == [
        "error[TypeError]: bad shapes",
        " --> a.py:6:1",
        "  |",
        "6 | f(key)",
        "  | ^^^^^^",
        "  = more of it",
        "  = help: Transpose one.",
    ]


@pytest.mark.parametrize("kind", ["SystemExit", "KeyboardInterrupt"])
def test_a_program_that_quits_or_is_stopped_has_no_error(kind: str) -> None:
    report = Report("own", failure=Failure(kind, ""), coverage=(look("keys", "ended"),))
    assert report_text(report, CODE, colour=False) == "Keys: clean"


def test_bugs_come_first_and_more_than_can_be_read_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings_report, "MAX_SHOWN", 2)
    notes = [Finding("unused-key", "note", "Unused.")] * 3
    found = Report("own", findings=(*notes, reused()), coverage=(look("keys", says="1 bug, 3 notes"), look("values")))
    lines = report_text(found, CODE, colour=False).splitlines()
    assert lines[0].startswith("bug[key-reuse]")
    assert lines[-3:] == ["... and 2 more findings", "", "Keys: 1 bug, 3 notes · Values: clean"]


def test_the_lesson_of_a_finding_is_named_once_and_not_where_it_is_open() -> None:
    found = [msgspec.structs.replace(reused(span(row, 0, 6)), lesson=lesson) for row, lesson in ((3, "a"), (6, "a"))]
    lesson_lines = [line for line in block(*found) if "lesson" in line]
    assert lesson_lines == ["  = lesson: jax-explorer open a"]
    snapshot = Snapshot(1, "cpu:0", True, reports=(Report("one", "ok", findings=tuple(found)),))
    for scenario, count in ((BARE, 1), (msgspec.structs.replace(LESSON, id="a"), 0)):
        assert text(scenario, CheckResult("0", snapshot, (), 1), colour=False).count("= lesson:") == count


def test_what_the_checker_of_jax_says_stands_below_with_the_comparison() -> None:
    report = Report("own", jax_checker=JaxChecker(SILENT, CheckerAnswer("alarm", "Previously used."), "It agrees."))
    said = ["jax: It agrees.", "  = static check: finds nothing", "  = check of a run: Previously used."]
    assert report_text(report, CODE, colour=False).splitlines()[:3] == said


# -- a check of several variants --------------------------------------------------------------

PLAN = VariantPlan("two", Texts("Two"), expects=("key-reuse",))
BARE = Scenario("/x/own.py", "file", "/x/own.py", "f(key)\n", Texts("own.py"))
LESSON = Scenario("lesson", "built-in", "lesson/code.py", "f(key)\n", Texts("Lesson"), variants=(PLAN,))
REPORTS = (
    Report("one", "ok", findings=(), coverage=(look("keys"), look("tracing"))),
    Report("two", "error", Failure("ValueError", "no"), findings=(reused(),), coverage=(look("keys", says="1 bug"),)),
)


def checked(scenario: Scenario, exit_code: int) -> list[str]:
    snapshot = Snapshot(1, "cpu:0", True, reports=REPORTS)
    return text(scenario, CheckResult("0", snapshot, (), exit_code), colour=False).splitlines()


def test_each_variant_has_its_verdict_and_the_last_line_counts_all() -> None:
    lines = checked(BARE, 2)
    assert lines[0] == "one: Keys: clean · Tracing: clean"
    assert lines[2] == "two: ValueError · Keys: 1 bug"
    assert lines[-1] == "1 error, 1 bug in 2 variants"


NOTE = Finding("unused-key", "note", "Unused.")


@pytest.mark.parametrize(
    ("reports", "sentence"),
    [
        ((Report("a", "ok", coverage=tuple(map(look, PARTS))),), "1 variant: no bug in keys, tracing and values"),
        (
            (
                Report("a", "ok", coverage=(look("keys"), look("values", "timeout"))),
                Report("b", coverage=(look("keys"),)),
            ),
            "2 variants: no bug in keys",
        ),
        (
            (Report("a", "ok", findings=(NOTE,), coverage=(look("keys"), look("tracing"))),),
            "1 note in 1 variant; no bug in keys and tracing",
        ),
        ((Report("a", "timeout", Failure("Timeout", "")),), "1 error in 1 variant"),
    ],
)
def test_no_bugs_covers_only_checks_made_in_all_variants(reports: tuple[Report, ...], sentence: str) -> None:
    lesson_lines = text(BARE, CheckResult("0", Snapshot(1, "cpu:0", True, reports=reports), (), 0), colour=False)
    assert lesson_lines.splitlines()[-1] == sentence


def test_the_last_line_says_that_a_lesson_shows_what_it_must() -> None:
    assert checked(LESSON, 0)[-1] == "1 error, 1 bug in 2 variants, as the scenario expects"
    assert checked(LESSON, 1)[-1] == "1 error, 1 bug in 2 variants"


def test_code_that_cannot_run_is_reported_and_nothing_is_counted() -> None:
    snapshot = Snapshot(1, "cpu:0", True, failure=Failure("SyntaxError", "bad", Span(1, 1, 1, 2)))
    lines = text(BARE, CheckResult("0", snapshot, (), 2), colour=False).splitlines()
    assert lines == ["error[SyntaxError]: bad", " --> /x/own.py:1:2", "  |", "1 | f(key)", "  |  ^"]


def test_colours_are_only_there_when_asked_for() -> None:
    report = Report("own", findings=(reused(span(6, 0, 6)),))
    assert "\x1b[" not in report_text(report, CODE, colour=False)
    assert "\x1b[1;31m^^^^^^ used here\x1b[0m" in report_text(report, CODE, colour=True)


def test_a_variant_that_quits_gives_no_result_and_says_its_words() -> None:
    quits = Failure("SystemExit", "The program quit and said: no data", span(6, 0, 6))
    snapshot = Snapshot(1, "cpu:0", True, reports=(Report("f", "error", failure=quits), Report("g", "ok", findings=())))
    lines = text(BARE, CheckResult("0", snapshot, (), 2), colour=False).splitlines()
    assert "error[SystemExit]: The program quit and said: no data" in lines
    assert lines[-1].startswith("1 error in 2 variants")
