"""The window process: builds session, worker client and views, and holds every connection between them."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from explorer.library import library, settings
from explorer.link.client import WorkerClient
from explorer.scenario.scenario import Scenario
from explorer.window import languages
from views import theme

if TYPE_CHECKING:
    from explorer.session.session import Session
    from explorer.window.desk import Desk
    from views.window.main_window import MainWindow

NO_DISPLAY = """jax-explorer: there is no display to open a window on ({reason}).
Without one, these work: jax-explorer export TARGET DIRECTORY (pictures and data), jax-explorer check TARGET,
jax-explorer time TARGET, jax-explorer list."""
FIRST_SCENARIO = "one_key_for_the_batch"


def main(target: str, *, device: str = "", language: str = "", present: bool = False) -> int:
    """Open the window on `target` and return the exit code once it is closed."""
    chosen = settings.load()
    scenario = library.open_target(target) if target else _last_scenario(chosen)
    if reason := missing_display():
        sys.stderr.write(NO_DISPLAY.format(reason=reason) + "\n")
        return 2
    # Qt's loop would never come back to Python to raise KeyboardInterrupt; drafts are on disk already.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    application = make_application(chosen, language)
    client = WorkerClient()
    client.start()
    # Only now: the worker imports jax meanwhile, which takes longest of all.
    from explorer.session.session import Session
    from explorer.session.workspace import Workspace
    from explorer.window.desk import Desk
    from views.window.main_window import MainWindow

    session = Session(client, Workspace(time_automatically=chosen.time_automatically))
    window = MainWindow()
    desk = Desk(application, window, session, chosen, language)
    sys.excepthook = _Excepthook(window)
    connect(window, session, client, desk)
    desk.take_up(scenario, device)
    window.show()
    # The first picture is on screen before the plotting library is read.
    application.processEvents()
    desk.files.list_scenarios()
    add_plots(window, session, desk)
    if present:
        window.action("present").trigger()
    code = application.exec()
    client.close()
    return code


def _last_scenario(chosen: settings.Settings) -> Scenario:
    """Return the scenario of the last run, where it still is; a file is never run again by itself."""
    try:
        return library.open_target(chosen.last_target or FIRST_SCENARIO)
    except (library.UnknownTarget, library.UnreadableCode):
        return library.open_target(FIRST_SCENARIO)


def missing_display() -> str:
    """Return why no window can be opened, in words; empty when nothing is known to be in the way."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return ""
    return "neither DISPLAY nor WAYLAND_DISPLAY is set"


def make_application(chosen: settings.Settings, language: str = "") -> QApplication:
    """Return the QApplication in its theme, all texts in `language`; without one in the chosen one or the system's."""
    qInstallMessageHandler(_on_qt_message)
    there = QApplication.instance()
    application = there if isinstance(there, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("jax-explorer")
    application.setApplicationDisplayName("JAX Explorer")
    languages.install(application, language or chosen.language or languages.system_language())
    # Before any widget is made this takes a tenth of the time that it does after.
    theme.apply_to_application(application, theme.chosen(chosen.theme, chosen.scale))
    return application


def connect(window: MainWindow, session: Session, client: WorkerClient, desk: Desk) -> None:
    """Make every connection between the views that exist from the start, the workspace and the session."""
    workspace = session.workspace
    workspace.scenario_changed.connect(desk.show_scenario)
    workspace.source_replaced.connect(desk.show_source)
    workspace.draft_found.connect(desk.files.offer_draft)
    workspace.problem_told.connect(window.notice.tell)
    workspace.controls_changed.connect(window.controls.show_controls)
    workspace.controls_changed.connect(window.transforms.show_controls)
    workspace.controls_changed.connect(desk.show_controls)
    workspace.controls_changed.connect(window.findings.show_controls)
    session.hello_received.connect(window.status.show_hello)
    session.snapshot_changed.connect(window.code.show_snapshot)
    session.snapshot_changed.connect(window.findings.show_snapshot)
    session.snapshot_changed.connect(window.output.show_snapshot)
    session.snapshot_changed.connect(window.status.show_snapshot)
    session.activity_changed.connect(window.status.show_activity)
    session.activity_changed.connect(desk.show_activity)
    session.printing_started.connect(window.output.clear)
    session.printed.connect(window.output.append_printed)
    client.written_to_stderr.connect(window.output.append_printed)
    session.snapshot_changed.connect(desk.lesson.take_snapshot)
    session.timings.changed.connect(desk.lesson.take_measurements)
    workspace.controls_changed.connect(desk.lesson.take_controls)
    session.marks_changed.connect(desk.lesson.take_marks)
    desk.lesson.page_changed.connect(window.story.show_page)
    desk.lesson.page_changed.connect(desk.presentation.show_page)
    desk.lesson.scenario_wanted.connect(desk.presentation.turn_scenario)
    desk.lesson.plan_opened.connect(desk.show_plan)
    desk.lesson.progress_changed.connect(desk.files.mark_done)
    for marked in (window.code, window.findings, window.status):
        session.marks_changed.connect(marked.show_marks)

    window.code.source_edited.connect(workspace.edit)
    window.code.focus_requested.connect(session.choose_focus)
    window.code.name_asked.connect(client.ask)
    window.code.fixes_wanted.connect(session.mend)
    client.name_answered.connect(window.code.show_names)
    window.findings.focus_requested.connect(session.choose_focus)
    window.findings.verdict_changed.connect(window.set_findings_title)
    window.scenarios.scenario_chosen.connect(desk.files.open_by_id)
    window.story.next_wanted.connect(desk.lesson.go_on)
    window.story.previous_wanted.connect(desk.lesson.go_back)
    window.story.choice_made.connect(desk.lesson.choose)
    window.story.variant_wanted.connect(desk.lesson.choose_variant)
    window.notice.answered.connect(desk.files.on_answer)
    window.controls.device_chosen.connect(workspace.choose_device)
    window.controls.variant_chosen.connect(workspace.choose_variant)
    window.controls.compare_chosen.connect(workspace.choose_compare)
    window.controls.parameter_set.connect(workspace.set_parameter)
    window.transforms.transforms_chosen.connect(workspace.choose_transforms)
    window.transforms.insertion_wanted.connect(workspace.insert_transformed)
    window.command_given.connect(desk.on_command)
    window.closing.connect(desk.put_away)


def add_plots(window: MainWindow, session: Session, desk: Desk) -> None:
    """Make the four panes' views, which need the plotting library, and connect them."""
    from views.keys.key_view import KeyView
    from views.noise.noise_view import NoiseView
    from views.program.program_view import ProgramView
    from views.timing.timing_view import TimingView

    workspace = session.workspace
    keys, noise, program, timing = KeyView(), NoiseView(), ProgramView(), TimingView()
    views: tuple[KeyView | NoiseView | ProgramView | TimingView, ...] = (keys, noise, program, timing)
    for pane, view in zip(window.area.panes, views, strict=True):
        pane.set_view(view)
        view.verdict_changed.connect(pane.show_verdict)
        session.marks_changed.connect(view.show_marks)
        desk.looks.add(view)
    shown: tuple[KeyView | NoiseView | ProgramView, ...] = (keys, noise, program)
    for part in shown:
        changed = session.program_changed if part is program else session.snapshot_changed
        changed.connect(part.show_snapshot)
        part.focus_requested.connect(session.choose_focus)
        if session.snapshot is not None:
            part.show_snapshot(session.snapshot)
    hovered: tuple[KeyView | NoiseView | TimingView, ...] = (keys, noise, timing)
    for told in hovered:
        told.hover_text.connect(window.status.show_hover)
    timing.focus_requested.connect(session.choose_focus)
    desk.lesson.plan_opened.connect(noise.show_plan)
    noise.show_plan(desk.lesson.plan)
    desk.lesson.plan_opened.connect(timing.show_plan)
    timing.show_plan(desk.lesson.plan)
    desk.lesson.pointed_at.connect(program.show_pointed)
    session.value_changed.connect(noise.show_value)
    program.name_reached.connect(noise.show_value_named)
    noise.steps_chosen.connect(session.choose_steps)
    program.form_requested.connect(workspace.choose_form)
    session.timings.changed.connect(timing.show_measurements)
    session.timings.told.connect(timing.show_timing_state)
    session.hello_received.connect(timing.show_hello)
    if session.hello is not None:
        timing.show_hello(session.hello)
    session.snapshot_changed.connect(timing.show_snapshot)
    if session.snapshot is not None:
        timing.show_snapshot(session.snapshot)
    workspace.controls_changed.connect(timing.show_controls)
    timing.timing_chosen.connect(workspace.choose_timing)
    timing.timing_wanted.connect(session.timings.start)
    timing.show_controls(workspace.controls)
    timing.show_measurements(session.timings.measurements)


def _on_qt_message(kind: QtMsgType, _context: QMessageLogContext, text: str) -> None:
    """Tell Qt's warnings, and turn its abort at a missing display or plugin into a sentence and exit code 2."""
    if kind is QtMsgType.QtFatalMsg:
        reason = " ".join(text.split())
        sys.stderr.write(NO_DISPLAY.format(reason=reason) + "\n")
        sys.stderr.flush()
        os._exit(2)
    if kind is not QtMsgType.QtDebugMsg and not text.startswith("This plugin does not support"):
        sys.stderr.write(text + "\n")


class _Excepthook:
    """Shows a failure of ours in the window; the person's code is not in danger."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        text = "".join(traceback.format_exception(kind, error, trace))
        sys.stderr.write(text)
        if not issubclass(kind, KeyboardInterrupt):
            told = QCoreApplication.translate("App", "JAX Explorer itself failed here: {}: {}. Your code is safe.")
            self._window.notice.tell(told.format(kind.__name__, error))
            self._window.output.append_printed(text)
