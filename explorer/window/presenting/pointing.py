"""A dot and a spotlight while a key is held, a pen, and a black or white screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from explorer.scenario.page import Page
from views.window.main_window import MainWindow
from views.window.stage.blank import Blank
from views.window.stage.overlay import Overlay
from views.window.stage.spotlight import lit

FRAME_MS = 16
"""Milliseconds between two reads of the mouse position."""
DOT, LIGHT, WIDE_LIGHT = "dot", "light", "wide light"
KEYS = {DOT: Qt.Key.Key_O, LIGHT: Qt.Key.Key_S, WIDE_LIGHT: Qt.Key.Key_S}
"""The key whose release ends pointing."""


class Pointing(QObject):
    """The pointing tools of the stage."""

    def __init__(self, window: MainWindow, covered: Callable[[], QWidget]) -> None:
        """`covered` returns the window that the audience sees."""
        super().__init__(window)
        self._window = window
        self._covered = covered
        self.overlay = Overlay(window)
        self.where: Callable[[], QPoint] = self.mouse
        """Returns the point to mark, in the coordinates of the window."""
        self._pressed = ""
        self._frames = QTimer(self, interval=FRAME_MS)
        self._frames.timeout.connect(self._follow)
        self._blank: Blank | None = None
        self._page = Page()

    @property
    def blank(self) -> Blank | None:
        """Return the cover of the stage, None where it is not covered."""
        return self._blank

    def end(self) -> None:
        """Close all pointing tools."""
        self._let_go()
        self.bring_back()
        self.overlay.take_pen(False)
        self.overlay.clear()
        self.overlay.show_sign("")

    def show_page(self, page: Page) -> None:
        """Clear the drawings of another page."""
        turned = (page.title, page.place, page.revealed) != (self._page.title, self._page.place, self._page.revealed)
        self._page = page
        # In another language the window has new parts, which lie on top of what was there.
        for cover in (self.overlay, self._blank):
            if cover is not None:
                cover.raise_()
        if turned:
            self.overlay.clear()

    def hold_dot(self) -> None:
        """Show a dot at the mouse while the key is held."""
        self._hold(DOT)

    def hold_light(self) -> None:
        """Light up the line or row under the mouse while the key is held."""
        self._hold(LIGHT)

    def hold_wide_light(self) -> None:
        """Light up the pane under the mouse while the key is held."""
        self._hold(WIDE_LIGHT)

    def toggle_pen(self) -> None:
        """Switch the pen on or off; without it the window gets the mouse."""
        self.overlay.take_pen(not self.overlay.pen_is_on)

    def clear(self) -> None:
        """Clear the drawings."""
        self.overlay.clear()

    def put_down_pen(self) -> bool:
        """Put the pen away with its drawings; return whether there was anything to clear."""
        used = self.overlay.pen_is_on or bool(self.overlay.strokes)
        self.overlay.take_pen(False)
        self.overlay.clear()
        return used

    def blacken(self) -> None:
        """Show a black screen until a key or a click."""
        self._cover("#000000")

    def whiten(self) -> None:
        """Show a white screen until a key or a click."""
        self._cover("#ffffff")

    def bring_back(self) -> None:
        """Show the stage again."""
        if self._blank is not None:
            self._blank.put_away()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """End pointing when its key is released, or another application gets the keyboard."""
        if event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == KEYS.get(self._pressed) and not event.isAutoRepeat():
                self._let_go()
        elif event.type() == QEvent.Type.ApplicationStateChange:
            self._let_go()
        return False

    def _hold(self, what: str) -> None:
        # A held key repeats.
        if self._pressed != what:
            self._let_go()
            self._pressed = what
            self._watch(True)
            self._frames.start()
        self._follow()

    def _let_go(self) -> None:
        if self._pressed:
            self._pressed = ""
            self._watch(False)
            self._frames.stop()
            self.overlay.show_dot(None)
            self.overlay.show_light(None)

    def _watch(self, watches: bool) -> None:
        application = QApplication.instance()
        assert application is not None
        if watches:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)

    def _follow(self) -> None:
        at = self.where()
        if self._pressed == DOT:
            self.overlay.show_dot(at)
        elif self._pressed:
            self.overlay.show_light(self._lit(at))

    def _lit(self, at: QPoint) -> QRect:
        # While the pen is on, it would be the overlay that is under the mouse.
        pen = self.overlay.pen_is_on
        self.overlay.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        area = lit(self._window, at, whole=self._pressed == WIDE_LIGHT)
        self.overlay.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not pen)
        return area

    def mouse(self) -> QPoint:
        """Return the position of the mouse, in the coordinates of the window."""
        return self._window.mapFromGlobal(QCursor.pos())

    def _cover(self, colour: str) -> None:
        self._let_go()
        self.bring_back()
        self._blank = Blank(self._covered(), colour)
        self._blank.over.connect(self._forget_blank)

    def _forget_blank(self) -> None:
        self._blank = None
