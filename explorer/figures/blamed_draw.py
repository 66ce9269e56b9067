"""Pictures of draws: that of a finding, the draw behind a row, and the array that a script shows unasked."""

from __future__ import annotations

import math

import numpy as np

from explorer.figures.key_tally import served_at_once
from explorer.messages import Finding, KeyGraph, Picture, Report


def draw_of(report: Report, finding: Finding) -> Picture | None:
    """Return the picture of a draw of `finding`, with its examples if it counts them; None if there is none."""
    drawn = draws_of(report, finding)
    alike = (each for each in drawn if finding.distinct in (None, each.distinct))
    return next(alike, next(iter(drawn), None))


def draws_of(report: Report, finding: Finding) -> list[Picture]:
    """Return the pictures of the draws that `finding` is about."""
    sites = report.keys.sites if report.keys is not None else ()
    spans = [sites[each].span for each in finding.sites if each < len(sites)]
    return [each for each in report.pictures or () if each.role == "draw" and each.span in spans]


def worst_draw(report: Report) -> Picture | None:
    """Return the picture of a draw of the worst finding that has one."""
    worst_first = (each for level in ("bug", "warning") for each in report.findings or () if each.level == level)
    return next((drawn for each in worst_first if (drawn := draw_of(report, each)) is not None), None)


def of_script(report: Report) -> tuple[Picture | None, bool]:
    """Return the array that a script shows unasked: a draw of its worst finding, or without curves its largest one.

    One whose values are all equal comes last. Also return whether it is that draw.
    """
    if (drawn := worst_draw(report)) is not None:
        return drawn, True
    outputs = [each for each in report.pictures or () if each.role == "output"]
    varying = (each for each in outputs if each.low != each.high or each.not_finite > 0)
    return max(list(varying) or outputs, key=lambda each: math.prod(each.shape), default=None), False


def draw_of_row(graph: KeyGraph | None, picture: Picture, row: int) -> int | None:
    """Return the index into the draws of `graph` of the draw that made `row`; None where `picture` shows no draws.

    A picture of draws holds those of one line in order, each as often as the number of its examples.
    """
    if graph is None or picture.role != "draw":
        return None
    for number, site in enumerate(graph.sites):
        if site.operation == "draw" and site.span == picture.span and str(picture.name).startswith(site.name):
            draws = np.flatnonzero(graph.draw_site.numpy() == number)
            ends = np.cumsum(served_at_once(graph)[draws])
            place = int(np.searchsorted(ends, row, "right"))
            return int(draws[place]) if place < len(draws) else None
    return None
