"""SPECS: how each pane's view is imported, made and connected, and its age; view_in() finds a view.

The first picture of the window does not wait for the imports of their views, so these are done here in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from PySide6 import QtCore, QtGui, QtWidgets
from PySide6.QtCore import QCoreApplication

import views
from explorer.session.controls import Activity
from explorer.session.session import Session
from views.window.layout import PaneName
from views.window.main_window import MainWindow

if TYPE_CHECKING:
    from explorer.messages.lenses import Rerun
    from explorer.window.lesson import Lesson
    from views.window.pane import View


AT_A_TIME = 64
"""The number of Qt's classes that one step makes: some milliseconds."""


class PaneContext(NamedTuple):
    """The objects that a pane's view is connected to."""

    window: MainWindow
    session: Session
    lesson: Lesson
    open_for: Callable[[Rerun], None]
    """Opens the pane in which a lens shows the rerun."""


Made = TypeVar("Made", bound=QtWidgets.QWidget)


class Age(NamedTuple):
    """Whether the contents are being updated, or are older than the program and stay so."""

    stale: bool
    outdated: bool


def age_of_results(activity: Activity, _session: Session | None = None, *, is_stale: bool | None = None) -> Age:
    """Return the age of a run's results, or of other contents that are stale or not by `is_stale`."""
    stale = activity.rest_stale if is_stale is None else is_stale
    # A run that was stopped leaves an older one in the panes: nothing is under way that would make them newer.
    is_over = activity.worker.name in ("idle", "dead") and not activity.due
    return Age(stale and not is_over, stale and is_over)


def _imported(*modules: str) -> Iterator[None]:
    for module in modules:
        import_module(module)
        yield


class PaneSpec(NamedTuple):
    """One pane, as the window manages it."""

    ready: Callable[[], Iterator[None]]
    """Imports the modules of its view in steps."""
    made: Callable[[PaneContext], View]
    """Creates its view and connects it, after those of the earlier panes."""
    age: Callable[[Activity, Session], Age] = age_of_results


def _keys(around: PaneContext) -> View:
    from views.keys.key_view import KeyView

    window, session, *_ = around
    keys = KeyView()
    session.snapshot_changed.connect(keys.show_snapshot)
    session.marks_changed.connect(keys.show_marks)
    keys.focus_requested.connect(session.choose_focus)
    keys.hover_text.connect(window.status.show_hover)
    return keys


def _noise(around: PaneContext) -> View:
    from views.noise.noise_view import NoiseView

    window, session, lesson, _ = around
    noise = NoiseView()
    session.snapshot_changed.connect(noise.show_snapshot)
    session.marks_changed.connect(noise.show_marks)
    session.value_changed.connect(noise.show_value)
    lesson.plan_opened.connect(noise.show_plan)
    noise.focus_requested.connect(session.choose_focus)
    noise.hover_text.connect(window.status.show_hover)
    noise.steps_chosen.connect(session.choose_steps)
    noise.iteration_chosen.connect(session.choose_iteration)
    # A choice among the arrays of one program does not apply to another.
    session.workspace.opening.connect(noise.forget)
    noise.show_plan(lesson.plan)
    return noise


def _program(around: PaneContext) -> View:
    from views.noise.noise_view import NoiseView
    from views.program.program_view import ProgramView

    window, session, lesson, open_for = around
    program, noise = ProgramView(), window.area.noise.view
    assert isinstance(noise, NoiseView)
    session.program_changed.connect(program.show_snapshot)
    session.marks_changed.connect(program.show_marks)
    lesson.pointed_at.connect(program.show_pointed)
    program.focus_requested.connect(session.choose_focus)
    _connect_subject(around, "program")
    program.form_requested.connect(session.workspace.choose_form)
    session.lenses_changed.connect(program.show_lenses)
    program.lens_requested.connect(session.choose_lens)
    program.rerun_requested.connect(session.rerun_lens)
    program.rerun_requested.connect(open_for)
    program.costs_changed.connect(window.code.show_costs)
    program.name_reached.connect(noise.show_value_named)
    lesson.plan_opened.connect(program.show_plan)
    program.show_plan(lesson.plan)
    if session.lens:
        # It was open in the window before this one.
        program.look_through(session.lens, keeps_form=True)
    return program


def _connect_subject(around: PaneContext, name: PaneName) -> None:
    """Let the title of the pane `name` say and choose which function of a script it is about."""
    pane, workspace = around.window.area.by_name[name], around.session.workspace
    workspace.controls_changed.connect(pane.show_controls)
    pane.subject_chosen.connect(workspace.choose_subject)
    pane.show_controls(workspace.controls)


def _timing_ready() -> Iterator[None]:
    # First of all pyqtgraph touches every class of Qt, each of which takes its time then, and none later.
    for module in (QtCore, QtGui, QtWidgets):
        for number, name in enumerate(dir(module)):
            getattr(module, name)
            if number % AT_A_TIME == 0:
                yield
    # Its package imports all of its modules, so no steps are left to make.
    plotting = Thread(target=import_module, args=("pyqtgraph",))
    plotting.start()
    while plotting.is_alive():
        yield
    yield from _imported(f"{views.__name__}.timing.timing_view")


def _timing(around: PaneContext) -> View:
    from views.timing import paper
    from views.timing.timing_view import TimingView

    window, session, lesson, _ = around
    timing = TimingView()
    session.timings.changed.connect(timing.show_measurements)
    session.timings.reported.connect(timing.show_timing_state)
    session.activity_changed.connect(timing.show_activity)
    session.hello_received.connect(timing.show_hello)
    session.snapshot_changed.connect(timing.show_snapshot)
    session.marks_changed.connect(timing.show_marks)
    session.workspace.controls_changed.connect(timing.show_controls)
    lesson.plan_opened.connect(timing.show_plan)
    _connect_subject(around, "timing")
    timing.focus_requested.connect(session.choose_focus)
    timing.hover_text.connect(window.status.show_hover)
    timing.timing_chosen.connect(session.workspace.choose_timing)
    timing.timing_wanted.connect(session.timings.start)
    window.area.timing.picture.prints = lambda: paper.picture(timing, window.theme)
    timing.show_plan(lesson.plan)
    return timing


def _age_of_times(activity: Activity, session: Session) -> Age:
    """Return the age of the times: being measured where they are missing or stale, outdated where none will come."""
    comes, lacking = activity.timing_comes, activity.timing_stale or not session.timings.measurements
    return Age(lacking and comes, activity.timing_stale and not comes)


def view_in(window: MainWindow, kind: type[Made]) -> Made:
    """Return the view of this `kind`. Raises LookupError."""
    found = window.findChild(kind)
    if found is None:
        raise LookupError(f"the window has no {kind.__name__}")
    return found


def why_nothing(pane: str, session: Session) -> str:
    """Return the reason why `pane` has no picture, in a sentence."""
    snapshot = session.snapshot
    if snapshot is not None and snapshot.failures:
        words = QCoreApplication.translate("Handout", "No picture: the program stopped with {}.")
        return words.format(snapshot.failures[0].type)
    return {
        "keys": QCoreApplication.translate("Handout", "No picture: this program makes no random keys."),
        "noise": QCoreApplication.translate("Handout", "No picture: this program returns no array that can be drawn."),
        "timing": QCoreApplication.translate("Handout", "No picture: no time was measured."),
    }.get(pane, "")


_VIEWS = views.__name__
SPECS: dict[PaneName, PaneSpec] = {
    "keys": PaneSpec(partial(_imported, "numpy", f"{_VIEWS}.keys.key_view"), _keys),
    "noise": PaneSpec(partial(_imported, f"{_VIEWS}.noise.noise_view"), _noise),
    "program": PaneSpec(
        partial(_imported, f"{_VIEWS}.program.program_view"),
        _program,
        lambda activity, _: age_of_results(activity, is_stale=activity.program_stale),
    ),
    "timing": PaneSpec(_timing_ready, _timing, _age_of_times),
}
