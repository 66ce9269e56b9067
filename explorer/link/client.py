"""The window's side of the worker process: one request runs, one waits, a worker that will not listen is replaced."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.link import preparation
from explorer.link.command import (
    CRASH_EXPLANATION,
    WORKER_COMMAND,
    WorkerDoes,
    WorkerState,
    line_of_fault,
    program_ended,
)
from explorer.link.process import WorkerProcess
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import (
    Beat,
    Cancel,
    Failure,
    FromWorker,
    Hello,
    LastAnswer,
    NameAnswer,
    NameQuestion,
    Prepare,
    Question,
    Request,
    RunRequest,
    Span,
    TimingRequest,
    TrialRequest,
    UsedUp,
    ends_run,
    unanswered,
)
from explorer.text.text import Text, say, sentences

BEAT_MS = 500
SILENT_S = 1.5
"""A link is reported as silent after this time without a message."""


class Pulse(QObject):
    """Beats while the current remote is behind a link.

    Signals:
        beat_due: a sign of life should be sent.
        silence_changed: the seconds without a message, also before the first one; 0 at the next message.
    """

    beat_due = Signal()
    silence_changed = Signal(int)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._since: float | None = None
        """The clock at the last message or at the start; None where no message is expected."""
        self._is_silent = False
        self._timer = QTimer(self, interval=BEAT_MS)
        self._timer.timeout.connect(self._on_beat)

    def follow(self, remote: Remote) -> None:
        """Beat for `remote`."""
        self.rest()
        if remote.is_linked:
            self._timer.start()
        else:
            self._timer.stop()

    def wait(self) -> None:
        """Note that a worker has begun: its remote may be slow to answer, and should not be so unnoticed."""
        self._since, self._is_silent = time.monotonic(), False

    def rest(self) -> None:
        """Note that there is no worker now."""
        self._since, self._is_silent = None, False

    def hear(self) -> None:
        """Note that a message has arrived."""
        self._since = time.monotonic()
        if self._is_silent:
            self._is_silent = False
            self.silence_changed.emit(0)

    def _on_beat(self) -> None:
        self.beat_due.emit()
        silent_s = time.monotonic() - self._since if self._since is not None else 0.0
        if silent_s > SILENT_S:
            self._is_silent = True
            self.silence_changed.emit(round(silent_s))


STOP_GRACE_MS = 1000
"""Milliseconds after a user's Stop until the worker is killed; what the program has made is to be freed first."""
SUPERSEDED_GRACE_MS = 2000
"""Milliseconds for which a newer request waits for the older one; a long compile may finish and stay cached."""
FIRST_RETRY_MS, LONGEST_RETRY_MS = 1000, 30_000
"""Milliseconds until an ended link is retried: at first, and at most, because it doubles."""
SPARE_DELAY_MS = 1500
"""Milliseconds until the spare starts, when the cores are idle."""


class WorkerClient(QObject):
    """Owns the worker process.

    Signals:
        message_received: a FromRun, in the order of arrival. Every run ends with a complete Snapshot, a
            TimingDone, an EquationValue or the last Programs, made here where the worker died before it could send one.
        name_answered: a NameAnswer.
        state_changed: a WorkerState.
        written_to_stderr: text that the worker's C code or a child of the program wrote.
    """

    message_received = Signal(object)
    name_answered = Signal(object)
    state_changed = Signal(object)
    written_to_stderr = Signal(str)

    def __init__(self, command: Sequence[str] = WORKER_COMMAND, *, spare: bool = True) -> None:
        super().__init__()
        self._command = tuple(command)
        self._spare_wanted = spare
        self._cpu_devices = 1
        self.remote = HERE
        """Where the worker runs."""
        self._worker: WorkerProcess | None = None
        self._spare: WorkerProcess | None = None
        self.running: RunRequest | None = None
        """The request under way, or None."""
        self._waiting: RunRequest | None = None
        self.state = WorkerState("dead")
        self._closing = False
        self._grace = QTimer(self, singleShot=True)
        self._grace.timeout.connect(self._kill_deaf_worker)
        self._spare_delay = QTimer(self, singleShot=True, interval=SPARE_DELAY_MS)
        self._spare_delay.timeout.connect(self._start_spare)
        self._retry = QTimer(self, singleShot=True)
        self._retry_ms = 0
        """How long the next try waits; 0 while the remote was not reached yet, when there is none."""
        self._retry.timeout.connect(self._connect_again)
        self._pulse = Pulse(self)
        self._pulse.beat_due.connect(self._beat)
        self._pulse.silence_changed.connect(self._tell_silence)

    @property
    def awaited(self) -> RunRequest | None:
        """The newest request that is not answered yet, or None."""
        return self._waiting or self.running

    def start(self) -> None:
        """Start the worker process; `message_received` brings its Hello."""
        if self._worker is None:
            self._adopt(self._spawn())
            self._set_state("starting")

    def submit(self, request: RunRequest) -> None:
        """Run `request` now, or after the cancelled run under way has ended."""
        if self._worker is None:
            self.start()
        if self.running is None:
            # While a link was away, an older one may have waited for it.
            self._waiting = None
            self._send_request(request)
            return
        self._waiting = request
        self._cancel_running(SUPERSEDED_GRACE_MS)

    def ask(self, question: NameQuestion) -> None:
        """Ask the worker about a name during any request; while JAX is starting there is no answer."""
        if self._worker is not None and self._worker.has_greeted:
            self._worker.write(question)

    def stop(self) -> None:
        """Stop the run under way, gently first; the waiting request is dropped."""
        self._waiting = None
        if self.running is not None:
            self._set_state("stopping")
            self._cancel_running(STOP_GRACE_MS)

    def set_cpu_devices(self, count: int) -> None:
        """Restart the worker with `count` virtual CPU devices; JAX fixes that number when it starts."""
        if count != self._cpu_devices:
            self._cpu_devices = count
            self.restart()

    def go_to(self, remote: Remote) -> None:
        if remote != self.remote:
            self.remote = remote
            self._retry_ms = 0
            self._pulse.follow(remote)
            if remote.is_here:
                sentence = say("The program now runs in this Python.")
            else:
                sentence = say("The program now runs on {remote}.", remote=remote.name)
            self._begin_anew(sentence)

    def restart(self) -> None:
        """Replace the worker and the spare by new processes; the run under way ends, the waiting request stays."""
        self._begin_anew(say("The worker was restarted."))

    def _begin_anew(self, sentence: Text) -> None:
        self._abandon_both()
        self._take_over(Failure("Stopped", sentence), stopped=True, sentence=sentence)

    def close(self) -> None:
        """End both processes; call it before the application quits."""
        self._closing = True
        self._retry.stop()
        self._pulse.follow(HERE)
        self._grace.stop()
        self._spare_delay.stop()
        self._abandon_both()
        for process in self.findChildren(WorkerProcess):
            process.see_gone()

    # -- sending ------------------------------------------------------------------------------

    def _send_request(self, request: RunRequest) -> None:
        if self._worker is None:
            return
        if not isinstance(request, Question):
            prepare = self._prepare(request)
            if prepare != self._worker.prepare:
                self._prepare_anew(prepare)
            elif self._worker.left:
                self._leave_used_up()
        self.running = request
        self._worker.write(request)
        if self._worker.has_greeted:
            self._say_running()

    def _say_running(self) -> None:
        if isinstance(self.running, TimingRequest):
            self._set_state("timing")
        elif isinstance(self.running, Request) and self.running.texts_only:
            # While the user types: to say so at each key would only flicker.
            self._set_state("idle")
        elif self.running is not None:
            self._set_state("running")

    def _cancel_running(self, grace_ms: int) -> None:
        if self._worker is None or self.running is None:
            return
        self._worker.write(Cancel(self.running.run))
        # A second Stop, or a newer edit, must not give a deaf worker more time.
        if not self._grace.isActive() or self._grace.remainingTime() > grace_ms:
            self._grace.start(grace_ms)

    def _kill_deaf_worker(self) -> None:
        if self._worker is not None and self.running is not None:
            if not self._worker.has_greeted and self.state.name != "stopping":
                # Not deaf: it is still importing JAX.
                self._grace.start(SUPERSEDED_GRACE_MS)
                return
            self._worker.abandon()
            self._worker = None
            sentence = say("The program would not stop, so its process was ended.")
            self._take_over(Failure("Stopped", sentence), stopped=True)

    # -- receiving ----------------------------------------------------------------------------

    def _on_message(self, message: FromWorker) -> None:
        self._pulse.hear()
        if isinstance(message, Beat):
            return
        if isinstance(message, NameAnswer):
            self.name_answered.emit(message)
            return
        if isinstance(message, UsedUp):
            self._on_used_up(message)
            return
        if isinstance(message, Hello):
            self._on_hello()
        if ends_run(message):
            self._on_run_ended(message)
        else:
            self.message_received.emit(message)

    def _on_hello(self) -> None:
        self._retry_ms = FIRST_RETRY_MS
        if self.running is None:
            self._set_state("idle")
        else:
            self._say_running()

    def _on_used_up(self, message: UsedUp) -> None:
        """Send no further runs to this process; it still answers questions about its program."""
        if self._worker is not None:
            self._worker.left = message.reason
        if self._spare is not None:
            self._wake(self._spare)

    def _on_run_ended(self, message: LastAnswer) -> None:
        if self.running is None or message.run != self.running.run:
            return
        self.running = None
        self._grace.stop()
        waiting, self._waiting = self._waiting, None
        before = self.state
        if waiting is not None:
            self._send_request(waiting)
        else:
            self.state = WorkerState("idle")
            if self._spare_wanted and self._spare is None:
                self._spare_delay.start()
        self.message_received.emit(message)
        # Told before the message, it would look as if the run had ended without one.
        if waiting is None and self.state != before:
            self.state_changed.emit(self.state)

    # -- processes ----------------------------------------------------------------------------

    def _spawn(self, *, standby: bool = False, prepare: Prepare | None = None) -> WorkerProcess:
        arguments = ("--standby",) * standby + ("--prepared",) * (prepare is not None)
        return WorkerProcess(
            self,
            self.remote,
            cpu_devices=self._cpu_devices,
            arguments=arguments,
            command=self._command,
            prepare=prepare,
        )

    def _prepare(self, request: RunRequest) -> Prepare | None:
        """Return the beginning that the process must have run before JAX; while the user types, the one it has run."""
        now = self._worker.prepare if self._worker is not None else None
        program = request.trials[0] if isinstance(request, TrialRequest) else request
        if isinstance(program, Question) or (isinstance(program, Request) and program.texts_only):
            return now
        return preparation.of(program.source, program.filename, unreadable=now)

    def _prepare_anew(self, prepare: Prepare | None) -> None:
        """Switch to a process in which nothing of JAX has started but what `prepare` sets."""
        if self._worker is not None:
            self._worker.abandon()
        self._adopt(self._next_process() if prepare is None else self._spawn(prepare=prepare))
        words = self.tr("JAX starts again, because the program sets what it reads at its start.")
        self._set_state("starting", words if prepare is not None else "")

    def _adopt(self, process: WorkerProcess) -> None:
        self._worker = process
        self._retry.stop()
        self._pulse.wait()
        process.message_received.connect(self._on_message)
        process.written_to_stderr.connect(self.written_to_stderr)
        process.ended.connect(self._on_worker_ended)

    def _start_spare(self) -> None:
        if self._spare is None and not self._closing and self.state.name in ("idle", "timing"):
            # Where its turn is next, it need not wait to be woken.
            self._spare = self._spawn(standby=self._worker is None or not self._worker.left)
            self._spare.ended.connect(self._on_spare_ended)

    def _on_spare_ended(self) -> None:
        self._spare = None

    def _abandon_both(self) -> None:
        for process in (self._worker, self._spare):
            if process is not None:
                process.abandon()
        self._worker = self._spare = None

    def _wake(self, spare: WorkerProcess) -> None:
        spare.write(Cancel(-1))  # any frame wakes a spare

    def _next_process(self) -> WorkerProcess:
        """Return the spare, awake, or else a process that starts now."""
        spare, self._spare = self._spare, None
        if spare is None:
            return self._spawn()
        spare.ended.disconnect(self._on_spare_ended)
        self._wake(spare)
        return spare

    def _leave_used_up(self) -> None:
        """Switch to another process, because a program has left a changed state in this one."""
        if self._worker is None:
            return
        reason = self._worker.left
        self._worker.abandon()
        self._adopt(self._next_process())
        words = self.tr("The last run left something in its process ({}), so another process took over.")
        self._set_state("running" if self._worker.has_greeted else "starting", words.format(reason))

    def _take_over(self, failure: Failure, *, stopped: bool, sentence: Text | str = "") -> None:
        """Replace a process that is gone, whose run ended with `failure`; `sentence` gives the user the reason."""
        over, self.running = self.running, None
        self._grace.stop()
        self._adopt(self._next_process())
        self._set_state("starting", sentence)
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._send_request(waiting)
        elif self._spare_wanted:
            self._spare_delay.start()
        # Last, because a receiver may send another request at once.
        self._tell_end(over, failure, stopped=stopped)

    def _tell_end(self, over: RunRequest | None, failure: Failure, *, stopped: bool) -> None:
        if over is not None:
            self.message_received.emit(unanswered(over, failure, stopped=stopped))

    def _on_worker_ended(self, words: Text) -> None:
        worker, self._worker = self._worker, None
        if worker is None or self._closing:
            return
        if worker.was_cut and self._retry_ms:
            self._lose_link(f"{words}. {worker.last_words()}".rstrip(". "))
            return
        if worker.has_greeted:
            line = line_of_fault(worker.fault, getattr(self.running, "filename", ""))
            span = Span(line, 0, line, 1) if line else None
            self._take_over(Failure("WorkerDied", program_ended(words), span, CRASH_EXPLANATION), stopped=False)
            return
        # It died before it could do anything: another would too.
        words = say("The worker did not start: {words}.", words=words)
        sentence = worker.trouble or sentences(words, worker.last_words())
        # The newest request is still waiting for its answer.
        over, self.running, self._waiting = self._waiting or self.running, None, None
        self._grace.stop()
        self._pulse.rest()
        self._set_state("dead", sentence)
        self._tell_end(over, Failure("WorkerDied", sentence), stopped=False)

    # -- links --------------------------------------------------------------------------------

    def _beat(self) -> None:
        for process in (self._worker, self._spare):
            if process is not None:
                process.write(Beat(0))

    def _tell_silence(self, seconds: int) -> None:
        """Report for how many seconds the remote has been silent; 0 where it answers again."""
        has_begun = self._worker is not None and self._worker.has_greeted
        text = self.tr("{remote} has not answered for {seconds} s.")
        text = text if has_begun else self.tr("Waiting for {remote}, {seconds} s so far.")
        text = text.format(remote=self.remote.name, seconds=seconds)
        self._set_state(self.state.name, text if seconds else "")

    def _lose_link(self, words: str) -> None:
        """Report that the link has ended, keep the unanswered request, and retry after a while."""
        self._pulse.rest()
        self.running, self._waiting = None, self.awaited
        self._grace.stop()
        self._abandon_both()
        wait_ms, self._retry_ms = self._retry_ms, min(2 * self._retry_ms, LONGEST_RETRY_MS)
        self._retry.start(wait_ms)
        text = self.tr("{words}. Trying again in {seconds} s.")
        self._set_state("away", text.format(words=words[:1].upper() + words[1:], seconds=wait_ms // 1000))

    def _connect_again(self) -> None:
        self.start()
        if self._waiting is not None:
            self.submit(self._waiting)

    def _set_state(self, name: WorkerDoes, sentence: Text | str = "") -> None:
        state = WorkerState(name, sentence)
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)
