"""The window as a stage: the words of the story beside one large pane or the code, and back as it was."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from views.theme import capital_height
from views.window.layout import PANES, Layout, PaneName
from views.window.main_window import MainWindow

WORDS_SHARE = 0.36
"""How much of the width the words get."""
FINDINGS_SHARE, OUTPUT_SHARE = 0.44, 0.33
"""How much of the height what is found or printed gets below a pane: a finding and JAX's answer, or a few lines."""
CAPITALS = 44
"""So many capital letters of the words, one above the other, are as high as the picture.

The back row can read 45; letters are made of whole pixels, so those of some sizes are a little lower than they should.
"""
LEAST_SIZE = 45 / 60
"""Of the smallest letters beside the words, in ticks, legends and captions."""
CODE_SIZE = 0.81
"""Of code beside words on the stage: so 64 columns have room."""


@dataclass(frozen=True)
class Before:
    """How the window was before."""

    geometry: QRect
    maximised: bool
    shown: tuple[bool, ...]
    """Of the bars."""
    docks: bytes


class Stage(QObject):
    """Turns the window into a stage and back."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before: Before | None = None
        self._screen: QScreen | None = None
        self._name, self._with_lists, self._covered = "code", False, False
        window.installEventFilter(self)

    @property
    def is_up(self) -> bool:
        return self._before is not None

    def scale(self) -> float:
        """Return the text size that can be read in the back row, for the height that the screen has."""
        screen = self._screen or self._window.screen()
        return max(1.0, screen.size().height() / CAPITALS / capital_height(screen.logicalDotsPerInch()))

    def put_up(self, screen: QScreen) -> None:
        """Fill `screen`, without lists, menus and bars."""
        window = self._window
        shown = tuple(not bar.isHidden() for bar in self._bars())
        self._before = Before(window.geometry(), window.isMaximized(), shown, window.area.docks())
        self.clear()
        self.fill(screen)

    def fill(self, screen: QScreen) -> None:
        """Fill `screen`, also in the place of the one that it fills now."""
        window = self._window
        if not screen.geometry().contains(window.geometry().center()):
            # What is maximised or fills a screen stays on it, whatever place it is given.
            window.showNormal()
            window.setScreen(screen)
            window.setGeometry(screen.geometry())
        self._screen = screen
        window.showFullScreen()
        # Its keys steer the presentation, also where a detached pane had the keyboard.
        window.activateWindow()

    def clear(self) -> None:
        """Put away what is not for the room, also in a window whose parts are new."""
        for bar in self._bars():
            bar.hide()
        self._window.area.put_docks(b"")
        self._window.lesson.setOrientation(Qt.Orientation.Horizontal)

    def show_pane(self, name: str, *, with_lists: bool = False, covered: bool = False) -> None:
        """Show the pane ``keys``, ``noise``, ``program`` or ``timing`` large beside the words, or the ``code``.

        Below a pane there can stand what the program printed, or what was found. What answers a question is `covered`.
        """
        self._name, self._with_lists, self._covered = name, with_lists, covered
        self._show()

    def take_down(self) -> None:
        """Give the window its size, its bars and its docks back; what stands where, somebody else says then."""
        before, self._before = self._before, None
        if before is None:
            return
        self._screen = None
        window = self._window
        self._go_home(before.geometry)
        if before.maximised:
            window.showMaximized()
        else:
            window.showNormal()
            window.setGeometry(_within_reach(before.geometry))
        for bar, shown in zip(self._bars(), before.shown, strict=True):
            bar.setVisible(shown)
        window.lesson.setOrientation(Qt.Orientation.Vertical)
        window.code_column.show()
        window.area.put_docks(before.docks)

    def _go_home(self, geometry: QRect) -> None:
        """Go back to the screen that the window was on, as it fills another one: it would be maximised there."""
        home = QGuiApplication.screenAt(geometry.center())
        if home is not None and home.name() != self._window.screen().name():
            self._window.showNormal()
            self._window.setScreen(home)
            self._window.setGeometry(geometry)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Share the width out anew when the window has got the size of the screen."""
        if self.is_up and event.type() == QEvent.Type.Resize:
            self._show()
        return False

    def _show(self) -> None:
        window, words = self._window, int(self._window.width() * WORDS_SHARE)
        shows_code = self._name == "code"
        share = FINDINGS_SHARE if window.bottom.currentWidget() is window.findings else OUTPUT_SHARE
        lists = int(window.height() * share)
        panes: tuple[PaneName, ...] = tuple(pane for pane in PANES if pane == self._name)
        window.obey(
            Layout(
                form="stage",
                code_below=False,
                list_open=False,
                panes=panes,
                strips=(),
                enlarged=False,
                findings=self._with_lists,
                covered=self._covered,
                sizes={
                    "whole": (0, words, window.width() - words),
                    "lesson": (words, window.width() - words),
                    "results": (window.height() - lists, lists),
                },
            )
        )
        window.code_column.setVisible(shows_code)

    def _bars(self) -> tuple[QWidget, ...]:
        """Return what gives way: asked for anew, as PySide may give up its object for the menu bar."""
        window = self._window
        return window.menuBar(), window.controls, window.transforms, window.status, window.strips, window.rail


def _within_reach(geometry: QRect) -> QRect:
    """Return `geometry`, on the first screen where the one that it was on is gone."""
    if any(screen.geometry().intersects(geometry) for screen in QGuiApplication.screens()):
        return geometry
    room = QGuiApplication.primaryScreen().availableGeometry()
    return QRect(room.topLeft(), geometry.size().boundedTo(room.size()))
