"""The counterpart of a compared variant: another one, itself in the original code, or a recording."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.messages import ORIGINAL, original_name
from explorer.session.controls import Controls


def partners(controls: Controls) -> tuple[str, ...]:
    """Return the partners of the selected variant: other variants, its original if it was edited, a recording."""
    others = tuple(each.name for each in controls.variants if each.name != controls.variant)
    return tuple(filter(None, (*others, ORIGINAL if controls.edited else "", controls.beside)))


def partner(controls: Controls, preferred: Sequence[str]) -> str:
    """Return the first of `preferred` that the selected variant can be compared with, else any; empty for none."""
    possible = partners(controls)
    return next((name for name in (*preferred, *possible) if name in possible), "")


def shown(controls: Controls) -> tuple[str, ...]:
    """Return the names of the reports on screen."""
    second = original_name(controls.variant) if controls.compare == ORIGINAL else controls.compare
    return tuple(name for name in (controls.variant, second) if name)


def requested(controls: Controls) -> tuple[str, ...]:
    """Return the variants of the code in the editor that must run for that."""
    return tuple(name for name in (controls.variant, controls.compare) if name not in ("", ORIGINAL, controls.beside))
