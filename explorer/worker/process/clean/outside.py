"""Keeps repeated runs from effects outside of the process: they write to files of their own only."""

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
"""What Python reports before it happens, and ours what it does not report in all versions, and what that is."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PASSED_ON = (f"{sysconfig.get_path('stdlib')}{os.sep}", "<frozen ", __file__)
"""Files whose code does what others ask it to."""
_MOST_COPIED = 1 << 24
"""Bytes of a file that a further run adds to."""


class Refused(PermissionError):
    """Raised in a further run of a program, in the place where it would have changed the world once more."""


class NotRunAgain(TextError):
    """The program cannot be run a second time without a trace; the message says why."""


class _Guard:
    """The state of the guard around the program now."""

    hears = False
    refuses = False
    did: ClassVar[set[str]] = set()
    """What the program has done that a further run may not do."""
    hooks = 0
    """How many hooks the programs of this process have added."""
    wrote = False
    """Whether a file was opened for writing since it was last asked."""
    own: ClassVar[set[str]] = set()
    """Files and folders that ``tempfile`` has made for the program: no one else's."""
    real_open = io.open


@contextmanager
def first_run(did: set[str]) -> Iterator[None]:
    """Add to `did` in the block what keeps the program from being run again."""
    _install()
    before = _Guard.hears, _Guard.did
    _Guard.hears, _Guard.did = True, did
    try:
        yield
    finally:
        _Guard.hears, _Guard.did = before


@contextmanager
def rerun(did: set[str]) -> Iterator[None]:
    """Keep what happens in the block inside: what it writes is thrown away, and what else it does outside is refused.

    `did` is what the program has been heard to do before. Raises NotRunAgain where that says that it cannot run again,
    and where something had to be refused, which is added to it.
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
    """Return why a program that `did` this is run once only; empty where it need not be."""
    return say("The program is run only once: {reason}.", reason=_WORDS[min(did)]) if did else Text()


def hooks() -> int:
    """Return how many hooks programs have added that can never be taken away."""
    return _Guard.hooks


def flush_written() -> None:
    """Write out what programs have left in open files, as the end of a process does."""
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
        # A further run writes into a file of its own.
        _Guard.wrote = True
        return
    if event == "sqlite3.connect" and arguments[0] == ":memory:":
        return
    _Guard.hooks += event == "sys.addaudithook" and not _Guard.refuses
    _Guard.did.add(kind)
    if _Guard.refuses:
        raise Refused(why_not(_Guard.did))


def _is_ours() -> bool:
    """Return whether it is our own code that asks for it, through Python's own or at once."""
    return _who_asks().startswith(OUR_FILES)


def _who_asks() -> str:
    """Return the file of the code that asks, Python's own and this one left out; empty for no one's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PASSED_ON):
        frame = frame.f_back
    return frame.f_code.co_filename if frame is not None else ""


def _may_be_repeated(event: str, arguments: tuple[Any, ...]) -> bool:
    """Return whether no file or folder is changed, or none of anyone's."""
    if event == "sqlite3.connect":
        return False
    if event == "open" and (isinstance(arguments[0], int) or not _is_write(arguments)):
        return True
    path = _path(event, arguments)
    if event == "os.mkdir" and Path(path).is_dir():
        # It will be told so.
        return True
    return path == os.devnull or "__pycache__" in path or any(path.startswith(each) for each in _Guard.own)


def _path(event: str, arguments: tuple[Any, ...]) -> str:
    """Return the whole path of what is changed; empty where it is unknown."""
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
    """Files that stand in for those that a further run writes."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folder = ""

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let ``open`` open them in the block."""
        before = builtins.open, io.open
        builtins.open = io.open = self.open
        try:
            yield
        finally:
            builtins.open, io.open = before
            if self._folder:
                with _unguarded():
                    shutil.rmtree(self._folder, ignore_errors=True)

    def open(self, file: Any, mode: str = "r", *others: Any, **more: Any) -> Any:
        """Open what stands in for `file`, as ``open`` does."""
        if isinstance(file, str | bytes | os.PathLike):
            path = _whole(file)
            if _writes(mode) and path not in self._files and not _is_own(path):
                self._files[path] = self._stand_in(path, mode)
            file = self._files.get(path, file)
        return _Guard.real_open(file, mode, *others, **more)

    def _stand_in(self, path: str, mode: str) -> str:
        """Return the path of a new file that holds what `path` does as far as `mode` lets it be seen."""
        here = Path(path)
        if not here.parent.is_dir() or here.is_dir():
            return path
        with _unguarded():
            self._folder = self._folder or tempfile.mkdtemp(prefix="jax-explorer-")
        made = str(Path(self._folder) / str(len(self._files)))
        _Guard.own.add(self._folder)
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
"""Those that live until the process ends, and mean nothing."""
_real_start = threading.Thread.start


def _start(thread: threading.Thread) -> None:
    """Start `thread`, and tell of it. Daemons of libraries are theirs: a bar of progress has one that looks on."""
    asks = _who_asks()
    if thread.daemon and asks and not asks.startswith(("<", OUR_FILES)) and not user_modules.is_user_file(asks):
        daemons_of_libraries.add(thread)
    else:
        _on_event("start", ())
    _real_start(thread)
