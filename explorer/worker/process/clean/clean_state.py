"""A place of its own for each run of a program: nothing that one leaves behind is there for the next."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import ClassVar

import numpy as np

from explorer.text.text import Text
from explorer.worker.code import own_modules
from explorer.worker.process import user_modules, vital
from explorer.worker.process.clean import leftovers, outside
from explorer.worker.process.clean.patches import Known, Patches, may_patch, may_reach_memory
from explorer.worker.process.settings_kept import ProcessSettings
from explorer.worker.recording.interrupt import Interrupt


@dataclass(frozen=True)
class ProcessState:
    """All that a program may change in its process and that can be put back."""

    settings: ProcessSettings
    patches: Patches
    modules: dict[str, ModuleType]
    """Of the user's own."""
    stand_ins: dict[str, ModuleType | None]
    """Instead of modules that were there before any program."""

    @classmethod
    def now(cls) -> ProcessState:
        """Return the state of the process."""
        return cls(ProcessSettings.now(), _Process.patches(), user_modules.now(), user_modules.replaced())

    def restore(self) -> None:
        """Bring the process into this state again; what cannot be is taken down."""
        there = _Process.patches()
        _Process.patched = _Process.patched or there.keys() != self.patches.keys()
        done = _Process.known.put(self.patches, there)
        _Process.last = self.patches
        user_modules.put(self.modules, self.stand_ins)
        if self.settings.restore() or not done:
            _Process.left = _Process.left or leftovers.CHANGED


class _Process:
    known = Known()
    last: ClassVar[Patches] = {}
    """The patches that there were when it was last looked."""
    watched = True
    """Whether the program may have made any since: to look takes several milliseconds."""
    clean: ProcessState | None = None
    """As it is when a program begins; None while there is none."""
    patched = False
    """Whether the newest program has changed modules of others."""
    left = Text()
    """Why no further program should run here, in words to be looked up."""

    @classmethod
    def patches(cls) -> Patches:
        if cls.watched:
            cls.last = cls.known.patches()
        return cls.last


def get_ready() -> None:
    """Look at everything that a program may change, so that the first one need not wait for that."""
    _Process.known.learn()


@contextmanager
def place_for(source: str, clean: ProcessState | None = None, *, only_typed: bool = False) -> Iterator[ProcessState]:
    """Let the program `source` begin in the block with a clean process, and leave none of what it does to it behind.

    The process is as it was before the first program but for its random numbers, which are others each time; or in the
    state `clean`, which is yielded. A program inside another begins as that did. Of what is `only_typed` the code tells
    whether it is worth looking for what it has changed in the modules of others: it should cost next to nothing.
    """
    living = leftovers.Living.now()
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
                _seed()
                clean = ProcessState.now()
            _Process.clean, _Process.watched = clean, patches
            yield clean
        finally:
            try:
                _leave(before, living, watched=patches or not only_typed)
                if may_reach_memory(source):
                    _Process.left = _Process.left or leftovers.CHANGED
            except Interrupt:
                raise
            except vital.ANYTHING:
                # It has changed what the rest stands on; what it did before is reported all the same.
                vital.put_back()
                _Process.left = leftovers.CHANGED
            _Process.clean, _Process.watched = around


def _leave(before: ProcessState, living: leftovers.Living, *, watched: bool) -> None:
    own_modules.end()
    outside.flush_written()
    _Process.known.learn()
    _Process.watched = watched
    before.restore()
    if vital.put_ours_back():
        _Process.left = leftovers.CHANGED
    _Process.left = _Process.left or living.since() or _changed()


@contextmanager
def state_restored() -> Iterator[None]:
    """Let the block begin in the middle of a program as that did, with the same random numbers, and leave no trace."""
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
    """Let the block tell of a program without what that has changed in the modules of others; then let it go on so."""
    if not _Process.watched and not vital.differs():
        with vital.room():
            yield
        return
    with vital.room(), vital.aside():
        there, before = _Process.known.patches(), _Process.last
        clean = _Process.clean.patches if _Process.clean is not None else {}
        _Process.known.put(clean, there)
        try:
            yield
        finally:
            _Process.known.put(there, clean)
            _Process.last = before


def start_again() -> None:
    """Make the process clean for another run in the same place."""
    own_modules.end()
    assert _Process.clean is not None
    _Process.clean.restore()


def has_patched() -> bool:
    """Return whether the newest program has changed modules of others, which ours may have needed."""
    return _Process.patched


def left_behind() -> Text:
    """Return what programs have left in this process that cannot be put back; empty for nothing."""
    return _Process.left


def _changed() -> Text:
    return leftovers.CHANGED if _Process.known.came_changed else Text()


def _seed() -> None:
    """Begin other random numbers, as a new process does."""
    random.seed()
    np.random.seed()
