"""Runs a program for real and records what it does with random keys."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.worker import internals, reap
from explorer.worker.lineage import Lineage
from explorer.worker.log import Log
from explorer.worker.reap import Reaped, Source, key_event

_OUR_FOLDER = str(Path(__file__).parents[1])


@dataclass
class Recording:
    """What one run did with keys, and how it ended."""

    result: Any = None
    """What the function returned, bit for bit what it returns unrecorded; None if it raised."""
    error: Exception | None = None
    """What it raised. Events up to there are kept."""
    log: Log = field(default_factory=Log)
    is_persons: Callable[[str], bool] = field(default=lambda filename: is_persons_by_default(filename))
    """Which files are the person's code."""
    lineage: Lineage | None = None
    """What ``keys.key_graph`` found out, for ``findings.find``."""


def install() -> None:
    """Patch the few places in JAX that forget what the lineage needs; a second call does nothing."""
    internals.install_patches()


def record(function: Callable[[], Any], *, is_persons: Callable[[str], bool] | None = None) -> Recording:
    """Run `function` for real and return its result with all that it did with keys.

    `is_persons` tells by file name whose code a frame is; by default all that is neither JAX, the standard library
    nor ours is the person's. What the function raises is in the recording, except for KeyboardInterrupt and its like.
    """
    install()
    recording = Recording(is_persons=is_persons or is_persons_by_default)
    hook = _Hook(recording.log, recording.is_persons)
    with internals.dispatched_to(hook):
        try:
            recording.result = function()
        except Exception as error:
            recording.error = error
    return recording


def is_persons_by_default(filename: str) -> bool:
    """Return whether JAX takes `filename` for its user's code and it is not ours."""
    return internals.is_user_file(filename) and not filename.startswith(_OUR_FOLDER)


class _Hook:
    """Carries out the operations of a recorded program, and logs those on keys."""

    def __init__(self, log: Log, is_persons: Callable[[str], bool]) -> None:
        self._log = log
        self._is_persons = is_persons

    def __call__(
        self, primitive: Any, implementation: Callable[..., Any], arguments: tuple[Any, ...], parameters: dict[str, Any]
    ) -> Any:
        arguments = internals.concrete(arguments)
        if primitive.name in internals.KEY_OPERATIONS:
            return self._key_operation(primitive, arguments, parameters)
        if not internals.carries_random(parameters):
            with internals.undispatched():
                return implementation(*arguments, **parameters)
        if primitive.name != "jit":
            # It runs its jaxpr piece by piece, or as a jit, and either passes here again.
            return implementation(*arguments, **parameters)
        return self._jit(implementation, arguments, parameters)

    def _key_operation(self, primitive: Any, arguments: list[Any], parameters: dict[str, Any]) -> Any:
        caller = self._caller()
        with internals.undispatched():
            output = primitive.bind(*arguments, **parameters)
            event, arrays = key_event(primitive.name, parameters, arguments, [output], Source())
        self._log.add([event], caller, [tuple(arrays.values())], 1)
        return output

    def _jit(self, implementation: Callable[..., Any], arguments: list[Any], parameters: dict[str, Any]) -> Any:
        caller = self._caller()
        capacity = reap.FIRST_CAPACITY
        with internals.undispatched():
            reaped = reap.reaped(parameters, capacity)
            outputs, arrays = reaped.call(*arguments)
        self._log.notes |= reaped.notes
        self._log.add(reaped.events, caller, arrays, reaped.length)
        return outputs


    def _caller(self) -> Source:
        traceback, stack = internals.current_source()
        if any(self._is_persons(code.co_filename) for code in traceback.raw_frames()[0]):
            return Source((traceback,), stack)
        # JAX is evaluating an equation that it traced before, and gives the traceback of that.
        return Source((traceback, internals.python_stack()), stack)
