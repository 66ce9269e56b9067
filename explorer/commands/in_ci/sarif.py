"""Problems as SARIF 2.1.0, which code scanning reads."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from explorer.commands.in_ci.problems import FileProblem, LabelledSpan
from explorer.commands.repository import relative
from explorer.diagnostics.registry import checks

VERSION = "2.1.0"
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
LEVELS = {"bug": "error", "warning": "warning", "note": "note"}
ROOT = "%SRCROOT%"
ERROR_RULE = "program-error"
"""The rule of all errors that end a program."""
OTHERS = {"lesson": "A lesson has other findings than it expects.", ERROR_RULE: "The program ended with an error."}
"""The descriptions of rules that are no checks, by their id."""


def log(problems: Iterable[FileProblem], root: Path, *, tool: str) -> dict[str, Any]:
    """Return the log of one run of the version `tool`, paths from `root`."""
    listed = list(problems)
    results = [_result(each, root) for each in listed]
    return _log(results, tool, is_successful=not any(each.is_error for each in listed))


def merged(logs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one log with one run that has the results of all `logs`, at least one, each result once."""
    runs = [run for each in logs for run in each["runs"]]
    results = {result["partialFingerprints"]["place/v1"]: result for run in runs for result in run["results"]}
    successful = all(run["invocations"][0]["executionSuccessful"] for run in runs)
    return _log(list(results.values()), runs[0]["tool"]["driver"]["version"], is_successful=successful)


def _log(results: list[dict[str, Any]], tool: str, *, is_successful: bool) -> dict[str, Any]:
    rules = list(dict.fromkeys(each["ruleId"] for each in results))
    for each in results:
        each["ruleIndex"] = rules.index(each["ruleId"])
    driver = {"name": "jax-explorer", "version": tool, "rules": [_rule(each) for each in rules]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": is_successful}],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(name: str) -> dict[str, Any]:
    check = checks().get(name)
    about = check.summary if check else OTHERS.get(name, name)
    return {"id": name, "shortDescription": {"text": about}}


def _result(problem: FileProblem, root: Path) -> dict[str, Any]:
    rule = ERROR_RULE if problem.is_error else problem.kind
    message = problem.message
    if problem.lesson:
        message += f" See the lesson: jax-explorer open {problem.lesson}."
    found: dict[str, Any] = {"ruleId": rule, "level": LEVELS[problem.level], "message": {"text": message}}
    # GitHub shows only what has a place, if it be the first line of the file.
    found["locations"] = [_location(each, root) for each in problem.places[:1]]
    if others := problem.places[1:]:
        found["relatedLocations"] = [
            {"id": number, **_location(each, root), "message": {"text": each.words or "and here"}}
            for number, each in enumerate(others, 1)
        ]
    identity = (rule, message, [(relative(each.file, root), each.span) for each in problem.places])
    found["partialFingerprints"] = {
        "place/v1": hashlib.sha256(repr(identity).encode("utf-8", "replace")).hexdigest()[:32]
    }
    return found


def _location(place: LabelledSpan, root: Path) -> dict[str, Any]:
    path = relative(place.file, root)
    is_below = not Path(path).is_absolute()
    uri = quote(path.encode("utf-8", "surrogateescape")) if is_below else Path(path).as_uri()
    artifact = {"uri": uri, "uriBaseId": ROOT} if is_below else {"uri": uri}
    return {"physicalLocation": {"artifactLocation": artifact, "region": _region(place)}}


def _region(place: LabelledSpan) -> dict[str, int]:
    if (span := place.span) is None:
        return {"startLine": 1}
    region = {"startLine": max(span.line, 1), "startColumn": span.column + 1}
    if span.end_line > span.line or span.end_column > span.column:
        region |= {"endLine": span.end_line, "endColumn": span.end_column + 1}
    return region
