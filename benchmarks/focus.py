"""From a choice of the focus to every view painted: 2000 equations, 100,000 keys, a heatmap of 1024 x 1024."""

from __future__ import annotations

import os
import time
from typing import Any

from benchmarks.compare import Comparison
from benchmarks.own_program import own_program

FRAME_S = 0.016
HEAD = """\
import jax

def inputs(n=1024):
    return dict(key=jax.random.key(0), n=n)

def big(key, n):
    rows = jax.vmap(lambda each: jax.random.normal(each, (n,)))(jax.random.split(key, n))
    many = jax.vmap(jax.random.normal)(jax.random.split(jax.random.fold_in(key, 1), 100_000))
    s = many.sum()
"""
LOOP = """\
    for _ in range(1000):
        s = s * 1.01
    return rows + s
"""
FIRST_LINE, LINES = 10, 1000
"""The lines of the program that are one equation each; the loop under them is as many on one line."""


def compare(repeats: int) -> list[Comparison]:
    """Choose one thing after another in the whole window, and wait each time until all of it is painted."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    whole = _Window(HEAD + "    s = s + 1.0\n" * LINES + LOOP)
    try:
        taken = whole.measure(repeats)
        taken = {"any of these": [each for seconds in taken.values() for each in seconds], **taken}
        return [
            Comparison(f"focus on {what} to all painted / 16 ms", seconds, [FRAME_S] * len(seconds), 1.0)
            for what, seconds in taken.items()
        ]
    finally:
        whole.close()


class _Window:
    """The real window with its real worker, after one run of `source`."""

    def __init__(self, source: str) -> None:
        from explorer import app
        from explorer.library import settings
        from explorer.link.client import WorkerClient
        from explorer.session.session import Session
        from explorer.session.workspace import Workspace
        from explorer.window import connections
        from explorer.window.commands import Desk
        from views.window.main_window import MainWindow

        self._application = app.make_application(settings.Settings())
        self._client = WorkerClient(spare=False)
        self._session = Session(self._client, Workspace(time_automatically=False, keeps_drafts=False))
        self._window = MainWindow()
        desk = Desk(self._application, self._window, self._session, settings.Settings(), keeps_settings=False)
        connections.connect(self._window, self._session, self._client, desk)
        connections.add_plots(self._window, self._session, desk)
        self._window.resize(1920, 1080)
        self._window.show()
        desk.take_up(own_program("big", source))
        self._wait(lambda: not self._session.busy and not self._session.stale)
        for number, pane in enumerate(self._window.area.panes, 1):
            if not pane.isVisible():
                desk.on_command(f"pane_{number}")
        self._application.processEvents()
        assert all(pane.isVisible() and not pane.is_covered for pane in self._window.area.panes)

    def measure(self, repeats: int) -> dict[str, list[float]]:
        """Return the seconds of each change of the focus, by the kind of selected thing."""
        places = self._places()
        taken: dict[str, list[float]] = {what: [] for what in places}
        for turn in range(repeats + 1):
            for what, choices in places.items():
                # Never the same twice in a row: that would be no change.
                seconds = self._choose(choices[turn % len(choices)])
                if turn:
                    taken[what].append(seconds)
        return taken

    def _places(self) -> dict[str, list[Any]]:
        from explorer.messages import Focus

        snapshot = self._session.snapshot
        assert snapshot is not None
        (report,) = snapshot.reports
        assert report.program is not None
        assert report.keys is not None
        assert report.keys.nodes > 100_000
        lines = [FIRST_LINE + step for step in (3, 500, 900)]
        chosen = [place for place, each in enumerate(report.program.equations) if each.span and each.span.line in lines]
        return {
            "a line": [Focus("line", line) for line in lines],
            "a line of 1000 equations": [Focus("line", FIRST_LINE + LINES + 1)],
            "an equation": [Focus("equation", place, "big") for place in chosen],
            "a key": [Focus("key", place, "big") for place in (7, 50_000, 99_000)],
            "a draw": [Focus("draw", place, "big") for place in (9, 40_000, 90_000)],
            "a row": [Focus("row", place, "big") for place in (0, 500, 1000)],
            "a timing point": [Focus("timing", 0, "big", ("jit",))],
        }

    def _choose(self, focus: Any) -> float:
        started = time.perf_counter()
        self._session.choose_focus(focus)
        self._application.processEvents()
        return time.perf_counter() - started

    def close(self) -> None:
        self._window.close()
        self._client.close()

    def _wait(self, ready: Any) -> None:
        from PySide6.QtCore import QEventLoop

        while not ready():
            self._application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        self._application.processEvents()
