"""What came back from the worker, what of it is selected, and what has to be asked for next."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.focus.carry_over import Selection
from explorer.link.client import WorkerClient
from explorer.messages import (
    EquationValue,
    Focus,
    FromRun,
    Hello,
    Marks,
    Printed,
    Program,
    Programs,
    Request,
    Snapshot,
    TimingRequest,
    ValueRequest,
    is_as_it_was,
)
from explorer.session import comparing, next_snapshot
from explorer.session.controls import Activity
from explorer.session.text_ahead import Ahead
from explorer.session.timing_runs import Timings
from explorer.session.value_question import ValueQuestion
from explorer.session.workspace import Workspace

DEBOUNCE_MS = 180
HALF_TYPED_MS = 600
"""What cannot be traced while it is typed is rarely meant: until then nobody hears of a mistake."""


class Session(QObject):
    """Keeps what is shown in step with the workspace: asks the worker for what is missing and takes what it sends.

    Signals:
        snapshot_changed, marks_changed, activity_changed: the new value.
        program_changed: the snapshot with new programs, before all else: they are what a person types to see.
        value_changed: the EquationValue of the selected equation, None when there is none any more.
        printed: what the program has just printed. printing_started: a new run begins, its output is empty.
        hello_received: the worker's Hello.
    """

    program_changed = Signal(object)
    snapshot_changed = Signal(object)
    marks_changed = Signal(object)
    activity_changed = Signal(object)
    value_changed = Signal(object)
    printed = Signal(str)
    printing_started = Signal()
    hello_received = Signal(object)

    def __init__(self, client: WorkerClient, workspace: Workspace) -> None:
        super().__init__()
        self._client = client
        self.workspace = workspace
        self._runs = 0
        self._asked = 0
        """Number of the newest Request."""
        self.hello: Hello | None = None
        """What the worker said of itself."""
        self._snapshot: Snapshot | None = None
        self._selection = Selection()
        self._value = ValueQuestion()
        self._changed_since = False
        """Something changed that no request has carried to the worker yet."""
        self._leftover = False
        """The panes still show the scenario before this one."""
        self._text_is_new = False
        """The program texts are those of the code and the controls as they are, whatever else is stale."""
        self._rest_is_new = False
        """So are the keys, the noise and the findings: only something further of the same program was asked for."""
        self._times_due = False
        """The program is another than the one that was timed, or was about to be."""
        self._half_typed = False
        """What is being typed could not be traced after the last key that is known of."""
        self._debounce = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._debounce.timeout.connect(self.run)
        self._ahead = Ahead(client.submit, DEBOUNCE_MS / 1000, self)
        self._ahead.ready.connect(self._on_text_ahead)
        self._ahead.failed.connect(self._on_nothing_ahead)
        self.timings = Timings(self._timing_plan, client.submit, workspace.controls, self)
        self.timings.ended.connect(self._on_timing_ended)
        workspace.opening.connect(self._forget)
        workspace.controls_changed.connect(self.timings.follow)
        workspace.cpu_devices_chosen.connect(client.set_cpu_devices)
        workspace.run_wanted.connect(self._run_changed)
        workspace.run_due.connect(self._run_soon)
        workspace.more_wanted.connect(self._run_for_more)
        client.message_received.connect(self._on_message)
        client.state_changed.connect(self._tell_activity)

    # -- what it holds ------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot, with the selected variant's report and, when comparing, the other's."""
        return self._snapshot

    @property
    def stale(self) -> bool:
        """Whether the panes show an older state of the code or of the controls, or another scenario."""
        shown = self._snapshot
        if shown is None:
            return self._leftover
        return self._changed_since or shown.run != self._asked or not shown.complete

    @property
    def busy(self) -> bool:
        """Whether anything is running, waiting or about to."""
        return self._client.running is not None or self._debounce.isActive() or self.timings.due

    # -- what the person does -----------------------------------------------------------------

    def choose_steps(self, steps: tuple[int, ...]) -> None:
        """Show the value of the selected equation in these rounds of the loops around it."""
        self._value.step_to(steps)
        self._ask_value()

    def choose_focus(self, wanted: Focus | None) -> None:
        """Select one thing; everything that belongs to it lights up."""
        self._selection.choose(wanted, self._snapshot)
        self._show_no_value_if(self._value.look_at(wanted))
        self._ask_value()
        self.marks_changed.emit(self.marks())

    def marks(self) -> Marks:
        """Return what the focus lights up now."""
        return self._selection.marks(self._snapshot, self.timings.measurements)

    # -- asking the worker --------------------------------------------------------------------

    def mend(self) -> None:
        """Ask for a snapshot that says what mends the findings."""
        self._submit(same_program=True, finding_fixes=True)

    def run(self) -> None:
        """Ask for a snapshot of the code as it stands, and take its times anew."""
        self._outdate_times()
        self._submit()

    def _run_changed(self) -> None:
        """Run at once what the person chose."""
        self._text_is_new = False
        self.run()

    def _run_for_more(self) -> None:
        """Ask for something further of the same program; the rest stays good, and so do its times."""
        self._text_is_new = False
        self._submit(same_program=True)

    def _submit(self, *, same_program: bool = False, finding_fixes: bool = False) -> None:
        self._debounce.stop()
        self.timings.give_way(self._client.running)
        request = self.workspace.request(self._next_run(), finding_fixes=finding_fixes)
        if request is None:
            return
        self._rest_is_new = same_program and (self._rest_is_new or not self.stale)
        self._changed_since = self._half_typed = False
        self._asked = request.run
        self._ahead.run_begins(request.run)
        self._client.submit(request)
        self.printing_started.emit()
        self._tell_activity()

    def _run_soon(self) -> None:
        """Run the code as it stands when no key has come for a moment; what can be traced of it is shown before."""
        self._changed_since, self._text_is_new, self._rest_is_new = True, False, False
        self._outdate_times()
        self.timings.hold()
        self._debounce.start(HALF_TYPED_MS if self._half_typed else DEBOUNCE_MS)
        self._trace_ahead()
        self._tell_activity()

    def _trace_ahead(self) -> None:
        """Ask for the texts of what is being typed, unless a run is under way: that shall be seen to its end."""
        self._ahead.forget()
        if self._client.state.name in ("idle", "timing"):
            request = self.workspace.request(self._next_run())
            if request is not None:
                self._ahead.ask(request)

    def _outdate_times(self) -> None:
        self._times_due = True
        self.timings.outdate()

    def _timing_plan(self) -> list[TimingRequest] | None:
        """Return what measures everything that is ticked, nothing where nothing runs; None while an answer is due."""
        if self._debounce.isActive() or isinstance(self._client.awaited, Request | ValueRequest):
            return None
        runs = self._snapshot is not None and self._snapshot.failure is None
        return self.workspace.timing_requests(self._next_run) if runs else []

    def _ask_value(self) -> None:
        """Ask what the selected equation computes, where that is not known; a timing run goes on afterwards."""
        request = None if self.stale else self._value.request(self._runs + 1, self._snapshot)
        if request is not None:
            self._runs += 1
            self.timings.give_way(self._client.running)
            self._client.submit(request)

    def _show_no_value_if(self, gone: bool) -> None:
        if gone:
            self.value_changed.emit(None)

    def stop(self) -> None:
        """End what is running; nothing starts by itself until the person does something."""
        self._debounce.stop()
        self._ahead.forget()
        self.timings.stop()
        self._client.stop()

    # -- hearing from the worker --------------------------------------------------------------

    def _on_message(self, message: FromRun) -> None:
        if isinstance(message, Hello):
            self._on_hello(message)
        elif isinstance(message, Printed):
            if message.run == self._asked:
                self.printed.emit(message.text)
        elif isinstance(message, Programs):
            self._ahead.take(message)
            if message.run == self._asked:
                self._ahead.run_answered(message.run)
                self._show_programs(message.programs, newest=not self._changed_since)
        elif isinstance(message, Snapshot):
            if message.run == self._asked:
                failure = message.failure
                self._ahead.run_answered(message.run, worker_lives=failure is None or failure.type != "WorkerDied")
                self._on_snapshot(message)
        elif isinstance(message, EquationValue):
            self._on_value(message)
        else:
            self.timings.take(message)
        self._tell_activity()

    def _on_hello(self, hello: Hello) -> None:
        self.workspace.take_hello(hello)
        self.hello = hello
        self.hello_received.emit(hello)

    def _on_text_ahead(self, programs: Mapping[str, Program]) -> None:
        """Show what the code that is being typed would be; while the last run tells of a mistake, that stays."""
        if self._half_typed and self._debounce.isActive():
            self._half_typed = False
            self._debounce.start(DEBOUNCE_MS)
        if self._snapshot is not None and self._snapshot.failure is None:
            self._show_programs(programs, newest=True)
            self._tell_activity()

    def _on_nothing_ahead(self) -> None:
        """Let the person finish what they type; while a mistake is told already, what is left of it comes as before."""
        shown = self._snapshot
        if self._debounce.isActive() and shown is not None and next_snapshot.is_without_mistake(shown):
            self._half_typed = True
            self._debounce.start(HALF_TYPED_MS)

    def _show_programs(self, programs: Mapping[str, Program], *, newest: bool) -> None:
        """Show newer programs of variants on which the rest is not told yet; `newest`: of the code as it stands."""
        if self._snapshot is not None:
            names = [report.name for report in self._snapshot.reports if not is_as_it_was(report.name)]
            self._text_is_new = newest and all(name in programs for name in names)
            self._snapshot = next_snapshot.with_programs(self._snapshot, programs)
            self.program_changed.emit(self._snapshot)
            self._follow_selection()

    def _on_snapshot(self, came: Snapshot) -> None:
        snapshot = next_snapshot.to_show(came, self._snapshot)
        if snapshot is None or not self.workspace.take_snapshot(snapshot):
            return
        self._snapshot = next_snapshot.selected(snapshot, comparing.shown(self.workspace.controls), self._snapshot)
        if self._leftover:
            # A program that fails is told above the last text of it; of another scenario there shall be none.
            self._leftover = False
            self.program_changed.emit(Snapshot(came.run, came.device, complete=False))
        programs = [report.program for report in self._snapshot.reports if not is_as_it_was(report.name)]
        self._text_is_new = not self._changed_since and all(programs)
        self.program_changed.emit(self._snapshot)
        self.snapshot_changed.emit(self._snapshot)
        self._follow_selection()
        if snapshot.complete:
            if snapshot.failure is None and not next_snapshot.was_stopped(came):
                self._go_on_timing()
            else:
                self.timings.stop()
            self._show_no_value_if(self._value.go_on(self._selection.focus))
            self._ask_value()
            if self._debounce.isActive():
                self._trace_ahead()

    def _follow_selection(self) -> None:
        if self._selection.focus is not None and self._snapshot is not None:
            self._selection.follow(self._snapshot, self.workspace.source)
            self.marks_changed.emit(self.marks())

    def _go_on_timing(self) -> None:
        """Take the times of another program, where that happens by itself; else go on with what was in the way."""
        if self._times_due:
            self._times_due = False
            self.timings.outdate()
            if self.workspace.controls.time_automatically:
                self.timings.start_soon()
                return
        self.timings.go_on()

    def _on_timing_ended(self) -> None:
        if self._selection.timing_ended(self.timings.measurements, self._snapshot):
            self.marks_changed.emit(self.marks())

    def _on_value(self, came: EquationValue) -> None:
        # Of a program that has given way to a newer one there is nothing to tell: its value is asked for next.
        if not self.stale and self._value.take(came):
            self.value_changed.emit(came)
        self.timings.go_on()

    # -- small parts --------------------------------------------------------------------------

    def _forget(self) -> None:
        """Show nothing any more: another scenario is being opened."""
        self._leftover = self._leftover or self._snapshot is not None
        self._snapshot, self._rest_is_new = None, False
        self.timings.forget()
        self.choose_focus(None)

    def _next_run(self) -> int:
        self._runs += 1
        return self._runs

    def _tell_activity(self) -> None:
        stale = self.stale
        self.activity_changed.emit(
            Activity(
                self._client.state,
                stale=stale,
                program_stale=stale and not self._text_is_new,
                rest_stale=stale and not self._rest_is_new,
                timing_stale=self.timings.stale,
                due=self._debounce.isActive(),
            )
        )
