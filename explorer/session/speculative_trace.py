"""The program text of half-typed code: requested at each key, shown after a short pause in typing."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer.messages import TOP_LEVEL, Programs, Request, RunRequest
from explorer.session.questions import Query

SETTLE_MS = 40
"""Milliseconds of the pause. A held key repeats every 33 ms, and nothing is shown between its repeats."""


class SpeculativeTrace(QObject):
    """Traces while the user may still be typing. All else, mistakes too, waits for a longer pause.

    It pauses where the last run of the code did not answer within `pause_s`: the next run would only cancel a slow
    trace, and a program that ends its process would do so twice.

    Signals:
        ready: Programs of those variants that can be traced.
        failed: no variant of the code can be traced.
    """

    ready = Signal(object)
    failed = Signal()

    def __init__(
        self, submit: Callable[[RunRequest], None], pause_s: float, clock: Callable[[], float], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._submit, self._pause_s, self._clock = submit, pause_s, clock
        self._query: Query[Request, Programs] = Query()
        self._received: Programs | None = None
        self._run_asked_s, self._run_answered_s = 0.0, math.inf
        """The clock when everything was last requested, and when the first answer arrived."""
        self._settling = QTimer(self, singleShot=True, interval=SETTLE_MS, timerType=Qt.TimerType.PreciseTimer)
        self._settling.timeout.connect(self._tell)

    def ask(self, request: Request) -> None:
        """Request the programs of `request` without blocking; its code may change again at once."""
        self.forget()
        is_quick = self._run_answered_s - self._run_asked_s < self._pause_s
        if is_quick and request.form == "jaxpr" and TOP_LEVEL not in request.variants:
            # Tracing is Python, which can be interrupted at any time; a compiler cannot.
            self._query.asked = msgspec.structs.replace(request, texts_only=True)
            self._settling.start()
            self._submit(self._query.asked)

    @property
    def is_tracing(self) -> bool:
        return self._query.asked is not None

    def forget(self) -> None:
        """Drop the pending answer."""
        self._query.asked = self._received = None
        self._settling.stop()

    def take(self, message: Programs) -> None:
        """Take the answer to the last request."""
        if self._query.answered(message.run) is None:
            return
        self._query.asked = None
        if message.programs:
            self._received = message
            self._tell()
        else:
            self.failed.emit()

    def run_begins(self) -> None:
        """Note that everything was requested."""
        self.forget()
        self._run_asked_s, self._run_answered_s = self._clock(), math.inf

    def run_answered(self) -> None:
        self._run_answered_s = min(self._run_answered_s, self._clock())

    def _tell(self) -> None:
        if self._received is not None and not self._settling.isActive():
            received, self._received = self._received, None
            self.ready.emit(received)
