"""The selection in the window, and what it highlights."""

from __future__ import annotations

from typing import Literal

import msgspec

FocusKind = Literal["line", "equation", "key", "draw", "row", "finding", "timing"]


class Focus(msgspec.Struct, frozen=True):
    """The one thing that is selected."""

    kind: FocusKind
    index: int
    """Line number from 1, or index into the report's equations, keys, draws, rows or findings; for a timing the
    number of its device among those of the run."""
    variant: str = ""
    point: tuple[str, ...] = ()
    """For a timing the point of its Measurement."""


class Marks(msgspec.Struct, frozen=True):
    """The highlights of a focus in every view; empty when nothing is selected."""

    focus: Focus | None = None
    lines: frozenset[int] = frozenset()
    equations: dict[str, frozenset[int]] = {}
    """For each variant, indices into its equations."""
    keys: dict[str, frozenset[int]] = {}
    rows: dict[str, frozenset[int]] = {}
    findings: dict[str, frozenset[int]] = {}
    curves: frozenset[str] = frozenset()
    """The variants whose timings are lit up."""
    sentence: str = ""
    """What is selected, in words, for the status bar."""
    line: int = 0
    """Of `lines` the one that shows the focus; 0 for none."""
