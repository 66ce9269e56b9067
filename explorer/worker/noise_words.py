"""What the examples of one array show, in words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from explorer.messages import Finding

FEWEST_BITS = 20
"""Rows that hold fewer random bits than this may well repeat by chance."""


@dataclass(frozen=True)
class Comparison:
    """The examples of one array, compared with each other."""

    shape: tuple[int, ...]
    axis: int
    compared: int
    """How many examples were compared: the first so many."""
    distinct: int
    row_bits: float
    """How many random bits one example can hold."""
    constant: str = ""
    """The value, where all values of the array are one and the same."""
    rounded: bool = False
    """Equal means: equal to within rounding."""

    @property
    def examples(self) -> int:
        return self.shape[self.axis]

    @property
    def too_short(self) -> bool:
        """Whether equal examples may be equal by chance.

        Of n examples with b random bits each, some n**2 / 2**(b + 1) pairs are expected to be equal; where fewer
        than one in a thousand is, or where as many as all n agree, it was not chance.
        """
        if self.distinct == 1:
            return self.row_bits * (self.compared - 1) < FEWEST_BITS
        return self.row_bits < max(FEWEST_BITS, 2 * math.log2(max(1, self.compared)) + 10)


def verdict(found: Comparison, sharing: Finding | None) -> str:
    """Return the verdict in a sentence; `sharing` is the finding that explains equal examples, if there is one."""
    if not found.shape:
        return f"one value: {found.constant}"
    if found.examples == 0:
        return "0 examples: the batch is empty"
    if math.prod(found.shape) == 0:
        return f"{_examples(found)} without any values"
    if sharing is not None and found.compared > 1:
        return _examples(found) + _equality(found) + _cause(found, sharing)
    if found.constant:
        return f"{_examples(found)}, all values are equal: {found.constant}"
    if len(found.shape) == 1:
        # Single values repeat for many reasons; to count them would say nothing about noise.
        return _examples(found)
    doubt = ": too short to rule out chance" if found.distinct < found.compared and found.too_short else ""
    return _examples(found) + _equality(found) + doubt


def _examples(found: Comparison) -> str:
    one, many = ("example", "examples") if len(found.shape) > 1 else ("value", "values")
    count = f"1 {one}" if found.examples == 1 else f"{found.examples:,} {many}"
    return count + (f" along axis {found.axis}" if found.axis else "")


def _equality(found: Comparison) -> str:
    if found.compared == 1:
        return ""
    all_of_them = found.compared == found.examples
    if found.distinct == found.compared:
        return ", all different" if all_of_them else f", the first {found.compared:,} all different"
    noun = "" if len(found.shape) != 2 else " row" if found.distinct == 1 else " rows"
    among = "" if all_of_them else f" among the first {found.compared:,}"
    rounding = " to within rounding" if found.rounded else ""
    return f", {found.distinct:,} distinct{noun}{among}{rounding}"


def _cause(found: Comparison, sharing: Finding) -> str:
    keys = sharing.distinct or 1
    purpose = ", on purpose" if sharing.level == "note" else ""
    if found.distinct != keys:
        return f", but {'one key' if keys == 1 else f'{keys:,} keys'} made all of their noise{purpose}"
    return f": they all share one key{purpose}" if keys == 1 else f": they share {keys:,} keys{purpose}"


def too_large(elements: int, octets: int) -> str:
    """Return the verdict on an array that is not looked through."""
    return f"{elements:,} values ({_size(octets)}): too large to compare the examples"


def _size(octets: float) -> str:
    for unit in ("B", "kB", "MB"):
        if octets < 1000:
            return f"{octets:.3g} {unit}"
        octets /= 1000
    return f"{octets:,.1f} GB"


def cropped(shape: Sequence[int], kept: Sequence[int], axis: int) -> str:
    """Return which stretch of each axis is shown, '' where all of it is."""
    parts = [
        f"{_axis_name(number, axis, len(shape))} 0 to {stop - 1:,} of {whole:,}"
        for number, (whole, stop) in enumerate(zip(shape, kept, strict=True))
        if stop < whole
    ]
    return f"Showing {' and '.join(parts)}." if parts else ""


def _axis_name(number: int, axis: int, rank: int) -> str:
    if number == axis:
        return "rows" if rank == 2 else "examples"
    return "columns" if rank == 2 else f"axis {number} from"


def joined(sentences: Iterable[str]) -> str:
    """Return the sentences that are not empty as one text."""
    return " ".join(sentence for sentence in sentences if sentence)
