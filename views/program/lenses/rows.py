"""The table of a lens as records: rows of cells, each of them text in pieces. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Tone = Literal["code", "title", "words", "dim", "dim code", "bug", "bug code", "note"]
"""What a piece of text is; it has a type face and a colour."""


@dataclass(frozen=True)
class Chip:
    """A stretch of a text in the colour of an axis of vmap."""

    start: int
    end: int
    axis: int
    """Its number: 0 for the outermost."""
    hollow: bool = False
    """Whether what stands along it is the same for all, copied."""


@dataclass(frozen=True)
class Piece:
    """Some text of a cell."""

    text: str
    tone: Tone = "code"
    chips: tuple[Chip, ...] = ()


@dataclass(frozen=True)
class Cell:
    """What stands in one column of a row."""

    pieces: tuple[Piece, ...] = ()
    depth: int = 0
    """How far it stands to the right."""
    bar: float = 0.0
    """Length of a bar before it, from 0 to 1; 0 for none."""

    @property
    def text(self) -> str:
        """All of it without colours."""
        return " ".join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Row:
    """One row: what it is about, and a cell for each column."""

    cells: tuple[Cell, ...]
    equation: int = -1
    """Index into the equations of the Program, -1 for none."""
    line: int = 0
    """The person's line, 0 for none."""
    is_draw: bool = False
    """Whether it is what the eye should find among the rows of its line."""
    detail: tuple[Piece, ...] = ()
    """What is told below the table while the arrow keys are on it."""


@dataclass(frozen=True)
class Table:
    """All rows of one lens under their headings."""

    headings: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    """What to know about each column."""
    rows: tuple[Row, ...] = ()
    shares: tuple[float, ...] = ()
    """The part of the width that each column has at most; the last one has what the others leave."""


def of(text: str, tone: Tone = "code") -> Cell:
    """Return a cell with one piece."""
    return Cell((Piece(text, tone),)) if text else Cell()


def lit_rows(table: Table, equations: Iterable[int], lines: Iterable[int]) -> frozenset[int]:
    """Return the rows of these equations, and of these lines those that are no equation's."""
    equations, lines = frozenset(equations), frozenset(lines) - {0}
    return frozenset(
        number
        for number, row in enumerate(table.rows)
        if row.equation in equations or (row.equation < 0 and row.line in lines)
    )


def by_lines(table: Table) -> Table:
    """Return `table` with rows that belong to lines alone: their equations are of another trace."""
    return replace(table, rows=tuple(replace(row, equation=-1) for row in table.rows))


def as_text(table: Table, below: Sequence[str]) -> str:
    """Return the table with a tab between cells, its first column the person's line, and the sentences `below` it."""
    lines = ["\t".join(("", *table.headings))]
    for row in table.rows:
        cells = ("  " * cell.depth + cell.text for cell in row.cells)
        lines.append("\t".join((str(row.line or ""), *cells)).rstrip("\t"))
    return "\n".join([*lines, *below]) + "\n"
