"""The program text of code that is still being typed: asked for at each key, shown once no other key has come."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.messages import TOP_LEVEL, Program, Programs, Request, RunRequest

SETTLE_MS = 40
"""A key that is held down comes again after 33 ms; nothing is shown for letters that are followed so soon."""


class Ahead(QObject):
    """Traces while the person may be typing on. Everything else, mistakes too, waits for a longer pause.

    It pauses where the last run of the code did not answer within `pause_s`: what is slow would only be cancelled by
    the run that comes then, and a program that ends its process would do so twice.

    Signals:
        ready: the newer programs of those variants that can be traced, by variant.
        failed: nothing of the code can be traced as it stands.
    """

    ready = Signal(object)
    failed = Signal()

    def __init__(self, submit: Callable[[RunRequest], None], pause_s: float, parent: QObject) -> None:
        super().__init__(parent)
        self._submit, self._pause_s = submit, pause_s
        self._run = 0
        """Number of the request whose answer is wanted, 0 for none."""
        self._came: Mapping[str, Program] = {}
        self._awaited = 0
        """Number of the last request for everything, 0 once it was answered."""
        self._asked_s = 0.0
        self._was_quick = False
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS, timerType=Qt.TimerType.PreciseTimer)
        self._settling.timeout.connect(self._tell)

    def ask(self, request: Request) -> None:
        """Ask for the programs of `request`, whose code may change again at once; without waiting for the worker."""
        self.forget()
        if self._was_quick and request.form == "jaxpr" and TOP_LEVEL not in request.variants:
            # Tracing is Python, which can be interrupted at any time; a compiler cannot.
            self._run = request.run
            self._settling.start()
            self._submit(msgspec.structs.replace(request, texts_only=True))

    def forget(self) -> None:
        """Show nothing of what was asked for."""
        self._run, self._came = 0, {}
        self._settling.stop()

    def take(self, message: Programs) -> None:
        """Take over what was asked for last."""
        if message.run == self._run:
            self._came = message.programs
            self._tell()
            if not message.programs:
                self.failed.emit()

    def run_begins(self, run: int) -> None:
        """Note that everything was asked for, as number `run`."""
        self.forget()
        self._awaited, self._asked_s, self._was_quick = run, time.monotonic(), False

    def run_answered(self, run: int, *, worker_lives: bool = True) -> None:
        """Note that the first answer to request number `run` is there."""
        if run == self._awaited:
            self._awaited = 0
            self._was_quick = worker_lives and time.monotonic() - self._asked_s < self._pause_s

    def _tell(self) -> None:
        if self._came and not self._settling.isActive():
            came, self._came = self._came, {}
            self.ready.emit(came)
