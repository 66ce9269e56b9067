"""The cost of value and gradient in sentences: memory from XLA, measured time, ratios of two variants."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from explorer.figures.curves import Ratio, seconds_text
from explorer.focus.variant_names import shown_variant
from explorer.messages.lenses.gradient import GradientCost, GradientCosts
from views.parts.byte_words import bytes_text
from views.program.lenses.table_records import Piece


def summary(costs: GradientCosts | None, variant: str) -> list[Piece]:
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
