"""FoldState: which parts of a program text are folded to their first line, and the VisibleLines that leaves. No Qt."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec
import numpy as np
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


# -- what is folded now -------------------------------------------------------------------------------------------

_METADATA = re.compile(r", metadata=\{.*$", re.MULTILINE)
"""At the end of an HLO line: where the operation comes from, which its line number shows, and the backend's options."""


class VisibleLines(msgspec.Struct, frozen=True):
    """The lines on screen. A line that heads something folded is the text's own first line of it, unchanged."""

    rows: Sequence[int] = ()
    """For each line on screen, which line of the text it is; both count from 0."""
    text: str = ""
    folds: Mapping[int, bool] = {}
    """The lines on screen where something can be folded (False) or opened (True)."""
    ends: Mapping[int, tuple[str, int, str]] = {}
    """For a folded line the text behind it: a name, the number of hidden lines, and the end of the last one."""

    def row_of(self, text_row: int) -> int:
        """Return the line on screen that shows line `text_row` of the text, or hides it in a fold."""
        return bisect_right(self.rows, text_row) - 1

    def rows_over(self, stretches: Sequence[tuple[int, int]]) -> frozenset[int]:
        """Return the lines on screen that show or hide any line of `stretches`, each a first and a last line."""
        if not stretches:
            return frozenset()
        # Thousands of equations can be lit at once.
        bounds = np.searchsorted(self.rows, np.array(stretches), side="right") - 1
        single = bounds[:, 0] == bounds[:, 1]
        found = set(bounds[single, 0].tolist())
        for first, last in bounds[~single].tolist():
            found.update(range(first, last + 1))
        return frozenset(found)

    def shows(self, text_rows: Sequence[int]) -> bool:
        """Return whether any of the lines `text_rows` of the text is itself on screen, not in a fold."""
        rows, wanted = np.asarray(self.rows), np.asarray(text_rows, dtype=np.int64)
        return bool(len(rows)) and bool((rows[np.searchsorted(rows, wanted, side="right") - 1] == wanted).any())


class FoldState:
    """The folds of one program and their states."""

    def __init__(self) -> None:
        self._rows: list[str] = []
        self._folds: list[Fold] = []
        self._of_row: dict[int, Fold] = {}
        self._chosen: dict[str, bool] = {}
        """The folds that the user closed or opened, by path."""
        self.short = False
        """Whether metadata and its tables are left out: a stage has no room for them."""

    def forget(self) -> None:
        """Let everything begin as it begins: this is another variant or another form."""
        self._chosen = {}

    def take(self, program: Program) -> None:
        """Take `program`; folds stay open or closed."""
        self._rows = program.text.split("\n")
        self._folds = folds_of(program, self._rows)
        self._of_row = {fold.first: fold for fold in self._folds}

    @property
    def any_closed(self) -> bool:
        """Whether a fold is closed."""
        return any(map(self._is_closed, self._folds))

    @property
    def can_fold(self) -> bool:
        return bool(self._folds)

    def toggle(self, text_row: int) -> bool:
        """Open or close the fold that begins at line `text_row` of the text; return whether there is one."""
        fold = self._of_row.get(text_row)
        if fold is not None:
            self._chosen[fold.path] = not self._is_closed(fold)
        return fold is not None

    def toggle_all(self, *, closed: bool) -> None:
        """Open or close everything."""
        for fold in self._folds:
            self._chosen[fold.path] = closed and fold.path != self._outermost_path()

    def open_over(self, text_row: int) -> bool:
        """Open all folds that hide line `text_row` of the text; return whether a state changed."""
        shut = [fold for fold in self._folds if fold.first < text_row <= fold.last and self._is_closed(fold)]
        for fold in shut:
            self._chosen[fold.path] = False
        return bool(shut)

    def shown(self) -> VisibleLines:
        """Return the visible lines."""
        rows: list[int] = []
        folds: dict[int, bool] = {}
        ends: dict[int, tuple[str, int, str]] = {}
        row = 0
        while row < len(self._rows):
            here, shut = self._of_row.get(row), self._shut_at(row)
            if self.short and here and here.kind == "table":
                # An empty line ends it.
                row = here.last + 2
                continue
            rows.append(row)
            if here:
                folds[len(rows) - 1] = shut is not None
            if shut:
                ends[len(rows) - 1] = self._end_of(shut)
            row = shut.last + 1 if shut else row + 1
        text = "\n".join([self._rows[each] for each in rows])
        if self.short:
            text = _METADATA.sub("", text)
        return VisibleLines(rows, text, folds, ends)

    def text_between(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        """Return the text from `start` to `end`, each (line of the text, column), including folded lines between.

        An end after the last letter of a folded line includes its hidden lines.
        """
        (first, column), (last, end_column) = start, end
        shut = self._shut_at(last)
        if shut is not None and end_column >= len(self._rows[last]):
            last, end_column = shut.last, len(self._rows[shut.last])
        rows = self._rows[first : last + 1]
        rows[-1] = rows[-1][:end_column]
        rows[0] = rows[0][column:]
        return "\n".join(rows)

    def _is_closed(self, fold: Fold) -> bool:
        return self._chosen.get(fold.path, fold.closed)

    def _shut_at(self, text_row: int) -> Fold | None:
        """Return the fold that begins at line `text_row`, if it is closed."""
        fold = self._of_row.get(text_row)
        return fold if fold and self._is_closed(fold) else None

    def _outermost_path(self) -> str:
        """Return the path of a fold around the whole program, such as ``module``; "" where there is none."""
        first = self._folds[0] if self._folds else None
        whole = first and first.kind == "block" and first.first == 0 and first.last >= len(self._rows) - 2
        return first.path if first and whole else ""

    def _end_of(self, fold: Fold) -> tuple[str, int, str]:
        name = self._rows[fold.first + 1].strip()
        last = self._rows[fold.last].strip()
        last = last if last.startswith(("]", "}", ")", "in ")) else ""
        return name if name.startswith("name=") else "", fold.last - fold.first, last
