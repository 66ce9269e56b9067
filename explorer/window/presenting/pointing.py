"""A spotlight while a key is held, and a black screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from views.window.main_window import MainWindow
from views.window.stage.blank import Blank
from views.window.stage.overlay import Overlay
from views.window.stage.spotlight import lit

FRAME_MS = 16
"""Milliseconds between two reads of the mouse position."""


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
        self._frames = QTimer(self, interval=FRAME_MS)
        self._frames.timeout.connect(self._follow)
        self._blank: Blank | None = None

    @property
    def blank(self) -> Blank | None:
        """Return the cover of the stage, None where it is not covered."""
        return self._blank

    def end(self) -> None:
        """Close all pointing tools."""
        self._let_go()
        if self._blank is not None:
            self._blank.put_away()
        self.overlay.show_sign("")

    def hold_light(self) -> None:
        """Light up the line or row under the mouse while the key is held."""
        # A held key repeats.
        if not self._frames.isActive():
            self._watch(True)
            self._frames.start()
        self._follow()

    def blacken(self) -> None:
        """Show a black screen until a key or a click."""
        self._let_go()
        if self._blank is None:
            self._blank = Blank(self._covered())
            self._blank.over.connect(self._forget_blank)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """End pointing when its key is released, or another application gets the keyboard."""
        if event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_S and not event.isAutoRepeat():
                self._let_go()
        elif event.type() == QEvent.Type.ApplicationStateChange:
            self._let_go()
        return False

    def _let_go(self) -> None:
        if self._frames.isActive():
            self._watch(False)
            self._frames.stop()
            self.overlay.show_light(QRect())

    def _watch(self, watches: bool) -> None:
        application = QApplication.instance()
        assert application is not None
        if watches:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)

    def _follow(self) -> None:
        self.overlay.show_light(lit(self._window, self.where()))

    def mouse(self) -> QPoint:
        """Return the position of the mouse, in the coordinates of the window."""
        return self._window.mapFromGlobal(QCursor.pos())

    def _forget_blank(self) -> None:
        self._blank = None
