"""`Screens`: which screen has the stage and which the presenter's window; the room's picture can be frozen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from views.window.stage.overlay import FrozenPicture, Overlay
from views.window.stage.stage import Stage

SETTLE_MS = 400
"""Milliseconds to wait: a system that detects a screen moves windows itself, and may report it more than once."""


class Screens(QObject):
    """Puts the stage on the room's screen, and freezes it.

    Signals:
        arranged: the stage was placed or moved, possibly with another size.
        frozen_changed: the picture was frozen, or is live again.
    """

    arranged = Signal()
    frozen_changed = Signal()

    def __init__(self, stage: Stage, overlay: Overlay) -> None:
        super().__init__(stage)
        self._stage = stage
        self._overlay = overlay
        self.still: FrozenPicture | None = None
        """The frozen picture."""
        self._home = ""
        """The name of the laptop's screen: the one that the window was on."""
        self.is_swapped = False
        """Whether the stage is on the laptop's screen."""
        self._is_on = False
        self.all: Callable[[], Sequence[QScreen]] = QGuiApplication.screens
        """Returns the connected screens."""
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.arrange)
        self._check = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._check.timeout.connect(self._arrange_again)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        for signal in (application.screenAdded, application.screenRemoved, application.primaryScreenChanged):
            signal.connect(self._on_change)

    @property
    def are_two(self) -> bool:
        """Whether the room has a second screen; a mirror of the laptop's does not count."""
        return len(self._distinct()) > 1

    @property
    def is_frozen(self) -> bool:
        return self.still is not None

    @property
    def projected(self) -> QWidget:
        """The window that the room sees."""
        return self.still or self._stage.window

    def room(self) -> QScreen:
        """Return the lecturer's screen; the only one where there is one."""
        laptop = self.laptop()
        return next((screen for screen in self._distinct() if screen is not laptop), laptop)

    def laptop(self) -> QScreen:
        """Return the screen that the lecturer sees; the only one where there is one."""
        screens = self._distinct()
        home = next((screen for screen in screens if screen.name() == self._home), screens[0])
        others = [screen for screen in screens if screen is not home]
        return others[0] if self.is_swapped and others else home

    def begin(self) -> None:
        """Note the position of the window, before the stage is put up on `room`."""
        self._is_on = True
        self._home = self._stage.window.screen().name()
        self._check.start()

    def continue_from(self, before: Screens) -> None:
        """Have the stage on the screen that it was on in the window `before` this one."""
        self._home, self.is_swapped = before._home, before.is_swapped
        self.arrange()

    def end(self) -> None:
        self._is_on = False
        self._settle.stop()
        self._check.stop()
        self._thaw()

    def arrange(self) -> None:
        """Move the stage to its screen, for the connected screens."""
        if not self._is_on:
            return
        if not self.are_two:
            self._thaw()
        self._stage.fill(self._for_stage())
        self._check.start()
        self.arranged.emit()

    def _for_stage(self) -> QScreen:
        return self.laptop() if self.is_frozen else self.room()

    def _arrange_again(self) -> None:
        """Put the stage back where the system has moved it."""
        screen = self._for_stage()
        beyond = screen.size().expandedTo(self._stage.window.size()) != screen.size()
        if self._is_on and (beyond or not screen.geometry().contains(self._stage.window.geometry().center())):
            self._stage.fill(screen)
            self.arranged.emit()

    def swap(self) -> None:
        """Move the stage to the other screen."""
        if not self._is_on or not self.are_two:
            one = self.tr("There is only one screen to present on.")
            self._tell(one if self._is_on else self.tr("The screens can be swapped while you present."))
            return
        self.is_swapped = not self.is_swapped
        self._thaw()
        self.arrange()

    def toggle_freeze(self) -> None:
        """Freeze the room's picture while the lecturer works on the laptop's screen, or end that."""
        if self.is_frozen:
            self._thaw()
            self.arrange()
        elif self.are_two:
            self.still = FrozenPicture(self._stage.window.grab(), self.room())
            self._overlay.show_sign(self.tr("Frozen. F shows this to the audience."))
            self.arrange()
            self.frozen_changed.emit()
        else:
            self._tell(self.tr("Freezing the audience view needs a second screen."))

    def unfreeze(self) -> bool:
        """Show the stage again; return whether it was frozen."""
        was = self.is_frozen
        if was:
            self.toggle_freeze()
        return was

    def _thaw(self) -> None:
        if self.still is not None:
            self.still.put_away()
            self.still = None
            self._overlay.show_sign("")
            self.frozen_changed.emit()

    def _tell(self, sentence: str) -> None:
        if self._is_on:
            self._overlay.tell(sentence)
        else:
            self._stage.window.notice.tell(sentence)

    def _distinct(self) -> list[QScreen]:
        """Return the screens without mirrors of each other."""
        by_place = {screen.geometry().topLeft().toTuple(): screen for screen in reversed(self.all())}
        return list(reversed(by_place.values()))

    def _on_change(self) -> None:
        if self._is_on:
            self._settle.start()
