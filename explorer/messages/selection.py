"""``Focus``, the selected item of the window, and ``Marks``, all that is highlighted with it in every view."""

from __future__ import annotations

from typing import Literal

import msgspec

FocusKind = Literal["line", "equation", "key", "draw", "row", "finding", "timing"]


class Focus(msgspec.Struct, frozen=True):
    """The selected item."""

    kind: FocusKind
    index: int
    """Line number from 1, or index into the equations, keys, draws, rows or findings; for a timing, of its device."""
    variant: str = ""
    point: tuple[str, ...] = ()
    """For a timing, the point of its Measurement."""


class Marks(msgspec.Struct, frozen=True):
    """The highlights of a focus in every view; empty without a selection."""

    focus: Focus | None = None
    lines: frozenset[int] = frozenset()
    equations: dict[str, frozenset[int]] = {}
    """By variant, indices into its equations."""
    keys: dict[str, frozenset[int]] = {}
    rows: dict[str, frozenset[int]] = {}
    findings: dict[str, frozenset[int]] = {}
    curves: frozenset[str] = frozenset()
    """Variants with highlighted timings."""
    sentence: str = ""
    """Description of the selection for the status bar."""
    line: int = 0
    """The line in `lines` that shows the focus, 0 for none."""
