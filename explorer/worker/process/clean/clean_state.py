"""Process state of each run: changes by one program are undone before the next, or its process is used up."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import msgspec
import numpy as np

from explorer import OUR_NAME
from explorer.link import family
from explorer.text.text import Text, say
from explorer.worker.code import own_modules
from explorer.worker.process import process_state, user_modules
from explorer.worker.process.clean import side_effects
from explorer.worker.process.clean.patches import KnownContents, Patches, may_patch, may_reach_memory
from explorer.worker.process.process_state import ProcessSettings
from explorer.worker.process.recursion import enough_depth
from explorer.worker.recording.interrupt import Interrupt

RUINED = say(
    "The program changed functions or modules that everything in its process needs, including those of Python, so "
    "its behaviour is not known."
)
CHANGED = say("something was changed that is not changed back")
THREAD = say("a thread is still running")
CHILD = say("a process that it started is still there")
FILES = say("files are still open")
FEW_FILES = 16
"""Libraries may open this many files themselves."""


class ProcessState(msgspec.Struct, frozen=True):
    """All reversible process state that a program may change."""

    settings: ProcessSettings
    patches: Patches
    modules: dict[str, ModuleType]
    """The user's own modules."""
    stand_ins: dict[str, ModuleType | None]
    """Replacements of modules that were loaded before any program."""

    @classmethod
    def now(cls) -> ProcessState:
        """Return the state of the process."""
        return cls(ProcessSettings.now(), _Process.patches(), user_modules.now(), user_modules.replaced())

    def restore(self) -> None:
        """Restore this state; failures are recorded."""
        there = _Process.patches()
        _Process.patched = _Process.patched or there.keys() != self.patches.keys()
        done = _Process.known.put(self.patches, there)
        _Process.last = self.patches
        user_modules.put(self.modules, self.stand_ins)
        if self.settings.restore() or not done:
            _Process.left = _Process.left or CHANGED


class _Process:
    known = KnownContents()
    last: ClassVar[Patches] = {}
    """The patches at the last check."""
    watched = True
    """Whether the program may have made more since: a check takes several milliseconds."""
    clean: ProcessState | None = None
    """The state at the start of a program; None between programs."""
    patched = False
    """Whether the last program changed foreign modules."""
    left = Text()
    """Reason why no further program should run here, as a catalogue text."""

    @classmethod
    def patches(cls) -> Patches:
        if cls.watched:
            cls.last = cls.known.patches()
        return cls.last


def get_ready() -> None:
    """Record the original state, so that the first program need not wait for it."""
    _Process.known.learn()


@contextmanager
def place_for(source: str, clean: ProcessState | None = None, *, only_typed: bool = False) -> Iterator[ProcessState]:
    """Start the program `source` in the block with a clean process state, and undo its changes at the end.

    The state is that before the first program, with new random numbers; or `clean`, which is yielded. A nested program
    starts as the outer one did. With `only_typed`, the code decides whether a search for changes in foreign modules is
    worthwhile: it should cost next to nothing.
    """
    living = LiveResources.now()
    _Process.known.learn()
    _Process.patched = False
    around = _Process.clean, _Process.watched
    _Process.watched, patches = False, may_patch(source)
    with own_modules.put_aside():
        before = ProcessState.now()
        try:
            clean = clean or _Process.clean
            if clean is not None:
                clean.restore()
            else:
                # As a new process does.
                random.seed()
                np.random.seed()
                clean = ProcessState.now()
            _Process.clean, _Process.watched = clean, patches
            yield clean
        finally:
            try:
                own_modules.end()
                side_effects.flush_written()
                _Process.known.learn()
                _Process.watched = patches or not only_typed
                before.restore()
                changed = may_reach_memory(source) or _Process.known.came_changed
                _Process.left = _Process.left or living.since() or (CHANGED if changed else Text())
            except Interrupt:
                raise
            except Exception as error:
                # The program changed something essential; its earlier results are reported all the same.
                _Process.left = CHANGED
                _Process.patched |= not issubclass(type(error), RecursionError)
            _Process.clean, _Process.watched = around


@contextmanager
def state_restored() -> Iterator[None]:
    """Start the block in the current program's initial state, with its random numbers, and undo its changes."""
    if _Process.clean is None:
        with place_for(""):
            yield
        return
    with own_modules.put_aside():
        before = ProcessState.now()
        try:
            _Process.clean.restore()
            yield
        finally:
            own_modules.end()
            before.restore()


@contextmanager
def telling() -> Iterator[None]:
    """Hide the program's changes of foreign modules in the block, and restore them afterwards."""
    stand_ins, there = user_modules.replaced(), _Process.last
    if stand_ins:
        user_modules.put({name: each for name, each in user_modules.now().items() if name not in stand_ins}, {})
    if _Process.watched:
        there = _Process.known.patches()
        _Process.known.put(_Process.clean.patches if _Process.clean is not None else {}, there)
    try:
        with enough_depth():
            yield
    finally:
        if _Process.watched:
            _Process.known.put(there, _Process.known.patches())
        if stand_ins:
            user_modules.put(user_modules.now(), stand_ins)


def start_again() -> None:
    """Restore the initial state for another run of the same program."""
    own_modules.end()
    assert _Process.clean is not None
    _Process.clean.restore()


def has_patched() -> bool:
    """Return whether the last program changed foreign modules, which our own code may need."""
    return _Process.patched


def use_up() -> None:
    """Let no further program run here."""
    _Process.left = CHANGED


def use_up_after(error: BaseException) -> None:
    """Let no further program run here if `error` may have come from C code that never gives its depth back."""
    if issubclass(type(error), RecursionError):
        use_up()


def left_behind() -> Text:
    """Return the irreversible changes by programs in this process; empty for none."""
    return _Process.left


# -- leftovers --------------------------------------------------------------------------------


class LiveResources(msgspec.Struct, frozen=True):
    """Threads, child processes and other resources at one moment, and the settings that are not put back."""

    threads: frozenset[threading.Thread]
    has_children: bool
    files: int
    """Number of open files."""
    settings: list[object]

    @classmethod
    def now(cls) -> LiveResources:
        """Return the current state."""
        there = frozenset(each for each in threading.enumerate() if not _is_ours(each))
        return cls(there, _has_children() or family.has_orphans(), _open_files(), process_state.others())

    def since(self) -> Text:
        """Return the resources that are new since then, as a catalogue text; empty for none."""
        now = LiveResources.now()
        if any(each.is_alive() for each in now.threads - self.threads):
            return THREAD
        if now.has_children and not self.has_children:
            return CHILD
        if now.files > self.files + FEW_FILES:
            return FILES
        return Text() if process_state.same(now.settings, self.settings) else CHANGED


def _open_files() -> int:
    """Return the number of open files of this process; 0 if unknown."""
    with suppress(OSError):
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    return 0


def _is_ours(thread: threading.Thread) -> bool:
    # Threads not started by Python belong to XLA.
    if isinstance(thread, threading._DummyThread) or thread in side_effects.daemons_of_libraries:
        return True
    called: tuple[Callable[..., Any] | None, ...] = (
        getattr(thread, "_target", None),
        getattr(thread, "function", None),
    )
    return any(str(getattr(each, "__module__", "")).startswith(f"{OUR_NAME}.") for each in called)


def _has_children() -> bool:
    """Return whether this process has children, including ended ones that were not waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
