"""Whether the window disturbs its timing runs: medians while it draws, next to an idle window and a bare process."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from typing import Any

from benchmarks.compare import Comparison
from explorer.messages import Measurement

SOURCE = """
import jax
import jax.numpy as jnp

def inputs(n=4096):
    return {"x": jnp.linspace(0.0, 1.0, n)}

def chain(x):
    for _ in range(8):
        x = jnp.tanh(x) * 1.01
    return x
"""
BARE = (
    SOURCE
    + """
import statistics, time
call, x = jax.jit(chain), inputs()["x"]
jax.block_until_ready(call(x))

def block(calls):
    start = time.perf_counter()
    for _ in range(calls):
        jax.block_until_ready(call(x))
    return (time.perf_counter() - start) / calls

calls = max(1, round(2e-3 / block(20)))
print(statistics.median(block(calls) for _ in range(200)))
"""
)
BUDGET_S = 1.0
FRAME_MS = 16


def compare(repeats: int) -> list[Comparison]:
    """Return medians of one jitted function: drawing and idle in the same worker in turns; then a bare process.

    First calls too, from empty caches, while the window draws as it does: a compilation uses every core.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer import app
    from explorer.library.settings import Settings

    application = app.make_application(Settings())
    ours = _Ours(application)
    ours.time(drawing="")
    idle, shown, animated, bare = [], [], [], []
    for _ in range(repeats):
        idle.append(ours.time(drawing=""))
        shown.append(ours.time(drawing="as it is"))
        animated.append(ours.time(drawing="60 Hz"))
        bare.append(float(subprocess.check_output([sys.executable, "-c", BARE], text=True)))
    ours.close()
    return [
        Comparison("a call timed: window draws as it does / idle", *_calls(shown, idle), 1.03),
        Comparison("a call timed: window redraws at 60 Hz / idle", *_calls(animated, idle), 1.03),
        Comparison("a call timed: window idle / in a bare process", *_calls(idle), bare, 1.1),
        Comparison("a first call: window draws as it does / idle", *_first_calls(shown, idle), 1.1),
    ]


def _calls(*runs: list[Measurement]) -> list[list[float]]:
    return [[each.median_s or math.nan for each in run] for run in runs]


def _first_calls(*runs: list[Measurement]) -> list[list[float]]:
    return [[each.first_call_s or math.nan for each in run] for run in runs]


class _Ours:
    """A worker and a timing pane that can be made to draw."""

    def __init__(self, application: Any) -> None:
        from PySide6.QtCore import QTimer

        from explorer.link.client import WorkerClient
        from views.timing.timing_view import TimingView

        self._application = application
        self._runs = 0
        self._messages: list[Any] = []
        self._shows = False
        self._view = TimingView()
        self._view.resize(1000, 700)
        self._view.show()
        self._frames = QTimer(self._view, interval=FRAME_MS)
        self._frames.timeout.connect(self._draw)
        self._client = WorkerClient(spare=False)
        self._client.message_received.connect(self._take)
        self._client.start()

    def time(self, *, drawing: str) -> Measurement:
        """Return the measurement of one run while the window is idle, draws as usual, or redraws at 60 Hz."""
        from explorer.messages import TimingDone, TimingRequest

        self._runs += 1
        self._messages = []
        self._shows = bool(drawing)
        request = TimingRequest(
            self._runs, SOURCE, "bench.py", variants=("chain",), transforms=("jit",), budget_s=BUDGET_S
        )
        if drawing == "60 Hz":
            self._frames.start()
        self._client.submit(request)
        while not any(isinstance(each, TimingDone) for each in self._messages):
            self._application.processEvents()
            # Waiting in a loop would take the other core from what is timed.
            self._application.thread().msleep(1)
        self._frames.stop()
        return next(each for each in reversed(self._messages) if isinstance(each, Measurement) and each.final)

    def close(self) -> None:
        self._client.close()
        self._view.close()

    def _take(self, message: Any) -> None:
        self._messages.append(message)
        if self._shows and isinstance(message, Measurement):
            self._view.show_measurements((message,))

    def _draw(self) -> None:
        self._view.show_measurements(tuple(each for each in self._messages[-1:] if isinstance(each, Measurement)))
        self._view.show_timing_state("")
        self._view.repaint()
