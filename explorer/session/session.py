"""``Session``: takes the worker's answers, holds the selection in them, and sends the next request."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.focus.carry_over import Selection
from explorer.focus.resolve import with_loop
from explorer.link.client import WorkerClient
from explorer.messages import (
    TOP_LEVEL,
    EquationValue,
    Focus,
    FromRun,
    Hello,
    LensAnswer,
    LensRequest,
    Marks,
    Measurement,
    Program,
    Programs,
    Question,
    Report,
    Request,
    Snapshot,
    TimingDone,
    TimingRequest,
    TrialAnswer,
    TrialRequest,
    subjects,
)
from explorer.messages.lenses import Rerun
from explorer.messages.recorded_run import RecordedRun
from explorer.session import next_snapshot, requests
from explorer.session.controls import Activity
from explorer.session.next_snapshot import Revision, ShownSnapshot
from explorer.session.questions import LensQuestions, Query, ValueQuestion
from explorer.session.speculative_trace import SpeculativeTrace
from explorer.session.timing_runs import Timings
from explorer.session.workspace import Workspace

DEBOUNCE_MS = 180
HALF_TYPED_MS = 600
"""Milliseconds before a mistake is reported: code that cannot be traced is usually only half typed."""


class Session(QObject):
    """Keeps the panes in step with the workspace: asks the worker for missing results and takes its answers.

    Signals:
        snapshot_changed, marks_changed, activity_changed: the new value.
        program_changed: the snapshot with new programs, before all else, because users type to see these.
        value_changed: the EquationValue of the selected equation, None for none.
        lenses_changed: the LensAnswers of the variants on screen.
        printed: the newest output of the program. printing_started: a new run begins, its output is empty.
        hello_received: the worker's Hello.
        trials_ended: the requests of `try_out`, and a snapshot for each; none where they were stopped.
        fixes_found: the snapshot on screen, whose findings have the fixes that `ask_for_fixes` wants.
    """

    program_changed = Signal(object)
    snapshot_changed = Signal(object)
    marks_changed = Signal(object)
    activity_changed = Signal(object)
    value_changed = Signal(object)
    lenses_changed = Signal(object)
    printed = Signal(str)
    printing_started = Signal()
    hello_received = Signal(object)
    trials_ended = Signal(object, object)
    fixes_found = Signal(object)

    def __init__(
        self, client: WorkerClient, workspace: Workspace, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Measure response and timing durations by `clock`, in seconds."""
        super().__init__()
        self._client = client
        self.workspace = workspace
        self._number = 0
        """The number of the last request or change."""
        self._now = Revision()
        """The code and the controls as they are."""
        self._asked = Revision()
        """The revision of the newest Request."""
        self._stopped = 0
        self._stopped_at = 0
        """Requests up to this number were cancelled."""
        self._shown: ShownSnapshot | None = None
        """The contents of the panes; None while they are empty."""
        self.hello: Hello | None = None
        """The worker's report about itself."""
        self._selection = Selection()
        self._value = ValueQuestion()
        self._lenses = LensQuestions()
        self._rerun_due: tuple[Rerun, int] | None = None
        """The rerun to request once this revision of the program has run."""
        self._trials: tuple[Request, ...] = ()
        self._wants_fixes = False
        self._trial_query: Query[TrialRequest, TrialAnswer] = Query()
        self._query: Query[Request, Snapshot] = Query()
        self._debounce = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._debounce.timeout.connect(self._on_pause)
        self._is_overdue = False
        """Whether a run waits for the text that is traced ahead."""
        self._ahead = SpeculativeTrace(client.submit, 2 * DEBOUNCE_MS / 1000, clock, self)
        self._ahead.ready.connect(self._on_text_ahead)
        self._ahead.failed.connect(self._on_nothing_ahead)
        self.timings = Timings(self._timing_plan, client.submit, workspace.controls, clock, self)
        self.timings.ended.connect(self._on_timing_ended)
        self.timings.start_dropped.connect(self.tell_activity)
        workspace.opening.connect(self._forget)
        workspace.controls_changed.connect(self.timings.follow)
        workspace.cpu_devices_chosen.connect(client.set_cpu_devices)
        workspace.remote_chosen.connect(client.go_to)
        workspace.run_wanted.connect(partial(self._ask, texts=True, results=True))
        workspace.run_due.connect(self._run_soon)
        workspace.more_wanted.connect(partial(self._ask, texts=True))
        workspace.subject_chosen.connect(self._show_subject)
        client.message_received.connect(self._on_message)
        client.state_changed.connect(self.tell_activity)

    # -- what it holds ------------------------------------------------------------------------

    @property
    def snapshot(self) -> Snapshot | None:
        """The newest snapshot, with the selected variant's report and, when comparing, the other's."""
        return self._shown.snapshot if self._shown is not None else None

    @property
    def stale(self) -> bool:
        """Whether the panes show an older state of the code or of the controls, or another scenario."""
        return self._shown is not None and self._shown.revision.everything != self._now.everything

    @property
    def lens(self) -> str:
        """The id of the chosen lens, '' for none."""
        return self._lenses.chosen

    @property
    def lenses(self) -> tuple[LensAnswer, ...]:
        """Return the answers of the chosen lens for the variants on screen."""
        return self._lenses.answers

    @property
    def value(self) -> EquationValue | None:
        """Return the value on screen, if there is one."""
        return self._value.shown

    @property
    def busy(self) -> bool:
        """Whether a run is under way, waiting or about to start."""
        # Requests that were lost with an ended link are sent again.
        is_asked = self._client.running is not None or self._client.state.name == "away"
        return is_asked or self._debounce.isActive() or self.timings.due

    # -- what the user does -----------------------------------------------------------------

    def choose_steps(self, steps: tuple[int, ...]) -> None:
        """Show the value of the selected equation in these iterations of the loops around it."""
        self._value.step_to(steps)
        self._ask_more()

    def choose_iteration(self, chosen: tuple[Focus, tuple[int, ...]]) -> None:
        """Select an equation, and show its value in these iterations of the loops around it."""
        focus, steps = chosen
        self._value.look_at(focus)
        self._value.step_to(steps)
        self.choose_focus(focus)

    def choose_lens(self, lens: str) -> None:
        """Open the lens with this id for the variants on screen; '' for none."""
        self._rerun_due = None
        self._lenses.choose(lens)
        self.lenses_changed.emit(self._lenses.answers)
        self._ask_more()

    def rerun_lens(self, rerun: Rerun) -> None:
        """Let the open lens rerun the program, for more results: the one on screen, or the one that runs now."""
        if self.snapshot is None or self.stale:
            self._rerun_due = rerun, self._now.everything
        else:
            self._lenses.want(rerun, self.snapshot.run)
            self._ask_more()

    def time(self) -> None:
        """Time the program; what the open lens measures goes first."""
        self.timings.start()
        if self._lenses.timing is not None:
            self.rerun_lens(self._lenses.timing)

    def try_out(self, trials: tuple[Request, ...]) -> None:
        """Run `trials` beside what the panes show, when nothing more urgent is to be done."""
        self._trials = trials
        self._ask_more()

    def choose_focus(self, wanted: Focus | None) -> None:
        """Select one thing and mark all related things."""
        self._selection.choose(wanted, self.snapshot)
        if wanted is not None and wanted.kind == "finding" and self.snapshot is not None:
            self._show_function_of(self.snapshot.report(wanted.variant), wanted.index)
        self._show_no_value_if(self._value.look_at(with_loop(wanted, self.snapshot)))
        self._ask_more()
        self.marks_changed.emit(self.marks())

    def _show_function_of(self, report: Report | None, finding: int) -> None:
        """Show the function of a script that contains a finding."""
        found = report.findings or () if report is not None else ()
        if report is not None and finding < len(found):
            subject = subjects.with_lines(report.subjects, found[finding].lines)
            if subject is not None and subject.name != self.workspace.controls.subject:
                self.workspace.choose_subject(subject.name)

    def _show_subject(self, name: str) -> None:
        """Show the program of this function of the script, which came with its run, or ask for it."""
        report = self.snapshot.report(TOP_LEVEL) if self.snapshot is not None else None
        known = next((each for each in report.subjects if each.name == name), None) if report is not None else None
        if known is None or known.program is None:
            self.workspace.more_wanted.emit()
            return
        if self._selection.focus is not None and self._selection.focus.kind == "equation":
            self.choose_focus(None)
        if self._shown is not None and report is not None and name != report.subject:
            self._shown = next_snapshot.about_subject(self._shown, name)
            if self._lenses.keep(()):
                self.lenses_changed.emit(self._lenses.answers)
            self.program_changed.emit(self.snapshot)
            self.snapshot_changed.emit(self.snapshot)
            self.marks_changed.emit(self.marks())
            self._ask_more()

    def marks(self) -> Marks:
        return self._selection.marks(self.snapshot, self.timings.measurements)

    def show_recorded(self, run: RecordedRun) -> None:
        """Show `run`, a finished run of the program that was just opened, which does not run here."""
        self._asked, snapshot = self._now, run.snapshot
        if self.workspace.take_snapshot(snapshot):
            self.printing_started.emit()
            self.printed.emit("".join(report.printed for report in snapshot.reports))
            self._show(msgspec.structs.replace(snapshot, run=self._now.everything))
        self.tell_activity()

    def _show_again(self) -> None:
        """Show what came last, with the reports that are chosen now."""
        received = self._shown.received if self._shown is not None else None
        if received is None:
            return
        if received.recorded:
            self._asked = self._now
            received = msgspec.structs.replace(received, run=self._now.everything)
        self._show(received)
        self.tell_activity()

    def keep_results(self, on: bool) -> None:
        """Cache answers to recent requests, or stop: an equal one is answered at once, greyed until the new answer."""
        self._query.keep(on)
        self.timings.query.keep(on)

    # -- asking the worker --------------------------------------------------------------------

    def ask_for_fixes(self) -> None:
        """Emit `fixes_found` as soon as the findings have their fixes; nothing else on screen changes for it."""
        self._wants_fixes = True
        self._ask_more()
        if self.stale and not self.busy:
            # The run was stopped, or there may be none.
            self._wants_fixes = False
            if self.snapshot is not None:
                self.fixes_found.emit(self.snapshot)

    def run(self) -> None:
        """Request a snapshot of the code as it stands, and new times."""
        self.timings.outdate()
        self._ask(results=True)

    def _ask(self, *, texts: bool = False, results: bool = False) -> None:
        """Request everything; `texts` and `results` mark these as changed."""
        self._debounce.stop()
        self._debounce.setInterval(DEBOUNCE_MS)
        self.timings.give_way(self._client.awaited)
        self._change(texts=texts, results=results)
        request = self.workspace.request(self._now.everything)
        if request is None:
            self._wait_for_nothing()
            self._show_again()
            return
        self._asked, self._query.asked = self._now, request
        self._ahead.run_begins()
        self._stopped_at = 0
        self._client.submit(request)
        self.printing_started.emit()
        cached = self._query.known(request)
        if cached is not None and self.workspace.take_snapshot(cached):
            self._show(cached)
        self.tell_activity()

    def _wait_for_nothing(self) -> None:
        """Stop what ran: it is of a program that was open before, and what is open now is only read."""
        if self.busy:
            self.stop()
        if self._shown is not None and self._shown.received is None:
            self._shown = ShownSnapshot(self._now)
            self.tell_activity()

    def _on_pause(self) -> None:
        """Run the code, but wait once more for the text that is being traced: the run would trace all again."""
        if self._ahead.is_tracing and not self._is_overdue:
            self._is_overdue = True
            self._debounce.start()
        else:
            self.run()

    def _run_soon(self) -> None:
        """Run the code after a pause in typing; show its traceable programs earlier."""
        self._is_overdue = False
        self.timings.give_way(self._client.awaited)
        self._change(texts=True, results=True)
        self._debounce.start()
        self._trace_ahead()
        self.tell_activity()

    def _trace_ahead(self) -> None:
        """Request the program texts of half-typed code, unless a run is under way, which is not interrupted."""
        self._ahead.forget()
        if self._client.state.name in ("idle", "timing"):
            request = self.workspace.request(self._now.texts)
            if request is not None:
                self._ahead.ask(request)

    def _timing_plan(self) -> list[TimingRequest] | None:
        """Return the timing requests for all ticked choices; [] while nothing runs, None while an answer is due."""
        awaited = self._client.awaited
        is_run = isinstance(awaited, Request) and not awaited.texts_only
        is_in_the_way = is_run or isinstance(awaited, Question | TrialRequest)
        if self._debounce.isActive() or is_in_the_way:
            return None
        runs = self.snapshot is not None and self.snapshot.failure is None
        return self.workspace.timing_requests(self._next_number) if runs else []

    def _timing_comes(self) -> bool:
        state, controls = self._client.state.name, self.workspace.controls
        will_run = self._debounce.isActive() or state in ("starting", "running")
        by_itself = self.timings.is_coming or (will_run and controls.time_automatically)
        # Before the first run it is unknown whether there is anything to time.
        comes = state == "timing" or (by_itself and bool(controls.functions or self.snapshot is None))
        return comes and self.workspace.runs

    def _ask_more(self) -> None:
        """Request the missing results of the selection, one after the other; timing goes on afterwards."""
        if self.stale:
            return
        number, awaited = self._number + 1, self._client.awaited
        request: Question | TrialRequest | None = self._value.request(number, self.snapshot)
        if request is None and (awaited is None or isinstance(awaited, TimingRequest)):
            request = self._lenses.request(number, self.snapshot) or self._trial_request(number)
        if request is not None:
            self._number = number
            if isinstance(awaited, LensRequest):
                self._lenses.put_off()
            elif isinstance(awaited, TrialRequest):
                # It gives way, and is asked for again.
                self._trial_query.asked = None
            self.timings.give_way(awaited)
            self._client.submit(request)

    def _trial_request(self, number: int) -> TrialRequest | None:
        trials = self._fixes_trial() or self._trials
        return self._trial_query.new(TrialRequest(number, trials)) if trials else None

    def _fixes_trial(self) -> tuple[Request, ...]:
        """Return the run that finds the fixes that are wanted; none where they are known, or nothing may run."""
        wanted = self.workspace.request(self._now.everything, finding_fixes=True) if self._wants_fixes else None
        if wanted is not None and not (self._query.asked and self._query.asked.finding_fixes):
            return (wanted,)
        if self._wants_fixes and self.snapshot is not None:
            self._wants_fixes = False
            self.fixes_found.emit(self.snapshot)
        return ()

    def _show_no_value_if(self, gone: bool) -> None:
        if gone:
            self.value_changed.emit(None)

    def stop(self) -> None:
        """Stop the run; nothing starts by itself until the next user action."""
        self._debounce.stop()
        self._ahead.forget()
        self.timings.stop()
        self._stopped = self._number
        self._client.stop()
        self.tell_activity()

    def restart(self) -> None:
        """Replace the worker process: the run ends, and the panes keep their contents."""
        is_dead = self._client.state.name == "dead"
        self._ahead.forget()
        self.timings.stop()
        self._stopped = self._number
        self._client.restart()
        if is_dead:
            # There is no report about the code yet.
            self.run()
        self.tell_activity()

    # -- hearing from the worker --------------------------------------------------------------

    def _on_message(self, message: FromRun) -> None:
        if isinstance(message, Hello):
            self._on_hello(message)
        elif isinstance(message, Programs):
            self._on_programs(message)
        elif isinstance(message, EquationValue):
            self._on_value(message)
        elif isinstance(message, LensAnswer):
            self._on_lens(message)
        elif isinstance(message, TrialAnswer):
            self._on_trials(message)
        elif isinstance(message, Measurement | TimingDone):
            self.timings.take(message)
        elif self._query.answered(message.run) is not None:
            if isinstance(message, Snapshot):
                self._on_snapshot(message)
            else:
                self.printed.emit(message.text)
        self.tell_activity()

    def _on_hello(self, hello: Hello) -> None:
        self.workspace.take_hello(hello)
        self.hello = hello
        self.hello_received.emit(hello)

    def _on_programs(self, message: Programs) -> None:
        self._ahead.take(message)
        if self._query.answered(message.run) is not None:
            self._ahead.run_answered()
            self._show_programs(message.programs, self._asked.texts)

    def _on_text_ahead(self, received: Programs) -> None:
        """Show the programs of half-typed code; while the last run reports an error, its message stays."""
        if self._debounce.isActive() and self._debounce.interval() == HALF_TYPED_MS:
            self._debounce.start(DEBOUNCE_MS)
        if self.snapshot is not None and self.snapshot.failure is None:
            self._show_programs(received.programs, received.run)
            self.tell_activity()
        if self._is_overdue:
            self.run()

    def _on_nothing_ahead(self) -> None:
        """Wait longer while the user types half a line, unless a mistake is already shown."""
        shown = self.snapshot
        if self._debounce.isActive() and shown is not None and next_snapshot.is_without_mistake(shown):
            # Each key starts it again, until the code can be traced.
            self._debounce.start(HALF_TYPED_MS)

    def _show_programs(self, programs: Mapping[str, Program], texts: int) -> None:
        """Show newer programs, of revision `texts`, of variants whose other results are still missing."""
        if self._shown is not None:
            before, self._shown = self._shown, next_snapshot.with_programs(self._shown, programs, texts)
            if self._shown is not before:
                self.program_changed.emit(self.snapshot)
                self._follow_selection()

    def _on_snapshot(self, received: Snapshot) -> None:
        failure = received.failure
        if failure is None or failure.type != "WorkerDied":
            self._ahead.run_answered()
        snapshot = next_snapshot.to_show(self.workspace.explained(received), self._shown)
        if snapshot is not None:
            if not self.workspace.take_snapshot(snapshot):
                return
            self._show(snapshot)
            asked = self._query.answered(received.run)
            if received.complete and received.failure is None and asked is not None:
                self._query.note(snapshot, asked)
        if received.complete:
            self._stopped_at = received.stopped_at
            self._go_on_timing(received)
            if snapshot is not None:
                self._show_no_value_if(self._value.go_on(with_loop(self._selection.focus, self.snapshot)))
                due, self._rerun_due = self._rerun_due, None
                if due is not None and due[1] == self._now.everything and not self.stale:
                    self._lenses.want(due[0], snapshot.run)
                self._ask_more()
            if self._debounce.isActive():
                self._trace_ahead()

    def _show(self, snapshot: Snapshot) -> None:
        names = requests.shown(self.workspace.controls)
        if self._lenses.keep(names):
            self.lenses_changed.emit(self._lenses.answers)
        self._shown = next_snapshot.with_snapshot(self._shown, snapshot, names, self._asked)
        self._shown = next_snapshot.about_subject(self._shown, self.workspace.controls.subject)
        self.program_changed.emit(self.snapshot)
        self.snapshot_changed.emit(self.snapshot)
        self._follow_selection()

    def _go_on_timing(self, received: Snapshot) -> None:
        """Start or continue timing, now that `received` is the last answer to the newest request."""
        if next_snapshot.was_stopped(received):
            self.timings.go_on()
        elif received.failure is not None or received.run <= self._stopped:
            self.timings.stop()
        elif not self.stale:
            self.timings.program_ran()

    def _follow_selection(self) -> None:
        if self._selection.focus is not None and self.snapshot is not None:
            self._selection.follow(self.snapshot, self.workspace.source)
            self.marks_changed.emit(self.marks())

    def _on_timing_ended(self) -> None:
        if self._selection.timing_ended(self.timings.measurements, self.snapshot):
            self.marks_changed.emit(self.marks())

    def _on_value(self, received: EquationValue) -> None:
        # A value of a replaced program is dropped: the current one is requested next.
        if not self.stale and self._value.take(received):
            self.value_changed.emit(received)
        if received.complete:
            self._go_on_asking()

    def _on_lens(self, received: LensAnswer) -> None:
        if not self.stale and self._lenses.take(received):
            self.lenses_changed.emit(self._lenses.answers)
            self._show_pictures(received)
        if received.complete:
            self._go_on_asking()

    def _show_pictures(self, received: LensAnswer) -> None:
        """Show the pictures that a lens brings, where they were asked for, instead of a value."""
        brought = received.lens.extra if received.lens is not None else None
        shown = self.snapshot.reports[0].name if self.snapshot is not None and self.snapshot.reports else ""
        if brought is not None and brought.pictures and received.variant == shown:
            value = EquationValue(
                received.run, received.about_run, received.variant, -1, brought.pictures, sentence=brought.sentence
            )
            self._value.show(value)
            self.value_changed.emit(value)

    def _on_trials(self, received: TrialAnswer) -> None:
        asked = self._trial_query.answered(received.run)
        if asked is not None and asked.trials[0].finding_fixes and self._wants_fixes and self._shown is not None:
            self._wants_fixes = False
            self._shown = next_snapshot.with_fixes(self._shown, *received.snapshots)
            self.fixes_found.emit(self.snapshot)
        elif asked is not None and asked.trials == self._trials and not self.stale:
            self._trials = ()
            self.trials_ended.emit(asked.trials, received.snapshots)
        self._trial_query.asked = None
        self._go_on_asking()

    def _go_on_asking(self) -> None:
        self._ask_more()
        self.timings.go_on()

    # -- small parts --------------------------------------------------------------------------

    def _forget(self) -> None:
        """Clear all contents: another scenario is being opened, and late answers belong to the old one."""
        self._change(texts=True, results=True)
        is_first, self._query.asked = self._query.asked is None and self._shown is None, None
        if not is_first:
            self._shown = ShownSnapshot(self._shown.revision if self._shown is not None else Revision())
        self.timings.forget()
        if self._lenses.answers:
            self._lenses.forget()
            self.lenses_changed.emit(())
        self.choose_focus(None)
        if not is_first:
            # The panes show the open program, of which nothing is known yet.
            nothing = Snapshot(self._now.everything, self.workspace.controls.device, complete=False)
            self.program_changed.emit(nothing)
            self.snapshot_changed.emit(nothing)
        self.tell_activity()

    def _change(self, *, texts: bool, results: bool) -> None:
        """Note a change that affects these parts of the panes."""
        self._now = self._now.changed(self._next_number(), texts=texts, results=results)
        self._trials, self._trial_query.asked, self._wants_fixes = (), None, False
        self.timings.program = self._now.results

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    def tell_activity(self) -> None:
        """Emit the worker's activity and whether the newest program is on screen; again, for new views."""
        now = self._now
        shown = self._shown.revision if self._shown is not None else now
        self.activity_changed.emit(
            Activity(
                self._client.state,
                stale=shown.everything != now.everything,
                program_stale=shown.texts != now.texts,
                rest_stale=shown.results != now.results,
                findings_stale=shown.findings != now.findings,
                timing_stale=self.timings.stale,
                timing_comes=self._timing_comes(),
                due=self._debounce.isActive(),
                stopped_at=self._stopped_at,
            )
        )
