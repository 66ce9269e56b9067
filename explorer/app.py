"""The window process: starts the worker, builds session and window, and loads the rest after the first picture."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

import resources
from explorer import qt_libraries
from explorer.library import settings
from explorer.link import temporary
from explorer.link.client import WorkerClient

if TYPE_CHECKING:
    from explorer.scenario.scenario import Scenario
    from explorer.session.session import Session
    from explorer.window.commands import Desk
    from explorer.window.frame import Frame
    from views.window.main_window import MainWindow

NO_DISPLAY = """jax-explorer: there is no display to open a window on ({reason}).
For a window, start it on a computer with a display: it can run programs here, as on any remote.
Or connect with ssh -X. For its pictures and results alone: jax-explorer export FILE.py FOLDER"""
FIRST_SCENARIO = "one_key_for_the_batch"
FIRST_COURSE = "from_zero"
"""Its lessons are listed when the application opens for the first time."""


def main(target: str, *, device: str = "", language: str = "", present: bool = False) -> int:
    """Open the window on `target`; return the exit code once it is closed. Raises UnknownTarget, UnreadableCode."""
    chosen = settings.load()
    # Until `rest` is through.
    gc.disable()
    # Qt's loop would never come back to Python to raise KeyboardInterrupt; drafts are on disk already.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    bare_application()
    client = WorkerClient()
    client.start()
    try:
        # Only now: the worker imports jax meanwhile, which takes longest of all.
        application = make_application(chosen, language)
        return _run(application, client, chosen, target, device, language, present=present)
    finally:
        client.close()


def _run(
    application: QApplication,
    client: WorkerClient,
    chosen: settings.Settings,
    target: str,
    device: str,
    language: str,
    *,
    present: bool,
) -> int:
    from explorer.library import courses, library
    from explorer.library.progress import CrashedPositions
    from explorer.session.session import Session
    from explorer.session.workspace import Workspace
    from explorer.window.frame import Frame
    from views.parts.steps import GradualWork

    course = courses.find(target) if target else None
    if course is not None and not course.lessons:
        raise library.UnknownTarget(course.problem or f"{target} is a course without lessons.")
    crashed = CrashedPositions()
    if course is not None:
        scenario = course.lessons[0]
    else:
        before = crashed.newest.target if crashed.newest is not None else chosen.last_target
        scenario = library.open_target(target) if target else _last_scenario(before)
    recording = scenario.id if scenario.origin == "recording" else ""
    if recording:
        # Only the window can show it.
        scenario = library.open_target(FIRST_SCENARIO)
    session = Session(client, Workspace(time_automatically=chosen.time_automatically, line_types=chosen.line_types))
    frame = Frame(application, session, client, chosen, language)
    window, desk = frame.window, frame.desk
    sys.excepthook = _Excepthook(frame)
    if course is not None:
        desk.files.take_course(course)
        # Naming it on the command line is asking for its programs to be run.
        desk.files.allow(*course.lessons)
    open_first(session, desk, scenario, device, recording=recording)
    desk.crash_recovery.offer(crashed, named=bool(target))
    window.show()
    # The first picture is on screen before the plotting library is read; the rest comes while the window answers.
    application.processEvents()
    first_course = "" if target or chosen.last_target or chosen.tour_seen else FIRST_COURSE
    GradualWork(window, rest(window, session, desk, present=present, first_course=first_course))
    return application.exec()


def open_first(session: Session, desk: Desk, scenario: Scenario, device: str = "", *, recording: str = "") -> None:
    """Open `scenario`, or the `recording` at this path instead, before the first picture."""
    desk.take_up(scenario, device, runs=not recording)
    if recording:
        desk.files.open_by_id(recording)
        if not desk.files.recordings.is_open:
            # It is unreadable, so the lesson behind it is what is open.
            session.workspace.let_run()


def rest(window: MainWindow, session: Session, desk: Desk, *, present: bool, first_course: str = "") -> Iterator[None]:
    """Load the parts after the first picture, step by step; with a `first_course`, only its lessons are listed."""
    from explorer.library import courses
    from explorer.window.connections import plots
    from explorer.window.frame import IdleGarbage

    try:
        yield from plots(window, session, desk, ("keys", "noise", "program"))
        yield
        yield from desk.files.listing()
        # Titles of other lessons are known only now.
        desk.crash_recovery.show_again()
        if first_course and (course := courses.find(first_course)) is not None:
            desk.files.take_course(course)
        desk.files.tell_unreadable()
        temporary.sweep()
        # The question after a crash is not for an audience, and its answer leads back to the stage.
        if present and not desk.crash_recovery.wants_enter:
            window.action("present").trigger()
        else:
            desk.show_tour_once()
        # Times come last, and need the plotting library.
        yield from plots(window, session, desk, ("timing",))
    finally:
        IdleGarbage(window, lambda: session.busy)


def _last_scenario(before: str) -> Scenario:
    """Return the scenario `before` of the last session, if it still exists; a user's file never runs by itself."""
    from explorer.library import library

    try:
        last = library.open_target(before or FIRST_SCENARIO)
        if last.origin not in ("new", "file", "recording"):
            return last
    except (library.UnknownTarget, library.UnreadableCode):
        pass
    return library.open_target(FIRST_SCENARIO)


def missing_display() -> str:
    """Return the reason why no window can be opened, in words; empty when no obstacle is known."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return ""
    return "neither DISPLAY nor WAYLAND_DISPLAY is set"


def bare_application() -> QApplication:
    """Return the QApplication, made at the first call."""
    qInstallMessageHandler(_on_qt_message)
    there = QApplication.instance()
    return there if isinstance(there, QApplication) else QApplication(sys.argv[:1])


def make_application(chosen: settings.Settings, language: str = "") -> QApplication:
    """Return the QApplication in its theme, all texts in `language`; without one in the chosen one or the system's."""
    from explorer.window import languages
    from views import theme

    application = bare_application()
    application.setApplicationName("jax-explorer")
    application.setApplicationDisplayName("JAX Explorer")
    # By this name a desktop finds the menu entry, and with that the icon of the task bar.
    application.setDesktopFileName("jax-explorer")
    application.setWindowIcon(QIcon(str(Path(resources.__file__).parent / "icons" / "jax-explorer.svg")))
    languages.install(application, language or chosen.language or languages.system_language())
    # Before any widget is made this takes a tenth of the time that it does after.
    theme.apply_to_application(application, theme.chosen(chosen.theme, chosen.scale))
    return application


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Print Qt's warnings, and turn its abort at a missing display or plugin into a sentence and exit code 2."""
    if kind is QtMsgType.QtFatalMsg:
        reason = " ".join(text.split())
        sys.stderr.write((qt_libraries.problem() or NO_DISPLAY.format(reason=reason)) + "\n")
        sys.stderr.flush()
        os._exit(2)
    if kind is not QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
        sys.stderr.write(text + "\n")


class _Excepthook:
    """Shows an error of the window itself; user code is not affected."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        import traceback

        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if not issubclass(kind, KeyboardInterrupt):
            message = QCoreApplication.translate("App", "JAX Explorer itself failed here: {}: {}. Your code is safe.")
            self._frame.window.notice.tell(message.format(kind.__name__, error))
            self._frame.window.output.append_printed(text)
