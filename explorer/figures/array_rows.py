"""The examples of an array as rows of cells, with equal ones marked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from explorer.messages import Picture

MOST_ROWS, MOST_COLUMNS = 24, 24
MOST_GROUPS = 4
CELL = 8
LOW, HIGH = "var(--k-low)", "var(--k-high)"
"""Colours below and above zero; values near zero are paler."""


def tells(picture: Picture) -> bool:
    """Return whether `picture` has comparable examples: several, with more than one value each, or all equal."""
    examples = len(picture.groups.numpy())
    return examples > 1 and (len(picture.shape) > 1 or picture.distinct == 1)


def equal(picture: Picture) -> list[str]:
    """Return one text per group of equal examples: ``0–31``, ``0, 4, 9``."""
    groups = picture.groups.numpy()
    counts = np.bincount(groups)
    several = np.flatnonzero(counts > 1)
    listed = [_ranges(np.flatnonzero(groups == number).tolist()) for number in several[:MOST_GROUPS].tolist()]
    return [*listed, f"and {len(several) - MOST_GROUPS} more groups"] if len(several) > MOST_GROUPS else listed


def drawn(picture: Picture) -> str:
    """Return the first examples as an ``<svg>``, one row each, with a bar in front of those equal to another one."""
    values = np.moveaxis(np.asarray(picture.values.numpy(), np.float64), picture.axis, 0)
    cells = values.reshape(len(values), -1)[:MOST_ROWS, :MOST_COLUMNS]
    groups = picture.groups.numpy()
    has_equal = np.bincount(groups)[groups] > 1
    most = float(np.abs(cells[np.isfinite(cells)]).max(initial=0.0)) or 1.0
    parts = []
    for row, line in enumerate(cells):
        if has_equal[row]:
            parts.append(f'<rect x="0" y="{row * CELL}" width="3" height="{CELL}" style="fill:var(--k-bug)"/>')
        parts += [_cell(value / most, row, column) for column, value in enumerate(line.tolist())]
    width, height = 6 + CELL * cells.shape[1], CELL * len(cells)
    box = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    more = "…" * (len(groups) > MOST_ROWS or values[0].size > MOST_COLUMNS)
    return f'<div><svg {box} role="img" aria-hidden="true">{"".join(parts)}</svg>{more}</div>'


def _cell(share: float, row: int, column: int) -> str:
    if not np.isfinite(share):
        colour, opacity = "currentColor", 1.0
    else:
        colour, opacity = (HIGH if share > 0 else LOW), 0.06 + 0.94 * min(abs(share), 1.0)
    place = f'x="{6 + column * CELL}" y="{row * CELL}" width="{CELL - 1}" height="{CELL - 1}"'
    return f'<rect {place} style="fill:{colour};fill-opacity:{opacity:.2f}"/>'


def _ranges(numbers: Iterable[int]) -> str:
    ranges = []
    for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        members = [number for _, number in run]
        ranges.append(f"{members[0]}–{members[-1]}" if len(members) > 2 else ", ".join(map(str, members)))
    text = ", ".join(ranges[:6])
    return f"{text}, …" if len(ranges) > 6 else text
