"""The contents of each line of a program text. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from explorer.messages import Marks, Program
from views.program.fold_state import Shown


def equation_of_row(program: Program) -> list[int]:
    """Return for each line of the text the innermost equation on it, -1 for none."""
    rows = [-1] * (program.text.count("\n") + 1)
    for number, equation in enumerate(program.equations):
        # An equation inside another comes later and has the last word on its lines.
        for row in range(equation.first_line, equation.last_line + 1):
            rows[row] = number
    return rows


def start_row(program: Program) -> int:
    """Return the first line of the entry computation: in HLO, tables and inner computations precede it."""
    lines = program.text.split("\n") if program.form == "hlo" else ()
    return next((row for row, line in enumerate(lines) if line.startswith("ENTRY")), 0)


def places_of(program: Program, equations: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and the last line of each of `equations` that there is."""
    known = program.equations
    return [(known[number].first_line, known[number].last_line) for number in equations if number < len(known)]


def lit_rows(program: Program, shown: Shown, marks: Marks, variant: str) -> frozenset[int]:
    """Return the visible lines of `marks` in the program of `variant`; a folded one for its hidden lines."""
    if program.form == "jaxpr":
        return shown.rows_over(places_of(program, marks.equations.get(variant, frozenset())))
    lines = program.lines
    return frozenset(row for row, at in enumerate(shown.rows) if at < len(lines) and lines[at] in marks.lines)
