"""The parts of a program text that can be folded to their first line, and those that begin folded. No Qt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.messages import Equation, Program, Span

LONG = 200
"""Lines of an inner jaxpr beyond which it begins folded, whoever wrote it."""
SHORT = 12
"""Lines of a whole jaxpr up to which nothing in it begins folded: there is room for all."""

Kind = Literal["jaxpr", "parameters", "block", "table"]


class Fold(msgspec.Struct, frozen=True):
    """Lines `first` to `last` of the text, counted from 0; folded, only `first` is shown."""

    first: int
    last: int
    path: str
    """Identifies the same part after an edit: its kind, its number, its enclosing parts."""
    kind: Kind
    closed: bool
    """Whether it begins folded."""


def folds_of(program: Program, rows: Sequence[str]) -> list[Fold]:
    """Return the folds of `program`, whose text has these `rows`: by first line, an outer one before an inner one."""
    if program.form == "jaxpr":
        found = [*_shared_jaxprs(program.equations, rows), *_equations(program.equations, rows)]
        if len(rows) <= SHORT:
            found = [replace(fold, closed=False) for fold in found]
    else:
        found = list(_blocks(rows))
    return sorted(found, key=lambda fold: (fold.first, -fold.last))


# -- jaxpr --------------------------------------------------------------------------------------------------------

_SHARED = re.compile(r"let (\w+) = \{ ")
_NAME = re.compile(r"\s*name=(\S+)$")


def _shared_jaxprs(equations: Sequence[Equation], rows: Sequence[str]) -> Iterator[Fold]:
    """Yield ``let name = { ... } in``: jaxprs that JAX prints first, because several equations call them."""
    row = place = 0
    while row < len(rows) and (shared := _SHARED.match(rows[row])):
        last = next((each for each in range(row, len(rows)) if rows[each].endswith(" } in")), len(rows) - 1)
        begin = place
        while place < len(equations) and equations[place].first_line <= last:
            place += 1
        spans = {equation.span for equation in equations[begin:place]}
        if last > row:
            yield Fold(row, last, f"let {shared[1]}", "jaxpr", len(spans) <= 1 or last - row > LONG)
        row = last + 1


def _equations(equations: Sequence[Equation], rows: Sequence[str]) -> Iterator[Fold]:
    """Yield the equations of several lines."""
    counts: Counter[str] = Counter()
    around: list[tuple[int, str]] = []
    for place, equation in enumerate(equations):
        if equation.last_line == equation.first_line:
            continue
        while around and around[-1][0] < equation.first_line:
            around.pop()
        name = _NAME.match(rows[equation.first_line + 1])
        path = f"{around[-1][1] if around else ''}/{equation.primitive}:{name[1] if name else ''}"
        counts[path] += 1
        path = f"{path}#{counts[path]}"
        around.append((equation.last_line, path))
        inner = _spans_inside(equations, place)
        long = equation.last_line - equation.first_line > LONG
        kind: Kind = "jaxpr" if inner else "parameters"
        # Operations of libraries and parameters are folded, those of the user are not.
        closed = not inner or long or inner <= {equation.span, None}
        yield Fold(equation.first_line, equation.last_line, path, kind, closed)


def _spans_inside(equations: Sequence[Equation], place: int) -> set[Span | None]:
    found = set()
    last = equations[place].last_line
    for inner in range(place + 1, len(equations)):
        if equations[inner].first_line > last:
            break
        found.add(equations[inner].span)
    return found


# -- StableHLO and HLO --------------------------------------------------------------------------------------------

_NAMED = re.compile(r"[@%][\w.$-]+|\w+")


def _blocks(rows: Sequence[str]) -> Iterator[Fold]:
    """Yield the blocks between braces, and the tables before HLO, which have none."""
    counts: Counter[str] = Counter()
    open_rows: list[int] = []
    for number, row in enumerate(rows):
        if row.lstrip().startswith("}") and open_rows:
            # `} do {` closes one block and opens the next, which begins on this line.
            first, last = open_rows.pop(), number - row.endswith("{")
            if last > first + 1:
                yield _block(rows, first, last, counts)
        if row.endswith("{"):
            open_rows.append(number)
        elif row in ("FileNames", "FunctionNames", "FileLocations", "StackFrames"):
            end = next((each for each in range(number, len(rows)) if not rows[each]), len(rows))
            if end > number + 1:
                yield Fold(number, end - 1, row, "table", closed=True)


def _block(rows: Sequence[str], first: int, last: int, counts: Counter[str]) -> Fold:
    header = rows[first]
    bare = header.strip().lstrip("} ")
    named = _NAMED.search(bare.partition("@")[2] if "@" in bare else bare)
    name = named[0] if named else bare
    counts[name] += 1
    # Called functions begin folded: the reader starts at main, which HLO marks by ENTRY.
    called = "func.func private" in header or header.startswith("%")
    return Fold(first, last, f"{name}#{counts[name]}", "block", called)
