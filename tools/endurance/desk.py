"""The real window, offscreen, with the real worker, and everything that it should never do."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from benchmarks.holds import Holds
from explorer import app
from explorer.library import library, paths
from explorer.library.progress import CrashedPositions
from explorer.library.settings import Settings
from explorer.link.client import WorkerClient
from explorer.messages import Request, Snapshot
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window.commands import Desk
from explorer.window.frame import Frame
from tests.session.client import Client
from tools.endurance.promises import Record
from views.window.main_window import MainWindow

LOGGED_S = 0.1
"""Seconds of a delay whose case is saved."""
FRAME_S = 0.016
"""Seconds of a delay whose stack is reported."""
FOLDERS = ("settings_file", "drafts_folder", "progress_file", "consents_file", "my_scenarios_folder")


class NoWorker(Client):
    """Stands in for the client of a window that runs nothing."""

    def start(self) -> None:
        """Start nothing."""

    def close(self) -> None:
        """End nothing."""


def use(folder: Path) -> None:
    """Let all files of ours lie in `folder`."""
    for name in FOLDERS:
        setattr(paths, name, lambda place=folder / name: place)


class RealDesk:
    """A window as `app.main` makes it, with its own folders; with settings that were `chosen` it goes on from
    what lies there, and has no worker.

    Attributes:
        troubles: what was raised in the window, and what Qt warned of.
        holds: how long its event loop was held, and by what.
    """

    def __init__(self, folder: Path, *, times: bool = False, chosen: Settings | None = None) -> None:
        use(folder)
        self.troubles: list[str] = []
        self.client: Any = WorkerClient() if chosen is None else NoWorker()
        left = CrashedPositions() if chosen is not None else None
        chosen = chosen or Settings(time_automatically=times, tour_seen=True)
        self.application: QApplication = app.make_application(chosen, "en")
        qInstallMessageHandler(self._on_qt_message)
        sys.excepthook = self._on_exception
        self.client.start()
        self.session = Session(self.client, Workspace(time_automatically=times))
        self.workspace = self.session.workspace
        self.frame = Frame(self.application, self.session, self.client, chosen, "en")
        self.desk.take_up(library.open_target(app.FIRST_SCENARIO))
        if left is not None:
            self.desk.crash_recovery.offer(left)
        self.window.show()
        # Offscreen the screen is smaller than any, and the window fills it.
        self.window.showNormal()
        self.window.resize(1366, 768)
        self.application.processEvents()
        for _ in app.rest(self.window, self.session, self.desk, present=False):
            self.application.processEvents()
        # What loading the panes costs is the start's, and measured there.
        self.holds = Holds()

    @property
    def window(self) -> MainWindow:
        """The window that is open now: another one in another language."""
        return self.frame.window

    @property
    def desk(self) -> Desk:
        """Its desk."""
        return self.frame.desk

    def close(self) -> None:
        """Close the window and end the worker, as a user does."""
        self.holds.stop()
        self.window.close()
        self.window.deleteLater()
        self.client.close()
        self.settle()

    def settle(self) -> None:
        """Let everything happen that is due."""
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self.application.processEvents()

    def wait_for(self, done: Callable[[], bool], at_most_s: float) -> bool:
        """Run the event loop until `done`; return whether that came in time."""
        end = time.monotonic() + at_most_s
        while not done():
            if time.monotonic() > end:
                return False
            self.application.processEvents()
            time.sleep(0.0005)
        return True

    def worker_process(self) -> int:
        """Return the number of the worker's own process, which its guard has started (Linux); 0 for none."""
        worker = self.client._worker
        guard = worker._process.processId() if worker is not None else 0
        try:
            children = Path(f"/proc/{guard}/task/{guard}/children").read_text().split()
        except OSError:
            return 0
        return int(children[0]) if children else 0

    def run(self, source: str, at_most_s: float) -> Snapshot | None:
        """Put `source` into the editor, run it, and return the shown snapshot; None where no answer came."""
        self.holds.begin()
        self.workspace.replace_source(source)
        self.session.run()
        return self.session.snapshot if self.wait_for(self.is_answered, at_most_s) else None

    def is_answered(self) -> bool:
        """Return whether the panes show all results of the current code."""
        awaited = self.client.awaited
        return not self.session.stale and not (isinstance(awaited, Request) or self.session.busy)

    def judge_holds(self, record: Record, case: str) -> None:
        """Compare the delays of the event loop since the last call with the promise; `case` is what was done."""
        longest, every = (
            record.figure("longest hold of the event loop", 0.05, "s"),
            record.figure("hold of the event loop", FRAME_S, "s", 99),
        )
        # The report of the run so far is none of the window's doing.
        taken = [hold for hold in self.holds.take() if not any(each.startswith("promises.py") for each in hold.stack)]
        for each in taken:
            every.add(each.busy_s)
            if each.busy_s > FRAME_S:
                record.note_hold(each.busy_s, each.stack)
        most = max(taken, key=lambda hold: hold.busy_s, default=None)
        if most is None:
            return
        longest.add(most.busy_s)
        if most.busy_s > LOGGED_S:
            record.count(f"held for over {LOGGED_S} s by {' < '.join(most.stack[:6]) or 'something short'}")
            record.save("held", case)

    def take_troubles(self) -> str:
        """Return the errors and warnings of the window since the last call."""
        joined, self.troubles = "\n".join(self.troubles), []
        return joined

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        self.troubles.append("".join(traceback.format_exception(kind, error, trace)))

    def _on_qt_message(self, kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
        if kind is not QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
            self.troubles.append(f"Qt: {text}\n{''.join(traceback.format_stack(limit=8))}")
