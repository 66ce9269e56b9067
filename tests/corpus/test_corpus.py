"""Every check reports what its page and the cases of the corpus say; its fixes make the fixed cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import jax
import pytest

from explorer.diagnostics.check import PARTS, Check
from explorer.diagnostics.page import document
from explorer.diagnostics.registry import checks
from explorer.library import library
from explorer.messages import Finding, Request, Span
from explorer.worker.process.process_state import ProcessSettings
from explorer.worker.syntax.code_tree import with_edits
from tests.corpus import cases
from tests.corpus.cases import COMMENT, Case, as_marks, judged, reported
from tests.link.shared_worker import SharedWorker
from tests.worker.analysed import report

pytestmark = pytest.mark.filterwarnings("ignore:Explicitly requested dtype", "ignore:overflow encountered in cast")

LESSONS = {scenario.id for scenario in library.everything() if scenario.origin == "built-in"}
SLOW = ("timed_too_early", "shared_noise/mapped", "shared_noise/mended", "key_reuse/mended")
KEYS = ("from_libraries", "made", "moved", "of_jax_operations", "of_jax_programs", "transformed")
REST = (*SLOW, *(f"key_reuse/{name}" for name in KEYS))
"""Cases whose way is shown to work by others, and quicker."""
CASES = [case for kind in (*checks(), "real-fixes") for case in cases.cases(kind)]
each_check = pytest.mark.parametrize("check", checks().values(), ids=list(checks()))


def each_case(asks: Callable[[Case], object] = lambda _: True) -> pytest.MarkDecorator:
    """Parametrize with each case of which `asks` holds."""
    return pytest.mark.parametrize(
        "case",
        [
            pytest.param(case, id=str(case), marks=[pytest.mark.rest] if str(case).startswith(REST) else [])
            for case in CASES
            if asks(case)
        ],
    )


def code(case: Case, span: Span) -> str:
    """Return the code at `span`, of several lines the rest of the first."""
    line = case.source.split("\n")[span.line - 1]
    return line[span.column : span.end_column if span.end_line == span.line else None]


def bare(source: str) -> Counter[str]:
    """Return the lines of `source`, without marks."""
    return Counter(COMMENT.sub("", line).strip() for line in source.split("\n"))


def untrue_of(case: Case, finding: Finding) -> Iterator[str]:
    """Yield what the sentences of `finding` say of lines and places of the program and is not so, or is too long."""
    lines, words = case.source.split("\n"), str(finding.message)
    marked = {line for span in (*finding.spans, *(place.span for place in finding.places)) for line in lines_of(span)}
    for line in map(int, re.findall(r"\blines? (\d+)(?! of)", words)):
        if line not in marked or not lines[line - 1].strip():
            yield f"line {line} of: {words}"
    for name, line in re.findall(r"`([^`]+)` on line (\d+)(?! of)", words):
        # It may go on below; a function may have another name there: draw = partial(normal, key).
        below = re.sub(r"\s", "", "".join(lines[int(line) - 1 :]))
        parts = re.sub(r"\s", "", name).split("...")
        if any(part not in below for part in parts) and not re.search(rf"\b{re.escape(name)}\b", case.source):
            yield f"{name} on line {line}: {lines[int(line) - 1]}"
    for place in finding.places:
        if place.span.file == "" and not re.search(r"[(\[]", code(case, place.span)):
            yield f"{place.role} {code(case, place.span)}"
    for said in (words, finding.message.in_language("ko")):
        if len(re.findall(r"[.?!](?= |$)", re.sub(r"`[^`]*`", "", said))) > 3:
            yield f"over two sentences and a line of help: {said}"
    if (times := re.search(r"\b([\d,]+) times\b", words)) and int(times[1].replace(",", "")) < 2:
        yield words


def lines_of(span: Span) -> range:
    return range(span.line, span.end_line + 1)


@each_check
def test_a_check_has_cases_of_both_sorts_a_page_and_lessons(check: Check) -> None:
    marks = [{mark for _, mark in case.marks} for case in cases.cases(check.id)]
    assert any(f"{check.level}: {check.id}" in each for each in marks)
    assert any(f"{check.level}: {check.id}" not in each for each in marks)
    assert check.part in PARTS
    assert set(check.lessons.values()) <= LESSONS


@each_case()
def test_a_case_is_judged_as_its_lines_say(case: Case, request: pytest.FixtureRequest) -> None:
    if jax.device_count() >= case.devices:
        assert reported(case) == case.marks
        return
    worker: SharedWorker = request.getfixturevalue("worker")
    *_, last = worker.ask(Request(1, case.source, "<case>", variants=(case.entry,)), 60)
    assert as_marks(case, last.report(case.entry).findings or ()) == case.marks


@each_case(lambda case: case.says)
def test_a_message_has_its_words(case: Case) -> None:
    messages = re.sub(r"\bline \d+", "line L", " ".join(str(each.message) for each in judged(case)))
    assert [words for words in case.says if words not in messages] == [], messages


@each_case()
def test_a_sentence_holds_of_its_program(case: Case) -> None:
    assert [untrue for each in judged(case) for untrue in untrue_of(case, each)] == []


@each_case(lambda case: case.at or case.made or case.shared)
def test_a_bug_shows_its_places_and_who_shares(case: Case) -> None:
    (bug,) = [each for each in judged(case) if each.level == "bug"]
    assert case.at in ((), tuple(code(case, span) for span in bug.spans))
    made, passed = (
        tuple(code(case, place.span) for place in bug.places if place.role == role) for role in ("made", "passed")
    )
    assert not case.made or (case.made, case.passed) == (made, passed)
    assert case.shared in (None, (bug.axis, bug.examples, bug.distinct))


@each_case(lambda case: case.has_known_fixes)
def test_each_fix_writes_its_lines_and_leaves_nothing_to_report(case: Case) -> None:
    (finding, *_) = [each for each in judged(case) if each.kind == case.kind]
    marked = [line for number, line in enumerate(case.source.split("\n"), 1) if number in dict(case.marks)]
    before, expendable = bare(case.source), {*bare("\n".join(marked)), *case.replaced}
    for fix, lines in zip(finding.fixes, case.fixed, strict=True):
        source = with_edits(case.source, fix.edits)
        assert bare(source) - before == Counter(lines)
        taken = before - bare(source)
        assert set(taken) <= expendable or (not case.replaced and taken.total() <= len(lines))
        assert judged(replace(case, source=source)) == ()


@each_check
def test_the_programs_of_a_page_are_what_it_says(check: Check) -> None:
    def found(source: str) -> set[str]:
        (variant, *_) = reversed(re.findall(r"^def (\w+)\(\):", source, re.MULTILINE))
        declared = (variant,) if cases.DECLARED in source else ()
        before = ProcessSettings.now()
        try:
            judgement = report(source, variant, traces=True, value_checks=True, shared_on_purpose=declared)
        finally:
            before.restore()
        assert judgement.failure is None, judgement.failure
        return {f"{each.level}: {each.kind}" for each in judgement.findings or ()}

    assert f"{check.level}: {check.id}" in found(check.bad)
    assert not any(mark.endswith(check.id) for mark in found(check.good))


def test_the_document_is_what_the_checks_say() -> None:
    written = Path(__file__).parents[2] / "docs" / "checks.md"
    assert written.read_text(encoding="utf-8") == document(checks().values()), (
        "write it anew: jax-explorer explain --all > docs/checks.md"
    )


def test_the_cases_of_a_kind_are_distinguished_by_their_names() -> None:
    assert len({str(case) for case in CASES}) == len(CASES)
