"""From the last keystroke to the new jaxpr on screen, the debounce apart, against a warm bare process."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

from benchmarks.compare import Comparison

BARE = """
import sys, time
import jax
for line in sys.stdin:
    source = open(line.strip()).read()
    started = time.perf_counter()
    names = {"__name__": "bare"}
    exec(compile(source, "<bare>", "exec"), names)
    text = str(jax.make_jaxpr(names["shared_key"])(**names["inputs"]()))
    print(time.perf_counter() - started, flush=True)
"""


def compare(rounds: int) -> list[Comparison]:
    """Edit the headline scenario over and over in the real window and wait until the new text stands in its pane."""
    import os
    import tempfile
    from pathlib import Path

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from explorer import library

    scenario = library.open_target("one_key_for_the_batch")
    bare = subprocess.Popen([sys.executable, "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    ours_s, bare_s = [], []
    with tempfile.TemporaryDirectory() as folder, bare:
        window = _Window(scenario)
        for turn in range(rounds + 3):
            # Each edit changes the program, so that its text changes.
            source = scenario.source.replace("example + ", f"example + {turn + 2}.0 * ")
            file = Path(folder) / f"{turn}.py"
            file.write_text(source, encoding="utf-8")
            ours_s.append(window.edit(source, f"{turn + 2}.0"))
            bare_s.append(_ask(bare, str(file)))
        window.close()
        bare.terminate()
    what = "last keystroke to the new jaxpr / exec + make_jaxpr + str"
    return [Comparison(what, ours_s[3:], bare_s[3:], 2.0)]


class _Window:
    """The real window with its real worker, one variant shown."""

    def __init__(self, scenario: Any) -> None:
        from explorer import app, settings
        from explorer.desk import Desk
        from explorer.session import Session
        from explorer.worker_client import WorkerClient
        from views.main_window import MainWindow
        from views.program_view import ProgramView

        self._application = app.make_application(settings.Settings())
        self._client = WorkerClient(spare=False)
        self._session = Session(self._client, time_automatically=False, keeps_drafts=False)
        self._window = MainWindow()
        desk = Desk(self._application, self._window, self._session, settings.Settings(), keeps_settings=False)
        app.connect(self._window, self._session, self._client, desk)
        app.add_plots(self._window, self._session, desk)
        self._window.show()
        desk.take_up(scenario)
        self._session.choose_compare("")
        self._program = self._window.findChild(ProgramView)
        self._wait(lambda: self._session.snapshot is not None)
        self._settle()

    def edit(self, source: str, expected: str) -> float:
        """Type `source` and return the seconds until `expected` is in the text that the pane shows."""
        started = time.perf_counter()
        self._window.code.set_source(source, keep_undo=True)
        self._session.edit(source)
        self._session.run()
        self._wait(lambda: expected in self._program.text())
        self._application.processEvents()
        seconds = time.perf_counter() - started
        self._settle()
        return seconds

    def close(self) -> None:
        self._window.close()
        self._client.close()

    def _settle(self) -> None:
        """Let everything be painted: a person's next keystroke comes later than that."""
        self._wait(lambda: not self._session.busy)
        until = time.perf_counter() + 0.1
        while time.perf_counter() < until:
            self._application.processEvents()

    def _wait(self, ready: Any) -> None:
        # Asleep between events, as the running application is: a busy wait would take the worker's core.
        from PySide6.QtCore import QEventLoop

        while not ready():
            self._application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


def _ask(bare: subprocess.Popen[str], path: str) -> float:
    assert bare.stdin is not None
    assert bare.stdout is not None
    bare.stdin.write(path + "\n")
    bare.stdin.flush()
    return float(bare.stdout.readline())
