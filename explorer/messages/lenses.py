"""The lenses: the specs of all (`LENSES`), and the answer of any: a table, at most one drawing, sentences, offers.

The worker makes the answer; window, files and handouts show it without knowing the lens. Texts are translated where
they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec

from explorer.messages.basics import Failure
from explorer.messages.reports import Picture
from explorer.text.text import NOTHING, Text, say, verbatim

WHOLE = 1 << 20
"""End of a Chip over a whole text, however long it is in a language."""
Words: TypeAlias = Text | str
Tone = Literal["code", "title", "words", "dim", "dim code", "bug", "bug code", "note"]
"""The kind of a piece of text, which decides about its font and colour."""


# A table has tens of thousands of such parts, in no circle: the garbage collector need not look at them.
class Chip(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A stretch of a text in the colour of an axis of vmap."""

    start: int
    end: int
    axis: int
    """Its number: 0 for the outermost."""
    hollow: bool = False
    """Whether the values along this axis are copies of one another."""


class Piece(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Some text of a cell, or a sentence below the table."""

    words: Words
    tone: Tone = "code"
    chips: tuple[Chip, ...] = ()

    @property
    def text(self) -> str:
        return str(self.words)


class Share(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One device's share of a Grid's field."""

    device: int
    tip: Words = ""


class Grid(msgspec.Struct, frozen=True):
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
        """The devices of each field: ``0, 1 | 2, 3``."""
        return " | ".join(", ".join(str(share.device) for share in field) for field in self.fields)


class Cell(msgspec.Struct, frozen=True, array_like=True, gc=False):
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


class Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
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
    height: int = 1
    """How many times as high as others it is."""
    other_lines: tuple[int, ...] = ()
    """Further lines that it is about."""


class Strip(msgspec.Struct, frozen=True, array_like=True, gc=False):
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
    tip: Words = ""


class Stack(msgspec.Struct, frozen=True):
    """A picture of a Table's rows: strips stacked on each other, over moments."""

    moments: int
    top: float
    """The height of all strips, or of all that a call takes where that is higher."""
    strips: tuple[Strip, ...]
    peak: int
    """The moment to mark."""
    peak_height: float
    peak_text: Words
    levels: tuple[tuple[float, Words], ...]
    """Lines over all moments: height and text, the lowest first. What is above the picture has an arrow at its top."""
    lines: tuple[int, ...] = ()
    """The user's line of each moment, 0 for none."""
    loops: tuple[tuple[int, int, str], ...] = ()
    """Stretches that repeat: first moment, last moment, how often."""
    axes: Words = ""
    """What its height and its width are."""


class LineCost(msgspec.Struct, frozen=True):
    """The share of one line in the time or the memory of a program."""

    share: float
    """From 0 to 1: that of the line alone."""
    most: float
    """From 0 to 1: with all that it has in common with other lines, which is not split."""
    text: str
    """``41 %``, or ``12 MiB``."""
    tip: Words
    line: int = 0


class Table(msgspec.Struct, frozen=True):
    """All rows of one lens under their headings."""

    headings: tuple[Words, ...] = ()
    tips: tuple[Words, ...] = ()
    """The tip of each column."""
    rows: tuple[Row, ...] = ()
    shares: tuple[float, ...] = ()
    """The part of the width that each column has at most, as long as others need theirs."""
    stack: Stack | None = None
    """Above the rows."""
    costs: tuple[LineCost, ...] = ()
    """For the editor."""
    longest: float = 0.0
    """Size of a whole bar, by which the bars of two tables compare; 0 where they do not."""
    whole: float = 0.0
    """The same for a whole cost, and the height of the highest level."""
    equations: int = 0
    """Number of equations of the Program that the rows refer to; 0 if their numbers hold for any.

    JAX may trace a program in another way after dropping a cache.
    """


class Rerun(msgspec.Struct, frozen=True):
    """An additional result of a lens, on request: it runs the program again, possibly several times."""

    id: str
    pane: str = ""
    """The pane of the result; empty for the lens's own page."""


class Offer(msgspec.Struct, frozen=True):
    """One button below the table: it computes more."""

    label: Words
    tip: Words
    rerun: Rerun
    possible: bool = True
    """Otherwise `tip` says why not."""


class Extra(msgspec.Struct, frozen=True):
    """The addition of a rerun to an answer."""

    pictures: tuple[Picture, ...] = ()
    """Instead of an equation's value."""
    sentence: Text = NOTHING
    """A sentence on the pictures, or why there are none."""


class Lens(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of one lens for one variant. It may be sent again with more details."""

    table: Table = Table()
    summary: tuple[Piece, ...] = ()
    """The sentences below the table."""
    offers: tuple[Offer, ...] = ()
    extra: Extra | None = None
    bytes: int = 0
    """The cost of one call, by which two variants compare; 0 if that is not the subject."""
    data: Any = None
    """The result for scripts: types in JAX's notation, sizes in bytes, lines from 1, and 0 for none."""
    sentence: Text = NOTHING
    """Reason for an empty result, or a note on it."""
    failure: Failure | None = None
    """The error that ended the variant or the request."""


def text_cell(words: Words, tone: Tone = "code") -> Cell:
    """Return a cell with one piece."""
    return Cell((Piece(words, tone),)) if words else Cell()


def lit_rows(table: Table, equations: Iterable[int], lines: Iterable[int]) -> frozenset[int]:
    """Return the rows of these equations, and of these lines those that are no equation's."""
    equations, lines = frozenset(equations), frozenset(lines) - {0}
    return frozenset(
        number
        for number, row in enumerate(table.rows)
        if row.equation in equations or (row.equation < 0 and not lines.isdisjoint((row.line, *row.other_lines)))
    )


def as_text(table: Table, below: Sequence[str]) -> str:
    """Return the table with a tab between cells, its first column the user's line, and the sentences `below` it."""
    lines = ["\t".join(("", *map(str, table.headings)))]
    for row in table.rows:
        cells = ("  " * cell.depth + cell.text for cell in row.cells)
        lines.append("\t".join((str(row.line or ""), *cells)).rstrip("\t"))
    return "\n".join([*lines, *below]) + "\n"


TIME = Rerun("time")
"""Runs the program several times under JAX's profiler."""


class LensSpec(msgspec.Struct, frozen=True):
    """One lens. Its answer is made in the module of ``worker/runs/lenses`` with the name of its `id`."""

    id: str
    """As in scenarios and in the names of exported files."""
    name: Text
    """The label of its button: one word."""
    tip: Text
    timing: Rerun | None = None
    """The rerun that Time (Ctrl+T) requests too while its page is open."""


_SPECS = (
    LensSpec("vmap", name=verbatim("vmap"), tip=say("Shows one example next to the batch")),
    LensSpec("gradient", name=say("gradient"), tip=say("Shows the backward pass next to the program")),
    LensSpec(
        "calls", name=say("calls"), tip=say("Shows each call of a jitted function, and the Python that ran in it")
    ),
    LensSpec("devices", name=say("devices"), tip=say("Shows which device holds which part of each array")),
    LensSpec(
        "memory",
        name=say("memory"),
        tip=say("Shows which arrays of the compiled program are in memory when, and its peak"),
    ),
    LensSpec(
        "time",
        name=say("time"),
        tip=say("Shows which lines of the compiled program take how much of its operation time"),
        timing=TIME,
    ),
)
LENSES: dict[str, LensSpec] = {each.id: each for each in _SPECS}

if TYPE_CHECKING:
    LensId: TypeAlias = str
else:
    # For msgspec, which checks scenarios.
    LensId = Literal[tuple(LENSES)]
