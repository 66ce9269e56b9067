"""The examples of an array as HTML and SVG: rows of cells, with equal ones marked."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import numpy as np

from explorer.figures.row_letters import row_letters
from explorer.messages import Picture
from explorer.text.html import Html, html, tag

MOST_ROWS, MOST_COLUMNS = 24, 24
MOST_GROUPS = 4
CELL, LEFT = 8, 16
"""Size of a cell; room for the letters in front of the rows."""
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


def figure(picture: Picture) -> Html:
    """Return `picture` as HTML: its name and verdict, its rows, and which of them are equal."""
    same = equal(picture)
    name = html(tag("b", str(picture.name)), f" {picture.dtype}{list(picture.shape)}")
    fault = tag("div", f"equal: {'; '.join(same)}", style="color:var(--k-bug)") if same else Html()
    return tag("div", tag("div", name), tag("div", str(picture.verdict)), drawn(picture), fault)


def drawn(picture: Picture) -> Html:
    """Return the first examples as an ``<svg>``, one row each; equal ones have the same letter and a bar."""
    values = np.moveaxis(np.asarray(picture.values.numpy(), np.float64), picture.axis, 0)
    cells = values.reshape(len(values), -1)[:MOST_ROWS, :MOST_COLUMNS]
    letters = row_letters(picture.groups.numpy())
    most = float(np.abs(cells[np.isfinite(cells)]).max(initial=0.0)) or 1.0
    rows, above = [], ""
    for row, line in enumerate(cells):
        letter = letters.of(row)
        parts = [_letter(letter if letter != above else "", row)] if letter else []
        parts += [_cell(value / most, row, column) for column, value in enumerate(line.tolist())]
        rows += parts
        above = letter
    width, height = LEFT + CELL * cells.shape[1], CELL * len(cells)
    svg = tag("svg", *rows, viewBox=f"0 0 {width} {height}", width=width, height=height, aria_hidden="true")
    more = "…" * (len(picture.groups.numpy()) > MOST_ROWS or values[0].size > MOST_COLUMNS)
    return tag("div", svg, more)


def _letter(letter: str, row: int) -> Html:
    """Return the bar in front of a row that others are equal to, with `letter` if that is not empty."""
    bar = f'<rect x="{LEFT - 6}" y="{row * CELL}" width="3" height="{CELL}" style="fill:var(--k-bug)"/>'
    place = f'x="{LEFT - 8}" y="{(row + 1) * CELL - 1}"'
    text = f'<text {place} text-anchor="end" class="fault" style="font-size:{CELL}px">{letter}</text>'
    return Html(bar + text if letter else bar)


def _cell(share: float, row: int, column: int) -> Html:
    if not np.isfinite(share):
        colour, opacity = "currentColor", 1.0
    else:
        colour, opacity = (HIGH if share > 0 else LOW), 0.06 + 0.94 * min(abs(share), 1.0)
    place = f'x="{LEFT + column * CELL}" y="{row * CELL}" width="{CELL - 1}" height="{CELL - 1}"'
    return Html(f'<rect {place} style="fill:{colour};fill-opacity:{opacity:.2f}"/>')


def _ranges(numbers: Iterable[int]) -> str:
    ranges = []
    for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0]):
        members = [number for _, number in run]
        ranges.append(f"{members[0]}–{members[-1]}" if len(members) > 2 else ", ".join(map(str, members)))
    text = ", ".join(ranges[:6])
    return f"{text}, …" if len(ranges) > 6 else text
