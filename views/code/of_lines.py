"""What a run told of single lines of the code, apart from what is wrong in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from explorer.messages import Snapshot, is_as_it_was
from views.text.differences import DIFFERS, only_in_one_function, only_in_one_text


@dataclass(frozen=True)
class OfLines:
    """What stands beside the lines; rows count from 0."""

    colours: Mapping[int, int] = field(default_factory=dict)
    """The number of the colour of each line, counted from 1, that became equations."""
    differences: Mapping[int, str] = field(default_factory=dict)
    """The sign of each row that only one of two compared functions has."""
    retraced: Mapping[int, tuple[int, str]] = field(default_factory=dict)
    """Rows of functions that were traced more than once: how often, and why in words."""


def differences(snapshot: Snapshot, source: Callable[[], str], original: str) -> dict[int, str]:
    """Return the rows of `source` that stand in one of two compared functions only, or not in the `original`."""
    known = {variant.name: variant for variant in snapshot.variants if variant.end_line}
    two = [known[report.name] for report in snapshot.reports[:2] if report.name in known]
    beside_original = any(is_as_it_was(report.name) for report in snapshot.reports)
    if beside_original:
        return dict.fromkeys(only_in_one_text(source(), original).first, "+")
    signs: dict[int, str] = {}
    if len(two) == 2:
        lines = source().split("\n")
        only = only_in_one_function(*(lines[each.line - 1 : each.end_line] for each in two))
        for variant, rows in zip(two, (only.first, only.second), strict=True):
            signs.update((variant.line - 1 + row, DIFFERS) for row in rows)
    return signs
