"""The folds of a program text and which lines they leave visible; their state outlives edits. No Qt."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from explorer.messages import Program
from views.program.folds import Fold, folds_of

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

    def toggle(self, text_row: int, *, closed: bool | None = None) -> bool:
        """Open or close the fold that begins at line `text_row` of the text; return whether its state changed.

        With `closed`, only in that direction; where the line is inside a fold and begins none, closing closes that
        fold.
        """
        shut = self._shut_at(text_row)
        if shut is not None and closed is not True:
            self._chosen[shut.path] = False
        elif shut is None and closed is not False and (fold := self._innermost(text_row)):
            self._chosen[fold.path] = True
        else:
            return False
        return True

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

    def header_of(self, text_row: int) -> int | None:
        """Return the line that heads the innermost fold around line `text_row`, None outside of all."""
        fold = self._innermost(text_row)
        return fold.first if fold else None

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

    def _innermost(self, text_row: int) -> Fold | None:
        found = None
        for fold in self._folds:
            if fold.first > text_row:
                break
            if text_row <= fold.last:
                found = fold
        return found

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
