"""The check of the lives of buffers: XLA put two of them at overlapping bytes only if they are not live at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from explorer.worker.internals import hlo_proto
from explorer.worker.internals.compiled import assigned_buffers
from explorer.worker.runs.lenses.memory.lifetimes import Lifetimes, Live


def lifetimes(compiled: Any) -> Lifetimes:
    """Return the lives of the buffers of a jax.stages.Compiled for the CPU."""
    found = assigned_buffers(compiled)
    assert found is not None
    return Lifetimes(hlo_proto.module(found[0]), *hlo_proto.buffers(found[1]))


def clashes(lives: Sequence[Live]) -> tuple[int, list[str]]:
    """Return the number of pairs with overlapping bytes, and those of them that are live at once.

    At one moment both may be: that of an instruction that reads the one and writes the other over it.
    """
    by_allocation: dict[int, list[Live]] = defaultdict(list)
    for each in lives:
        by_allocation[each.buffer.allocation].append(each)
    pairs, found = 0, []
    for group in by_allocation.values():
        group.sort(key=lambda live: live.start)
        for one, other in combinations(group, 2):
            a, b = one.buffer, other.buffer
            if a.offset < b.offset + b.bytes and b.offset < a.offset + a.bytes:
                pairs += 1
                if one.end > other.start:
                    found.append(f"{a} {one.start}-{one.end} and {b} {other.start}-{other.end}")
    return pairs, found
