"""Protection against repeated side effects outside of the process: further runs write only to scratch files."""

from __future__ import annotations

import builtins
import gc
import io
import os
import sys
import sysconfig
import tempfile
import threading
import weakref
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from explorer import OUR_FILES
from explorer.link import temporary
from explorer.text.text import Text, TextError, say
from explorer.worker.process import user_modules

_WORDS = {
    "file": say("it changes files or folders"),
    "network": say("it uses the network"),
    "process": say("it starts a process"),
    "thread": say("it starts a thread"),
}
_EVENTS = {
    **dict.fromkeys(("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"), "file"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "sqlite3.connect"), "file"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), "network"),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "webbrowser.open"), "network"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"), "process"),
    **dict.fromkeys(("os.spawn", "os.startfile", "os.kill", "os.killpg"), "process"),
    "start": "thread",
    "open": "file",
}
"""Audit events of Python and of ours, and the kind of each: https://docs.python.org/3/library/audit_events.html."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PASSED_ON = (f"{sysconfig.get_path('stdlib')}{os.sep}", "<frozen ", __file__)
"""Files whose code acts on behalf of a caller."""


class SideEffectRefused(PermissionError):
    """Raised in a further run of a program instead of a side effect outside of the process."""


class NotRunAgain(TextError):
    """The program cannot run again without side effects; the message says why."""


class _Guard:
    """The current state of the guard."""

    is_installed = False
    hears = False
    refuses = False
    did: ClassVar[set[str]] = set()
    """The program's side effects that prevent a further run."""
    wrote = False
    """Whether a file was opened for writing since the last check."""
    own: ClassVar[set[str]] = {os.devnull}
    """Files and folders made by ``tempfile`` for the program, which nothing else uses, and the null device."""
    real_open = io.open


@contextmanager
def first_run(did: set[str]) -> Iterator[None]:
    """Add to `did` the side effects in the block that prevent a further run."""
    with _guarded(did, refuses=False):
        yield


@contextmanager
def rerun(did: set[str]) -> Iterator[None]:
    """Contain the side effects of the block: written files are discarded, and other effects are refused.

    `did` are the known side effects of the program. Raises NotRunAgain if these forbid a further run, or if an effect
    had to be refused, which is added to `did`.
    """
    if did:
        raise NotRunAgain(why_not(did))
    try:
        with _guarded(did, refuses=True), _written_aside():
            yield
    except Exception as error:
        if not did:
            raise
        raise NotRunAgain(why_not(did)) from error
    if did:
        raise NotRunAgain(why_not(did))


def why_not(did: Collection[str]) -> Text:
    """Return the reason why a program with the side effects `did` runs only once; empty if there is none."""
    return say("The program is run only once: {reason}.", reason=_WORDS[min(did)]) if did else Text()


def flush_written() -> None:
    """Flush the files that programs left open, as the end of a process does."""
    if not _Guard.wrote:
        return
    _Guard.wrote = False
    for each in gc.get_objects():
        if isinstance(each, io.TextIOWrapper | io.BufferedWriter | io.BufferedRandom):
            with suppress(Exception):
                if not each.closed and each.writable():
                    each.flush()


@contextmanager
def _guarded(did: set[str], *, refuses: bool) -> Iterator[None]:
    if not _Guard.is_installed:
        _Guard.is_installed = True
        # Python finds the folder by writing a file into it.
        tempfile.gettempdir()
        sys.addaudithook(_on_event)
        threading.Thread.start = _start  # type: ignore[assignment, method-assign]
    before = _Guard.hears, _Guard.refuses, _Guard.did
    # Nothing that a further run starts may do more than the run itself.
    _Guard.hears, _Guard.refuses, _Guard.did = not refuses, refuses or _Guard.refuses, did
    try:
        yield
    finally:
        _Guard.hears, _Guard.refuses, _Guard.did = before


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if not (_Guard.hears or _Guard.refuses):
        return
    kind = _EVENTS.get(event)
    if kind is None:
        if event in ("tempfile.mkdtemp", "tempfile.mkstemp"):
            _Guard.own.add(_whole(arguments[0]))
        return
    if kind == "file" and _may_be_repeated(event, arguments):
        return
    if _causing_file().startswith(OUR_FILES):
        return
    if event == "open" and _Guard.hears:
        # A further run writes to a scratch file.
        _Guard.wrote = True
        return
    _Guard.did.add(kind)
    if _Guard.refuses:
        raise SideEffectRefused(why_not(_Guard.did))


def _causing_file() -> str:
    """Return the file of the causing code, without this file and Python's library; empty if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PASSED_ON):
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""


daemons_of_libraries: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
"""They live until the process ends, and are harmless, such as a progress bar's monitor."""
_real_start = threading.Thread.start


def _start(thread: threading.Thread) -> None:
    """Start `thread`, and report it unless it is a daemon of a library."""
    asks = _causing_file()
    if thread.daemon and asks and not user_modules.is_user_code(asks):
        daemons_of_libraries.add(thread)
    else:
        _on_event("start", ())
    _real_start(thread)


def _may_be_repeated(event: str, arguments: tuple[Any, ...]) -> bool:
    """Return whether the event changes no file or folder, or only the program's own temporary ones."""
    if event == "sqlite3.connect":
        return bool(arguments[0] == ":memory:")
    if event == "open" and (isinstance(arguments[0], int) or not _is_write(arguments)):
        return True
    path = _path(event, arguments)
    # It will raise FileExistsError.
    is_there = event == "os.mkdir" and Path(path).is_dir()
    return is_there or "__pycache__" in path or _is_own(path)


def _path(event: str, arguments: tuple[Any, ...]) -> str:
    """Return the resolved path of the changed file; empty if unknown."""
    path, folder = arguments[0], arguments[1] if event in ("os.remove", "os.rmdir") else -1
    if isinstance(path, int):
        return ""
    with suppress(OSError, TypeError):
        above = Path(f"/proc/self/fd/{folder}").readlink() if isinstance(folder, int) and folder >= 0 else Path()
        return _whole(above / os.fsdecode(path))
    return ""


def _whole(path: str | bytes | os.PathLike[Any]) -> str:
    return str(Path(os.fsdecode(path)).resolve())


def _is_own(path: str) -> bool:
    return any(path.startswith(each) for each in _Guard.own)


def _is_write(arguments: tuple[Any, ...]) -> bool:
    mode, flags = arguments[1], arguments[2]
    if isinstance(flags, int) and flags >= 0:
        return bool(flags & _WRITES)
    return isinstance(mode, str) and any(letter in mode for letter in "wax+")


@contextmanager
def _written_aside() -> Iterator[None]:
    """Make ``open`` use scratch files for those that are written in the block."""
    files: dict[str, str] = {}
    folders: list[Path] = []

    def opened(file: Any, mode: str = "r", *others: Any, **more: Any) -> Any:
        """Open the scratch file of `file`, with the signature of ``open``; a file that is changed is refused."""
        if isinstance(file, str | bytes | os.PathLike):
            path = _whole(file)
            can_be = Path(path).parent.is_dir() and not Path(path).is_dir()
            if can_be and any(letter in mode for letter in "wax") and path not in files and not _is_own(path):
                if not folders:
                    folders.append(temporary.make())
                    _Guard.own.add(str(folders[0]))
                files[path] = str(folders[0] / str(len(files)))
            file = files.get(path, file)
        return _Guard.real_open(file, mode, *others, **more)

    before = builtins.open, io.open
    builtins.open = io.open = opened
    try:
        yield
    finally:
        builtins.open, io.open = before
        for each in folders:
            temporary.remove(each)
            _Guard.own.discard(str(each))
