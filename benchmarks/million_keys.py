"""A million keys, from the worker to the screen: ``python -m benchmarks.million_keys``."""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import Any

SOURCE = """
import jax

def inputs(n={n}):
    return dict(key=jax.random.key(0), n=n)

def fan(key, n):
    return jax.vmap(jax.random.normal)(jax.random.split(key, n))
"""


def main() -> None:
    """Print a line for each number of keys; time and memory must grow with it, not faster."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(f"{'keys':>10} {'to screen':>10} {'again':>8} {'worker':>9} {'window':>9} {'pan, median':>12}")
    for n in (1_000, 10_000, 100_000, 1_000_000):
        if (child := os.fork()) == 0:
            _measure(n)
            sys.stdout.flush()
            os._exit(0)
        os.waitpid(child, 0)


def _measure(n: int) -> None:
    from explorer import app
    from explorer.library.settings import Settings
    from explorer.link.pipe import WorkerPipe
    from explorer.messages import Request, Snapshot
    from views import theme
    from views.keys.key_view import KeyView

    application = app.make_application(Settings())
    view = KeyView()
    theme.apply_to_tree(view, theme.LIGHT)
    view.resize(900, 600)
    view.show()
    seconds = []
    with WorkerPipe() as worker:
        worker.hello()
        for run in (1, 2):
            started = time.perf_counter()
            for message in worker.ask(Request(run, SOURCE.format(n=n), "<fan>", variants=("fan",))):
                if isinstance(message, Snapshot) and message.complete:
                    assert message.reports[0].keys is not None
                    assert message.reports[0].keys.nodes == n + 1
                    view.show_snapshot(message)
                    application.processEvents()
            seconds.append(time.perf_counter() - started)
        worker_mb = _peak_mb(worker._process.pid)
    window_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    frames = _pan(view, application)
    first_s, again_s = seconds
    print(
        f"{n:10,} {first_s:8.2f} s {again_s:6.2f} s {worker_mb:6.0f} MB {window_mb:6.0f} MB"
        f" {1e3 * statistics.median(frames):9.1f} ms"
    )
    view.close()


def _pan(view: Any, application: Any) -> list[float]:
    """Return the seconds of forced repaints while the picture is zoomed and panned by keys."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from views.keys.canvas import KeyCanvas

    canvas = view.findChild(KeyCanvas)
    frames = []
    for key in [Qt.Key.Key_Plus, Qt.Key.Key_Right] * 15 + [Qt.Key.Key_Minus, Qt.Key.Key_Left] * 15:
        started = time.perf_counter()
        QTest.keyClick(canvas, key)
        canvas.repaint()
        frames.append(time.perf_counter() - started)
        application.processEvents()
    return frames


def _peak_mb(process_id: int) -> float:
    """Return the most memory that a process had resident, in MB; Linux only."""
    status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii")
    (line,) = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main()
