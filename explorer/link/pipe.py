"""``WorkerPipe``, a worker for the command line, asked and waited for without Qt; ``ctrl_c_deferred``."""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from explorer.link import family
from explorer.link.command import LOST_PIPE, UNREADABLE
from explorer.link.remotes.remote import HERE, Remote
from explorer.link.remotes.start import SSH_FAILED, Arrival, exit_words, is_cut, start
from explorer.messages import (
    Beat,
    Failure,
    FromWorker,
    Hello,
    LensRequest,
    Prepare,
    Request,
    TimingRequest,
    ToWorker,
    ends_run,
    frames,
)

BEAT_S = 2.0
"""Seconds between two signs of life over a link."""
BEATS_TIMED = 5
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
"""Variables that name the folder of temporary files, on one system or another."""
ENDING_S = family.TIDYING_S + family.ENDING_S + 1
"""Seconds for which a worker and its child processes may take to end on request; their guard gives up before."""
NOTHING_TO_RUN = Failure(
    "NothingToRun",
    "There is nothing to run. A variant is a function whose arguments `inputs` returns, or one without arguments.",
    explanation="A program that runs by itself is checked with: jax-explorer run FILE.",
)


class WorkerEnded(Exception):
    """The worker process ended before the answer was whole; the message says how, in words."""


class WorkerPipe:
    """Starts a worker at construction; use it in a ``with`` block, which ends the worker.

    It runs at `remote`. Its stderr goes to ours; it is discarded where the worker runs in its own `folder`. The
    beginning of the program `prepare` runs before JAX is imported.
    """

    def __init__(
        self, remote: Remote = HERE, *, cpu_devices: int = 1, folder: Path | None = None, prepare: Prepare | None = None
    ) -> None:
        self._family = family.mark()
        self._remote = remote
        self._arrival = None if remote.is_here else Arrival(remote)
        self._prepare = prepare
        command, variables = start(remote, cpu_devices, self._family, ("--prepared",) if prepare else ())
        environment = {**os.environ, **variables}
        if folder is not None:
            # Some files in the folder of temporary files belong to others.
            environment |= dict.fromkeys(TEMPORARY, str(folder))
        if folder is not None and (folders := environment.get("PYTHONPATH")):
            # They may be relative to the folder that we are in.
            environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, folders.split(os.pathsep)))
        self._killed = False
        self._writing = threading.Lock()
        with ctrl_c_deferred():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if folder is None else subprocess.DEVNULL,
                cwd=folder,
                env=environment,
            )

    def __enter__(self) -> WorkerPipe:
        return self

    def __exit__(self, *_: Any) -> None:
        self._end()
        self._process.communicate()

    def hello(self) -> Hello:
        """Wait until the worker is up and return its Hello. Raises WorkerEnded."""
        self._arrive()
        if self._prepare is not None:
            self._send(self._prepare)
        message = self._read()
        if not isinstance(message, Hello):
            raise WorkerEnded(f"it said {type(message).__name__} before Hello")
        return message

    def ask(
        self, request: Request | TimingRequest | LensRequest, timeout_s: float | None = None
    ) -> Iterator[FromWorker]:
        """Yield the answers to `request`. Raises WorkerEnded; TimeoutError after `timeout_s` seconds without one."""
        self._arrive()
        self._send(request)
        while True:
            message = self._read(timeout_s)
            yield message
            if ends_run(message):
                return

    def round_trip_s(self) -> float:
        """Return how long a message takes there and back, the median of some. Raises WorkerEnded."""
        taken = []
        for number in range(BEATS_TIMED):
            start = time.monotonic()
            self._send(Beat(-1 - number))
            while self._message() != Beat(-1 - number):
                pass
            taken.append(time.monotonic() - start)
        return statistics.median(taken)

    def _send(self, message: ToWorker) -> None:
        """Write `message`. If the worker has ended already, the next read says how."""
        with contextlib.suppress(BrokenPipeError):
            self._write(message)

    def _write(self, message: ToWorker) -> None:
        if self._process.stdin is None:
            raise WorkerEnded("it has no pipe")
        with self._writing:
            self._process.stdin.write(frames.encode(message))
            self._process.stdin.flush()

    def _beat_for_ever(self) -> None:
        """Send a sign of life to the other end of a link."""
        with contextlib.suppress(OSError, ValueError):
            while self._process.returncode is None:
                self._write(Beat(0))
                time.sleep(BEAT_S)

    def _arrive(self) -> None:
        """Deliver the engine to its remote, once. Raises WorkerEnded where no worker can run there."""
        arrival, self._arrival = self._arrival, None
        if arrival is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        while not arrival.is_over:
            line = self._process.stdout.readline()
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.write(arrival.take(line))
                self._process.stdin.flush()
            if not line or arrival.trouble:
                raise WorkerEnded(str(arrival.trouble or exit_words(self._remote, self._code())).rstrip("."))
        if self._remote.is_linked:
            threading.Thread(target=self._beat_for_ever, daemon=True).start()

    def _read(self, timeout_s: float | None = None) -> FromWorker:
        """Return the worker's next message other than a sign of life. Raises TimeoutError and WorkerEnded."""
        watchdog = threading.Timer(timeout_s, self.stop) if timeout_s is not None else None
        if watchdog:
            # Python waits at its end for threads that are not: for this one too, where Ctrl-C comes before `cancel`.
            watchdog.daemon = True
            watchdog.start()
        try:
            while isinstance(message := self._message(), Beat):
                pass
        finally:
            if watchdog:
                watchdog.cancel()
        return message

    def _message(self) -> FromWorker:
        if self._process.stdout is None:
            raise WorkerEnded("it has no pipe")
        try:
            body = frames.read_frame(self._process.stdout)
            if body is not None:
                return frames.decode_from_worker(body)
        except frames.FrameError:
            # It may go on for ever, and nothing that it says can be read; or the link has ended within a frame.
            cut = is_cut(self._remote, self._code()) if self._remote.is_linked else False
            self._end()
            raise WorkerEnded(str(exit_words(self._remote, SSH_FAILED) if cut else UNREADABLE)) from None
        code = self._code()
        if self._killed:
            raise TimeoutError
        raise WorkerEnded(str(exit_words(self._remote, code)))

    def stop(self) -> None:
        """End the worker, from any thread; a call that waits for its answer raises TimeoutError."""
        self._killed = True
        self._end()

    def _code(self) -> int:
        """Return how the process has ended that has closed its pipe; one that lives on all the same is ended."""
        try:
            return self._process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            return LOST_PIPE
        finally:
            self._end()

    def _end(self) -> None:
        """End the worker and its child processes, through its guard."""
        self._process.terminate()
        try:
            self._process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode == -signal.SIGKILL:
            family.end_marked(self._family)


@contextlib.contextmanager
def ctrl_c_deferred() -> Iterator[None]:
    """Defer SIGINT in the block, for us and for the process that is started in it.

    A terminal sends it to both. The worker unblocks it once it is ready; earlier it would end with its own traceback
    between our messages.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
