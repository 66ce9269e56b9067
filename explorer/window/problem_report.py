"""Help > Report a problem: errors and circumstances as a text that the user reads and saves; nothing is sent."""

from __future__ import annotations

import platform
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog

from explorer.library import library
from explorer.messages import Failure, Snapshot
from explorer.session.session import Session
from explorer.window.appearance import Appearance
from explorer.window.event_loop_delays import EventLoopDelays
from views.help.report_sheet import ReportSheet
from views.window.main_window import MainWindow

MOST_TROUBLES = 5
MOST_STDERR = 4000
"""The most characters of the worker's output outside of its program."""


class ProblemReport(QObject):
    """Keeps the last failures, and reports them on request."""

    def __init__(self, window: MainWindow, session: Session, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._appearance = appearance
        self._delays = EventLoopDelays(self)
        self._troubles: deque[str] = deque(maxlen=MOST_TROUBLES)
        self._stderr = ""
        session.snapshot_changed.connect(self._hear)

    def commands(self) -> dict[str, Callable[[], object]]:
        return {"report": self._open}

    def note(self, trouble: str) -> None:
        """Keep `trouble`, an error of ours or of the worker."""
        self._troubles.append(f"{time.strftime('%H:%M:%S')} {trouble.strip()}")

    def note_stderr(self, text: str) -> None:
        """Keep the end of the worker's output outside of its program."""
        self._stderr = (self._stderr + text)[-MOST_STDERR:]

    def text(self, with_code: bool) -> str:
        """Return the report, in English for whoever fixes it; the user's own words only `with_code`."""
        parts = ["\n".join((title, *lines)) for title, lines in self._parts(with_code) if lines]
        # The user's name does not help to fix a problem.
        return "\n\n".join(parts).replace(str(Path.home()), "~") + "\n"

    def _parts(self, with_code: bool) -> Iterator[tuple[str, list[str]]]:
        # Not at the top: the first picture of the window does without it.
        from importlib.metadata import version

        hello, settings, window = self._session.hello, self._appearance.settings, self._window
        yield "JAX Explorer: report of a problem", [time.strftime("%Y-%m-%d %H:%M %z")]
        worker = f"worker: Python {hello.python}, jax {hello.jax}, jaxlib {hello.jaxlib}" if hello else "worker: silent"
        program = f"jax-explorer {version('jax-explorer')}, Python {platform.python_version()}, Qt {qVersion()}"
        yield "Versions", [program, worker, platform.platform()]
        yield "Devices", [f"{each.id} {each.kind}" for each in hello.devices] if hello else []
        chosen = f"theme {settings.theme}, text size {settings.scale}, language {self._appearance.language}"
        timing = f"times by itself: {self._session.workspace.controls.time_automatically}"
        yield "Settings", [chosen, timing]
        screens = [f"{each.size().width()}x{each.size().height()}" for each in QGuiApplication.screens()]
        size = f"{window.width()}x{window.height()} on {', '.join(screens)} ({QGuiApplication.platformName()})"
        delays = ", ".join(f"{1000 * each:.0f} ms" for each, _ in self._delays.longest)
        yield (
            "Window",
            [size, *([f"longest delays {delays}, in {self._delays.turns} turns of the event loop"] if delays else [])],
        )
        yield "Went wrong last", list(self._troubles)
        yield "From the worker, past its program", [self._stderr.strip()] if self._stderr.strip() else []
        yield "The program's errors", [_failure_text(each, with_code) for each in self._failures()]
        scenario = self._session.workspace.scenario
        own = scenario is None or scenario.origin != "built-in"
        yield "Open", ["a file of one's own" if own or scenario is None else scenario.id]
        if with_code:
            yield "The code", [self._session.workspace.source]

    def _failures(self) -> list[Failure]:
        snapshot = self._session.snapshot
        if snapshot is None:
            return []
        found = (snapshot.failure, *(report.failure for report in snapshot.reports))
        return list(dict.fromkeys(each for each in found if each is not None))

    def _hear(self, snapshot: Snapshot) -> None:
        if snapshot.failure is not None and snapshot.failure.type in ("WorkerDied", "InternalError"):
            self.note(f"{snapshot.failure.type}: {snapshot.failure.message}\n{snapshot.failure.traceback}")

    def _open(self) -> None:
        sheet = ReportSheet(self._window, self._window.theme, self.text)
        sheet.save_wanted.connect(self._save)
        sheet.show()

    def _save(self, text: str) -> None:
        name = str(Path.home() / f"jax-explorer-problem-{time.strftime('%Y%m%d-%H%M')}.txt")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the report"), name, self.tr("Text (*.txt)"))
        if not path:
            return
        try:
            library.write_code(Path(path), text)
        except OSError as error:
            self._window.notice.tell(self.tr("The report was not saved: {}.").format(error.strerror or error))


def _failure_text(failure: Failure, with_code: bool) -> str:
    # The line that failed and its text are the user's.
    return f"{failure.type}: {failure.message}\n{failure.traceback}" if with_code else failure.type
