"""The program text of code that is still being typed: asked for at each key, shown once no other key has come."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.messages import TOP_LEVEL, Programs, Request, RunRequest
from explorer.session.query import Query

SETTLE_MS = 40
"""A key that is held down comes again after 33 ms; nothing is shown for letters that are followed so soon."""


class SpeculativeTrace(QObject):
    """Traces while the user may still be typing. All else, mistakes too, waits for a longer pause.

    It pauses where the last run of the code did not answer within `pause_s`: what is slow would only be cancelled by
    the run that comes then, and a program that ends its process would do so twice.

    Signals:
        ready: Programs of those variants that can be traced.
        failed: nothing of the code can be traced as it stands.
    """

    ready = Signal(object)
    failed = Signal()

    def __init__(
        self, submit: Callable[[RunRequest], None], pause_s: float, clock: Callable[[], float], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._submit, self._pause_s, self._clock = submit, pause_s, clock
        self._query: Query[Request, Programs] = Query()
        self._came: Programs | None = None
        self._run_asked_s, self._run_answered_s = 0.0, math.inf
        """When everything was asked for last, and when the first answer to that came."""
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS, timerType=Qt.TimerType.PreciseTimer)
        self._settling.timeout.connect(self._tell)

    def ask(self, request: Request) -> None:
        """Ask for the programs of `request`, whose code may change again at once; without waiting for the worker."""
        self.forget()
        is_quick = self._run_answered_s - self._run_asked_s < self._pause_s
        if is_quick and request.form == "jaxpr" and TOP_LEVEL not in request.variants:
            # Tracing is Python, which can be interrupted at any time; a compiler cannot.
            self._query.asked = msgspec.structs.replace(request, texts_only=True)
            self._settling.start()
            self._submit(self._query.asked)

    def forget(self) -> None:
        """Show nothing of what was asked for."""
        self._query.asked = self._came = None
        self._settling.stop()

    def take(self, message: Programs) -> None:
        """Take over what was asked for last."""
        if self._query.answered(message.run) is None:
            return
        if message.programs:
            self._came = message
            self._tell()
        else:
            self.failed.emit()

    def run_begins(self) -> None:
        """Note that everything was asked for."""
        self.forget()
        self._run_asked_s, self._run_answered_s = self._clock(), math.inf

    def run_answered(self) -> None:
        """Note that an answer to that is there."""
        self._run_answered_s = min(self._run_answered_s, self._clock())

    def _tell(self) -> None:
        if self._came is not None and not self._settling.isActive():
            came, self._came = self._came, None
            self.ready.emit(came)
