"""The open window and its desk, made anew in another language; and garbage collection while nothing else runs."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QObject, Qt, QTimer

from explorer.window.commands import Desk
from explorer.window.connections import add_plots, connect
from views.parts.steps import GradualWork
from views.window.main_window import MainWindow

LOOK_MS = 1000
SOME = 10_000
"""New objects that are worth a collection."""
MOST = 500_000
"""New objects with which it waits for nothing: some 50 MB."""


class IdleGarbage(QObject):
    """Takes the place of Python's own collections, which come whenever there are 700 new objects."""

    def __init__(self, parent: QObject, is_busy: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._is_busy = is_busy
        # All that is made at the start lives as long as the window: looking through it is in vain.
        gc.freeze()
        gc.disable()
        self.destroyed.connect(_on_destroyed)
        timer = QTimer(self, interval=LOOK_MS)
        timer.timeout.connect(self.look)
        timer.start()

    def look(self) -> None:
        """Collect garbage if there may be enough of it and nothing is under way."""
        new = gc.get_count()[0]
        if new > MOST or (new > SOME and not self._is_busy()):
            gc.collect()


def _on_destroyed() -> None:
    gc.enable()


if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from explorer.library.settings import Settings
    from explorer.link.client import WorkerClient
    from explorer.session.session import Session


class Frame(QObject):
    """Holds the window and its desk. The session, with the code and all results, outlives them.

    Attributes:
        window: the MainWindow that is open now.
        desk: its Desk.
    """

    def __init__(
        self, application: QApplication, session: Session, client: WorkerClient, chosen: Settings, language: str = ""
    ) -> None:
        super().__init__(session)
        self._application, self._session, self._client = application, session, client
        self.window = MainWindow()
        self.desk = Desk(application, self.window, session, chosen, language)
        self._connect()

    def _connect(self) -> None:
        connect(self.window, self._session, self._client, self.desk)
        self.desk.appearance.language_changed.connect(self._make_anew)

    def _make_anew(self) -> None:
        """Open another window at the same lesson, page, code and stage, instead of this one."""
        old_window, old_desk = self.window, self.desk
        old_text, had_keyboard = old_window.code.text, old_window.code.isAncestorOf(old_window.focusWidget())
        first = old_text.first_row
        for steps in old_window.findChildren(GradualWork):
            steps.finish()
        # The old picture stays until the new one is there.
        old_window.setUpdatesEnabled(False)
        window = self.window = MainWindow()
        desk = self.desk = Desk(
            self._application, window, self._session, old_desk.settings, old_desk.appearance.language, old_desk
        )
        self._connect()
        geometry, is_maximised = old_desk.presentation.stage.home
        window.setGeometry(geometry)
        if is_maximised:
            window.setWindowState(Qt.WindowState.WindowMaximized)
        for garbage in old_window.findChildren(IdleGarbage):
            garbage.setParent(window)
        desk.appearance.apply()
        desk.continue_from(old_desk)
        add_plots(window, self._session, desk)
        desk.presentation.continue_from(old_desk.presentation)
        if old_window.isVisible():
            window.show()
            window.activateWindow()
        if had_keyboard:
            window.code.setFocus()
        # Keys that are pressed meanwhile wait for the new window.
        self._application.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        # Once the new window has its layout.
        QTimer.singleShot(0, window, partial(window.code.text.show_first, first))
        old_desk.leave()
        old_window.hide()
        old_window.deleteLater()
