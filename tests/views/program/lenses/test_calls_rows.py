"""The rows of the calls: hits, differences of misses, and the lines that ran below."""

from __future__ import annotations

import msgspec
from PySide6.QtWidgets import QTextBrowser

from explorer.messages import Failure, Report, Snapshot, Span
from explorer.messages.lenses.calls import Asked, CallsLens, Difference, Given, Leak, LensCall, Stale
from tests.views.program.lenses.lens_answers import CALLS, answer_with, opened, pages, table_of
from tests.views.program.shown import button
from views.program.lenses.calls_rows import summary, table
from views.program.lenses.table_records import Chip, Piece, as_text
from views.program.program_view import ProgramView

ROWS = """\
 | call | cache key | what ran
9 | 1 miss step | x: f32[3] n=1 | leaves a tracer in seen[0] lines 4–5, 7
4 |   for each in range(n): |  | 2 times
5 |   y = x + each | y: f32[3]
7 |   print(y) |  | printed JitTracer(float32[3])
9 | 2 hit step | x: f32[3] n=1 | no Python runs
10 | 3 fails step | x: f32[5] n=2 | ValueError: no line 4
4 |   for each in range(n):
"""


def asked(call: LensCall) -> tuple[Piece, ...]:
    return table(CallsLens((call,))).rows[0].cells[1].pieces


def test_lines_stand_below_the_call_in_which_they_ran() -> None:
    assert as_text(table(CALLS), ()).replace("\t", " | ") == ROWS


def test_what_differs_is_a_chip_and_what_hits_is_grey() -> None:
    rows = table(CALLS).rows
    assert [piece.chips for piece in rows[5].cells[1].pieces] == [(Chip(6, 9, 1),), (Chip(2, 3, 1),)]
    assert {piece.tone for piece in rows[4].cells[1].pieces} == {"dim code"}


def test_what_differs_in_some_call_stands_first_in_each() -> None:
    given = (Given("x", "f32[3]", "(3,)", "float32"), Given("n", static="1"))
    first = LensCall(1, "f", False, Asked(given))
    second = LensCall(2, "f", False, Asked(given), differs=(Difference("static value", "n"),))
    rows = table(CallsLens((first, second))).rows
    assert [row.cells[1].text for row in rows] == ["n=1 x: f32[3]"] * 2


def test_a_weak_type_is_lit_where_it_came_and_where_it_went() -> None:
    differs = (Difference("weak type", "x"),)
    weak = LensCall(2, "f", False, Asked((Given("x", "~f32[]", "()", "float32", True),)), differs=differs)
    strong = msgspec.structs.replace(weak, asked=Asked((Given("x", "f32[]", "()", "float32"),)))
    assert [each.text[chip.start : chip.end] for each in asked(weak) for chip in each.chips] == ["~"]
    assert [each.text[chip.start : chip.end] for each in asked(strong) for chip in each.chips] == ["f32"]


def test_function_objects_are_reported_where_there_are_several() -> None:
    first = LensCall(1, "f", False, Asked(function=1))
    second = LensCall(2, "f", False, Asked(function=2), differs=(Difference("function object"),))
    cells = [row.cells[1] for row in table(CallsLens((first, second))).rows]
    assert [cell.text for cell in cells] == ["function object 1", "function object 2"]
    assert [bool(cell.pieces[0].chips) for cell in cells] == [False, True]


def test_of_many_misses_only_other_lines_are_shown() -> None:
    many = tuple(msgspec.structs.replace(CALLS.calls[0], number=number) for number in range(1, 10))
    assert len(table(CallsLens(many)).rows) == 9 + 3


def test_a_run_that_fails_shows_the_calls_until_then_and_says_where_it_ended(view: ProgramView) -> None:
    failure = Failure("ValueError", "no", Span(10, 0, 10, 1))
    report = Report("f", "error", failure=failure, lenses=("calls",))
    view.show_snapshot(Snapshot(1, "cpu:0", True, reports=(report,)))
    button(view, "calls").click()
    view.show_lenses([answer_with(msgspec.structs.replace(CALLS, failure=failure))])
    (page,) = pages(view)
    assert table_of(page).isVisible()
    assert "The run ends on line 10 with ValueError." in " ".join(
        each.toPlainText() for each in page.findChildren(QTextBrowser) if each.isVisible()
    )


def test_hits_that_are_alike_stand_in_one_row() -> None:
    first, hit, other = CALLS.calls
    hits = [msgspec.structs.replace(hit, number=number) for number in range(2, 50)]
    rows = table(CallsLens((first, *hits, msgspec.structs.replace(other, number=50)))).rows
    assert [row.cells[0].text for row in rows if row.cells[0].pieces[0].tone == "title"] == [
        "1 miss step",
        "2–49 hit step",
        "50 fails step",
    ]


def test_a_row_shows_below_the_table_why_it_traced_and_what_it_ran() -> None:
    missed = msgspec.structs.replace(CALLS.calls[2], sentence="x came with a new shape.")
    rows = table(CallsLens((*CALLS.calls[:2], missed))).rows
    assert [[each.text for each in row.detail] for row in rows if row.detail] == [
        ["printed", "JitTracer(float32[3])"],
        ["It runs the program of call 1."],
        ["ValueError: no", "x came with a new shape.", "The nearest entry is from call 1."],
    ]


def test_the_page_reports_the_row_that_the_user_goes_to(view: ProgramView) -> None:
    (page,) = opened(view, answer_with(CALLS))
    below = page.findChildren(QTextBrowser)[-1]
    assert "It runs the program" not in below.toPlainText()
    table_of(page).setCurrentIndex(table_of(page).model().index(4, 1))
    assert below.toPlainText().startswith("It runs the program of call 1. seen[0] holds")


def test_a_hit_that_uses_what_was_there_says_so() -> None:
    hit = msgspec.structs.replace(CALLS.calls[1], stale=(Stale("scale", "2.0", "3.0"),))
    lens = CallsLens((CALLS.calls[0], hit))
    assert table(lens).rows[4].cells[2].text == "uses scale = 2.0, which is 3.0 now no Python runs"
    assert summary(lens)[1].text == "Call 2 runs a program that was traced with scale = 2.0. Now scale is 3.0."


def test_what_leaks_comes_first_below_the_rows() -> None:
    summarised = summary(CALLS)
    assert [each.tone for each in summarised] == ["bug", "words", "words"]
    assert "seen[0] holds a tracer" in summarised[0].text
    assert [each.text for each in summarised[1:]] == ["Calls: 3, traces: 2.", "It is run twice."]


def test_without_calls_there_is_no_table() -> None:
    assert table(CallsLens(sentence="They cannot be watched.")).rows == ()


def test_a_leak_of_which_no_line_is_known_names_none() -> None:
    call = msgspec.structs.replace(CALLS.calls[0], leaks=(Leak("saved[0]", "f32[3]", 0),))
    words = summary(CallsLens((call,)))[0].text
    assert words == "saved[0] holds a tracer from a finished trace. It is not a number, and a hit does not change it."
