"""contents(): what a lens's page shows, by the answers on all variants; costs_together(). No widgets here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import bytes_text
from explorer.focus.variant_names import shown_variant
from explorer.messages import LensAnswer, Report
from explorer.messages.lenses import Lens, LineCost, Offer, Piece, Row, Table

MOST_ABOVE = 1.6
"""A stack shows its levels up to so many times the height of its strips."""


class LensContents(NamedTuple):
    """The contents of one page."""

    table: Table = Table()
    summary: Sequence[Piece] = ()
    """The sentences below the table."""
    offers: Sequence[Offer] = ()


def contents(report: Report | None, answer: LensAnswer | None, answers: Sequence[LensAnswer]) -> LensContents:
    """Return the contents for the `answer` on `report`, which is one of the `answers` on all variants."""
    if report is None or answer is None or answer.lens is None:
        return LensContents()
    lens, lenses = answer.lens, [each.lens for each in answers if each.lens is not None]
    summary = [*_with_comparison(lens, lenses, report.name)]
    if lens.extra is not None:
        summary.append(Piece(lens.extra.sentence, "words"))
    if answer.sentence:
        # Where a rerun failed, its sentence gives the reason.
        summary.append(Piece(answer.sentence, "note"))
    equations = len(report.program.equations) if report.program else 0
    return LensContents(_on_one_scale(lens.table, lenses, equations), summary, lens.offers)


def _with_comparison(lens: Lens, lenses: Sequence[Lens], variant: str) -> list[Piece]:
    """Return the sentences of `lens`, with how much more or less than the other variant this one takes."""
    pieces, sizes = list(lens.summary), [each.bytes for each in lenses]
    if len(sizes) != 2 or not all(sizes):
        return pieces
    sizes.remove(lens.bytes)
    words = QCoreApplication.translate(
        "LensPage", "{variant} takes {ratio}× the memory of the other: {own}, not {other}."
    ).format(
        variant=shown_variant(variant),
        ratio=f"{lens.bytes / sizes[0]:.2g}",
        own=bytes_text(lens.bytes),
        other=bytes_text(sizes[0]),
    )
    place = next((place for place, each in enumerate(pieces) if each.tone == "words"), len(pieces))
    return [*pieces[:place], Piece(words, "title"), *pieces[place:]]


def _on_one_scale(table: Table, lenses: Sequence[Lens], equations: int) -> Table:
    """Return `table` with bars, costs and stack as large as they are compared with those of the other variant."""
    if table.equations not in (0, equations):
        # A program that was traced in another way numbers its equations differently.
        table = replace(table, rows=tuple(replace(row, equation=-1) for row in table.rows))
    longest, whole = (max(getattr(each.table, name) for each in lenses) for name in ("longest", "whole"))
    if table.longest < longest:
        table = replace(table, rows=tuple(_shortened(row, table.longest / longest) for row in table.rows))
    if table.whole < whole:
        part = table.whole / whole
        costs = (replace(each, share=each.share * part, most=each.most * part) for each in table.costs)
        table = replace(table, costs=tuple(costs))
    if table.stack is not None:
        top = max(each.table.stack.top for each in lenses if each.table.stack is not None)
        table = replace(table, stack=replace(table.stack, top=min(whole, MOST_ABOVE * top)))
    return table


def _shortened(row: Row, part: float) -> Row:
    return replace(row, cells=tuple(replace(cell, bar=cell.bar * part) for cell in row.cells))


def costs_together(costs: Iterable[Iterable[LineCost]]) -> dict[int, LineCost]:
    """Return the costs by line of compared programs: where several have a line, the longest bar and all texts."""
    found: dict[int, LineCost] = {}
    for cost in (cost for some in costs for cost in some if cost.line):
        shown = replace(cost, tip=str(cost.tip))
        found[cost.line] = _together(found[cost.line], shown) if cost.line in found else shown
    return found


def _together(first: LineCost, second: LineCost) -> LineCost:
    longer = max(first, second, key=lambda each: each.most)
    return replace(longer, text=f"{first.text} | {second.text}", tip=f"{first.tip}\n{second.tip}")
