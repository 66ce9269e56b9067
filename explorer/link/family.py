"""A worker and its child processes end together, by the means of Linux, macOS and Windows.

The window starts a small process for each worker, its guard, which starts the worker. The guard waits until the worker
or the window has ended, or until it is asked to end. It then ends all remaining children, and ends as the worker did.

Linux    orphans, daemons too, become children of the guard; the kernel ends the worker when the guard dies.
macOS    the guard ends the worker's process group, and the worker's descendants while the worker lives.
Windows  worker and descendants are a job whose only handle is the guard's: the system ends them when it is closed.

The guard notices the end of the window by the end of its stdin pipe; on Windows by waiting for the window's process.
On a remote it passes the worker's stdin on, so that it notices a link that is broken without being closed: a program
may hold Python's lock in the worker, where no thread would notice.
"""

from __future__ import annotations

import ctypes
import os
import queue
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from explorer import OUR_NAME

SYSTEM: str = sys.platform
HAS_SIGNALS = SYSTEM != "win32"
"""Whether a guard can be asked to end by a signal; elsewhere its death is enough."""
LEAVING_S = 0.3
"""Seconds for which a worker may take to leave by itself when the window is gone."""
ENDING_S = 2.0
"""Seconds after which the guard gives up: it may not end processes of another user."""
TIDYING_S = 4.0
"""Seconds for which a process that removes shared memory may take: on a busy machine it has hardly started."""
AGAIN_S = 0.002
LONGEST_WAIT_S = 3600.0
PIECE = 1 << 16
FAMILY = "JAX_EXPLORER_FAMILY"
GUARDED = "JAX_EXPLORER_GUARDED"
TELLS_SIGNALS = "JAX_EXPLORER_TELLS_SIGNALS"
"""Set for a remote, where signals are not visible: the guard then ends with a code from 128 on, as a shell does."""
BEATS = "JAX_EXPLORER_BEATS"
"""The variable of a remote with the seconds of silence after which a worker ends, because its link may be gone."""
LOST_LINK = 118
"""The exit code of a guard whose link is silent or gone."""
_HEARD = {signal.SIGCHLD, signal.SIGTERM} if HAS_SIGNALS else set()
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_KILL_ON_JOB_CLOSE, _EXTENDED_LIMITS = 0x2000, 9
_SYNCHRONIZE, _FOR_EVER, _TIMEOUT = 0x100000, 0xFFFFFFFF, 0x102
_LOOKS_MS = 500
"""Milliseconds between two looks at the link on Windows."""


def begin() -> None:
    """Fork; return in the child, the worker, while the parent becomes its guard and does not return."""
    if SYSTEM == "win32":
        _begin_on_windows()
    else:
        _begin_on_posix()


def mark() -> dict[str, str]:
    """Return variables that mark a worker's environment, to find processes that outlive their guard."""
    # Not at the top: a program that is run should not find Python's random numbers loaded.
    import secrets

    return {FAMILY: secrets.token_hex(8)}


def end_marked(variables: Mapping[str, str]) -> None:
    """End all processes with this mark whose guard was killed; otherwise the guard ends them."""
    if SYSTEM != "linux":
        return
    wanted = f"{FAMILY}={variables[FAMILY]}".encode()
    for each in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in each.read_bytes():
                os.kill(int(each.parent.name), signal.SIGKILL)


def has_orphans() -> bool:
    """Return whether this worker has started processes that went away from it, as daemons do; False if unknown."""
    if SYSTEM != "linux":
        return False
    with suppress(OSError):
        return any(each != os.getpid() for each in _children_on_linux(os.getppid()))
    return False


class _Link:
    """The link to the window, whose bytes a guard passes on to its worker."""

    def __init__(self, worker: IO[bytes], most_silent_s: float) -> None:
        self._worker, self._most_silent_s = worker, most_silent_s
        self._heard_s = time.monotonic()
        # A worker that reads nothing for a while has not lost its link.
        self._waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        for each in (self._read, self._pass_on):
            threading.Thread(target=each, daemon=True).start()

    def left_s(self) -> float:
        """Return the seconds until it has been silent for too long."""
        return self._heard_s + self._most_silent_s - time.monotonic()

    def _read(self) -> None:
        with suppress(OSError):
            while piece := os.read(0, PIECE):
                self._heard_s = time.monotonic()
                self._waiting.put(piece)
        self._waiting.put(b"")

    def _pass_on(self) -> None:
        with suppress(OSError):
            while piece := self._waiting.get():
                self._worker.write(piece)
                self._worker.flush()
            self._worker.close()


def _most_silent_s() -> int:
    return int(os.environ.get(BEATS, "0"))


# -- POSIX: a guard that forks ----------------------------------------------------------------


def _begin_on_posix() -> None:
    guard = os.getpid()
    if SYSTEM == "linux":
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    most_silent_s = _most_silent_s()
    reading, writing = os.pipe() if most_silent_s else (-1, -1)
    # Messages that arrive before the guard listens wait until it does.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _HEARD)
    worker = os.fork()
    if worker and most_silent_s:
        os.close(reading)
        _guard(worker, _Link(os.fdopen(writing, "wb"), most_silent_s))
    if worker:
        _guard(worker)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if most_silent_s:
        os.dup2(reading, 0)
        os.close(reading)
        os.close(writing)
    os.setsid()
    if SYSTEM == "linux":
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != guard:
            os._exit(1)


def _guard(worker: int, link: _Link | None = None) -> NoReturn:
    with suppress(PermissionError):
        # A separate group, which Ctrl-C does not reach; a stopped guard would go on when the window ends.
        os.setpgid(0, 0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    woken, noted = _woken_by_signals()
    status, deadline = None, float("inf")
    while status is None and not _received:
        left_s = min(deadline - time.monotonic(), link.left_s() if link is not None else LONGEST_WAIT_S)
        if left_s <= 0:
            break
        for file, _ in woken.poll(min(left_s, LONGEST_WAIT_S) * 1000):
            if file == noted:
                os.read(noted, 4096)
            else:
                woken.unregister(file)
                deadline = time.monotonic() + LEAVING_S
        status = _status_of(worker)
    is_lost = link is not None and not _received and (status is None or deadline < float("inf"))
    ended = _end_all(worker, status)
    if is_lost:
        os._exit(LOST_LINK)
    _end_as(ended)


_received: list[int] = []


def _woken_by_signals() -> tuple[select.poll, int]:
    """Return a poll that wakes up when a child has ended, the guard is asked to end, or the window is gone.

    The file that is returned with it has one byte for each of the first two events.
    """
    reading, writing = os.pipe()
    for end in (reading, writing):
        os.set_blocking(end, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.signal(signal.SIGTERM, lambda number, _: _received.append(number))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _HEARD)
    woken = select.poll()
    woken.register(reading, select.POLLIN)
    # Nothing is read here: the poll only notices that the other end is closed.
    woken.register(0, 0)
    return woken, reading


def _status_of(worker: int) -> int | None:
    """Return the exit status of the worker, None while it lives; other ended children are reaped."""
    with suppress(ChildProcessError):
        while True:
            process, status = os.waitpid(-1, os.WNOHANG)
            if process in (0, worker):
                return status if process else None
    return 0


def _end_all(worker: int, status: int | None) -> int:
    """End the worker and its child processes; return the worker's exit status."""
    begin = time.monotonic()
    until = begin + ENDING_S
    while (now := time.monotonic()) < until:
        for process in _family(worker):
            if now < begin + TIDYING_S and _tidies_up(process):
                until = now + ENDING_S
                continue
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            process, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if process == worker:
            status = ended
        elif not process:
            time.sleep(AGAIN_S)
    return signal.SIGKILL if status is None else status


def _family(worker: int) -> list[int]:
    if SYSTEM == "linux":
        # Their own children are ours as soon as they are gone.
        return list(_children_on_linux(os.getpid()))
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    return list(_descendants(os.getpid()))


def _tidies_up(process: int) -> bool:
    """Return whether `process` removes shared memory that the worker's program has left, and then ends by itself."""
    with suppress(OSError):
        command = Path(f"/proc/{process}/cmdline").read_bytes()
        # A process has no command yet for a moment of its start, when it counts as started already.
        return not command or b"multiprocessing.resource_tracker" in command
    return False


def _end_as(status: int) -> NoReturn:
    """End with the exit `status` of another process."""
    if os.WIFSIGNALED(status) and TELLS_SIGNALS in os.environ:
        os._exit(128 + os.WTERMSIG(status))
    if os.WIFSIGNALED(status):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


# -- Linux ------------------------------------------------------------------------------------


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _children_on_linux(process: int) -> Iterator[int]:
    """Yield the children of a process that has one thread."""
    try:
        yield from map(int, Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii").split())
    except FileNotFoundError:
        # A kernel without that file.
        for each in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                if int(each.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1]) == process:
                    yield int(each.parent.name)


# -- macOS ------------------------------------------------------------------------------------


def _descendants(process: int) -> Iterator[int]:
    """Yield the children of a process, and theirs."""
    # The first that is found would be this one.
    table = subprocess.run(["/bin/ps", "-axo", "pid=,ppid="], capture_output=True, text=True, check=False).stdout
    children: dict[int, list[int]] = {}
    for line in table.splitlines():
        child, parent = map(int, line.split())
        children.setdefault(parent, []).append(child)
    waiting = children.get(process, [])
    while waiting:
        yield (each := waiting.pop())
        waiting += children.get(each, [])


# -- Windows ----------------------------------------------------------------------------------


def _begin_on_windows() -> None:
    if os.environ.pop(GUARDED, ""):
        return
    kernel: Any = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined, unused-ignore]
    job = _job(kernel)
    # Not the launcher of a virtual environment, which would start another process that is in no job.
    base = getattr(sys, "_base_executable", sys.executable)
    variables = {**os.environ, GUARDED: "1", "__PYVENV_LAUNCHER__": sys.executable}
    command = [base, "-P", "-m", f"{OUR_NAME}.worker", *sys.argv[1:]]
    most_silent_s = _most_silent_s()
    stdin = subprocess.PIPE if most_silent_s else None
    worker = subprocess.Popen(command, executable=base, env=variables, close_fds=False, stdin=stdin)
    handle = int(worker._handle)  # type: ignore[attr-defined]
    kernel.AssignProcessToJobObject(job, ctypes.c_void_p(handle))
    link = _Link(worker.stdin, most_silent_s) if worker.stdin is not None else None
    for stream in (1, 2) if link is not None else (0, 1, 2):
        os.close(stream)
    window = kernel.OpenProcess(_SYNCHRONIZE, False, os.getppid())
    both = (ctypes.c_void_p * 2)(handle, window)
    wait_ms = _FOR_EVER if link is None else _LOOKS_MS
    while kernel.WaitForMultipleObjects(2 if window else 1, both, False, wait_ms) == _TIMEOUT:
        if link is not None and link.left_s() <= 0:
            break
    code = worker.poll()
    # With us goes the only handle of the job, and with that all that is in it.
    os._exit(LOST_LINK if code is None and link is not None else code or 0)


def _job(kernel: Any) -> ctypes.c_void_p:
    """Return the handle of a job that ends with it."""
    kernel.CreateJobObjectW.restype = kernel.OpenProcess.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    limits = _Limits()
    limits.flags = _KILL_ON_JOB_CLOSE
    kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
    return job


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION; only its flags are used."""

    _fields_ = (
        ("times", ctypes.c_int64 * 2),
        ("flags", ctypes.c_uint32),
        ("working_sets", ctypes.c_size_t * 2),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("classes", ctypes.c_uint32 * 2),
        ("counted", ctypes.c_uint64 * 6),
        ("memory", ctypes.c_size_t * 4),
    )
