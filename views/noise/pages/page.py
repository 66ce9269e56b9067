"""The base of all pages that show a picture."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QWidget

from views.noise.arrays.heat_colours import Scale
from views.noise.sight import NO_SIGHT, PictureView
from views.theme import LIGHT, Theme


class PicturePage(QWidget):
    """A display mode of a picture.

    Signals:
        row_chosen: the number of a row that was clicked or reached by a key.
        pair_chosen: the numbers of two rows, to be compared.
        hovered: the text for the hovered thing, '' for none.
        notes_changed: `words` or `notes` have changed.
    """

    row_chosen = Signal(object)
    pair_chosen = Signal(object)
    hovered = Signal(str)
    notes_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = LIGHT
        self._sight = NO_SIGHT
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

    def show_sight(self, sight: PictureView) -> None:
        """Show a picture in this way, which suits it."""
        self._sight = sight
        self.update()

    def mark_rows(self, rows: frozenset[int]) -> None:
        """Outline these examples."""
        self._marked = rows
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def leaveEvent(self, _event: QEvent) -> None:
        self.hovered.emit("")
