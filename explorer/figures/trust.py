"""Under which conditions a whole curve can be believed: the badges of its points taken together."""

from __future__ import annotations

from typing import NamedTuple

from explorer.figures.curves import Figures, Series
from explorer.messages import BadgeName, Value
from explorer.text.text import Text


class CurveBadge(NamedTuple):
    """One badge of a curve."""

    name: BadgeName
    ok: bool | None
    """False where it does not hold at one of the points; None where no point can tell."""
    sentence: Text
    """Of the first point at which it does not hold, else of the last point."""
    failed_at: tuple[Value, ...] = ()
    """The values of the parameter at which it does not hold."""


def conditions(figures: Figures, series: Series) -> tuple[CurveBadge, ...]:
    """Return the conditions of `series` in the order of its badges; none while no point is final."""
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
    """Return the conditions that make the whole curve worth nothing; an unstable point speaks for itself only."""
    return tuple(each for each in conditions(figures, series) if each.ok is False and each.name != "stable")
