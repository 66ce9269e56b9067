"""``WorkerProcess``: one worker process and its pipes, a QProcess that speaks frames, here or at a remote."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Qt, QTimer, Signal

from explorer.link import family
from explorer.link.command import FAULT_BEGINS, FAULTS_WANTED, UNREADABLE, WORKER_COMMAND
from explorer.link.remotes import start
from explorer.link.remotes.remote import HERE, Remote
from explorer.link.remotes.start import Arrival
from explorer.messages import FromWorker, Hello, Prepare, Snapshot, ToWorker, frames
from explorer.text.text import NOTHING, Text, verbatim

MOST_STDERR = 8000
FLUSH_MS = 2
GONE_MS = 1000
"""Milliseconds between the request to end and the kill."""


class WorkerProcess(QObject):
    """Starts when it is made, at its remote; with a `command` that starts it here.

    Signals:
        message_received: a FromWorker.
        written_to_stderr: text that the worker, its C code or a child of the program wrote.
        ended: how the process ended, as a Text. Not emitted after `abandon`.
    """

    message_received = Signal(object)
    written_to_stderr = Signal(str)
    ended = Signal(object)

    def __init__(
        self,
        parent: QObject,
        remote: Remote = HERE,
        *,
        cpu_devices: int = 1,
        arguments: Sequence[str] = (),
        command: Sequence[str] = WORKER_COMMAND,
        prepare: Prepare | None = None,
    ) -> None:
        super().__init__(parent)
        self._remote = remote
        self._arrival = None if remote.is_here else Arrival(remote)
        self.prepare = prepare
        """The beginning of the program that this process is for, which runs before JAX is imported."""
        self._waiting: list[ToWorker] = []
        """Messages to send once the engine has reached the remote."""
        self.was_cut = False
        """Whether it was the link that ended."""
        self._buffer = frames.FrameBuffer()
        self._stderr = ""
        self.fault = ""
        """Python's report of the fault that ends the process."""
        self._ended = False
        self._unreadable = False
        self.has_greeted = False
        self.left = NOTHING
        """The state that a program has changed for good, in words; no other program should run in this process."""
        self._family = family.mark()
        self._process = QProcess(self)
        mark = {**self._family, **FAULTS_WANTED}
        words, variables = start.start(remote, cpu_devices, mark, arguments, command)
        environment = QProcessEnvironment.systemEnvironment()
        for name, value in variables.items():
            environment.insert(name, value)
        self._process.setProcessEnvironment(environment)
        self._process.readyReadStandardOutput.connect(self._read_frames)
        self._process.readyReadStandardError.connect(self._read_stderr)
        self._process.finished.connect(self._on_finished)
        # Where the system has no process left to give, Qt says so within `start`, before anyone can listen to us.
        self._process.errorOccurred.connect(self._on_error, Qt.ConnectionType.QueuedConnection)
        self._process.start(words[0], words[1:])
        if prepare is not None:
            self.write(prepare)

    def write(self, message: ToWorker) -> None:
        """Send `message`; it waits in the pipe while the worker is still starting."""
        if self._arrival is not None:
            self._waiting.append(message)
            return
        self._process.write(frames.encode(message))
        # Qt would write it after the next repaint, and the worker would wait for that.
        if self.has_greeted:
            self._process.waitForBytesWritten(FLUSH_MS)

    def abandon(self) -> None:
        """Kill the process without waiting for it, and ignore its messages from now on."""
        self.blockSignals(True)
        self._ended = True
        if self._process.state() is QProcess.ProcessState.NotRunning:
            self.deleteLater()
            return
        self._process.finished.connect(self.deleteLater)
        late = QTimer(self, singleShot=True, interval=GONE_MS)
        late.timeout.connect(self._process.kill)
        late.start()
        self._end_family()

    def see_gone(self) -> None:
        """Wait until it is gone after `abandon`: a dead child must not outlive the window as a zombie."""
        there_is = self._process.state() is not QProcess.ProcessState.NotRunning
        if there_is and not self._process.waitForFinished(GONE_MS):
            self._process.kill()
            self._process.waitForFinished(GONE_MS)
            family.end_marked(self._family)

    def last_words(self) -> str:
        """Return the end of its stderr, where Python reports why it could not start."""
        lines = [line for line in self._stderr.strip().splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""

    @property
    def trouble(self) -> Text:
        """The reason why no worker can run at its remote, in a sentence; empty where there is none."""
        return self._arrival.trouble if self._arrival is not None else NOTHING

    def _end_family(self) -> None:
        """End the worker and its child processes, through its guard."""
        if family.HAS_SIGNALS:
            self._process.terminate()
        else:
            self._process.kill()

    def _read_frames(self) -> None:
        if self._unreadable:
            return
        chunk = bytes(self._process.readAllStandardOutput().data())
        if self._arrival is not None:
            chunk = self._arrive(self._arrival, chunk)
        received: list[FromWorker] = []
        trouble = ""
        try:
            received.extend(frames.decode_from_worker(body) for body in self._buffer.feed(chunk))
        except frames.FrameError as error:
            trouble = str(error)
        for message in without_overtaken(received):
            self.has_greeted = self.has_greeted or isinstance(message, Hello)
            self.message_received.emit(message)
        if trouble:
            # It may go on for ever, and nothing that it says can be read; it is reported once the process is gone.
            self._stderr += f"\n{trouble}"
            self._unreadable = True
            self._end_family()

    def _arrive(self, arrival: Arrival, chunk: bytes) -> bytes:
        """Deliver the engine to the remote; return the first messages of its worker."""
        self._process.write(arrival.take(chunk))
        if not arrival.is_over:
            return b""
        self._arrival = None
        for message in self._waiting:
            self.write(message)
        self._waiting.clear()
        return arrival.rest

    def _read_stderr(self) -> None:
        text = bytes(self._process.readAllStandardError().data()).decode(errors="replace")
        if self.fault or FAULT_BEGINS in text:
            text, begins, rest = ("", "", text) if self.fault else text.partition(FAULT_BEGINS)
            self.fault += begins + rest
        if text:
            self._stderr = (self._stderr + text)[-MOST_STDERR:]
            self.written_to_stderr.emit(text)

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        crashed = status is QProcess.ExitStatus.CrashExit
        if crashed:
            family.end_marked(self._family)
        code = -code if crashed else start.signal_or_code(self._remote, code)
        self.was_cut = start.is_cut(self._remote, code)
        self._end(start.exit_words(self._remote, code))

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart:
            self._end(verbatim(self._process.errorString()))

    def _end(self, words: Text) -> None:
        if not self._ended:
            self._ended = True
            if self._process.isOpen():
                self._read_frames()
                self._read_stderr()
            self.ended.emit(UNREADABLE if self._unreadable else words)
            self.deleteLater()


def without_overtaken(received: Sequence[FromWorker]) -> list[FromWorker]:
    """Return the messages `received` without snapshots that a later one of the same run completes.

    Showing one takes a window ten milliseconds: this lets it catch up.
    """
    newest = {message.run: place for place, message in enumerate(received) if isinstance(message, Snapshot)}
    return [
        message
        for place, message in enumerate(received)
        if not isinstance(message, Snapshot) or newest[message.run] == place
    ]
