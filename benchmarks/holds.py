"""Delays of the event loop: a late beat gives the duration, a second thread samples the stack.

A delay is measured as the processor time of its thread: the rest of the time it waited, or other processes ran.

The window itself has one thread and no timer for this: only benchmarks and endurance runs watch it so.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from types import FrameType
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer

BEAT_S = 0.002
LATE_S = 0.006
"""Seconds from which the stack is sampled."""
LOOK_S = 0.003


class Hold(NamedTuple):
    """One delay of the event loop."""

    seconds: float
    busy_s: float
    """How long its thread was computing; in the rest it waited, or others had the processor."""
    stack: tuple[str, ...]
    """The most frequent sampled stack, "file:line function", the innermost first; empty for a short delay."""


class Holds(QObject):
    """Watches the event loop of the thread that makes it, until `stop`."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[Hold] = []
        """Every delay of more than a millisecond."""
        self._watched = threading.get_ident()
        self._seen: list[tuple[str, ...]]
        self.begin()
        self._timer = QTimer(self, interval=round(BEAT_S * 1000), timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)
        self._timer.start()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def take(self) -> list[Hold]:
        """Return the delays since the last call."""
        taken, self.taken = self.taken, []
        return taken

    def begin(self) -> None:
        """Start measuring now: earlier computations do not count."""
        self._beat, self._busy, self._seen = time.perf_counter(), time.thread_time(), []

    def stop(self) -> None:
        self._timer.stop()
        self._ends.set()
        self._thread.join()

    def _on_beat(self) -> None:
        now, busy = time.perf_counter(), time.thread_time()
        seconds = now - self._beat - BEAT_S
        if seconds > 0.001:
            self.taken.append(Hold(seconds, busy - self._busy, most_frequent(self._seen)))
        # What it took to note that is none of the next one.
        self.begin()

    def _look(self) -> None:
        while not self._ends.wait(LOOK_S):
            if time.perf_counter() - self._beat > LATE_S:
                self._seen.append(_places(sys._current_frames().get(self._watched)))


def most_frequent(stacks: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the last of `stacks` inside the most frequent function; empty where there are none."""
    found = Counter(stack[0].split()[-1] for stack in stacks if stack)
    if not found:
        return ()
    function = found.most_common(1)[0][0]
    return next(stack for stack in reversed(stacks) if stack and stack[0].split()[-1] == function)


def longest(taken: list[Hold]) -> Hold:
    """Return the longest of `taken`; one of no time where there is none."""
    return max(taken, key=lambda hold: hold.busy_s, default=Hold(0.0, 0.0, ()))


def summary(taken: list[Hold]) -> str:
    """Return the longest of `taken`, the 99th percentile, and the stack of the longest, in one line."""
    most = longest(taken)
    sizes = sorted(each.busy_s for each in taken) or [0.0]
    p99 = sizes[min(len(sizes) - 1, len(sizes) * 99 // 100)]
    longest_ms = f"longest {1e3 * most.seconds:.0f} ms, {1e3 * most.busy_s:.0f} of them computing"
    return f"{longest_ms}, p99 {1e3 * p99:.0f} ms; {' < '.join(most.stack[:4])}"


def _places(frame: FrameType | None) -> tuple[str, ...]:
    """Return the lines of `frame` and its callers; quickly, because the delay goes on meanwhile."""
    found = []
    while frame is not None:
        code = frame.f_code
        found.append((code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return tuple(f"{file.rsplit('/', 1)[-1]}:{line} {name}" for file, line, name in found)
