"""The four panes in a 2 x 2 grid, one of which can fill the area."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

from views.theme import Theme
from views.window.pane import Pane, focus_into


@dataclass(frozen=True)
class Arrangement:
    """Where the panes are."""

    state: QByteArray
    maximised: int
    """Number of the pane that fills the area, 0 for none."""
    grid: QByteArray | None
    """The four panes behind the large one."""
    sizes: tuple[QSize, ...] = ()
    """Of each pane; the state alone brings them back only roughly."""


class PaneArea(QMainWindow):
    """A QMainWindow inside the window, because that is how Qt lets docks be dragged, detached and restored."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setDockNestingEnabled(True)
        self.keys = Pane(1, "keys_pane", self.tr("Keys"))
        self.noise = Pane(2, "noise_pane", self.tr("Noise"))
        self.program = Pane(3, "program_pane", self.tr("Program"))
        self.timing = Pane(4, "timing_pane", self.tr("Timing"))
        self._maximised = 0
        self._grid: QByteArray | None = None
        self._lay_out()
        for pane in self.panes:
            pane.maximise_requested.connect(self.toggle_maximised)

    @property
    def panes(self) -> tuple[Pane, Pane, Pane, Pane]:
        return self.keys, self.noise, self.program, self.timing

    @property
    def maximised(self) -> int:
        """Number of the pane that fills the area, 0 for none."""
        return self._maximised

    def toggle_maximised(self, number: int) -> None:
        """Let pane `number` fill the area; bring the grid back when it does already."""
        if self._maximised == 0:
            self._grid = self.saveState()
        self._maximised = 0 if self._maximised == number else number
        held = QApplication.focusWidget()
        for pane in self.panes:
            pane.show_maximised(pane.number == self._maximised)
            pane.setVisible(self._maximised in (0, pane.number))
        if self._maximised == 0 and self._grid is not None:
            self.restoreState(self._grid)
        # Qt gives the keyboard of a hidden pane to whatever comes next, such as a field of the tool bar.
        if held is not None and self.isAncestorOf(held) and not held.hasFocus():
            focus_into(held if held.isVisible() else self.panes[number - 1].widget())

    def gather(self) -> None:
        """Put detached panes back into the area."""
        for pane in self.panes:
            pane.setFloating(False)

    def fill_with(self, number: int) -> None:
        """Let pane `number` fill the area, also where it was detached."""
        self.gather()
        if self._maximised != number:
            self.toggle_maximised(number)

    def save_arrangement(self) -> Arrangement:
        """Return where everything is now, for `restore_arrangement`."""
        return Arrangement(self.saveState(), self._maximised, self._grid, tuple(pane.size() for pane in self.panes))

    def restore_arrangement(self, arrangement: Arrangement) -> None:
        """Bring the panes back to where they were, one of them large or not."""
        self._maximised, self._grid = arrangement.maximised, arrangement.grid
        for pane in self.panes:
            pane.show_maximised(pane.number == self._maximised)
        self.restoreState(arrangement.state)
        sizes = zip(self.panes, arrangement.sizes, strict=True)
        docked = [(pane, size) for pane, size in sizes if not pane.isFloating() and not pane.isHidden()]
        panes = [pane for pane, _ in docked]
        self.resizeDocks(panes, [size.width() for _, size in docked], Qt.Orientation.Horizontal)
        self.resizeDocks(panes, [size.height() for _, size in docked], Qt.Orientation.Vertical)

    def restore_grid(self) -> None:
        """Bring all four panes back into the grid, also detached ones."""
        self._maximised = 0
        self.gather()
        for pane in self.panes:
            pane.show_maximised(False)
            pane.show()
        self._lay_out()

    def save_layout(self) -> bytes:
        """Return the arrangement of the panes for the next start."""
        state = self._grid if self._maximised and self._grid is not None else self.saveState()
        return bytes(state.data())

    def restore_layout(self, layout: bytes) -> None:
        """Take over an arrangement that `save_layout` returned; without one, or with nonsense, the panes are even."""
        if not (layout and self.restoreState(QByteArray(layout))):
            self._even_out()

    def apply_theme(self, theme: Theme) -> None:
        for pane in self.panes:
            pane.apply_theme(theme)

    def _lay_out(self) -> None:
        top, bottom = Qt.DockWidgetArea.TopDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
        self.addDockWidget(top, self.keys)
        self.splitDockWidget(self.keys, self.noise, Qt.Orientation.Horizontal)
        self.addDockWidget(bottom, self.program)
        self.splitDockWidget(self.program, self.timing, Qt.Orientation.Horizontal)
        self._even_out()

    def _even_out(self) -> None:
        """Give the panes equal shares; Qt would go by the size hints of what is in them."""
        columns, rows = [self.keys, self.noise], [self.keys, self.program]
        self.resizeDocks(columns, [self.width() // 2] * 2, Qt.Orientation.Horizontal)
        self.resizeDocks([self.program, self.timing], [self.width() // 2] * 2, Qt.Orientation.Horizontal)
        self.resizeDocks(rows, [self.height() // 2] * 2, Qt.Orientation.Vertical)
