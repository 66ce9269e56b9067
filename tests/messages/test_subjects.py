"""The function of a script that its panes are about."""

from __future__ import annotations

import pytest

from explorer.messages import Equation, Finding, Program, Report, Span, Subject, subjects


def subject(name: str, *lines: int, jitted: bool = True, calls: int = 1, primitive: str = "add") -> Subject:
    equations = tuple(Equation(primitive, Span(each, 0, each, 9), 0, 0, 0, "f32[]") for each in lines)
    return Subject(name, 30, calls, jitted, lines, Program("jaxpr", name, equations))


def finding(line: int, level: str = "bug") -> Finding:
    return Finding("nan", level, "It is NaN.", (Span(line, 0, line, 9),))


STEP = subject("step", 5, 6, 7, calls=40)
EVALUATE = subject("evaluate", 5, 9)
INIT = subject("init", 2, jitted=False)
ALL = (STEP, EVALUATE, INIT)


@pytest.mark.parametrize(
    ("found", "wanted", "name"),
    [
        ([], "", "step"),
        ([finding(9)], "", "evaluate"),
        ([finding(5)], "", "step"),
        ([finding(9, "warning"), finding(6)], "", "step"),
        ([finding(9, "note")], "", "step"),
        ([finding(2)], "", "step"),
        ([finding(9)], "init", "init"),
        ([finding(9)], "a name that was edited away", "evaluate"),
    ],
)
def test_it_is_the_one_wanted_or_the_jitted_one_with_the_worst_finding_or_the_best(
    found: list[Finding], wanted: str, name: str
) -> None:
    assert subjects.chosen(ALL, found, wanted).name == name


def test_where_nothing_is_jitted_a_finding_may_be_in_any_and_without_functions_there_is_none() -> None:
    plain = (subject("loss", 5, jitted=False, calls=9), INIT)
    assert subjects.chosen(plain, [finding(2)]).name == "init"
    assert subjects.chosen((), [finding(2)]) is None


def test_what_is_jitted_goes_first_then_what_computes_most_or_is_called_most() -> None:
    loop = subject("train", 5, 6, 7, 8, primitive="scan")
    often = subject("loss", 5, jitted=False, calls=100)
    made = sorted((INIT, often, EVALUATE, loop, STEP), key=subjects.weight, reverse=True)
    assert [each.name for each in made] == ["step", "train", "evaluate", "loss", "init"]


def test_a_report_shows_the_program_of_another_one_if_that_came_with_it() -> None:
    report = subjects.about(Report("<module>", subjects=(*ALL, Subject("f", 3))), "init")
    assert (report.subject, report.program) == ("init", INIT.program)
    assert subjects.about(report, "f") is report
