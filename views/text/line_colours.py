"""Which colour each line of the code has, in the editor and in the program texts alike."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.messages import Snapshot


def line_colours(snapshot: Snapshot) -> Mapping[int, int]:
    """Return for each line of the code that became equations the number of its colour, in the order of the lines.

    Lines that make no equations do not count: a comment written above changes no colour, and neighbours differ.
    """
    programs = (report.program for report in snapshot.reports if report.program)
    lines = set[int]().union(*(program.lines for program in programs))
    return {line: number for number, line in enumerate(sorted(lines - {0}))}
