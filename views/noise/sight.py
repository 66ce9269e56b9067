"""Everything that a page of the noise pane needs to show one picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Protocol, get_args

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import SignalInstance

from explorer.messages import Picture
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_slice import Cut, matrix_of
from views.noise.arrays.row_letters import Ints
from views.noise.arrays.row_pair import RowPair
from views.theme import Theme

Matrix = npt.NDArray[Any]
Mode = Literal["heatmap", "images", "scatter"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class Sight:
    """One picture and how it is to be seen."""

    picture: Picture
    mode: Mode
    cut: Cut
    scale: Scale
    groups: Ints
    """Rows of one group are equal; empty where nothing was compared."""
    pair: RowPair | None = None
    """The two rows that are held against each other."""
    against: Picture | None = None
    """The picture on the upright axis of a scatter plot."""
    against_name: str = ""
    reach: Scale | None = None
    """From the least to the greatest value of all halves, for curves; None for those of this picture alone."""

    @property
    def axis(self) -> int:
        return self.cut.row_axis

    @property
    def rows_are_examples(self) -> bool:
        return self.axis == self.picture.axis

    def matrix(self) -> Matrix:
        """Return the rows and columns of the cut."""
        return matrix_of(self.picture, self.cut)

    def whole_rows(self) -> Matrix:
        """Return every value of each row, [rows, values], of all places along the other axes."""
        return whole_rows(self.picture, self.axis)

    def chosen_rows(self) -> list[int]:
        """Return the numbers of the rows that are held against each other, [] without such."""
        return [self.pair.first, self.pair.last] if self.pair is not None else []


def whole_rows(picture: Picture, axis: int) -> Matrix:
    """Return [rows, values]: every value of each row along `axis`."""
    values = picture.values.numpy()
    if values.ndim == 0:
        return values.reshape(1, 1)
    rows = np.moveaxis(values, axis, 0)
    return rows.reshape(len(rows), -1) if rows.size else rows.reshape(len(rows), 0)


class Page(Protocol):
    """A way to see a picture; also a QWidget.

    Signals: row_chosen (a row number), pair_chosen (two of them), hovered (words on what is under the pointer),
    said_changed (`words` or `notes` are others now).
    """

    row_chosen: SignalInstance
    pair_chosen: SignalInstance
    hovered: SignalInstance
    said_changed: SignalInstance

    @property
    def words(self) -> str:
        """One sentence on what is to be seen."""

    @property
    def notes(self) -> str:
        """What to know about the drawing."""

    @property
    def scale(self) -> Scale | None:
        """The colours in use, None where colours say nothing."""

    def show_sight(self, sight: Sight) -> None: ...

    def mark_rows(self, rows: frozenset[int]) -> None: ...

    def apply_theme(self, theme: Theme) -> None: ...
