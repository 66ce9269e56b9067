"""The real window, offscreen, with the real worker, and everything that it should never do."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from explorer import app
from explorer.library import library, paths
from explorer.library.settings import Settings
from explorer.link.client import WorkerClient
from explorer.messages import Request, Snapshot
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from views.window.main_window import MainWindow

FOLDERS = ("settings_file", "drafts_folder", "progress_file", "my_scenarios_folder")


class RealDesk:
    """A window as `app.main` makes it, with folders of its own.

    Attributes:
        troubles: what was raised in the window, and what Qt warned of.
        deaths: how the worker died, in words.
    """

    def __init__(self, folder: Path, *, times: bool = False) -> None:
        for name in FOLDERS:
            setattr(paths, name, lambda place=folder / name: place)
        self.troubles: list[str] = []
        self.deaths: list[str] = []
        chosen = Settings(time_automatically=times)
        self.application: QApplication = app.make_application(chosen, "en")
        qInstallMessageHandler(self._on_qt_message)
        sys.excepthook = self._on_exception
        self.client = WorkerClient()
        self.client.start()
        self.session = Session(self.client, Workspace(time_automatically=times))
        self.workspace = self.session.workspace
        self.window = MainWindow()
        self.desk = Desk(self.application, self.window, self.session, chosen, "en")
        connections.connect(self.window, self.session, self.client, self.desk)
        self.desk.take_up(library.open_target(app.FIRST_SCENARIO))
        self.window.resize(1366, 768)
        self.window.show()
        self.application.processEvents()
        for _ in app.rest(self.window, self.session, self.desk, present=False):
            self.application.processEvents()

    def close(self) -> None:
        """Close the window and end the worker, as a person does."""
        self.window.close()
        self.client.close()
        self.settle()

    def settle(self) -> None:
        """Let everything happen that is due."""
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.application.processEvents()

    def wait_for(self, done: Callable[[], bool], at_most_s: float) -> bool:
        """Let the window live until `done`; return whether that came in time."""
        end = time.monotonic() + at_most_s
        while not done():
            if time.monotonic() > end:
                return False
            # Woken by whatever happens; a timer's resolution at least.
            self.application.processEvents()
            time.sleep(0.0005)
        return True

    def run(self, source: str, at_most_s: float) -> Snapshot | None:
        """Put `source` into the editor, run it, and return what is shown then; None where no answer came."""
        self.workspace.replace_source(source)
        self.session.run()
        return self.session.snapshot if self.wait_for(self.is_answered, at_most_s) else None

    def is_answered(self) -> bool:
        """Return whether the panes show all of the code as it stands."""
        awaited = self.client.awaited
        return not self.session.stale and not (isinstance(awaited, Request) or self.session.busy)

    def take_troubles(self) -> str:
        """Return what went wrong in the window since this was asked last."""
        told, self.troubles = "\n".join(self.troubles), []
        return told

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.troubles.append("".join(traceback.format_exception(kind, error, trace)))

    def _on_qt_message(self, kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
            self.troubles.append(f"Qt: {text}")
