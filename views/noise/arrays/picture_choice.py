"""The pictures of one or two reports on screen, for the user's last choice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from explorer.messages import Finding, Picture, PictureRole, Report
from explorer.text.text import Text

ROLES: tuple[PictureRole, ...] = get_args(PictureRole)


@dataclass(frozen=True)
class Wish:
    """The user's choice of picture; kept even while no report has it."""

    role: PictureRole = "output"
    name: Text | str = ""
    position: int = 0
    """Place of the array among those of its role, for a report that has none of this name."""


@dataclass(frozen=True)
class Offer:
    """The available pictures, and the chosen ones."""

    roles: tuple[PictureRole, ...]
    role: PictureRole
    names: tuple[Text | str, ...]
    """Arrays of this role, of the first report that has any."""
    position: int
    pictures: tuple[Picture | None, ...]
    """For each report the chosen picture."""

    @property
    def leading(self) -> Picture | None:
        """The first picture, which the controls follow."""
        return next((picture for picture in self.pictures if picture is not None), None)


def offer_for(reports: Sequence[Report], wish: Wish) -> Offer:
    """Return the available pictures of `reports` that are closest to `wish`."""
    roles = tuple(role for role in ROLES if any(_of_role(report, role) for report in reports))
    role = wish.role if wish.role in roles or not roles else roles[0]
    first = next((found for report in reports if (found := _of_role(report, role))), ())
    names = tuple(picture.name for picture in first)
    position = names.index(wish.name) if wish.name in names else min(wish.position, max(0, len(names) - 1))
    name = names[position] if names else ""
    pictures = tuple(_nearest(_of_role(report, role), name, position) for report in reports)
    return Offer(roles, role, names, position, pictures)


def draw_of(report: Report, finding: Finding) -> Picture | None:
    """Return the picture of a draw of `finding`, with its examples if it counts them; None if there is none."""
    sites = report.keys.sites if report.keys is not None else ()
    spans = [sites[each].span for each in finding.sites if each < len(sites)]
    drawn = [each for each in _of_role(report, "draw") if each.span is not None and each.span in spans]
    alike = (each for each in drawn if finding.distinct in (None, each.distinct))
    return next(alike, next(iter(drawn), None))


def of_script(report: Report) -> tuple[Picture | None, bool]:
    """Return what a script shows unasked: a draw of its worst finding; without curves its largest array.

    Also return whether it is that draw.
    """
    worst = (each for level in ("bug", "warning") for each in report.findings or () if each.level == level)
    if (
        drawn := next((each for each in (draw_of(report, found) for found in worst) if each is not None), None)
    ) is not None:
        return drawn, True
    return max(_of_role(report, "output"), key=lambda each: math.prod(each.shape), default=None), False


def _of_role(report: Report, role: PictureRole) -> tuple[Picture, ...]:
    return tuple(picture for picture in report.pictures or () if picture.role == role)


def _nearest(pictures: Sequence[Picture], name: Text | str, position: int) -> Picture | None:
    """Return the picture called `name`; without one, that at `position`, as lines differ between variants."""
    if not pictures:
        return None
    return next((each for each in pictures if each.name == name), pictures[min(position, len(pictures) - 1)])
