"""All processes started by a worker end with it and with the window, on each system as far as this one can show it."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from explorer.link import family
from explorer.link.family import BEATS, LOST_LINK

pytestmark = pytest.mark.process
PATIENCE_MS = 20_000
STARTS = """
import ctypes, os, subprocess, time
from explorer.link import family
family.begin()
started = [os.getpid()]
child = os.fork()
if child == 0: time.sleep(600)
started += [child, subprocess.Popen(["sleep", "600"], start_new_session=True).pid]
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    between = os.getpid()
    if os.fork() == 0:
        while os.getppid() == between: time.sleep(0.001)
        os.write(writing, str(os.getpid()).encode())
        time.sleep(600)
    os._exit(0)
started.append(int(os.read(reading, 20)))
os.wait3
print(*started, family.has_orphans(), flush=True)
ctypes.PyDLL(None).sleep(600)
"""
"""A forked child, another program in its own session, and a daemon; from then on no thread of Python runs."""
SHARES = """
import os, time
from multiprocessing.shared_memory import SharedMemory
from explorer.link import family
family.begin()
made = SharedMemory(create=True, size=10)
print(made.name, flush=True)
"""
READS_LATE = """
import os, signal
from explorer.link import family
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
family.begin()
print(os.getpid(), flush=True)
signal.sigwait([signal.SIGUSR1])
print(len(os.fdopen(0, "rb").read(1_000_000)), flush=True)
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked for the daemons")


@linux
@pytest.mark.parametrize(
    "how",
    [
        "worker killed",
        "told to end",
        "window gone",
        "window gone and worker stopped",
        "guard killed",
        "link gone",
        "link silent",
        "link silent and worker stopped",
    ],
)
def test_no_process_outlives_a_worker_and_its_window(how: str) -> None:
    mark = {**family.mark(), **({BEATS: "60" if "gone" in how else "1"} if "link" in how else {})}
    guard = subprocess.Popen(
        [sys.executable, "-c", STARTS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **mark}
    )
    *started, has_orphans = guard.stdout.readline().decode().split()
    assert has_orphans == "True"
    watched = [os.pidfd_open(int(each)) for each in started]
    if how == "worker killed":
        os.kill(int(started[0]), signal.SIGKILL)
    elif how == "told to end":
        guard.terminate()
    elif how == "guard killed":
        guard.kill()
        guard.wait()
        family.end_marked(mark)
    else:
        if "stopped" in how:
            os.kill(int(started[0]), signal.SIGSTOP)
        if "silent" not in how:
            guard.stdin.close()
    assert all(ended(each) for each in watched)
    assert guard.wait() == (LOST_LINK if "link" in how else -signal.SIGKILL)
    assert guard.stdout.read() == b""
    guard.stdout.close()
    guard.stdin.close()


@linux
@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)", "print(flush=True); time.sleep(600)"])
def test_shared_memory_that_a_program_leaves_is_removed_as_python_removes_it(end: str) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", f"{SHARES}{end}\n"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as guard:
        name = guard.stdout.readline().strip()
        guard.stdout.readline()
        guard.terminate()
    assert not (Path("/dev/shm") / name).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_worker_that_reads_nothing_for_a_while_loses_nothing_of_what_its_link_brings() -> None:
    environment = {**os.environ, BEATS: "60"}
    command = [sys.executable, "-c", READS_LATE]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as guard:
        worker = int(guard.stdout.readline())
        # More than any pipe holds: the guard takes it.
        guard.stdin.write(bytes(1_000_000))
        guard.stdin.flush()
        os.kill(worker, signal.SIGUSR1)
        assert guard.stdout.readline() == b"1000000\n"


@pytest.mark.skipif(sys.platform == "win32", reason="the guard forks")
@pytest.mark.parametrize(("end", "code"), [("os._exit(7)", 7), ("os.abort()", -signal.SIGABRT)])
def test_the_guard_ends_as_the_worker_did(end: str, code: int) -> None:
    script = f"import os\nfrom explorer.link import family\nfamily.begin()\n{end}\n"
    assert subprocess.run([sys.executable, "-c", script], stdin=subprocess.PIPE, check=False).returncode == code


def test_on_macos_the_group_of_the_worker_ends_and_who_descends_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    table = "1 0\n10 1\n11 10\n12 11\n13 11\n20 1\n"
    groups: list[int] = []
    monkeypatch.setattr(family, "SYSTEM", "darwin")
    monkeypatch.setattr(os, "killpg", lambda group, _: groups.append(group))
    monkeypatch.setattr(os, "getpid", lambda: 10)
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=table))
    assert sorted(family._family(11)) == [11, 12, 13]
    assert groups == [11]
    assert not family.has_orphans()


class Kernel:
    """The calls to Windows."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.flags = 0
        self.waited_for = 0
        for name in ("CreateJobObjectW", "AssignProcessToJobObject", "OpenProcess"):
            setattr(self, name, self._answering(name))

    def _answering(self, name: str) -> Any:
        def answer(*_: Any) -> int:
            self.asked.append(name)
            return 5

        return answer

    def SetInformationJobObject(self, _job: Any, _kind: int, limits: Any, _size: int) -> None:  # noqa: N802
        self.flags = limits._obj.flags

    def WaitForMultipleObjects(self, count: int, *_: Any) -> None:  # noqa: N802
        self.waited_for = count


class Left(Exception):
    pass


def test_on_windows_a_job_ends_with_the_guard_that_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, commands = Kernel(), []

    def started(command: list[str], **given: Any) -> SimpleNamespace:
        commands.append((command, given["env"][family.GUARDED]))
        return SimpleNamespace(_handle=7, poll=lambda: 3, stdin=None)

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(family, "SYSTEM", "win32")
    monkeypatch.setattr(ctypes, "WinDLL", lambda _: kernel, raising=False)
    monkeypatch.setattr(subprocess, "Popen", started)
    monkeypatch.setattr(os, "close", lambda _: None)
    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(sys, "argv", ["worker", "--standby"])
    with pytest.raises(Left, match="3"):
        family.begin()
    assert kernel.asked == ["CreateJobObjectW", "AssignProcessToJobObject", "OpenProcess"]
    assert (kernel.flags, kernel.waited_for) == (0x2000, 2)
    assert commands[0][0][-1] == "--standby"
    assert commands[0][1] == "1"
    # The process that it has started goes on as the worker.
    monkeypatch.setenv(family.GUARDED, "1")
    family.begin()
    assert family.GUARDED not in os.environ


def ended(process: int) -> bool:
    """Return whether `process`, a descriptor, has ended in time."""
    watch = select.poll()
    watch.register(process, select.POLLIN)
    try:
        return bool(watch.poll(PATIENCE_MS))
    finally:
        os.close(process)
