"""From launch to a visible window, and to the first complete result, against bare scripts that do the same."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from benchmarks.compare import Comparison

STARTED = "BENCHMARK_STARTED_NS"

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
print((time.monotonic_ns() - int(os.environ["BENCHMARK_STARTED_NS"])) / 1e9)
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
print((time.monotonic_ns() - int(os.environ["BENCHMARK_STARTED_NS"])) / 1e9)
"""

OURS = """
import os, sys, time
from explorer import app

started = int(os.environ["BENCHMARK_STARTED_NS"])
add_plots, connect = app.add_plots, app.connect

def at_first_paint(window, session, desk):
    assert window.windowHandle().isExposed()
    print((time.monotonic_ns() - started) / 1e9)
    add_plots(window, session, desk)

def connected(window, session, client, desk):
    connect(window, session, client, desk)
    def on_snapshot(snapshot):
        # Everything that the bare script computes, and keys and findings; the raw draws come after it.
        if all(report.pictures for report in snapshot.reports):
            assert snapshot.reports[0].findings
            session.snapshot_changed.disconnect(on_snapshot)
            print((time.monotonic_ns() - started) / 1e9)
            window.close()
    session.snapshot_changed.connect(on_snapshot)

app.add_plots, app.connect = at_first_paint, connected
sys.exit(app.main("one_key_for_the_batch"))
"""


def compare(rounds: int) -> list[Comparison]:
    """Return both comparisons; every launch is a fresh process, the files warm in the system's cache."""
    ours_window, ours_result, bare_window, bare_result = [], [], [], []
    for _ in range(rounds + 1):
        window_s, result_s = _launch(OURS)
        ours_window.append(window_s)
        ours_result.append(result_s)
        bare_window += _launch(BARE_WINDOW)
        bare_result += _launch(BARE_RESULT)
    # The first round only warms the file cache.
    return [
        Comparison("launch to a visible window / bare PySide6 + pyqtgraph", ours_window[1:], bare_window[1:], 1.3),
        Comparison("launch to the headline's first result / bare script", ours_result[1:], bare_result[1:], 1.3),
    ]


def _launch(script: str) -> list[float]:
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, STARTED: str(time.monotonic_ns())}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=120
    )
    return [float(line) for line in done.stdout.split()]
