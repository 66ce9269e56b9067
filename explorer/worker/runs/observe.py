"""Observation of the shown run of a variant beyond its keys, and hidden runs for checks that would change it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from explorer.messages import TOP_LEVEL, Finding, FunctionTraces
from explorer.worker.checks import by_kind
from explorer.worker.checks.tracing import recompiles
from explorer.worker.checks.tracing.inspection import Inspection, may_tell
from explorer.worker.checks.tracing.live_inspection import LiveInspection
from explorer.worker.checks.values import findings, watch
from explorer.worker.code import transformed
from explorer.worker.code.user_code import LoadedProgram
from explorer.worker.internals.guard import Guard
from explorer.worker.program import retraces


class Watch(Protocol):
    """Detector of one kind of finding in one run."""

    def watching(self) -> AbstractContextManager[Guard]:
        """Watch the block. Its exceptions go to the guard and not to the program."""

    def findings(self) -> Iterable[Finding]:
        """Return the findings of the block."""


MODULES: tuple[Any, ...] = tuple(
    importlib.import_module(f"{by_kind.__name__}.{each.name}") for each in pkgutil.iter_modules(by_kind.__path__)
)
"""Imported eagerly: each run of a program is a process of its own."""


class Watches:
    """One detector of each kind for one run, which may have several stretches; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._all: list[Watch] = [each.Watch(is_user_code) for each in MODULES]
        self._guards: list[Guard] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the block with all detectors."""
        with ExitStack() as stack:
            self._guards += [stack.enter_context(each.watching()) for each in self._all]
            yield

    @property
    def error(self) -> BaseException | None:
        """Return the error of the first detector that failed, or None."""
        return next((each.error for each in self._guards if each.error is not None), None)

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of all detectors."""
        return tuple(finding for each in self._all for finding in each.findings())


class Observed(NamedTuple):
    """The traces and findings of one run."""

    traces: tuple[FunctionTraces, ...]
    """The traces by jit."""
    findings: tuple[Finding, ...]
    changes: tuple[Finding, ...]
    """Findings on changes of state that need no second trace: fewer than those of `inspected`."""


class Observer:
    """Observer of a run in one stretch or several; `is_user_code` decides by file name."""

    def __init__(self, is_user_code: Callable[[str], bool]) -> None:
        self._is_user_code = is_user_code
        self._meter = retraces.CompilationMeter(is_user_code)
        self._watches = Watches(is_user_code)
        self._changes = LiveInspection(is_user_code)

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Watch a program that is loaded in the block. A top level runs by that."""
        with self._changes.watching(), self._watches.watching(), self._meter.watching():
            yield

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Watch a variant of the loaded program that is called in the block: only its own traces count."""
        self._meter = retraces.CompilationMeter(self._is_user_code)
        with self.loading():
            yield

    @property
    def has_failed(self) -> bool:
        """Whether a watch raised an error of our own, and stopped."""
        errors = self._meter.guard.error, self._watches.error, self._changes.guard.error
        return any(each is not None for each in errors)

    def seen(self, program: ModuleType) -> Observed:
        """Return the observations in the run of `program`, whose names may hold tracers now."""
        counted = self._meter.traces()
        found = (*recompiles.find(counted, self._meter.bodies()), *self._watches.findings())
        return Observed(counted, found, self._changes.findings(program))


def inspected(program: LoadedProgram, variant: str) -> tuple[Finding, ...]:
    """Return the findings on changes of state while `variant` is traced. Raises the exceptions of the program.

    The program is loaded anew, with instrumented code, and runs without a recording. Not the shown run: functions that
    change something are traced again, which carries their effects out again.
    """
    inspection = Inspection(program.is_user_code)
    with inspection.watching():
        anew = program.anew(inspection.compiled)
        if variant != TOP_LEVEL:
            transformed.outputs(anew, variant)
    return inspection.findings()


def may_change_state(program: LoadedProgram) -> bool:
    """Return whether `program` may change something, or read what changes, while JAX traces it."""
    return may_tell(program.source, program.filename, traced=bool(program.transforms.applied))


def checked(program: LoadedProgram, variant: str) -> tuple[tuple[Finding, ...], bool]:
    """Return the findings on the values of `variant`, and whether all operations could be checked.

    The variant is loaded anew. Raises its exceptions. Not the shown run: it computes operation by operation, so that
    the last bits may differ.
    """
    with watch.watched(program.is_user_code) as log:
        # A top level loads itself anew.
        loaded = program if variant == TOP_LEVEL else program.anew()
        outputs = transformed.outputs(loaded, variant)
        (log.finish if variant == TOP_LEVEL else log.comes_out)(outputs)
    return findings.value_findings(log), log.saw_all
