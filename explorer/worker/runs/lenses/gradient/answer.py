"""The gradient lens: forward, residuals, and backward, which is read upwards; and what it computes on request."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np
from msgspec.structs import replace

from explorer.figures.curves import bytes_text
from explorer.messages.lenses import Cell, Lens, Offer, Piece, Rerun, Row, Table, Tone, text_cell
from explorer.text.text import NOTHING, Text, say
from explorer.worker.code import trees
from explorer.worker.program.equations import has_vmap
from explorer.worker.runs.lens import FinishedRun, LensInput, LensWork
from explorer.worker.runs.lenses.gradient.facts import Facts, Gradient, Residual
from explorer.worker.runs.lenses.gradient.links import Node
from explorer.worker.runs.lenses.gradient.rows import no_jacobian, rows

ROWS = Rerun("rows", pane="noise")


def lens_of(facts: Facts, *, is_mapped: bool = False, why_not: Text = NOTHING) -> Lens:
    """Return the answer; `is_mapped` says whether the program has a vmap, `why_not` why it has no Jacobian."""
    has_passes = bool(facts.forward or facts.backward)
    return Lens(
        table=_table(facts) if has_passes else Table(),
        summary=tuple(_summary(facts)),
        offers=tuple(_offers(facts, is_mapped, why_not)) if has_passes else (),
        data={
            "forward": [_record(each) for each in facts.forward],
            "backward": [{**_record(each), "of": each.forward.id if each.forward else -1} for each in facts.backward],
            "residuals": [
                {"id": each.id, "shape": each.shape, "bytes": each.bytes, "line": each.line} for each in facts.residuals
            ],
            "residual_bytes": facts.residual_bytes,
        },
        sentence=facts.sentence,
        failure=facts.failure,
    )


def _record(equation: Node) -> dict[str, Any]:
    return {
        "id": equation.id,
        "primitive": equation.primitive,
        "line": equation.line,
        "outputs": equation.outputs,
        "finite": equation.finite,
    }


def _summary(facts: Facts) -> Iterator[Piece]:
    """Yield the sentences below the rows, errors first."""
    if (first := facts.first_not_finite) is not None:
        words = first.sentence
        if first.line:
            words = say("Line {line}: {sentence}", line=first.line, sentence=words)
        yield Piece(words, "bug")
    if facts.residuals:
        size = bytes_text(facts.residual_bytes)
        yield Piece(say("Arrays kept: {count}, together {bytes}.", count=len(facts.residuals), bytes=size), "words")
    if facts.recomputed:
        yield Piece(say("Equations computed again: {count}.", count=facts.recomputed), "words")
    yield from (Piece(each, "words") for each in facts.notes)
    if facts.check is not None:
        yield Piece(facts.check.sentence, "words" if facts.check.agrees else "note")


def _offers(facts: Facts, is_mapped: bool, why_not: Text) -> Iterator[Offer]:
    """Yield the rows of the gradient, if it has several."""
    if is_mapped or facts.summed:
        label, what = say("Gradient of each example"), say("one for each example of vmap")
        if not is_mapped:
            label, what = say("Jacobian"), say("one for each returned element")
        tip = why_not or say("Shows the gradient in rows among the outputs: {what}", what=what)
        yield Offer(label, tip, ROWS, possible=not why_not)


def _table(facts: Facts) -> Table:
    """Return the arguments, then each forward equation with its residuals and its transposed equations."""
    kept = say("kept")
    if facts.residuals:
        kept = say("kept: {bytes}", bytes=bytes_text(facts.residual_bytes))
    return Table(
        (say("forward ↓"), kept, say("backward ↑ reads upwards")),
        (
            say("The forward pass: from the arguments down to the value"),
            say("The arrays that the forward pass keeps for the backward pass"),
            say("The backward pass: from the last row up to the arguments, each row next to its forward equation"),
        ),
        tuple(_Rows(facts).all()),
        (0.42, 0.20, 0.38),
        longest=float(max((each.bytes for each in facts.residuals), default=0)),
    )


class _Rows:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._longest = max((each.bytes for each in facts.residuals), default=0)
        self._stopped = {each.equation: each.sentence for each in facts.ends if each.equation >= 0}
        known = {each.id for each in facts.forward}
        self._residuals: dict[int, list[Residual]] = defaultdict(list)
        for residual in facts.residuals:
            self._residuals[residual.made_by].append(residual)
        self._backward: dict[int, list[Node]] = defaultdict(list)
        last = -1
        for equation in facts.backward:
            # A backward equation without a forward counterpart is shown with the one before it.
            of = equation.forward.id if equation.forward else -1
            last = of if of in known else last
            self._backward[last].append(equation)

    def all(self) -> Iterator[Row]:
        """Yield all rows from the top."""
        yield from self._arguments()
        for equation in self._facts.forward:
            backward = [self._of_backward(each) for each in self._backward[equation.id][::-1]]
            if not backward:
                backward = [text_cell(self._stopped.get(equation.index, NOTHING), "dim")]
            lines = [each.line for each in self._backward[equation.id][::-1]]
            for number, cells in enumerate(self._beside(self._of_forward(equation), equation.id, backward)):
                line = equation.line or (lines[number] if number < len(lines) else 0)
                yield Row(cells, equation.index, line)
        # Those that belong to no equation of the forward pass.
        for each in self._backward[-1][::-1]:
            yield Row((Cell(), Cell(), self._of_backward(each)), -1, each.line)

    def _beside(
        self, left: Cell, made_by: int, right: Sequence[Cell], argument: str | None = None
    ) -> Iterator[tuple[Cell, ...]]:
        """Yield the cells of a forward equation or argument, its residuals and what is next to it in backward."""
        residuals = [each for each in self._residuals[made_by] if argument in (None, each.argument)]
        for number in range(max(1, len(residuals), len(right))):
            yield (
                left if number == 0 else Cell(),
                self._bar(residuals[number]) if number < len(residuals) else Cell(),
                right[number] if number < len(right) else Cell(),
            )

    def _arguments(self) -> Iterator[Row]:
        facts = self._facts
        ends = {each.name: each.sentence for each in facts.ends if each.equation < 0}
        kept = [each.argument for each in self._residuals[-1]]
        for name in dict.fromkeys([*facts.taken, *filter(None, kept), *ends]):
            left, right = text_cell(name, "dim code"), text_cell(ends.get(name, NOTHING), "dim")
            if name in facts.taken and name not in ends:
                left, right = text_cell(name, "title"), text_cell(say("gradient of {name}", name=name), "words")
                if name in facts.not_finite:
                    right = text_cell(say("gradient of {name}: NaN or inf", name=name), "bug")
            yield from map(Row, self._beside(left, -1, [right], name))
        if "" in kept:
            yield from map(Row, self._beside(text_cell(say("constants"), "dim"), -1, [], ""))

    # -- cells ------------------------------------------------------------------------------------------------

    def _of_forward(self, equation: Node) -> Cell:
        pieces = _named(equation, "dim code" if equation.added or equation.index in self._stopped else "code")
        if equation.added:
            pieces.append(Piece(say("for backward"), "dim"))
        return Cell(tuple(pieces), equation.depth)

    def _of_backward(self, equation: Node) -> Cell:
        first = self._facts.first_not_finite
        if first is not None and first.id == equation.id:
            words = say("{made} first appears here", made="NaN" if first.made == "nan" else "inf")
            names = _called(equation, "bug code")
            return Cell((*names, Piece(words, "bug"), _types(equation, "bug code")), equation.depth)
        pieces = _named(equation, "code")
        if equation.recomputed:
            pieces.insert(0, Piece(say("computed again"), "note"))
        return Cell(tuple(pieces), equation.depth)

    def _bar(self, residual: Residual) -> Cell:
        share = residual.bytes / self._longest if self._longest else 0.0
        return Cell((Piece(bytes_text(residual.bytes), "words"), Piece(residual.shape, "dim code")), bar=share)


def _called(equation: Node, tone: Tone) -> list[Piece]:
    names = dict.fromkeys((equation.primitive, equation.called))
    return [Piece(name, tone) for name in names if name]


def _types(equation: Node, tone: Tone) -> Piece:
    return Piece(" ".join(equation.outputs), tone)


def _named(equation: Node, tone: Tone) -> list[Piece]:
    """Return the name of an equation and, last, its outputs."""
    if equation.finite is not False:
        return [*_called(equation, tone), _types(equation, "dim code")]
    return [*_called(equation, "bug code"), Piece(say("NaN or inf"), "bug"), _types(equation, "bug code")]


# -- the answer ----------------------------------------------------------------------------------------------------


def _applies_to(finished: FinishedRun) -> bool:
    trees_of_floats = (finished.outputs, dict(finished.arguments))
    return not finished.failed and all(any(map(_is_float, trees.leaves(each))) for each in trees_of_floats)


def _is_float(leaf: Any) -> bool:
    dtype = getattr(leaf, "dtype", None)
    if dtype is None:
        return type(leaf) is float
    return isinstance(dtype, np.dtype) and jnp.issubdtype(dtype, np.inexact)


def _compute(asked: LensInput) -> Lens:
    with asked.again():
        prepared = asked.prepared()
        gradient = Gradient.of(*prepared)
        if not isinstance(gradient, Gradient):
            return lens_of(gradient)
        plain = gradient.traced.plain
        is_mapped = has_vmap(plain.jaxpr)
        why = NOTHING if is_mapped else no_jacobian(plain, gradient.traced.leaves)
        if not asked.request.rerun:
            asked.send(lens_of(gradient.facts, is_mapped=is_mapped, why_not=why))
        gradient.evaluate()
        extra = rows(gradient, *prepared[:2]) if asked.wants(ROWS) else None
    return replace(lens_of(gradient.facts, is_mapped=is_mapped, why_not=why), extra=extra)


LENS = LensWork(_applies_to, _compute)
