"""offer_for(): the pictures of the reports that suit a choice; value_words(), shown_name() for all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, get_args

import msgspec
import numpy as np
from PySide6.QtCore import QCoreApplication

from explorer.messages import Picture, PictureRole, Report
from explorer.text.text import Text

LINE = re.compile(r", line (\d+)")


def shown_name(name: Text | str) -> str:
    """Return the array's `name`, such as ``normal, line 4``, in the language of the window."""
    place = QCoreApplication.translate("ArrayNames", ", line {}")
    shown = LINE.sub(lambda found: place.format(found[1]), str(name))
    if str(name).startswith("bernoulli,"):
        # Its probability is not on record, so the draw is shown as it is before it is compared.
        return QCoreApplication.translate("ArrayNames", "{} (uniform, before < p)").format(shown)
    return shown


def value_words(value: Any, digits: int = 6) -> str:
    """Return one element of an array in up to `digits` significant digits."""
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    return f"{number:.{digits}g}"


ROLES: tuple[PictureRole, ...] = get_args(PictureRole)


class PictureChoice(msgspec.Struct, frozen=True):
    """The user's choice of picture; kept even while no report has it."""

    role: PictureRole = "output"
    name: Text | str = ""
    position: int = 0
    """Place of the array among those of its role, for a report that has none of this name."""


class PictureOptions(msgspec.Struct, frozen=True):
    """The available pictures, and the chosen ones."""

    roles: tuple[PictureRole, ...]
    role: PictureRole
    names: tuple[Text | str, ...]
    """Arrays of this role, of the first report that has any."""
    position: int
    pictures: tuple[Picture | None, ...]
    """For each report the chosen picture."""


def offer_for(reports: Sequence[Report], choice: PictureChoice) -> PictureOptions:
    """Return the available pictures of `reports` that are closest to `choice`."""
    roles = tuple(role for role in ROLES if any(_of_role(report, role) for report in reports))
    role = choice.role if choice.role in roles or not roles else roles[0]
    first = next((found for report in reports if (found := _of_role(report, role))), ())
    names = tuple(picture.name for picture in first)
    position = names.index(choice.name) if choice.name in names else min(choice.position, max(0, len(names) - 1))
    name = names[position] if names else ""
    pictures = tuple(_nearest(_of_role(report, role), name, position) for report in reports)
    return PictureOptions(roles, role, names, position, pictures)


def _of_role(report: Report, role: PictureRole) -> tuple[Picture, ...]:
    return tuple(picture for picture in report.pictures or () if picture.role == role)


def _nearest(pictures: Sequence[Picture], name: Text | str, position: int) -> Picture | None:
    """Return the picture called `name`; without one, that at `position`, as lines differ between variants."""
    if not pictures:
        return None
    return next((each for each in pictures if each.name == name), pictures[min(position, len(pictures) - 1)])
