"""The real window and its worker, with a watch on the event loop."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QTimer

from benchmarks import holds
from explorer import app
from explorer.library import library, paths, settings
from explorer.link.client import WorkerClient
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from explorer.window.frame import IdleGarbage
from views.parts.steps import GradualWork
from views.window.main_window import MainWindow

HOLD_S = 0.050
SIZE = (1366, 768)
SETTLE_S = 0.05
NO_TIME = 1e-4
"""The seconds that count for a delay of no length, because ratios are taken."""


def use_own_folders(folder: Path) -> None:
    """Keep drafts and progress out of those of whoever measures."""
    for name in ("settings_file", "drafts_folder", "progress_file", "my_scenarios_folder"):
        place = folder / name
        setattr(paths, name, lambda place=place: place)


class WatchedWindow:
    """The real window with its real worker, and a watch on its event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._application = app.make_application(settings.Settings())
        self._client = WorkerClient(spare=False)
        self._client.start()
        self.session = Session(self._client, Workspace(time_automatically=False))
        self.window = MainWindow()
        self.desk = Desk(self._application, self.window, self.session, settings.Settings(), keeps_settings=False)
        connections.connect(self.window, self.session, self._client, self.desk)
        connections.add_plots(self.window, self.session, self.desk)
        self.window.resize(*SIZE)
        self.desk.take_up(library.open_target("one_key_for_the_batch"))
        self.window.show()
        self.desk.files.list_scenarios()
        self._holds = holds.Holds()
        self.finish()
        # As the application does, see `app.rest`.
        IdleGarbage(self.window, lambda: self.session.busy)

    def close(self) -> None:
        self._holds.stop()
        self.window.close()
        self._client.close()

    # -- user actions -------------------------------------------------------------------

    def during(self, act: Callable[[], object]) -> holds.Hold:
        """Return the longest delay while `act` is done and painted."""
        self.wait(SETTLE_S)
        self._holds.take()
        act()
        self.wait(SETTLE_S)
        while self.window.findChildren(GradualWork):
            self.wait(SETTLE_S)
        return max(self._holds.take(), key=_busy, default=holds.Hold(NO_TIME, NO_TIME, ()))

    def open(self, target: str) -> None:
        self.desk.files._allowed.add(target)
        self.desk.files.open_by_id(target)
        self.finish()

    def written(self, name: str, source: str) -> str:
        path = self._folder / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        return str(path)

    def finish(self) -> None:
        """Wait until everything has run and is painted."""
        self.wait(0.3)
        while self.session.busy or self.session.stale:
            self.wait(SETTLE_S)
        self.wait(SETTLE_S)

    def wait(self, seconds: float) -> None:
        # In an event loop, as in the application, so that `deleteLater` takes effect.
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()


def _busy(hold: holds.Hold) -> float:
    return hold.busy_s
