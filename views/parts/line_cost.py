"""The cost of a line of code, as a lens measures it: the record that the Program pane gives to the editor. No Qt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class LineCost:
    """The share of one line in the time or the memory of a program."""

    share: float
    """From 0 to 1: that of the line alone."""
    most: float
    """From 0 to 1: with all that it has in common with other lines, which is not split."""
    text: str
    """``41 %``, or ``12 MiB``."""
    tip: str


def costs_together(costs: Iterable[Mapping[int, LineCost]]) -> dict[int, LineCost]:
    """Return the costs by line of compared programs: where several have a line, the longest bar and all texts."""
    found: dict[int, LineCost] = {}
    for each in costs:
        for line, cost in each.items():
            found[line] = _together(found[line], cost) if line in found else cost
    return found


def _together(first: LineCost, second: LineCost) -> LineCost:
    longer = max(first, second, key=lambda each: each.most)
    return replace(longer, text=f"{first.text} | {second.text}", tip=f"{first.tip}\n{second.tip}")
