"""Reliability of a whole curve: the badges of its points combined."""

from __future__ import annotations

from typing import NamedTuple

from explorer.figures.curves import Figures, Series
from explorer.messages import BadgeName, Value
from explorer.text.text import Text


class CurveBadge(NamedTuple):
    """One badge of a curve."""

    name: BadgeName
    ok: bool | None
    """False if it fails at any point; None if it is unknown at all points."""
    sentence: Text
    """From the first point at which it fails, else from the last point."""
    failed_at: tuple[Value, ...] = ()
    """Values of the parameter at which it fails."""


def conditions(figures: Figures, series: Series) -> tuple[CurveBadge, ...]:
    """Return the conditions of `series` in the order of its badges; empty while no point is final."""
    found: dict[BadgeName, CurveBadge] = {}
    for value in figures.values:
        point = figures.points.get((series, value))
        for badge in point.badges if point is not None else ():
            before = found.get(badge.name, CurveBadge(badge.name, None, badge.sentence))
            if badge.ok is False:
                sentence = before.sentence if before.ok is False else badge.sentence
                found[badge.name] = CurveBadge(badge.name, False, sentence, (*before.failed_at, value))
            elif before.ok is not False:
                ok = badge.ok if before.ok is None else before.ok
                found[badge.name] = CurveBadge(badge.name, ok, badge.sentence)
    return tuple(found.values())


def broken(figures: Figures, series: Series) -> tuple[CurveBadge, ...]:
    """Return the conditions whose failure invalidates the whole curve; instability concerns single points only."""
    return tuple(each for each in conditions(figures, series) if each.ok is False and each.name != "stable")
