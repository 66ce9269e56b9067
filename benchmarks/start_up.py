"""From launch to a visible window, a usable one and the first result, against bare scripts that do the same."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from benchmarks.compare import Comparison

STARTED = "BENCHMARK_STARTED_NS"
LONGEST_HOLD_S = 0.05
"""The most seconds without a reaction to a key while the window creates its parts."""

BARE_WINDOW = """
import os, time
from PySide6.QtWidgets import QApplication
import pyqtgraph
application = QApplication([])
window = pyqtgraph.PlotWidget()
window.resize(1280, 800)
window.show()
application.processEvents()
assert window.windowHandle().isExposed()
print("visible", (time.monotonic_ns() - int(os.environ["BENCHMARK_STARTED_NS"])) / 1e9)
window.close()
"""

# The two variants that the headline scenario opens with: run, their program text, their outputs on the host.
BARE_RESULT = """
import os, time
import jax, jax.numpy as jnp, numpy as np
from scenarios.one_key_for_the_batch import code
for variant in (code.shared_key, code.key_per_example):
    given = code.inputs()
    text = str(jax.make_jaxpr(variant)(**given))
    rows = np.asarray(variant(**given))
    assert len(np.unique(rows, axis=0)) in (1, 32)
print("result", (time.monotonic_ns() - int(os.environ["BENCHMARK_STARTED_NS"])) / 1e9)
"""

OURS = """
import functools, os, sys, time
from PySide6.QtCore import QTimer, Qt
from explorer.window import quick_imports
quick_imports.begin()
from explorer import app

started = int(os.environ["BENCHMARK_STARTED_NS"])
rest, holds, told = app.rest, [], []
TICK_MS, WRITES_MS = 4, 4000

def tell(what):
    print(what, (time.monotonic_ns() - started) / 1e9)
    told.append(what)
    if {"usable", "whole", "result"} <= set(told):
        QTimer.singleShot(0, finish)

def finish():
    ticks.stop()
    print("hold", max(later - earlier for earlier, later in zip(holds, holds[1:])) - TICK_MS / 1000)
    # What was compiled is written once nothing waits for it.
    QTimer.singleShot(WRITES_MS, windows[0].close)

def rest_and_tell(window, session, desk, **chosen):
    assert window.windowHandle().isExposed()
    tell("visible")
    # Imported for the window by now.
    from explorer.window import connections
    connections.plots = functools.partial(plots_and_tell, connections.plots)
    windows.append(window)
    def on_snapshot(snapshot):
        # Everything that the bare script computes, and keys and findings; the raw draws come after it.
        if all(report.pictures for report in snapshot.reports):
            assert snapshot.reports[0].findings
            session.snapshot_changed.disconnect(on_snapshot)
            tell("result")
    session.snapshot_changed.connect(on_snapshot)
    ticks.timeout.connect(lambda: holds.append(time.monotonic()))
    ticks.start(TICK_MS)
    return rest(window, session, desk, **chosen)

def plots_and_tell(plots, window, session, desk, names):
    yield from plots(window, session, desk, names)
    QTimer.singleShot(0, lambda: tell("whole" if "timing" in names else "usable"))

windows, ticks = [], QTimer(timerType=Qt.TimerType.PreciseTimer)
app.rest = rest_and_tell
sys.exit(app.main("one_key_for_the_batch"))
"""


def compare(repeats: int) -> list[Comparison]:
    """Return all comparisons; every launch is a fresh process, files and bytecode warm in the system's cache."""
    ours, anew, bare_window, bare_result = [], [], [], []
    with tempfile.TemporaryDirectory() as bytecode, tempfile.TemporaryDirectory() as compiled:
        for _ in range(repeats + 1):
            ours.append(_launch(OURS, bytecode, compiled))
            with tempfile.TemporaryDirectory() as empty:
                anew.append(_launch(OURS, bytecode, empty)["result"])
            bare_window.append(_launch(BARE_WINDOW, bytecode)["visible"])
            bare_result.append(_launch(BARE_RESULT, bytecode)["result"])
    # The first round only warms the caches.
    of = {name: [each[name] for each in ours[1:]] for name in ours[0]}
    hold = [LONGEST_HOLD_S] * repeats
    return [
        Comparison("launch to a visible window / bare PySide6 + pyqtgraph", of["visible"], bare_window[1:], 1.3),
        Comparison("launch to a usable window / bare PySide6 + pyqtgraph", of["usable"], bare_window[1:], 1.6),
        Comparison("longest hold of the event loop after that / 50 ms", of["hold"], hold, 1.0),
        Comparison("launch to the headline's first result / bare script", of["result"], bare_result[1:], 1.0),
        Comparison("the same where nothing is compiled yet", anew[1:], bare_result[1:], 1.3),
    ]


def _launch(script: str, bytecode: str, compiled: str = "") -> dict[str, float]:
    """Run `script` as an installed program runs, its bytecode and what XLA compiles kept in folders.

    Return the seconds that it prints by name.
    """
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, STARTED: str(time.monotonic_ns())}
    environment |= {"PYTHONPYCACHEPREFIX": bytecode, "PYTHONDONTWRITEBYTECODE": ""}
    environment |= dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA"), compiled)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120
    )
    return {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}
