"""offer_for(): the pictures that suit a choice; PictureSlice, matrix_of(): the part on screen; words of values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from explorer.messages import Picture, PictureRole, Report
from explorer.text.text import Text

Matrix = npt.NDArray[Any]


class PictureSlice(msgspec.Struct, frozen=True):
    """The axis of the rows, and the indices along axes that are neither rows nor columns."""

    row_axis: int = 0
    places: Mapping[int, int] = {}
    """Index along each axis with a slider; 0 by default."""

    def column_axis(self, rank: int) -> int | None:
        """Return the last axis that is not that of the rows."""
        rest = [axis for axis in range(rank) if axis != self.row_axis]
        return rest[-1] if rest else None

    def further_axes(self, rank: int) -> list[int]:
        """Return the axes that are neither rows nor columns, in order."""
        return [axis for axis in range(rank) if axis not in (self.row_axis, self.column_axis(rank))]

    def place(self, axis: int, size: int) -> int:
        """Return the index along `axis`, clipped to its size."""
        return max(0, min(self.places.get(axis, 0), size - 1))


def matrix_of(picture: Picture, cut: PictureSlice) -> Matrix:
    """Return the matrix of `cut`, a view; one value is a matrix of shape (1, 1)."""
    values = picture.values.numpy()
    if values.ndim < 2:
        return values.reshape(-1, 1)
    rank = values.ndim
    sliders = cut.further_axes(rank)
    where = tuple(cut.place(axis, size) if axis in sliders else slice(None) for axis, size in enumerate(values.shape))
    left = [axis for axis in range(rank) if axis not in sliders]
    order = [cut.row_axis, cut.column_axis(rank)]
    return values[where].transpose([left.index(axis) for axis in order if axis is not None])


def cell_words(picture: Picture, cut: PictureSlice, row: int, column: int) -> str:
    """Return the position and the value of a cell: ``example 5, feature 3: -0.42``."""
    matrix, shape = matrix_of(picture, cut), picture.values.shape
    value = value_words(matrix[row, column])
    if not shape:
        return value
    if cut.row_axis == picture.axis:
        parts = [QCoreApplication.translate("picture_choice", "example {}").format(row)]
    else:
        parts = [_along(cut.row_axis, row)]
    column_axis = cut.column_axis(len(shape))
    parts += [_along(axis, cut.place(axis, shape[axis])) for axis in cut.further_axes(len(shape))]
    if column_axis is not None:
        plain = len(shape) == 2 and column_axis == 1
        feature = QCoreApplication.translate("picture_choice", "feature {}").format(column)
        parts.append(feature if plain else _along(column_axis, column))
    return f"{', '.join(parts)}: {value}"


def _along(axis: int, place: int) -> str:
    return QCoreApplication.translate("picture_choice", "axis {} at {}").format(axis, place)


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
    """Return one element of an array in up to `digits` significant digits; below a million without an exponent."""
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return str(value)
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "infinity" if number > 0 else "-infinity"
    words = f"{number:.{digits}g}"
    return f"{number:.0f}" if "e" in words and 1 <= abs(number) < 1e6 else words


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
