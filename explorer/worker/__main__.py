"""The worker: frames arrive on stdin, the user's program runs, and frames leave on stdout."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec

from explorer.link import family
from explorer.link.command import LOST_PIPE, RUINED, compiled_folder, tell_faults_if_wanted
from explorer.messages import (
    Beat,
    Cancel,
    Failure,
    FromWorker,
    LastAnswer,
    LensRequest,
    NameQuestion,
    Prepare,
    Printed,
    Request,
    RunRequest,
    Snapshot,
    TimingRequest,
    ToWorker,
    TrialRequest,
    UsedUp,
    ValueRequest,
    frames,
    unanswered,
)
from explorer.text.text import say
from explorer.worker.process import beginning
from explorer.worker.process.channel import Channel
from explorer.worker.process.interrupts import Interrupts
from explorer.worker.process.output import PrintedText
from explorer.worker.process.recursion import enough_depth
from explorer.worker.recording.interrupt import Interrupt

if TYPE_CHECKING:
    from explorer.worker.code.names import NameAnswers
    from explorer.worker.runs.original import WorkerCache


def main() -> None:
    """Serve requests until stdin ends."""
    parser = argparse.ArgumentParser(prog="python -m explorer.worker")
    parser.add_argument("--standby", action="store_true", help="import jax, but touch no device before the first frame")
    parser.add_argument("--prepared", action="store_true", help="first run the beginning that arrives as Prepare")
    options = parser.parse_args()
    family.begin()
    tell_faults_if_wanted()
    incoming, outgoing = _claim_pipes()
    pipes = Pipes((incoming, outgoing))
    _let_the_kernel_choose_us()
    worker = Worker(outgoing, pipes)
    inbox = Inbox(incoming, worker.interrupts, worker.send, pipes)
    threading.Thread(target=inbox.read_for_ever, daemon=True).start()
    prepared = contextlib.ExitStack()
    if options.prepared:
        prepare = inbox.beginning()
        prepared.enter_context(beginning.run(prepare.filename, prepare.code))

    # Nothing of what is imported goes again: collections would take a sixth of the time.
    gc.disable()

    import jax  # noqa: F401  # the slow part of a start, done while the window builds itself

    from explorer.worker.code.names import NameAnswers
    from explorer.worker.internals import shared_compiles
    from explorer.worker.internals.shared_compiles import CompiledOnDisk
    from explorer.worker.process.clean import clean_state
    from explorer.worker.process.compiled_programs import CompiledPrograms
    from explorer.worker.process.devices import put_cpu_first
    from explorer.worker.recording import recorder
    from explorer.worker.runs import analyse  # noqa: F401  # what it needs is there before any program
    from explorer.worker.runs.lens import lenses
    from explorer.worker.runs.original import WorkerCache

    put_cpu_first()
    lenses()
    recorder.install()
    folder = compiled_folder()
    shared_compiles.install(CompiledOnDisk(folder) if folder is not None else None)
    names = inbox.names = NameAnswers(worker.send)
    threading.Thread(target=names.answer_for_ever, daemon=True).start()
    cache = WorkerCache(names=names)
    compiled = CompiledPrograms()
    # JAX's own objects live as long as the process; garbage collections need not visit them.
    gc.freeze()
    gc.enable()
    sys.unraisablehook = worker.interrupts.on_ignored
    try:
        sys.stdout = sys.stderr = worker.printed.stream()
        if not options.standby:
            worker.say_hello()
        prepared.close()
        clean_state.get_ready()
        while True:
            request = inbox.next_request()
            worker.say_hello()
            if request is not None:
                if isinstance(request, Request | TimingRequest):
                    compiled.free_if_many(request.filename)
                worker.answer(request, cache)
    finally:
        # An exception here is our own failure: it belongs on the real stderr, which the window reads.
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__


class Pipes:
    """Our ends of the pipes to the window, which a program may close or replace."""

    def __init__(self, streams: tuple[BinaryIO, BinaryIO]) -> None:
        self._streams = streams
        self._files = tuple(each.fileno() for each in streams)
        self._known = self._now()

    def leave_if_lost(self) -> None:
        """End the process if the pipes were replaced, since no report could be delivered."""
        if any(each.closed for each in self._streams) or self._now() != self._known:
            os._exit(LOST_PIPE)

    def _now(self) -> list[tuple[int, int, bool]]:
        try:
            return [(os.fstat(each).st_dev, os.fstat(each).st_ino, _waits(each)) for each in self._files]
        except OSError:
            return []


class Inbox:
    """Reader of frames in its own thread, so that a cancellation arrives while the program runs."""

    def __init__(
        self, stream: BinaryIO, interrupts: Interrupts, send: Callable[[FromWorker], None], pipes: Pipes
    ) -> None:
        self._stream = stream
        self._send = send
        self._pipes = pipes
        self._interrupts = interrupts
        self._arrived = threading.Condition()
        self._waiting: list[RunRequest | None] = []
        self._beginning: Prepare | None = None
        self.names: NameAnswers | None = None
        """The answerer of name questions; None until JAX is imported."""

    def read_for_ever(self) -> None:
        """Queue requests and handle cancellations; exit when the other side is gone."""
        while True:
            try:
                body = frames.read_frame(self._stream)
                message = frames.decode_to_worker(body) if body is not None else None
            except (frames.FrameError, OSError, ValueError) as error:
                self._pipes.leave_if_lost()
                os.write(2, f"{error}\n".encode())
                os._exit(3)
            if message is None:
                self._pipes.leave_if_lost()
                # The main thread may be in an endless program, which nothing softer would end.
                os._exit(0)
            self._take(message)

    def next_request(self) -> RunRequest | None:
        """Return the next request, or None for a mere wake-up (a cancellation without a run)."""
        with self._arrived:
            # A timeout keeps the wait interruptible on every platform.
            while not self._arrived.wait_for(lambda: bool(self._waiting), timeout=1.0):
                pass
            return self._waiting.pop(0)

    def beginning(self) -> Prepare:
        """Wait for the beginning of the program that this process is for."""
        with self._arrived:
            while not self._arrived.wait_for(lambda: self._beginning is not None, timeout=1.0):
                pass
            assert self._beginning is not None
            return self._beginning

    def _take(self, message: ToWorker) -> None:
        if isinstance(message, Beat):
            self._send(message)
            return
        if isinstance(message, NameQuestion):
            if self.names is not None:
                self.names.ask(message)
            return
        if isinstance(message, Cancel):
            self._interrupts.cancel(message.run)
        with self._arrived:
            if isinstance(message, Prepare):
                self._beginning = message
            else:
                self._waiting.append(None if isinstance(message, Cancel) else message)
            self._arrived.notify()


class Worker:
    """Answers one request at a time, and contains all exceptions of the user's program."""

    def __init__(self, outgoing: BinaryIO, pipes: Pipes) -> None:
        self._outgoing = outgoing
        self._pipes = pipes
        self._sending = threading.Lock()
        self._has_greeted = False
        self._run = 0
        self.interrupts = Interrupts()
        self.printed = PrintedText(lambda text: self.send(Printed(self._run, text)))

    def send(self, message: FromWorker) -> None:
        """Write `message` as one frame."""
        try:
            frame = frames.encode(message)
        except RecursionError:
            # The recursion depth may be exhausted, and texts are nested.
            with enough_depth():
                frame = frames.encode(message)
        with self.interrupts.shielded(), self._sending:
            self._pipes.leave_if_lost()
            self._outgoing.write(frame)
            self._outgoing.flush()

    def say_hello(self) -> None:
        """Send Hello, once. This starts JAX's backends."""
        if not self._has_greeted:
            from explorer.worker.runs import analyse

            self._has_greeted = True
            self.send(analyse.hello())

    def answer(self, request: RunRequest, cache: WorkerCache) -> None:
        """Run `request` and send all its results; the last message always ends the run."""
        from explorer.worker.process.clean import clean_state

        self._run = request.run
        self.printed.start_over()
        is_sent = False
        try:
            try:
                last = self._answered(request, cache)
            except Interrupt as interrupt:
                last = _stopped(request, interrupt)
            except BaseException as error:
                clean_state.use_up()
                last = unanswered(request, _our_failure(error))
            self.printed.flush()
            if left := clean_state.left_behind():
                self.send(UsedUp(last.run, left))
            self.send(last)
            is_sent = True
        finally:
            if not is_sent:
                # Even the built-in functions may be gone.
                os._exit(RUINED)

    def _answered(self, request: RunRequest, cache: WorkerCache) -> LastAnswer:
        from explorer.worker.runs import analyse, lens

        channel = Channel(self.send, self.printed, self.interrupts)
        with self.interrupts.listening_to(request.run):
            if isinstance(request, TimingRequest):
                return analyse.time(request, channel)
            if isinstance(request, ValueRequest):
                return cache.values.answer(request, channel)
            if isinstance(request, LensRequest):
                return lens.answer(request, cache.values.ran, channel)
            if isinstance(request, TrialRequest):
                return analyse.trials(request, channel)
            if request.texts_only:
                return analyse.texts(request, channel)
            return analyse.analyse(request, channel, cache)


def _stopped(request: RunRequest, interrupt: Interrupt) -> LastAnswer:
    """Return the answer to `request` that `interrupt` ended."""
    text, line = say("The run was stopped before it could answer."), 0
    if interrupt.span is not None:
        line = interrupt.span.line
        text = say("The run was stopped at line {line}.", line=line)
    last = unanswered(request, Failure("Stopped", text, interrupt.span), stopped=True)
    if isinstance(last, Snapshot):
        return msgspec.structs.replace(last, stopped_at=line, variants=interrupt.variants)
    return last


def _our_failure(error: BaseException) -> Failure:
    from explorer.worker.errors.exception_text import text_of

    words = f"JAX Explorer itself failed on this program: {type(error).__name__}: {text_of(error)}"
    text = ""
    with contextlib.suppress(BaseException):
        text = traceback.format_exc()
    return Failure("InternalError", words, traceback=text)


def _waits(file: int) -> bool:
    return sys.platform == "win32" or os.get_blocking(file)


def _claim_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Return stdin and stdout for frames; redirect descriptor 1 to stderr and descriptor 0 to the null device.

    So neither a ``print`` in C code nor an ``input()`` of the program can touch the frames.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (incoming, outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return os.fdopen(incoming, "rb"), os.fdopen(outgoing, "wb")


def _let_the_kernel_choose_us() -> None:
    """Prefer the worker over the window, with its user code, when Linux runs out of memory.

    See https://man7.org/linux/man-pages/man5/proc_pid_oom_score_adj.5.html.
    """
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")


if __name__ == "__main__":
    main()
