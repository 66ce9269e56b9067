"""The rows of the time lens: the lines of the program with their share of operation time."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import seconds_text
from explorer.figures.shares import share_text
from explorer.messages.lenses.time import MEASURE, LineShare, TimeLens
from views.program.lenses.table_records import Cell, Piece, Row, Table, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Offer, Seen


def table(lens: TimeLens, _: Seen = NOTHING_SEEN) -> Table:
    """Return a row for each group of lines, the most expensive first."""
    if not lens.shares:
        return Table()
    return Table(
        (
            QCoreApplication.translate("TimeLens", "line"),
            QCoreApplication.translate("TimeLens", "share"),
            QCoreApplication.translate("TimeLens", "operations"),
        ),
        (
            QCoreApplication.translate("TimeLens", "The lines; several where one operation computes them together"),
            QCoreApplication.translate("TimeLens", "Of operation time, with the 95 % interval over the calls"),
            QCoreApplication.translate("TimeLens", "The operations of these lines, the most expensive first"),
        ),
        tuple(map(_row, lens.shares)),
        (0.3, 0.35, 0.35),
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
    words = QCoreApplication.translate("TimeLens", "no line")
    if share.lines:
        words = QCoreApplication.translate("TimeLens", "line {line}")
        words = words.format(line=", ".join(map(str, share.lines)))
    return Row(
        (
            text_cell(words, "words"),
            Cell((Piece(share_text(share), "code"),), bar=share.share),
            text_cell(", ".join(share.operations), "dim code"),
        ),
        -1,
        share.lines[0] if share.lines else 0,
    )


VIEW = LensView(table, summary, offers)
