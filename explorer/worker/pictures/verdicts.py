"""Verdicts as sentences, made from a `Comparison` of an array's examples: equal, repeating by chance, too large."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from explorer.messages import Finding
from explorer.text.text import Text, joined, say

FEWEST_BITS = 20
"""Rows with fewer random bits may repeat by chance."""


class Comparison(msgspec.Struct, frozen=True):
    """Comparison of the examples of one array."""

    shape: tuple[int, ...]
    axis: int
    compared: int
    """Number of examples compared, counted from the first."""
    distinct: int
    row_bits: float
    """Number of random bits that one example can hold."""
    constant: str = ""
    """The common value of all elements, else empty."""
    of_rows: bool = False
    """Whether it is about rows that are no examples."""
    rounded: bool = False
    """Whether equality is only within rounding."""
    elsewhere: tuple[int, int, int] | None = None
    """(axis, slices, distinct slices) of another axis with equal slices, if all examples differ."""

    @property
    def examples(self) -> int:
        return self.shape[self.axis]

    @property
    def too_short(self) -> bool:
        """Whether equal examples may be chance.

        Among n examples of b random bits, about n**2 / 2**(b + 1) pairs are expected to be equal (the birthday
        problem). If that is below 1/1000, or if all n agree, it is not chance.
        """
        return may_repeat(self.row_bits, self.compared, self.distinct)


def may_repeat(row_bits: float, compared: int, distinct: int) -> bool:
    """Return whether chance explains only `distinct` distinct slices of `compared`, of `row_bits` random bits each."""
    if distinct == 1:
        return row_bits * (compared - 1) < FEWEST_BITS
    return row_bits < max(FEWEST_BITS, 2 * math.log2(max(1, compared)) + 10)


def verdict(found: Comparison, sharing: Finding | None) -> Text:
    """Return the verdict as a sentence; `sharing` is the finding that explains equal examples, if any."""
    if not found.shape:
        return say("one value: {value}", value=found.constant)
    if found.examples == 0:
        return say("0 examples: the batch is empty")
    if math.prod(found.shape) == 0:
        return say("{examples} without any values", examples=_examples(found))
    if sharing is not None and found.compared > 1:
        return joined("", (_examples(found), _equality(found), _cause(found, sharing)))
    if found.constant and math.prod(found.shape) == 1:
        return say("{examples}: {value}", examples=_examples(found), value=found.constant)
    if found.constant:
        return say("{examples}, every value is {value}", examples=_examples(found), value=found.constant)
    if len(found.shape) == 1:
        # Single values repeat for many reasons; a count would say nothing about noise.
        return _examples(found)
    doubtful = found.distinct < found.compared and found.too_short
    chance = say(": too short to rule out chance") if doubtful else Text()
    return joined("", (_examples(found), _equality(found), chance))


def _examples(found: Comparison) -> Text:
    if len(found.shape) > 1 and found.of_rows:
        count = say("1 row") if found.examples == 1 else say("{count} rows", count=f"{found.examples:,}")
    elif len(found.shape) > 1:
        count = say("1 example") if found.examples == 1 else say("{count} examples", count=f"{found.examples:,}")
    else:
        count = say("1 value") if found.examples == 1 else say("{count} values", count=f"{found.examples:,}")
    return say("{examples} along axis {axis}", examples=count, axis=found.axis) if found.axis else count


def _equality(found: Comparison) -> Text:
    if found.compared == 1:
        return Text()
    all_of_them = found.compared == found.examples
    if found.distinct == found.compared:
        if all_of_them:
            return joined("", (say(", all different"), _elsewhere(found)))
        first = say(", the first {count} all different", count=f"{found.compared:,}")
        return joined("", (first, _elsewhere(found)))
    count = f"{found.distinct:,}"
    if len(found.shape) != 2:
        distinct = say("{count} distinct", count=count)
    elif found.axis == 1:
        distinct = say("1 distinct column") if found.distinct == 1 else say("{count} distinct columns", count=count)
    else:
        distinct = say("1 distinct row") if found.distinct == 1 else say("{count} distinct rows", count=count)
    if not all_of_them:
        distinct = say("{distinct} among the first {count}", distinct=distinct, count=f"{found.compared:,}")
    return joined("", (", ", say("{distinct} to within rounding", distinct=distinct) if found.rounded else distinct))


def _elsewhere(found: Comparison) -> Text:
    if found.elsewhere is None:
        return Text()
    axis, count, distinct = found.elsewhere
    return say(", but along axis {axis} only {distinct} of {count} are", axis=axis, distinct=distinct, count=count)


def _cause(found: Comparison, sharing: Finding) -> Text:
    keys = sharing.distinct or 1
    count = f"{keys:,}"
    if found.distinct != keys and keys == 1:
        words = say(", but one key made all of their noise")
    elif found.distinct != keys:
        words = say(", but {count} keys made all of their noise", count=count)
    else:
        words = say(": they all share one key") if keys == 1 else say(": they share {count} keys", count=count)
    return joined("", (words, say(", on purpose"))) if sharing.level == "note" else words


def too_large(elements: int, octets: int) -> Text:
    """Return the verdict on an array that is too large to compare."""
    return say("{count} values ({size}): too large to compare the examples", count=f"{elements:,}", size=_size(octets))


def _size(octets: float) -> str:
    for unit in ("B", "kB", "MB"):
        if octets < 1000:
            return f"{octets:.3g} {unit}"
        octets /= 1000
    return f"{octets:,.1f} GB"


def cropped(shape: Sequence[int], cropped_shape: Sequence[int], axis: int) -> Text:
    """Return the shown range of each cropped axis, or an empty text."""
    parts = [
        say(
            "{axis} 0 to {last} of {all}",
            axis=_axis_name(number, axis, len(shape)),
            last=f"{stop - 1:,}",
            all=f"{whole:,}",
        )
        for number, (whole, stop) in enumerate(zip(shape, cropped_shape, strict=True))
        if stop < whole
    ]
    return say("Showing {parts}.", parts=joined(say(" and "), parts)) if parts else Text()


def _axis_name(number: int, axis: int, rank: int) -> Text:
    if number == axis:
        return say("rows") if rank == 2 else say("examples")
    return say("columns") if rank == 2 else say("axis {number} from", number=number)
