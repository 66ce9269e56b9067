"""The rows of the gradient lens: forward, residuals, and backward, which is read upwards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import Ratio, seconds_text
from explorer.focus.variant_names import shown_variant
from explorer.messages.lenses.gradient import (
    FIND_FIX,
    MEASURE,
    ROWS,
    BackwardEquation,
    ForwardEquation,
    GradientCost,
    GradientCosts,
    GradientLens,
    Residual,
)
from views.parts.byte_words import bytes_text
from views.program.lenses.table_records import Cell, Piece, Row, Table, Tone, text_cell
from views.program.lenses.view import NOTHING_SEEN, LensView, Offer, Seen


def cost_pieces(costs: GradientCosts | None, variant: str) -> list[Piece]:
    """Return the costs of `variant` in words, compared where two were measured together; empty without `costs`."""
    if costs is None:
        return []
    own = next((each for each in costs.costs if each.variant == variant), None)
    pieces = [Piece(each, "title") for each in _of_one(own)] if own is not None else []
    if len(costs.costs) == 2:
        pieces += [Piece(each, "title") for each in _compared(costs)]
    return pieces


def _of_one(cost: GradientCost) -> Iterator[str]:
    if cost.sentence:
        yield str(cost.sentence)
    if cost.median_s is not None:
        words = QCoreApplication.translate("LensCosts", "Value and gradient under jit: {time} (median of {count}).")
        yield words.format(time=seconds_text(cost.median_s), count=cost.samples)
    named = (
        (QCoreApplication.translate("LensCosts", "temporary {bytes}"), cost.temporary_bytes),
        (QCoreApplication.translate("LensCosts", "outputs {bytes}"), cost.output_bytes),
        (QCoreApplication.translate("LensCosts", "arguments {bytes}"), cost.argument_bytes),
        (QCoreApplication.translate("LensCosts", "at most {bytes} at one time"), cost.peak_bytes),
    )
    parts = [words.format(bytes=bytes_text(count)) for words, count in named if count is not None]
    if parts:
        memory = QCoreApplication.translate("LensCosts", "XLA reports its memory: {parts}.")
        yield memory.format(parts=", ".join(parts))


def _compared(costs: GradientCosts) -> Iterator[str]:
    first, second = costs.costs
    named = (
        (QCoreApplication.translate("LensCosts", "arrays kept × {ratio}"), first.residual_bytes, second.residual_bytes),
        (
            QCoreApplication.translate("LensCosts", "temporary memory × {ratio}"),
            first.temporary_bytes,
            second.temporary_bytes,
        ),
        (QCoreApplication.translate("LensCosts", "memory at one time × {ratio}"), first.peak_bytes, second.peak_bytes),
    )
    parts = [words.format(ratio=f"{one / other:.3g}") for words, one, other in named if one is not None and other]
    ratio = costs.time_ratio
    if ratio is not None:
        words = QCoreApplication.translate("LensCosts", "time × {ratio}")
        parts.append(words.format(ratio=f"{ratio.middle:.3g}"))
    if parts:
        words = QCoreApplication.translate("LensCosts", "{first} compared with {second}: {parts}.")
        names = {"first": shown_variant(first.variant), "second": shown_variant(second.variant)}
        yield words.format(parts=", ".join(parts), **names)
    if ratio is not None and Ratio(ratio.middle, ratio.low, ratio.high).shows_no_difference:
        yield QCoreApplication.translate("LensCosts", "Their times do not differ measurably.")


def _largest(lens: GradientLens) -> int:
    """Return the bytes of the largest residual."""
    return max((each.bytes for each in lens.residuals), default=0)


def table(lens: GradientLens, seen: Seen = NOTHING_SEEN) -> Table:
    """Return the arguments, then each forward equation with its residuals and its transposed equations."""
    if not lens.forward and not lens.backward:
        return Table()
    own_residuals = QCoreApplication.translate("GradientLens", "kept")
    if lens.residuals:
        own_residuals = QCoreApplication.translate("GradientLens", "kept: {bytes}").format(
            bytes=bytes_text(lens.residual_bytes)
        )
    return Table(
        (
            QCoreApplication.translate("GradientLens", "forward ↓"),
            own_residuals,
            QCoreApplication.translate("GradientLens", "backward ↑ reads upwards"),
        ),
        (
            QCoreApplication.translate("GradientLens", "The forward pass: from the arguments down to the value"),
            QCoreApplication.translate("GradientLens", "The arrays that the forward pass keeps for the backward pass"),
            QCoreApplication.translate(
                "GradientLens",
                "The backward pass: from the last row up to the arguments, each row next to its forward equation",
            ),
        ),
        tuple(_Rows(lens, (seen.shared or shared([lens])).longest).all()),
        (0.42, 0.20, 0.38),
    )


class _Rows:
    """The rows of one lens."""

    def __init__(self, lens: GradientLens, longest: int) -> None:
        self._lens = lens
        self._longest = longest
        self._stopped = {each.equation: str(each.sentence) for each in lens.ends if each.equation >= 0}
        known = {each.id for each in lens.forward}
        self._residuals: dict[int, list[Residual]] = defaultdict(list)
        for residual in lens.residuals:
            self._residuals[residual.made_by].append(residual)
        self._backward: dict[int, list[BackwardEquation]] = defaultdict(list)
        last = -1
        for equation in lens.backward:
            # What is the transpose of nothing stands with what was computed before it.
            last = equation.forward if equation.forward in known else last
            self._backward[last].append(equation)

    def all(self) -> Iterable[Row]:
        """Return all rows from the top."""
        yield from self._arguments()
        for equation in self._lens.forward:
            yield from self._rows(self._forward(equation), equation.equation, equation.line, equation.id)
        yield from self._rows(Cell(), -1, 0, -1)

    def _rows(self, forward: Cell, equation: int, line: int, of_id: int) -> Iterable[Row]:
        """Return the rows of one forward equation; -1 for the first rows, which belong to the backward pass alone."""
        own_residuals = self._residuals[of_id] if of_id >= 0 else []
        backward = self._backward[of_id][::-1]
        stopped = self._stopped.get(equation, "")
        for number in range(max(1 if of_id >= 0 else 0, len(own_residuals), len(backward))):
            then = backward[number] if number < len(backward) else None
            right = self._of_backward(then) if then else text_cell(stopped if number == 0 else "", "dim")
            cells = (forward if number == 0 else Cell(), self._bar(own_residuals, number), right)
            yield Row(cells, equation, line or (then.line if then else 0))

    # -- arguments --------------------------------------------------------------------------------------------

    def _arguments(self) -> Iterable[Row]:
        ends = {each.name: str(each.sentence) for each in self._lens.ends if each.equation < 0}
        inputs = self._residuals[-1]
        for name in dict.fromkeys([*self._lens.taken, *(each.argument for each in inputs if each.argument), *ends]):
            own_residuals = [each for each in inputs if each.argument == name]
            taken = name in self._lens.taken and name not in ends
            gradient = QCoreApplication.translate("GradientLens", "gradient of {name}").format(name=name)
            right = text_cell(gradient if taken else ends.get(name, ""), "words" if taken else "dim")
            if taken and name in self._lens.not_finite:
                gradient = QCoreApplication.translate("GradientLens", "gradient of {name}: NaN or inf")
                right = text_cell(gradient.format(name=name), "bug")
            left = text_cell(name, "title" if taken else "dim code")
            yield from self._argument(left, own_residuals, right)
        constants = [each for each in inputs if not each.argument]
        if constants:
            yield from self._argument(
                text_cell(QCoreApplication.translate("GradientLens", "constants"), "dim"), constants, Cell()
            )

    def _argument(self, left: Cell, own_residuals: Sequence[Residual], right: Cell) -> Iterable[Row]:
        for number in range(max(1, len(own_residuals))):
            first = number == 0
            yield Row((left if first else Cell(), self._bar(own_residuals, number), right if first else Cell()))

    # -- cells ------------------------------------------------------------------------------------------------

    def _forward(self, equation: ForwardEquation) -> Cell:
        quiet = equation.added or equation.equation in self._stopped
        pieces = _named(equation, "dim code" if quiet else "code")
        rule = self._rule(equation)
        pieces[-1:-1] = rule
        if equation.added and not rule:
            pieces.append(Piece(QCoreApplication.translate("GradientLens", "for backward"), "dim"))
        return Cell(tuple(pieces), equation.depth)

    def _of_backward(self, equation: BackwardEquation) -> Cell:
        pieces = _named(equation, "code")
        first = self._lens.first_not_finite
        pieces[-1:-1] = self._rule(equation)
        if equation.recomputed:
            pieces.insert(0, Piece(QCoreApplication.translate("GradientLens", "computed again"), "note"))
        if first is not None and first.id == equation.id:
            made = "NaN" if first.made == "nan" else "inf"
            words = QCoreApplication.translate("GradientLens", "{made} first appears here")
            pieces = [
                *_called(equation, "bug code"),
                Piece(words.format(made=made), "bug"),
                _types(equation, "bug code"),
            ]
        return Cell(tuple(pieces), equation.depth)

    def _rule(self, equation: ForwardEquation) -> list[Piece]:
        """Return the name of an equation's custom rule."""
        if not 0 <= equation.rule < len(self._lens.custom) or equation.depth:
            return []
        rule = self._lens.custom[equation.rule]
        words = QCoreApplication.translate("GradientLens", "rule of {name}")
        if rule.rule_line and not equation.added:
            # The name stands before it.
            words = QCoreApplication.translate("GradientLens", "rule: line {line}")
        elif rule.rule_line:
            words = QCoreApplication.translate("GradientLens", "rule of {name}, line {line}")
        return [Piece(words.format(name=rule.name, line=rule.rule_line), "note")]

    def _bar(self, own_residuals: Sequence[Residual], number: int) -> Cell:
        if number >= len(own_residuals):
            return Cell()
        residual = own_residuals[number]
        size = Piece(bytes_text(residual.bytes), "words")
        share = residual.bytes / self._longest if self._longest else 0.0
        return Cell((size, Piece(residual.shape, "dim code")), bar=share)


def _called(equation: ForwardEquation, tone: Tone) -> list[Piece]:
    names = dict.fromkeys((equation.primitive, equation.name))
    return [Piece(name, tone) for name in names if name]


def _types(equation: ForwardEquation, tone: Tone) -> Piece:
    return Piece(" ".join(equation.outputs), tone)


def _named(equation: ForwardEquation, tone: Tone) -> list[Piece]:
    """Return the name of an equation and, last, its outputs."""
    if equation.finite is not False:
        return [*_called(equation, tone), _types(equation, "dim code")]
    wrong = Piece(QCoreApplication.translate("GradientLens", "NaN or inf"), "bug")
    return [*_called(equation, "bug code"), wrong, _types(equation, "bug code")]


def summary(lens: GradientLens, seen: Seen = NOTHING_SEEN) -> list[Piece]:
    """Return the sentences below the rows, errors first."""
    pieces = []
    if lens.first_not_finite is not None:
        words = "{sentence}"
        if lens.first_not_finite.line:
            words = QCoreApplication.translate("GradientLens", "Line {line}: {sentence}")
        where = words.format(line=lens.first_not_finite.line, sentence=lens.first_not_finite.sentence)
        pieces.append(Piece(where, "bug"))
        if lens.first_not_finite.fixes == ():
            nothing = QCoreApplication.translate("GradientLens", "None of the changes tried makes the gradient finite.")
            pieces.append(Piece(nothing, "words"))
    if lens.residuals:
        own_residuals = QCoreApplication.translate("GradientLens", "Arrays kept: {count}, together {bytes}.")
        pieces.append(
            Piece(own_residuals.format(bytes=bytes_text(lens.residual_bytes), count=len(lens.residuals)), "words")
        )
    if lens.recomputed:
        again = QCoreApplication.translate("GradientLens", "Equations computed again: {count}.")
        pieces.append(Piece(again.format(count=lens.recomputed), "words"))
    pieces += [Piece(str(each), "words") for each in lens.notes]
    if lens.rows is not None:
        pieces.append(Piece(str(lens.rows.sentence), "words"))
    if lens.check is not None:
        pieces.append(Piece(str(lens.check.sentence), "words" if lens.check.agrees else "note"))
    return [*pieces, *cost_pieces((seen.shared or shared([lens])).costs, seen.variant)]


def offers(lens: GradientLens, seen: Seen = NOTHING_SEEN) -> list[Offer]:
    """Return the offers for a gradient: to search for fixes, or the fixes; its rows; and a measurement."""
    if not (lens.forward or lens.backward):
        return []
    first, found = lens.first_not_finite, []
    if first is not None and first.fixes is None and first.may_have_fix:
        label = QCoreApplication.translate("LensOffers", "Look for a fix")
        tip = QCoreApplication.translate(
            "LensOffers", "Tries a second where around the input, and runs the changed program"
        )
        found.append(Offer(label, tip, FIND_FIX))
    for each in first.fixes or () if first is not None else ():
        tip = QCoreApplication.translate(
            "LensOffers",
            "Changes the code: the gradient becomes finite, and the value stays. One undo takes it back.",
        )
        found.append(Offer(str(each.label), tip, each))
    if seen.is_mapped or lens.summed:
        tip = QCoreApplication.translate("LensOffers", "Shows the gradient in rows among the outputs: {what}")
        label, what = (
            QCoreApplication.translate("LensOffers", "Gradient of each example"),
            QCoreApplication.translate("LensOffers", "one for each example of vmap"),
        )
        if not seen.is_mapped:
            label = QCoreApplication.translate("LensOffers", "Jacobian")
            what = QCoreApplication.translate("LensOffers", "one for each returned element")
        found.append(Offer(label, tip.format(what=what), ROWS))
    label = QCoreApplication.translate("LensOffers", "Measure")
    if (seen.shared or shared([lens])).costs is not None:
        label = QCoreApplication.translate("LensOffers", "Measure again")
    tip = QCoreApplication.translate(
        "LensOffers",
        "Compiles value and gradient as one program, asks XLA for its memory, and times it; two variants take "
        "turns in one run",
    )
    return [*found, Offer(label, tip, MEASURE)]


class Both(NamedTuple):
    """The facts about other variants that the rows of one need."""

    longest: int = 0
    """The bytes of the longest bar."""
    costs: GradientCosts | None = None


def shared(lenses: Sequence[GradientLens]) -> Both:
    """Return the common data of the tables of `lenses`: the scale of their bars, and the joint measurements."""
    costs = next((each.costs for each in lenses if each.costs is not None), None)
    return Both(max(map(_largest, lenses), default=0), costs)


VIEW = LensView(table, summary, offers, shared)
