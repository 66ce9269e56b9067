"""connect() connects the window's views with desk, session and worker; plots() creates those of the four panes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from explorer.window.panes import SPECS, PaneContext
from views.window.file_drops import FileDrops
from views.window.layout import PaneName

if TYPE_CHECKING:
    from explorer.link.client import WorkerClient
    from explorer.session.session import Session
    from explorer.window.commands import Desk
    from views.window.main_window import MainWindow


def connect(window: MainWindow, session: Session, client: WorkerClient, desk: Desk) -> None:
    """Connect the desk, and the views that the window has from the start."""
    workspace, lesson = session.workspace, desk.lesson
    workspace.opening.connect(desk.forget_source)
    workspace.scenario_changed.connect(desk.show_scenario)
    workspace.scenario_changed.connect(desk.recent.note)
    workspace.scenario_changed.connect(desk.files.disk.open)
    workspace.scenario_changed.connect(desk.files.left_out.open)
    FileDrops(window).dropped.connect(desk.files.open_by_id)
    workspace.source_replaced.connect(desk.show_source)
    workspace.draft_found.connect(desk.files.offer_draft)
    for linking in (window.findings.show_lessons, window.code.show_lessons, desk.show_links):
        desk.files.lessons_changed.connect(linking)
    desk.files.opened.connect(window.take_up_reading)
    window.menu_opened.connect(desk.recent.show)
    window.menu_opened.connect(desk.editing.refresh)
    workspace.controls_changed.connect(desk.show_controls)
    session.activity_changed.connect(desk.show_activity)
    lesson.page_changed.connect(desk.show_next)
    lesson.page_changed.connect(desk.arranging.show_page)
    lesson.page_changed.connect(desk.presentation.show_page)
    session.snapshot_changed.connect(desk.arranging.take_snapshot)
    session.snapshot_changed.connect(desk.presentation.scenes.take_snapshot)
    session.snapshot_changed.connect(desk.files.left_out.take_snapshot)
    window.room_changed.connect(desk.arranging.arrange)
    window.pane_wanted.connect(desk.arranging.choose_pane)
    window.fold_wanted.connect(desk.arranging.fold)
    window.uncover_wanted.connect(lesson.uncover)
    window.sizes_changed.connect(desk.arranging.remember_sizes)
    lesson.scenario_wanted.connect(desk.presentation.turn_scenario)
    lesson.turning.connect(desk.presentation.note_leaving)
    lesson.plan_opened.connect(desk.show_plan)
    lesson.progress_changed.connect(desk.files.mark_done)
    lesson.page_changed.connect(desk.crash_recovery.note)
    workspace.controls_changed.connect(desk.crash_recovery.note)
    desk.presentation.changed.connect(desk.crash_recovery.note)
    desk.appearance.changed.connect(desk.crash_recovery.note)
    window.command_given.connect(desk.on_command)
    window.closing.connect(desk.put_away)
    _connect_views(window, session, client, desk)


def _connect_views(window: MainWindow, session: Session, client: WorkerClient, desk: Desk) -> None:
    workspace, lesson = session.workspace, desk.lesson
    workspace.problem_found.connect(window.notice.tell)
    for controlled in (window.controls, window.transforms, window.in_force, window.findings, window.code):
        workspace.controls_changed.connect(controlled.show_controls)
    session.hello_received.connect(window.status.show_hello)
    for view in (window.code, window.findings, window.output, window.status):
        session.snapshot_changed.connect(view.show_snapshot)
    session.program_changed.connect(window.code.show_types)
    for marked in (window.code, window.findings, window.status):
        session.marks_changed.connect(marked.show_marks)
    session.activity_changed.connect(window.status.show_activity)
    window.status.stop_wanted.connect(session.stop)
    session.printing_started.connect(window.output.clear)
    session.printed.connect(window.output.append_printed)
    client.written_to_stderr.connect(window.output.append_printed)

    window.area.rearranged.connect(desk.arranging.arrange)
    window.code.source_edited.connect(workspace.edit)
    window.code.focus_requested.connect(session.choose_focus)
    window.code.name_asked.connect(client.ask)
    window.code.fixes_wanted.connect(session.ask_for_fixes)
    session.fixes_found.connect(window.code.show_fixes)
    window.code.hover_text.connect(window.status.show_hover)
    window.code.find_bar.found_changed.connect(desk.editing.refresh)
    window.code.findings_wanted.connect(desk.show_findings)
    client.name_answered.connect(window.code.show_names)
    window.findings.focus_requested.connect(session.choose_focus)
    window.findings.place_wanted.connect(desk.editing.go_to_line)
    window.findings.lesson_wanted.connect(desk.files.open_from_link)
    window.findings.check_wanted.connect(desk.help.show_check)
    window.code.lesson_wanted.connect(desk.files.open_from_link)
    window.story.lesson_wanted.connect(desk.files.open_from_link)
    window.story.word_wanted.connect(desk.help.show_term)
    window.findings.verdict_changed.connect(window.set_findings_title)
    window.scenarios.scenario_chosen.connect(desk.files.open_by_id)
    window.scenarios.course_chosen.connect(desk.choose_pages)
    window.scenarios.course_wanted.connect(desk.files.add_to_course)
    window.story.next_wanted.connect(lesson.go_on)
    window.story.previous_wanted.connect(lesson.go_back)
    window.story.page_before_wanted.connect(lesson.turn_back)
    window.story.choice_made.connect(lesson.choose)
    window.story.variant_wanted.connect(lesson.choose_variant)
    window.story.variant_wanted.connect(window.code.on_stage.begin_exercise)
    window.story.selection_wanted.connect(lesson.go_back_to_selection)
    window.story.both_wanted.connect(workspace.compare_with_original)
    window.story.original_wanted.connect(workspace.reset)
    window.notice.answered.connect(desk.files.on_answer)
    window.notice.answered.connect(desk.files.disk.on_answer)
    window.notice.answered.connect(desk.files.left_out.on_answer)
    window.notice.answered.connect(desk.files.recordings.on_answer)
    window.notice.answered.connect(desk.crash_recovery.on_answer)
    window.controls.device_chosen.connect(workspace.choose_device)
    window.controls.remote_chosen.connect(workspace.choose_remote)
    window.controls.elsewhere_wanted.connect(desk.remotes.open)
    window.controls.variant_chosen.connect(workspace.choose_variant)
    window.controls.compare_chosen.connect(workspace.choose_compare)
    window.controls.parameter_set.connect(workspace.set_parameter)
    window.transforms.transforms_chosen.connect(workspace.choose_transforms)
    window.in_force.defaults_wanted.connect(workspace.take_defaults)
    window.in_force.transforms_chosen.connect(workspace.choose_transforms)


def add_plots(window: MainWindow, session: Session, desk: Desk) -> None:
    """Create the four panes' views, which need the plotting library, and connect them."""
    for _ in plots(window, session, desk):
        pass


def plots(window: MainWindow, session: Session, desk: Desk, names: Sequence[PaneName] = tuple(SPECS)) -> Iterator[None]:
    """Do the work of `add_plots` for the panes `names` in steps: a single one would block a user who already types."""
    around = PaneContext(window, session, desk.lesson, desk.arranging.open_for)
    for name in names:
        pane = SPECS[name]
        yield from pane.ready()
        view = pane.made(around)
        yield
        window.area.by_name[name].set_view(view)
        yield
    window.area.hold_back(bool(desk.lesson.covered))
    _tell_again(session)


def _tell_again(session: Session) -> None:
    """Emit the current state again, for new views."""
    workspace = session.workspace
    workspace.controls_changed.emit(workspace.controls)
    if session.hello is not None:
        session.hello_received.emit(session.hello)
    if session.snapshot is not None:
        session.program_changed.emit(session.snapshot)
        session.snapshot_changed.emit(session.snapshot)
    session.lenses_changed.emit(session.lenses)
    session.value_changed.emit(session.value)
    session.timings.changed.emit(session.timings.measurements)
    session.marks_changed.emit(session.marks())
    session.tell_activity()
