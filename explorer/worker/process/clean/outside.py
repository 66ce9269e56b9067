"""Protection against repeated side effects outside of the process: further runs write only to scratch files."""

from __future__ import annotations

import builtins
import io
import os
import shutil
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
from explorer.worker.process.clean import insides

_WORDS = {
    "file": say("it changes files or folders"),
    "network": say("it uses the network"),
    "process": say("it starts a process"),
    "thread": say("it starts a thread"),
    "hook": say("it adds a hook that Python cannot remove"),
}
_EVENTS = {
    **dict.fromkeys(("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate"), "file"),
    **dict.fromkeys(("os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "sqlite3.connect"), "file"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"), "network"),
    **dict.fromkeys(("socket.getaddrinfo", "socket.gethostbyname", "webbrowser.open"), "network"),
    **dict.fromkeys(("subprocess.Popen", "os.system", "os.fork", "os.forkpty", "os.posix_spawn", "os.exec"), "process"),
    **dict.fromkeys(("os.spawn", "os.startfile", "os.kill", "os.killpg"), "process"),
    "start": "thread",
    "sys.addaudithook": "hook",
    "open": "file",
}
"""Audit events of Python and of ours, and the kind of each.

See https://docs.python.org/3/library/audit_events.html.
"""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PASSED_ON = (f"{sysconfig.get_path('stdlib')}{os.sep}", "<frozen ", __file__)
"""Files whose code acts on behalf of a caller."""
_TRIES_FOLDERS = tempfile._get_default_tempdir.__code__  # type: ignore[attr-defined]
"""It writes a file into the folder for temporary files, and removes it."""
_MOST_COPIED = 1 << 24
"""Largest file in bytes that is copied for a further run to append to."""


class Refused(PermissionError):
    """Raised in a further run of a program instead of a side effect outside of the process."""


class NotRunAgain(TextError):
    """The program cannot run again without side effects; the message says why."""


class _Guard:
    """The current state of the guard."""

    hears = False
    refuses = False
    did: ClassVar[set[str]] = set()
    """The program's side effects that prevent a further run."""
    hooks = 0
    """Number of audit hooks added by programs in this process."""
    wrote = False
    """Whether a file was opened for writing since the last check."""
    own: ClassVar[set[str]] = set()
    """Files and folders made by ``tempfile`` for the program, which nothing else uses."""
    real_open = io.open


@contextmanager
def first_run(did: set[str]) -> Iterator[None]:
    """Add to `did` the side effects in the block that prevent a further run."""
    _install()
    before = _Guard.hears, _Guard.did
    _Guard.hears, _Guard.did = True, did
    try:
        yield
    finally:
        _Guard.hears, _Guard.did = before


@contextmanager
def rerun(did: set[str]) -> Iterator[None]:
    """Contain the side effects of the block: written files are discarded, and other effects are refused.

    `did` are the known side effects of the program. Raises NotRunAgain if these forbid a further run, or if an effect
    had to be refused, which is added to `did`.
    """
    _install()
    if did:
        raise NotRunAgain(why_not(did))
    before = _Guard.hears, _Guard.refuses, _Guard.did
    _Guard.hears, _Guard.refuses, _Guard.did = False, True, did
    try:
        with _Scratch().in_use():
            yield
    except Exception as error:
        if not did:
            raise
        raise NotRunAgain(why_not(did)) from error
    finally:
        _Guard.hears, _Guard.refuses, _Guard.did = before
    if did:
        raise NotRunAgain(why_not(did))


def why_not(did: Collection[str]) -> Text:
    """Return the reason why a program with the side effects `did` runs only once; empty if there is none."""
    return say("The program is run only once: {reason}.", reason=_WORDS[min(did)]) if did else Text()


def hooks() -> int:
    """Return the number of hooks added by programs, which are irreversible."""
    return _Guard.hooks


def flush_written() -> None:
    """Flush the files that programs left open, as the end of a process does."""
    if not _Guard.wrote:
        return
    _Guard.wrote = False
    import gc

    for each in gc.get_objects():
        if isinstance(each, io.TextIOWrapper | io.BufferedWriter | io.BufferedRandom):
            with suppress(Exception):
                if not each.closed and each.writable():
                    each.flush()


def _install() -> None:
    if not _installed:
        _installed.append(True)
        sys.addaudithook(_on_event)
        threading.Thread.start = _start  # type: ignore[assignment, method-assign]
    insides.listen()


_installed: list[bool] = []


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if not (_Guard.hears or _Guard.refuses):
        return
    if event == "object.__setattr__":
        insides.heard(sys._getframe(1).f_code.co_filename, *arguments)
        return
    kind = _EVENTS.get(event)
    if kind is None:
        if event in ("tempfile.mkdtemp", "tempfile.mkstemp"):
            _Guard.own.add(_whole(arguments[0]))
        return
    if (kind == "file" and _may_be_repeated(event, arguments)) or _is_ours():
        return
    if event == "open" and _Guard.hears:
        # A further run writes to a scratch file.
        _Guard.wrote = True
        return
    if event == "sqlite3.connect" and arguments[0] == ":memory:":
        return
    _Guard.hooks += event == "sys.addaudithook" and not _Guard.refuses
    _Guard.did.add(kind)
    if _Guard.refuses:
        raise Refused(why_not(_Guard.did))


def _is_ours() -> bool:
    """Return whether our own code causes the event, directly or through Python's library."""
    return _who_asks().startswith(OUR_FILES)


def _who_asks() -> str:
    """Return the file of the causing code, without this file and Python's library; empty if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PASSED_ON):
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""


def _may_be_repeated(event: str, arguments: tuple[Any, ...]) -> bool:
    """Return whether the event changes no file or folder, or only the program's own temporary ones."""
    if event == "sqlite3.connect":
        return False
    if event == "open" and (isinstance(arguments[0], int) or not _is_write(arguments)):
        return True
    if sys._getframe(2).f_code is _TRIES_FOLDERS:
        return True
    path = _path(event, arguments)
    if event == "os.mkdir" and Path(path).is_dir():
        # It will raise FileExistsError.
        return True
    return path == os.devnull or "__pycache__" in path or any(path.startswith(each) for each in _Guard.own)


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


def _is_write(arguments: tuple[Any, ...]) -> bool:
    mode, flags = arguments[1], arguments[2]
    if isinstance(flags, int) and flags >= 0:
        return bool(flags & _WRITES)
    return isinstance(mode, str) and _writes(mode)


def _writes(mode: str) -> bool:
    return any(letter in mode for letter in "wax+")


class _Scratch:
    """Scratch files that replace the files written by a further run."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folder: Path | None = None

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Make ``open`` use the scratch files in the block."""
        before = builtins.open, io.open
        builtins.open = io.open = self.open
        try:
            yield
        finally:
            builtins.open, io.open = before
            if self._folder:
                with _unguarded():
                    temporary.remove(self._folder)

    def open(self, file: Any, mode: str = "r", *others: Any, **more: Any) -> Any:
        """Open the scratch file of `file`, with the signature of ``open``."""
        if isinstance(file, str | bytes | os.PathLike):
            path = _whole(file)
            if _writes(mode) and path not in self._files and not _is_own(path):
                self._files[path] = self._stand_in(path, mode)
            file = self._files.get(path, file)
        return _Guard.real_open(file, mode, *others, **more)

    def _stand_in(self, path: str, mode: str) -> str:
        """Return the path of a new scratch file, with the contents of `path` if `mode` can read them."""
        here = Path(path)
        if not here.parent.is_dir() or here.is_dir():
            return path
        with _unguarded():
            self._folder = self._folder or temporary.make()
        made = str(self._folder / str(len(self._files)))
        _Guard.own.add(str(self._folder))
        if "w" not in mode and here.is_file() and here.stat().st_size <= _MOST_COPIED:
            with _unguarded():
                shutil.copyfile(here, made)
        return made


def _is_own(path: str) -> bool:
    return path == os.devnull or any(path.startswith(each) for each in _Guard.own)


@contextmanager
def _unguarded() -> Iterator[None]:
    before = _Guard.refuses
    _Guard.refuses = False
    try:
        yield
    finally:
        _Guard.refuses = before


daemons_of_libraries: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
"""They live until the process ends, and are harmless."""
_real_start = threading.Thread.start


def _start(thread: threading.Thread) -> None:
    """Start `thread`, and report it. Daemons of libraries are ignored, such as a progress bar's monitor."""
    asks = _who_asks()
    if thread.daemon and asks and not asks.startswith(("<", OUR_FILES)) and not user_modules.is_user_file(asks):
        daemons_of_libraries.add(thread)
    else:
        _on_event("start", ())
    _real_start(thread)
