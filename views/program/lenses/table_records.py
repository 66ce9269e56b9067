"""The table of a lens as records: rows of cells with pieces of text. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from views.parts.line_cost import LineCost

Tone = Literal["code", "title", "words", "dim", "dim code", "bug", "bug code", "note"]
"""The kind of a piece of text, which decides about its font and colour."""


@dataclass(frozen=True)
class Chip:
    """A stretch of a text in the colour of an axis of vmap."""

    start: int
    end: int
    axis: int
    """Its number: 0 for the outermost."""
    hollow: bool = False
    """Whether the values along this axis are copies of one another."""


@dataclass(frozen=True)
class Piece:
    """Some text of a cell."""

    text: str
    tone: Tone = "code"
    chips: tuple[Chip, ...] = ()


@dataclass(frozen=True)
class Share:
    """One device's share of a Grid's field."""

    device: int
    tip: str = ""


@dataclass(frozen=True)
class Grid:
    """The parts of an array in its layout, or groups of devices; each field with its devices."""

    columns: int
    fields: tuple[tuple[Share, ...], ...]
    """Row by row."""
    hatched: bool = True
    """Whether a field of several devices is hatched: all of them have the same."""

    @property
    def rows(self) -> int:
        return -(-len(self.fields) // self.columns)

    @property
    def text(self) -> str:
        """Who has each field: ``0, 1 | 2, 3``."""
        return " | ".join(", ".join(str(share.device) for share in field) for field in self.fields)


@dataclass(frozen=True)
class Cell:
    """The contents of one column of a row."""

    pieces: tuple[Piece, ...] = ()
    depth: int = 0
    """The level of indentation."""
    bar: float = 0.0
    """Length of a bar before it, from 0 to 1; 0 for none."""
    grid: Grid | None = None
    """Behind the pieces."""

    @property
    def text(self) -> str:
        """All of it without colours."""
        grid = (self.grid.text,) if self.grid else ()
        return " ".join((*(piece.text for piece in self.pieces), *grid))


@dataclass(frozen=True)
class Row:
    """One row: its subject, and a cell for each column."""

    cells: tuple[Cell, ...]
    equation: int = -1
    """Index into the equations of the Program, -1 for none."""
    line: int = 0
    """The user's line, 0 for none."""
    is_draw: bool = False
    """Whether it is the main row of its line."""
    detail: tuple[Piece, ...] = ()
    """The words below the table while the row is selected."""
    lines: int = 1
    """How many times as high as others it is."""
    other_lines: tuple[int, ...] = ()
    """Further lines that it is about."""


@dataclass(frozen=True)
class Strip:
    """One strip of a Stack: its height stays, its bottom follows those below it."""

    row: int
    """The row of the Table about it."""
    height: float
    steps: tuple[tuple[int, int, float], ...]
    """Its stretches: first moment, last moment, height of its bottom."""
    line: int = 0
    """The user's line whose colour it has, 0 for none."""
    kind: str = ""
    text: str = ""
    tip: str = ""


@dataclass(frozen=True)
class Stack:
    """A picture of a Table's rows: strips stacked on each other, over moments."""

    moments: int
    top: float
    """The height of the whole picture."""
    strips: tuple[Strip, ...]
    peak: int
    """The moment to mark."""
    peak_height: float
    peak_text: str
    levels: tuple[tuple[float, str], ...]
    """Lines over all moments: height and text, the lowest first. What is above the picture has an arrow at its top."""
    lines: tuple[int, ...] = ()
    """The user's line of each moment, 0 for none."""
    loops: tuple[tuple[int, int, str], ...] = ()
    """Stretches that repeat: first moment, last moment, how often."""


@dataclass(frozen=True)
class Table:
    """All rows of one lens under their headings."""

    headings: tuple[str, ...] = ()
    tips: tuple[str, ...] = ()
    """The tip of each column."""
    rows: tuple[Row, ...] = ()
    shares: tuple[float, ...] = ()
    """The part of the width that each column has at most, as long as others need theirs."""
    stack: Stack | None = None
    """Above the rows."""
    costs: Mapping[int, LineCost] = field(default_factory=dict)
    """By line, for the editor."""


def text_cell(text: str, tone: Tone = "code") -> Cell:
    """Return a cell with one piece."""
    return Cell((Piece(text, tone),)) if text else Cell()


def lit_rows(table: Table, equations: Iterable[int], lines: Iterable[int]) -> frozenset[int]:
    """Return the rows of these equations, and of these lines those that are no equation's."""
    equations, lines = frozenset(equations), frozenset(lines) - {0}
    return frozenset(
        number
        for number, row in enumerate(table.rows)
        if row.equation in equations or (row.equation < 0 and not lines.isdisjoint((row.line, *row.other_lines)))
    )


def by_lines(table: Table) -> Table:
    """Return `table` with rows that refer to lines only, because their equations belong to another trace."""
    return replace(table, rows=tuple(replace(row, equation=-1) for row in table.rows))


def as_text(table: Table, below: Sequence[str]) -> str:
    """Return the table with a tab between cells, its first column the user's line, and the sentences `below` it."""
    lines = ["\t".join(("", *table.headings))]
    for row in table.rows:
        cells = ("  " * cell.depth + cell.text for cell in row.cells)
        lines.append("\t".join((str(row.line or ""), *cells)).rstrip("\t"))
    return "\n".join([*lines, *below]) + "\n"
