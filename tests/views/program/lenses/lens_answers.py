"""Lens answers for tests, and the contents of their pages."""

from __future__ import annotations

import msgspec

from explorer.messages import LensAnswer, Program, Report, Snapshot
from explorer.messages.lenses import (
    Cell,
    Grid,
    Lens,
    LineCost,
    Offer,
    Piece,
    Rerun,
    Row,
    Share,
    Stack,
    Strip,
    Table,
    text_cell,
)
from tests.views.program.shown import PROGRAM, button
from views.program.lenses.page import LensPage
from views.program.lenses.table import LensTable
from views.program.program_view import ProgramView

ROWS = Rerun("rows", pane="noise")


def table(*rows: Row, headings: tuple[str, ...] = ("forward", "kept", "backward")) -> Table:
    """Return the table of `rows`, which may have fewer cells than there are headings."""
    whole = (
        msgspec.structs.replace(each, cells=(*each.cells, *[Cell()] * len(headings))[: len(headings)]) for each in rows
    )
    return Table(headings, headings, tuple(whole), (1 / len(headings),) * len(headings))


def row(words: str, line: int = 0, equation: int = -1, other: str = "", bar: float = 0.0) -> Row:
    return Row((text_cell(words), Cell((Piece(other),), bar=bar) if other else Cell()), equation, line)


GRADIENT = Lens(
    table=msgspec.structs.replace(
        table(
            row("x"),
            row("n"),
            row("sin f32[5]", 3, 0, "1 KiB", 1.0),
            row("", 3, 0, "8 B", 1 / 128),
            row("cos f32[5]", 3, 0),
            row("custom_vjp_call clip f32[]", 5, 1),
            row("neg f32[]", 6),
        ),
        longest=1024.0,
    ),
    summary=(Piece("Line 3: NaN first appears here.", "bug"), Piece("Agree to 5 digits.", "words")),
    offers=(Offer("Jacobian", "Shows rows", ROWS),),
)


def _grid(columns: int, *fields: tuple[int, ...]) -> Cell:
    return Cell(
        grid=Grid(columns, tuple(tuple(Share(each, f"Device {each} holds it.") for each in some) for some in fields))
    )


def _devices(name: str, grid: Cell, line: int = 0, height: int = 1) -> Row:
    return Row((text_cell(name), text_cell("parts"), grid), -1, line, height=height)


DEVICES = Lens(
    table=table(
        _devices("x f32[8,4]", _grid(1, (0,))),
        _devices("n i64[3]", Cell()),
        _devices("xs f32[8,4]", _grid(1, (0, 1), (2, 3)), 3, 2),
        _devices("output f32[4,4]", _grid(2, (0,), (1,), (2,), (3,)), 4, 2),
        _devices("all-reduce", _grid(2, (0, 2), (1, 3)), 4),
    )
)
MEMORY = Lens(
    table=msgspec.structs.replace(
        table(row("at the peak"), row("f32[512] residual tanh", 3), row("f32[256] output sub", 6)),
        stack=Stack(
            6,
            9216.0,
            (
                Strip(1, 4096.0, ((0, 4, 0.0),), 3, "residual", "f32[512]", "made by line 3"),
                Strip(2, 1024.0, ((3, 4, 4096.0), (5, 5, 0.0)), 6, "output", "f32[256]", "made by line 6"),
            ),
            3,
            5120.0,
            "peak: 5 KiB",
            ((9216.0, "taken from the system: 9 KiB"), (1057792.0, "with a library's memory, at most: 1.01 MiB")),
            (3, 3, 0, 5, 6, 6),
            ((0, 1, "× 12"),),
        ),
        costs=(LineCost(4096 / 1057792, 4096 / 1057792, "4 KiB", "4 KiB of the 5 KiB at the peak", 3),),
        whole=1057792.0,
    ),
    summary=(Piece("Peak: 5 KiB live.", "title"), Piece("The call takes 9 KiB.", "words")),
    bytes=9216,
)


def answer_with(lens: Lens | None, variant: str = "f", sentence: str = "", name: str = "gradient") -> LensAnswer:
    return LensAnswer(1, 1, variant, name, lens, sentence)


def offering(*lenses: str, names: str = "f", program: Program = PROGRAM) -> Snapshot:
    """Return a snapshot of variants with these names, each of one letter, which offer `lenses`."""
    reports = tuple(Report(name, "ok", program=program, lenses=lenses) for name in names)
    return Snapshot(1, "cpu:0", True, reports=reports)


def without(snapshot: Snapshot, **changes: object) -> Snapshot:
    return msgspec.structs.replace(snapshot, **changes)


def opened(view: ProgramView, *answers: LensAnswer, names: str = "f") -> list[LensPage]:
    """Open the lens of `answers` in `view`, and return the visible pages."""
    name = answers[0].name
    view.show_snapshot(offering(name, names=names))
    button(view, name).click()
    view.show_lenses(answers)
    return pages(view)


def pages(view: ProgramView) -> list[LensPage]:
    shown = [page for page in view.findChildren(LensPage) if page.isVisible()]
    return sorted(shown, key=lambda page: table_of(page).accessibleName())


def table_of(page: LensPage) -> LensTable:
    return page.findChild(LensTable)
