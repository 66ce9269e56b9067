"""PicturePage, the base of all pages that show a picture; PictureView: how it is seen, in one of MODES."""

from __future__ import annotations

from typing import Any, Literal, get_args

import msgspec
import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.figures.row_letters import Ints
from explorer.messages import Array, Picture
from explorer.text.text import NOTHING, Text
from views.noise.arrays.heat_colours import Scale
from views.noise.arrays.picture_choice import PictureSlice, matrix_of
from views.theme import Themed

Matrix = npt.NDArray[Any]
Mode = Literal["line", "heatmap", "images", "scatter"]
MODES: tuple[Mode, ...] = get_args(Mode)


class PictureView(msgspec.Struct, frozen=True):
    """One picture and how it is to be seen."""

    picture: Picture
    mode: Mode
    cut: PictureSlice
    scale: Scale
    groups: Ints
    """Rows of one group are equal; empty where nothing was compared."""
    against: Picture | None = None
    """The picture on the vertical axis of a scatter plot."""
    against_name: Text | str = ""
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

    def places_of(self, examples: frozenset[int]) -> frozenset[int]:
        """Return the places of `examples`; empty where rows are not examples."""
        return examples if self.rows_are_examples else frozenset()


_NOTHING = Picture(
    "output", "", (0,), "float32", Array.of(np.zeros(0, np.float32)), 0, Array.of([], np.int32), 0, NOTHING
)
NO_SIGHT = PictureView(_NOTHING, "heatmap", PictureSlice(), Scale("diverging", -1.0, 1.0), np.empty(0, np.int32))
"""The contents of a page before its first picture."""


class PicturePage(Themed, QWidget):
    """A display mode of a picture.

    Signals:
        row_chosen: the number of a row that was clicked or reached by a key.
        hovered: the text for the hovered thing, '' for none.
        notes_changed: `words` or `notes` have changed.
    """

    row_chosen = Signal(object)
    hovered = Signal(str)
    notes_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = NO_SIGHT
        self._marked: frozenset[int] = frozenset()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def words(self) -> str:
        """One sentence on the picture, '' where the verdict has it."""
        return ""

    @property
    def notes(self) -> str:
        return ""

    @property
    def scale(self) -> Scale | None:
        """The colour scale in use, None where colours have no meaning."""
        return None

    def show_view(self, view: PictureView) -> None:
        """Show a picture in this way, which suits it."""
        self._view = view
        self.update()

    def mark_rows(self, rows: frozenset[int]) -> None:
        """Outline these examples."""
        self._marked = rows
        self.update()

    def leaveEvent(self, _event: QEvent) -> None:
        self.hovered.emit("")
