"""Chooses the function of a script that Program and Timing show; a report and a timing request about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from explorer.messages import LEVELS, LOOPS, Finding, Report, Subject, TimingRequest

IN_A_LOOP = 20
"""The iterations that a loop in a program counts for, where their number is not known."""


def weight(subject: Subject) -> tuple[bool, int, int]:
    """Return how much of a script's work is likely to be in `subject`: what is jitted goes first."""
    equations = subject.program.equations if subject.program is not None else ()
    looped = IN_A_LOOP if any(each.primitive in LOOPS for each in equations) else 1
    work = len(equations) * looped
    return subject.jitted, subject.calls * work if subject.jitted else subject.calls, work


def with_lines(subjects: Sequence[Subject], lines: Collection[int]) -> Subject | None:
    """Return the first of `subjects`, the best first, whose program has one of `lines`; None for none."""
    return next((each for each in subjects if not set(lines).isdisjoint(each.lines)), None)


def chosen(subjects: Sequence[Subject], findings: Sequence[Finding], wanted: str = "") -> Subject | None:
    """Return the one `wanted`, else the jitted one with the worst finding in any, else the best; None without any."""
    named = next((each for each in subjects if each.name == wanted), None)
    worst = sorted((each for each in findings if each.level != "note"), key=lambda each: LEVELS.index(each.level))
    # Where something is jitted, a mistake outside is next to the program that matters.
    jitted = [each for each in subjects if each.jitted] or subjects
    found = (with_lines(jitted, each.lines) for each in worst)
    return named or next((each for each in found if each is not None), None) or next(iter(subjects), None)


def timed(request: TimingRequest, subject: Subject) -> TimingRequest:
    """Return `request` for `subject`, with the arguments of its first call."""
    mapped = subject.name if subject.mapped else ""
    return msgspec.structs.replace(request, variants=(), subject=subject.inside or subject.name, mapped=mapped)


def about(report: Report, name: str) -> Report:
    """Return `report` with the program of its subject `name`; unchanged if that is not known."""
    subject = next((each for each in report.subjects if each.name == name), None)
    if subject is None or subject.program is None or name == report.subject:
        return report
    return msgspec.structs.replace(report, program=subject.program, lenses=subject.lenses, subject=name)
