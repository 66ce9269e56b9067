"""PaneArea: the four panes, the relevant ones visible, which can be detached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QProxyStyle, QStyle, QStyleOption, QWidget

from views.parts.steps import GradualWork
from views.theme import Theme, apply_to_tree
from views.window.pane import Pane

if TYPE_CHECKING:
    from views.noise.noise_view import NoiseView
    from views.program.program_view import ProgramView

LEAST = 20
"""Pixels of a pane for which it can be given its share."""
SEPARATOR = 3
"""Pixels of the line between two panes."""


class PaneArea(QMainWindow):
    """A QMainWindow inside the window, because that is how Qt lets docks be resized, detached and restored.

    Signals:
        rearranged: the user has detached a pane, or put one back.
        dragged: the user has resized two panes.
    """

    rearranged = Signal()
    dragged = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWindowFlags(Qt.WindowType.Widget)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._style = _Separators()
        self.setStyle(self._style)
        # Nothing slides about while one reads.
        self.setAnimated(False)
        self.keys = Pane(1, "keys_pane", self.tr("Keys"))
        self.noise = Pane(2, "noise_pane", self.tr("Noise"))
        self.program = Pane(3, "program_pane", self.tr("Program"))
        self.timing = Pane(4, "timing_pane", self.tr("Timing"))
        self._shown: tuple[str, ...] = tuple(self.by_name)
        self._enlarged = False
        self._shares = QTimer(self, singleShot=True, interval=0)
        self._shares.timeout.connect(self._even_out)
        self._is_new = True
        """Whether the sizes of the panes are still the default."""
        self._sizes: tuple[int, ...] = ()
        """The result of `sizes` after the user had resized the panes."""
        self._lay_out()
        for pane in self.panes:
            pane.topLevelChanged.connect(self._on_detached)

    @property
    def panes(self) -> tuple[Pane, Pane, Pane, Pane]:
        return self.keys, self.noise, self.program, self.timing

    @property
    def by_name(self) -> dict[str, Pane]:
        """The panes by the names that layouts call them."""
        return {pane.name: pane for pane in self.panes}

    def show_other_half(self) -> bool:
        """Show the other of two programs, where a stage shows one at a time; return whether there is another."""
        view = cast("ProgramView | None", self.program.view)
        return self.program.isVisible() and view is not None and view.show_other_half()

    def hold_back(self, has_two_halves: bool) -> None:
        """Leave the reason of equal rows out, which would answer a question, or show it again."""
        if self.noise.view is not None:
            cast("NoiseView", self.noise.view).hold_back(has_two_halves)

    def show_panes(self, names: Sequence[str], *, enlarged: bool = False, sizes: tuple[int, ...] = ()) -> None:
        """Show the panes `names`, and those that are detached, in `sizes` where they are of them, else in equal shares.

        Of one that was `enlarged` the title says how to bring the others back.
        """
        self._shown, self._enlarged, self._sizes = tuple(names), enlarged, sizes
        for name, pane in self.by_name.items():
            pane.setVisible(name in names or pane.isFloating())
            pane.title.show_maximised(enlarged, may=enlarged or len(names) > 1)
        self._is_new = True
        self._even_out()
        # Qt has no place yet for what has just been shown.
        self._shares.start()

    def sizes(self) -> tuple[int, ...]:
        """Return width and height of each pane, 0 for a hidden or detached one."""
        there = self._there()
        return tuple(length for pane in self.panes for length in (pane.size().toTuple() if pane in there else (0, 0)))

    def gather(self) -> None:
        """Put detached panes back into the area."""
        for pane in self.panes:
            pane.detach(False)

    def docks(self) -> bytes:
        """Return the positions of the panes; empty where none is detached."""
        return bytes(self.saveState().data()) if any(pane.isFloating() for pane in self.panes) else b""

    def put_docks(self, docks: bytes) -> None:
        """Restore the positions of the panes as `docks` returned them; the default where it is empty."""
        if not (docks and self.restoreState(QByteArray(docks))):
            self.gather()
            self._lay_out()
        self.show_panes(self._shown, enlarged=self._enlarged, sizes=self._sizes)

    def apply_theme_inside(self, theme: Theme) -> None:
        """Apply `theme` to the panes, one by one, the visible ones first."""
        for steps in self.findChildren(GradualWork):
            steps.drop()
        GradualWork(self, self._dressed(theme))

    def _dressed(self, theme: Theme) -> Iterator[None]:
        for pane in sorted(self.panes, key=lambda pane: not pane.isVisible()):
            apply_to_tree(pane, theme)
            yield
        # They may need less than before, and have taken more from each other.
        self._is_new = True
        self._shares.start()
        self.rearranged.emit()

    def _lay_out(self) -> None:
        self.addDockWidget(_TOP, self.keys)
        self.splitDockWidget(self.keys, self.noise, Qt.Orientation.Horizontal)
        self.addDockWidget(_BOTTOM, self.program)
        self.splitDockWidget(self.program, self.timing, Qt.Orientation.Horizontal)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fill()
        elif event.type() == QEvent.Type.MouseButtonRelease and event.isAccepted():
            # Qt takes it where an edge was dragged, and nowhere else here.
            self.dragged.emit()
        return handled

    def _fill(self) -> None:
        """Give a pane that is alone all the room; Qt keeps some for folded ones."""
        there = self._there()
        if len(there) == 1 and there[0].width() < self.width() - LEAST:
            self._shares.start()

    def _there(self) -> list[Pane]:
        return [pane for pane in self.panes if not pane.isHidden() and not pane.isFloating()]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Qt leaves the room of what is hidden empty.
        self._shares.start()

    def _on_detached(self) -> None:
        """Keep detached panes visible, even those that would be folded."""
        for pane in self.panes:
            if pane.isFloating():
                pane.show()
        self.rearranged.emit()

    def _even_out(self) -> None:
        """Give the panes the user's shares, or equal ones; Qt would use the size hints of their contents."""
        if min(self.width(), self.height()) < 2 * LEAST:
            return
        there = self._there()
        if len(there) > 1 and not self._is_new:
            return
        self._is_new = self._is_new and not self.isVisible()
        widths, heights = self._sizes[::2], self._sizes[1::2]
        if [pane for pane, width in zip(self.panes, widths, strict=False) if width] == there:
            self.resizeDocks(there, [width for width in widths if width], Qt.Orientation.Horizontal)
            self.resizeDocks(there, [height for height in heights if height], Qt.Orientation.Vertical)
            return
        for both in (self.panes[:2], self.panes[2:]):
            row = [pane for pane in both if pane in there]
            self.resizeDocks(row, self._equal(self.width(), len(row)), Qt.Orientation.Horizontal)
        columns = [next((pane for pane in row if pane in there), None) for row in (self.panes[:2], self.panes[2:])]
        shown = [pane for pane in columns if pane is not None]
        self.resizeDocks(shown, self._equal(self.height(), len(shown)), Qt.Orientation.Vertical)

    def _equal(self, length: int, count: int) -> list[int]:
        """Return `count` equal shares of `length` to the pixel: Qt would round by what was there before."""
        room = length - SEPARATOR * (count - 1)
        return [(room + count - 1 - place) // count for place in range(count)]


_TOP, _BOTTOM = Qt.DockWidgetArea.TopDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea


class _Separators(QProxyStyle):
    """Plain lines between the panes."""

    def pixelMetric(  # noqa: N802
        self, metric: QStyle.PixelMetric, option: QStyleOption | None = None, widget: QWidget | None = None
    ) -> int:
        if metric == QStyle.PixelMetric.PM_DockWidgetSeparatorExtent:
            return SEPARATOR
        return super().pixelMetric(metric, option, widget)

    def drawPrimitive(  # noqa: N802
        self, element: QStyle.PrimitiveElement, option: QStyleOption, painter: QPainter, widget: QWidget | None = None
    ) -> None:
        if element == QStyle.PrimitiveElement.PE_IndicatorDockWidgetResizeHandle:
            painter.fillRect(option.rect, option.palette.mid())
        else:
            super().drawPrimitive(element, option, painter, widget)
