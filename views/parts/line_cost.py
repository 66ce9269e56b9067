"""The costs of lines of compared programs, for the editor. No Qt."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from explorer.messages.tables import LineCost


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
