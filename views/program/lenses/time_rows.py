"""The rows of the time lens: the lines of the program with their share of operation time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import seconds_text
from explorer.figures.shares import between_text, share_text
from explorer.messages.lenses.time import MEASURE, LineShare, TimeLens
from views.parts.line_cost import LineCost
from views.program.lenses.table_records import Cell, Piece, Row, Table
from views.program.lenses.view import NOTHING_SEEN, LensView, Offer, Seen


def table(lens: TimeLens, _: Seen = NOTHING_SEEN) -> Table:
    """Return a row for each group of lines, the most expensive first."""
    if not lens.shares:
        return Table()
    return Table(
        (
            QCoreApplication.translate("TimeLens", "share"),
            QCoreApplication.translate("TimeLens", "operations"),
        ),
        (
            QCoreApplication.translate(
                "TimeLens",
                "Of operation time, with the 95 % interval over the calls. A call without the line may lose a bit more "
                "or less: other lines change, too.",
            ),
            QCoreApplication.translate("TimeLens", "The operations of these lines, the most expensive first"),
        ),
        tuple(map(_row, lens.shares)),
        (0.4, 0.6),
        costs=_costs(lens.shares),
    )


def summary(lens: TimeLens, _: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows: what the shares are of, and how they were measured."""
    if not lens.shares:
        return []
    words = QCoreApplication.translate(
        "TimeLens", "One call: {seconds} of operation time, the median of {count} calls under JAX's profiler."
    )
    pieces = [Piece(words.format(seconds=seconds_text(lens.operation_s), count=lens.calls), "words")]
    if any(len(each.lines) > 1 for each in lens.shares):
        words = QCoreApplication.translate(
            "TimeLens", "A fusion computes several lines in one operation: its time is not split."
        )
        pieces.append(Piece(words, "words"))
    words = QCoreApplication.translate(
        "TimeLens", "Operations on several threads overlap, so these are no shares of the time that passes."
    )
    return [*pieces, Piece(words, "dim")]


def offers(lens: TimeLens, _: Seen = NOTHING_SEEN) -> list[Offer]:
    """Return the button that measures."""
    label = QCoreApplication.translate("TimeLens", "Measure")
    if lens.measured:
        label = QCoreApplication.translate("TimeLens", "Measure again")
    tip = QCoreApplication.translate("TimeLens", "Runs the variant several times under JAX's profiler")
    return [Offer(label, tip, MEASURE)]


def _row(share: LineShare) -> Row:
    line, *others = share.lines or (0,)
    pieces = []
    if others:
        words = QCoreApplication.translate("TimeLens", "lines {lines} together:")
        pieces.append(Piece(words.format(lines=", ".join(map(str, share.lines))), "words"))
    elif not line:
        pieces.append(Piece(QCoreApplication.translate("TimeLens", "without a line:"), "words"))
    pieces.append(Piece(", ".join(share.operations), "dim code"))
    bar = Cell((Piece(share_text(share), "code"),), bar=share.share)
    return Row((bar, Cell(tuple(pieces))), -1, line, other_lines=tuple(others))


def _costs(shares: Iterable[LineShare]) -> dict[int, LineCost]:
    """Return the cost of each line: alone, and with the fusions that compute others as well."""
    alone: defaultdict[int, float] = defaultdict(float)
    fused: defaultdict[int, float] = defaultdict(float)
    tips: defaultdict[int, list[str]] = defaultdict(list)
    words = QCoreApplication.translate("TimeLens", "{share} of the operation time")
    of_several = QCoreApplication.translate("TimeLens", "lines {lines} together: {share} of the operation time")
    for each in shares:
        for line in each.lines:
            (fused if len(each.lines) > 1 else alone)[line] += each.share
            text = of_several if len(each.lines) > 1 else words
            tips[line].append(text.format(share=share_text(each), lines=", ".join(map(str, each.lines))))
    return {
        line: LineCost(
            alone[line],
            alone[line] + fused[line],
            between_text(alone[line], alone[line] + fused[line]),
            "\n".join(about),
        )
        for line, about in tips.items()
    }


VIEW = LensView(table, summary, offers)
