"""Delays of the window's event loop: after a switch of lesson, a resize, and with very long code."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.compare import Comparison

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QObject, QTimer

from benchmarks import holds
from explorer import app
from explorer.library import library, paths, settings
from explorer.link.client import WorkerClient
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from explorer.window.idle_garbage import IdleGarbage
from views.parts.steps import Steps
from views.window.main_window import MainWindow

HOLD_S, FRAME_S = 0.050, 0.016
FROM, TO, STEPS = (1366, 768), (1920, 1080), 20
SETTLE_S = 0.05
END = "def f():\n    return jnp.ones(3)\n"
NO_TIME = 1e-4
"""The seconds that count for a delay of no length, because ratios are taken."""


def compare(repeats: int) -> Iterator[Comparison]:
    """Yield the longest delays of each kind; the first repeats warm up and do not count."""
    with tempfile.TemporaryDirectory() as folder:
        use_own_folders(Path(folder))
        window = WatchedWindow(Path(folder))
        try:
            yield window.switches(max(2, repeats // 4))
            yield from window.resizes()
            yield from window.long_code()
        finally:
            window.close()


def use_own_folders(folder: Path) -> None:
    """Keep drafts and progress out of those of whoever measures."""
    for name in ("settings_file", "drafts_folder", "progress_file", "my_scenarios_folder"):
        place = folder / name
        setattr(paths, name, lambda place=place: place)


class WatchedWindow:
    """The real window with its real worker, and a watch on its event loop."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._application = app.make_application(settings.Settings())
        self._client = WorkerClient(spare=False)
        self._client.start()
        self.session = Session(self._client, Workspace(time_automatically=False))
        self.window = MainWindow()
        self.desk = Desk(self._application, self.window, self.session, settings.Settings(), keeps_settings=False)
        connections.connect(self.window, self.session, self._client, self.desk)
        connections.add_plots(self.window, self.session, self.desk)
        self.window.resize(*FROM)
        self.desk.take_up(library.open_target("one_key_for_the_batch"))
        self.window.show()
        self.desk.files.list_scenarios()
        self._holds = holds.Holds()
        self.finish()
        # As the application does, see `app.rest`.
        IdleGarbage(self.window, lambda: self.session.busy)

    def switches(self, repeats: int) -> Comparison:
        """Switch to every lesson and back again, `repeats` times, without runs, which are another figure."""
        client = self._client
        submit, client.submit = client.submit, lambda _: None  # type: ignore
        lessons = [each.id for each in library.built_in()]
        taken: list[holds.Hold] = []
        objects = []
        for turn in range(repeats):
            for lesson in (*lessons, *reversed(lessons)):
                hold = self.during(lambda lesson=lesson: self.desk.files.open_by_id(lesson))  # type: ignore[misc]
                taken += [hold] * (turn > 0)
            objects.append(len(self.window.findChildren(QObject)))
        client.submit = submit  # type: ignore[method-assign]
        _tell("switches", taken, f"{objects[0]} objects after the first round, {objects[-1]} after the last")
        return _row("switch of lesson, longest hold / 50 ms", taken, HOLD_S)

    def resizes(self) -> Iterator[Comparison]:
        """Make the window larger and smaller, from a laptop's screen to a large one."""
        own = self.written("own", "import jax.numpy as jnp\n\n" + END)
        targets = [*(each.id for each in library.built_in()), own]
        taken: dict[str, list[holds.Hold]] = {}
        for target in targets:
            self.open(target)
            taken[target] = [self._resized(step) for step in (*range(STEPS), *range(STEPS, -1, -1))]
        every = [hold for found in taken.values() for hold in found]
        worst = max(taken, key=lambda target: statistics.median(hold.busy_s for hold in taken[target]))
        yield _row("one step of a resize to all painted / 16 ms", every, FRAME_S)
        yield _row(f"the same, the slowest: {Path(worst).name}", taken[worst], FRAME_S)

    def long_code(self) -> Iterator[Comparison]:
        """Open code that is longer than a screen, type into it, and leave it."""
        lines = "".join(f"x{row} = {row}  # a comment\n" for row in range(50_000))
        comments = "# some words of a comment that is long enough\n" * 200_000
        cases = {
            "400 parameters": _with_parameters(400),
            "2000 parameters": _with_parameters(2000),
            "5000 lines printed": "def f():\n    for i in range(5000): print('line', i, 'it said')\n    return 1.0\n",
            "50,000 lines": "import jax.numpy as jnp\n" + lines + END,
            "a line of 1 MB": f"x = '{'a' * 1_000_000}'\n" + END,
            "9 MB": "import jax.numpy as jnp\n" + comments + END,
        }
        for what, source in cases.items():
            target = self.written(what.replace(" ", "_").replace(",", ""), source)
            taken = [self.during(lambda target=target: self.open(target))]  # type: ignore[misc]
            taken.append(self.during(self._type))
            taken.append(self.during(lambda: self.open("one_key_for_the_batch")))
            _tell(what, taken)
            yield _row(f"{what}: open, type, leave, longest hold / 50 ms", [max(taken, key=_busy)], HOLD_S)

    def close(self) -> None:
        self._holds.stop()
        self.window.close()
        self._client.close()

    # -- user actions -------------------------------------------------------------------

    def during(self, act: Callable[[], object]) -> holds.Hold:
        """Return the longest delay while `act` is done and painted."""
        self.wait(SETTLE_S)
        self._holds.take()
        act()
        self.wait(SETTLE_S)
        while self.window.findChildren(Steps):
            self.wait(SETTLE_S)
        return max(self._holds.take(), key=_busy, default=holds.Hold(NO_TIME, NO_TIME, ()))

    def _resized(self, step: int) -> holds.Hold:
        width, height = (low + (high - low) * step // STEPS for low, high in zip(FROM, TO, strict=True))
        began, busy = time.perf_counter(), time.thread_time()
        self.window.resize(width, height)
        self._application.processEvents()
        return holds.Hold(time.perf_counter() - began, time.thread_time() - busy, ())

    def _type(self) -> None:
        self.window.code.text.appendPlainText("# typed")
        self.finish()

    def open(self, target: str) -> None:
        self.desk.files._allowed.add(target)
        self.desk.files.open_by_id(target)
        self.finish()

    def written(self, name: str, source: str) -> str:
        path = self._folder / f"{name}.py"
        path.write_text(source, encoding="utf-8")
        return str(path)

    def finish(self) -> None:
        """Wait until everything has run and is painted."""
        self.wait(0.3)
        while self.session.busy or self.session.stale:
            self.wait(SETTLE_S)
        self.wait(SETTLE_S)

    def wait(self, seconds: float) -> None:
        # In an event loop, as in the application, so that `deleteLater` takes effect.
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()


def _with_parameters(count: int) -> str:
    names = ", ".join(f"p{place}={place}" for place in range(count))
    inputs = f"def inputs({names}):\n    return dict(x=jnp.ones(3))\n"
    return f"import jax.numpy as jnp\n\n{inputs}\ndef f(x):\n    return x * 2\n"


def _busy(hold: holds.Hold) -> float:
    return hold.busy_s


def _row(what: str, taken: list[holds.Hold], aim_s: float) -> Comparison:
    """Return `taken` relative to our aim: the processor time of the thread, whatever else the machine did."""
    return Comparison(what, [max(hold.busy_s, NO_TIME) for hold in taken], [aim_s] * len(taken), 1.0)


def _tell(what: str, taken: list[holds.Hold], more: str = "") -> None:
    print(f"  {what}: {holds.summary(taken)} {more}".rstrip())
