"""The SARIF log, by the requirements of version 2.1.0 and of code scanning; and annotations, one line each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from explorer.commands.in_ci.problems import FileProblem, LabelledSpan, github_text, log
from explorer.diagnostics.registry import checks
from explorer.messages import Level, Span

ROOT = Path("/repository").absolute()
HERE = LabelledSpan(str(ROOT / "src/a b.py"), Span(3, 4, 3, 9), "used here")
AGAIN = LabelledSpan(str(ROOT / "src/b.py"), Span(7, 0, 8, 2), "used again here")
REUSE = FileProblem("key-reuse", "bug", "Two draws.", (HERE, AGAIN), "seed_and_key")
UNUSED = FileProblem("unused-key", "note", "One key is never used.", (LabelledSpan(str(ROOT / "a.py"), None),))
ERROR = FileProblem("ValueError", "bug", "ValueError: no", (HERE,), is_error=True)


def run_of(*problems: FileProblem) -> dict[str, Any]:
    found = log(problems, ROOT, tool="1.2")
    assert found["version"] == "2.1.0"
    assert found["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = found["runs"]
    return run


def test_a_result_has_its_rule_level_message_and_places() -> None:
    (result,) = run_of(REUSE)["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("key-reuse", 0, "error")
    assert result["message"]["text"] == "Two draws. See the lesson: jax-explorer open seed_and_key."
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "src/a%20b.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 10},
    }
    (related,) = result["relatedLocations"]
    assert (related["id"], related["message"]["text"]) == (1, "used again here")
    assert related["physicalLocation"]["region"] == {"startLine": 7, "startColumn": 1, "endLine": 8, "endColumn": 3}


def test_the_tool_and_its_rules_are_named_once() -> None:
    run = run_of(REUSE, UNUSED, REUSE)
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("jax-explorer", "1.2")
    assert [rule["id"] for rule in driver["rules"]] == ["key-reuse", "unused-key"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0]
    assert run["columnKind"] == "unicodeCodePoints"


def test_a_program_that_failed_was_not_checked_to_its_end() -> None:
    run = run_of(ERROR)
    assert run["invocations"] == [{"executionSuccessful": False}]
    assert run["results"][0]["ruleId"] == "program-error"
    assert run_of(REUSE)["invocations"] == [{"executionSuccessful": True}]


def test_a_place_without_a_span_is_the_first_line_and_a_file_elsewhere_an_address() -> None:
    (result,) = run_of(UNUSED)["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}
    elsewhere = Path("/elsewhere/a.py").absolute()
    (result,) = run_of(FileProblem("nan", "bug", "NaN.", (LabelledSpan(str(elsewhere), None),)))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": elsewhere.as_uri()}


def test_each_result_leads_to_its_rule() -> None:
    (run,) = log([REUSE, UNUSED, REUSE, ERROR], ROOT, tool="1.2")["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["key-reuse", "unused-key", "program-error"]
    assert [result["ruleIndex"] for result in run["results"]] == [0, 1, 0, 2]


@pytest.mark.parametrize("kind", [*checks(), "lesson", "program-error"])
def test_every_rule_says_what_it_is_about(kind: str) -> None:
    found = log([FileProblem(kind, "bug", "Something.", (HERE,))], ROOT, tool="1")
    (rule,) = found["runs"][0]["tool"]["driver"]["rules"]
    assert rule["id"] == kind
    assert rule["shortDescription"]["text"].endswith(".")


# -- annotations of GitHub ---------------------------------------------------------------------


def line(message: str = "Two draws.", *places: LabelledSpan, level: Level = "bug") -> str:
    return github_text([FileProblem("key-reuse", level, message, places)], ROOT)


def place(span: Span | None, words: str = "", file: str = "src/a.py") -> LabelledSpan:
    return LabelledSpan(str(ROOT / file), span, words)


def test_a_place_in_one_line_has_columns_from_1_and_one_of_several_has_none() -> None:
    written = line("Two draws.", place(Span(3, 4, 3, 9)))
    assert written == "::error file=src/a.py,line=3,endLine=3,col=5,endColumn=10,title=key-reuse::Two draws.\n"
    written = line("Two draws.", place(Span(3, 4, 5, 9)), level="warning")
    assert written == "::warning file=src/a.py,line=3,endLine=5,title=key-reuse::Two draws.\n"


def test_what_ends_a_command_or_a_property_is_escaped_and_other_places_are_below() -> None:
    written = line("100%\r\nof a: b, c::", place(None, file="src/50%, a:b.py"), level="note")
    assert written == "::notice file=src/50%25%2C a%3Ab.py,title=key-reuse::100%25%0D%0Aof a: b, c::\n"
    written = line("Two draws.", place(Span(3, 0, 3, 9)), place(Span(7, 0, 7, 9), "used again here", "b.py"))
    assert written.endswith("::Two draws.%0Aused again here: b.py:7\n")


def test_a_file_elsewhere_has_its_whole_path_and_an_unknown_one_has_none() -> None:
    elsewhere = Path("/elsewhere/a.py").absolute()
    assert f"file={elsewhere.as_posix().replace(':', '%3A')}," in line("Two draws.", LabelledSpan(str(elsewhere), None))
    assert line() == "::error title=key-reuse::Two draws.\n"
