"""The window as a stage: the story next to one large pane or the code, and back as it was."""

from __future__ import annotations

from functools import partial
from typing import Literal

import msgspec
from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from views.theme import apply_to_tree, capital_height
from views.window.layout import PANES, Layout, PaneName
from views.window.main_window import FINDINGS_TAB, MainWindow
from views.window.stage.chips import ParameterStrip, StageChips

WORDS_SHARE = 0.36
"""How much of the width the words get."""
FINDINGS_SHARE, OUTPUT_SHARE = 0.44, 0.33
"""Share of the height for the lists below a pane: a finding with JAX's answer, or a few lines of output."""
CAPITALS = 41
"""So many capital letters of the words, one above the other, are as high as the picture.

The back row can read 45; letters are made of whole pixels, so those of some sizes are a little lower than they should.
"""
LEAST_SIZE = 1.0
"""Size of ticks, legends and captions relative to words."""
CODE_SIZE = 1.0
"""Size of code relative to words: 64 columns fit."""
CODE_SHARE = 0.5
"""How much of the width the code gets next to a pane, the words folded."""


class StageContents(msgspec.Struct, frozen=True):
    """The contents of the stage.

    Attributes:
        pane: the name of the large pane; empty for none.
        code: whether the code is shown.
        words: whether the story is shown next to it.
        lists: whether findings and output are shown below the pane.
        covered: the parts that are covered until a question is answered.
    """

    pane: PaneName | Literal[""] = ""
    code: bool = False
    words: bool = True
    lists: bool = False
    covered: frozenset[str] = frozenset()


class WindowState(msgspec.Struct, frozen=True):
    """How the window was before."""

    geometry: QRect
    maximised: bool
    shown: tuple[bool, ...]
    """Whether each bar was visible."""
    docks: bytes


class Bars(msgspec.Struct, frozen=True):
    """The bars that only the stage has."""

    strip: ParameterStrip
    chips: StageChips


class Stage(QObject):
    """Turns the window into a stage and back.

    Attributes:
        window: the MainWindow.
        bars: the stage's own bars; None while it is not shown.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.window = window
        self._before: WindowState | None = None
        self.scene = StageContents(code=True)
        self._screen: QScreen | None = None
        self.bars: Bars | None = None
        window.installEventFilter(self)

    @property
    def is_up(self) -> bool:
        return self._before is not None

    def scale(self) -> float:
        """Return the text size that can be read in the back row, for the height that the screen has."""
        screen = self._screen or self.window.screen()
        return max(1.0, screen.size().height() / CAPITALS / capital_height(screen.logicalDotsPerInch()))

    @property
    def home(self) -> tuple[QRect, bool]:
        """The geometry of the window where it is no stage, and whether it is maximised."""
        if self._before is not None:
            return self._before.geometry, self._before.maximised
        return self.window.geometry(), self.window.isMaximized()

    def continue_from(self, before: Stage) -> None:
        """Go back, in the end, to what the window `before` this one was when it became a stage."""
        self._before = before._before

    def put_up(self, screen: QScreen) -> None:
        """Fill `screen`; `clear` hides the parts that are not for the audience."""
        window = self.window
        shown = tuple(not bar.isHidden() for bar in self._of_window())
        self._before = WindowState(window.geometry(), window.isMaximized(), shown, window.area.docks())
        self.fill(screen)

    def fill(self, screen: QScreen) -> None:
        """Fill `screen`, also instead of the one that it fills now."""
        window = self.window
        if not screen.geometry().contains(window.geometry().center()):
            # A maximised or full-screen window ignores a new position.
            window.showNormal()
            window.setScreen(screen)
            window.setGeometry(screen.geometry())
        self._screen = screen
        # Between two pages the parts of both may ask for more than there is, and a window that grew would stay so.
        window.setMinimumSize(1, 1)
        window.showFullScreen()
        # Its keys steer the presentation, also where a detached pane had the keyboard.
        window.activateWindow()

    def clear(self) -> None:
        """Hide the parts that are not for the audience, and create the stage's own."""
        for bar in self._of_window():
            bar.hide()
        self.window.in_force.give_up(True)
        self.window.code.put_on_stage(True)
        self.window.notice.put_on_stage(True)
        self._make_bars()
        self.window.area.put_docks(b"")
        self.window.lesson.setOrientation(Qt.Orientation.Horizontal)

    def show(self, scene: StageContents) -> None:
        self.scene = scene
        self._show()

    def take_down(self) -> None:
        """Restore the window's size, bars and docks; the caller arranges the panes."""
        before, self._before = self._before, None
        if before is None:
            return
        self._screen = None
        window = self.window
        window.setMinimumSize(0, 0)
        self._go_home(before.geometry)
        self._remove_bars()
        window.in_force.give_up(False)
        window.code.put_on_stage(False)
        window.notice.put_on_stage(False)
        if before.maximised:
            window.showMaximized()
        else:
            window.showNormal()
            window.setGeometry(_within_reach(before.geometry))
            # Until Qt has laid everything out in small letters again, it may need more room than that.
            QTimer.singleShot(0, self, partial(self._stand, _within_reach(before.geometry)))
        for bar, shown in zip(self._of_window(), before.shown, strict=True):
            bar.setVisible(shown)
        window.lesson.setOrientation(Qt.Orientation.Vertical)
        self._show_words(True)
        window.code_column.show()
        window.area.put_docks(before.docks)

    def _go_home(self, geometry: QRect) -> None:
        """Go back to the screen that the window was on, as it fills another one: it would be maximised there."""
        home = QGuiApplication.screenAt(geometry.center())
        if home is not None and home.name() != self.window.screen().name():
            self.window.showNormal()
            self.window.setScreen(home)
            self.window.setGeometry(geometry)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Divide the width again when the window has the size of the screen."""
        if self.is_up and event.type() == QEvent.Type.Resize:
            self._show()
        return False

    def _show(self) -> None:
        window, scene = self.window, self.scene
        left = WORDS_SHARE if scene.words else CODE_SHARE if scene.pane and scene.code else 1.0 if scene.code else 0.0
        words = int(window.width() * left)
        share = FINDINGS_SHARE if window.bottom.currentIndex() == FINDINGS_TAB else OUTPUT_SHARE
        lists = int(window.height() * share)
        panes: tuple[PaneName, ...] = tuple(pane for pane in PANES if pane == scene.pane)
        layout = Layout(
            form="stage",
            code_below=False,
            list_open=False,
            panes=panes,
            strips=(),
            enlarged=False,
            findings=scene.lists,
            covered=scene.covered,
            sizes={
                "whole": (0, words, window.width() - words),
                "lesson": (words, window.width() - words),
                "results": (window.height() - lists, lists),
            },
        )
        if not scene.words:
            # Before the widths change: hidden words stay laid out and scrolled as they were read.
            self._show_words(False)
        window.obey(layout)
        window.code_column.setVisible(scene.code)
        if not scene.code:
            # While the code was there, a notice above it may have taken width from the pane.
            window.restore_sizes(layout.sizes)
        self._show_words(scene.words)

    def _show_words(self, shown: bool) -> None:
        """Show the words or fold them; the keyboard never falls to the code, where a digit would be typed."""
        window, focused = self.window, self.window.focusWidget()
        of_words = focused is not None and window.story.isAncestorOf(focused)
        window.story.setVisible(shown)
        ground = window.centralWidget()
        if of_words and not shown:
            ground.setFocus()
        elif shown and focused is ground:
            window.story.setFocus()

    def _stand(self, geometry: QRect) -> None:
        """Restore the window's position once more, unless it is on stage again."""
        if not self.is_up:
            self.window.setGeometry(geometry)

    def take_keyboard(self) -> None:
        """Take the keyboard back from a bar, or from the code, to where digits choose panes."""
        window = self.window
        (window.story if window.story.isVisible() else window.centralWidget()).setFocus()

    def part_has_keyboard(self) -> bool:
        """Return whether F6 or a click has given the keyboard to the code or to a pane."""
        window, focused = self.window, self.window.focusWidget()
        parts = (window.code, window.bottom, *window.area.panes)
        return window.isActiveWindow() and focused is not None and any(each.isAncestorOf(focused) for each in parts)

    def _make_bars(self) -> None:
        self._remove_bars()
        self.bars = Bars(ParameterStrip(), StageChips())
        for bar in (self.bars.chips, self.bars.strip):
            self.window.addToolBarBreak(Qt.ToolBarArea.BottomToolBarArea)
            self.window.addToolBar(Qt.ToolBarArea.BottomToolBarArea, bar)
            bar.hide()
            apply_to_tree(bar, self.window.theme)

    def _remove_bars(self) -> None:
        if self.bars is not None:
            for bar in (self.bars.chips, self.bars.strip):
                self.window.removeToolBarBreak(bar)
                self.window.removeToolBar(bar)
                bar.deleteLater()
        self.bars = None

    def _of_window(self) -> tuple[QWidget, ...]:
        """Return the parts to hide, looked up each time because PySide may release its object for the menu bar."""
        window = self.window
        return window.menuBar(), window.controls, window.transforms, window.status, window.strips, window.rail


def _within_reach(geometry: QRect) -> QRect:
    """Return `geometry`, on the first screen where the one that it was on is gone."""
    if any(screen.geometry().intersects(geometry) for screen in QGuiApplication.screens()):
        return geometry
    room = QGuiApplication.primaryScreen().availableGeometry()
    return QRect(room.topLeft(), geometry.size().boundedTo(room.size()))
