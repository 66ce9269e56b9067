"""A worker for the command line: one process, asked and waited for; no Qt here."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from explorer.link import family
from explorer.link.command import LOST_PIPE, UNREADABLE, WORKER_COMMAND, exit_words, worker_variables
from explorer.messages import Failure, FromWorker, Hello, Request, TimingRequest, ends_run, frames

ENDING_S = 3.0
"""How long a worker may take to end that was told to, with what it has started."""
NOTHING_TO_RUN = Failure(
    "NothingToRun",
    "There is nothing to run. A variant is a function whose arguments `inputs` returns, or one without arguments.",
    explanation="A program that runs by itself is checked with: jax-explorer run FILE.",
)


class WorkerEnded(Exception):
    """The worker process ended before the answer was whole; the message says how, in words."""


class WorkerPipe:
    """Starts a worker when it is made; use it in a ``with`` block, which ends the worker.

    What the worker writes to stderr goes to ours; nowhere, where it has a `folder` of its own to be in.
    """

    def __init__(
        self, command: Sequence[str] = WORKER_COMMAND, *, cpu_devices: int = 1, folder: Path | None = None
    ) -> None:
        self._family = family.mark()
        environment = {**os.environ, **worker_variables(cpu_devices), **self._family}
        if folder is not None and (places := environment.get("PYTHONPATH")):
            # They may be relative to the folder that we are in.
            environment["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, places.split(os.pathsep)))
        self._killed = False
        with _ctrl_c_held():
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

    @property
    def process_id(self) -> int:
        return self._process.pid

    def hello(self) -> Hello:
        """Wait until the worker is up and return its Hello. Raises WorkerEnded."""
        message = self._read()
        if not isinstance(message, Hello):
            raise WorkerEnded(f"it said {type(message).__name__} before Hello")
        return message

    def ask(self, request: Request | TimingRequest, timeout_s: float | None = None) -> Iterator[FromWorker]:
        """Send `request` and yield its answers; the last one ends the run.

        Raises WorkerEnded when the process dies and TimeoutError when there is no answer for `timeout_s` seconds.
        """
        if self._process.stdin is None:
            raise WorkerEnded("it has no pipe")
        with contextlib.suppress(BrokenPipeError):
            # It has ended already: what is read says how.
            self._process.stdin.write(frames.encode(request))
            self._process.stdin.flush()
        while True:
            message = self._read(timeout_s)
            yield message
            if ends_run(message):
                return

    def _read(self, timeout_s: float | None = None) -> FromWorker:
        if self._process.stdout is None:
            raise WorkerEnded("it has no pipe")
        watchdog = threading.Timer(timeout_s, self.stop) if timeout_s is not None else None
        if watchdog:
            # Python waits at its end for threads that are not: for this one too, where Ctrl-C comes before `cancel`.
            watchdog.daemon = True
            watchdog.start()
        try:
            body = frames.read_frame(self._process.stdout)
        except frames.FrameError:
            # It may go on for ever, and nothing that it says can be read.
            self._end()
            raise WorkerEnded(UNREADABLE) from None
        finally:
            if watchdog:
                watchdog.cancel()
        if body is None:
            code = self._code()
            if self._killed:
                raise TimeoutError
            raise WorkerEnded(exit_words(code))
        return frames.decode_from_worker(body)

    def stop(self) -> None:
        """End the worker, from whatever thread: who waits for its answer gets TimeoutError."""
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
        """End the worker with all that it has started, which its guard does when it is told to."""
        self._process.terminate()
        try:
            self._process.wait(ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode == -signal.SIGKILL:
            family.end_marked(self._family)


@contextlib.contextmanager
def _ctrl_c_held() -> Iterator[None]:
    """Hold SIGINT back, for us and for the process that is started in the block.

    A terminal sends it to both. The worker lets it come once it is ready for it; until then it would end with a
    traceback of its own, between our words.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
