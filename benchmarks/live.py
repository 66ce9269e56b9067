"""The time from the last keystroke to the new jaxpr on screen, without the debounce, next to a warm bare process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from benchmarks.compare import Comparison
from benchmarks.own_program import own_program
from explorer.library import library
from explorer.scenario.scenario import Scenario

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from explorer import app
from explorer.library import settings
from explorer.link.client import WorkerClient
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from views.program.program_text import ProgramText
from views.text.line_text import LineText
from views.window.main_window import MainWindow

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

BARE = """
import sys, time
import jax
for line in sys.stdin:
    variant, path = line.split()
    source = open(path).read()
    started = time.perf_counter()
    names = {"__name__": "bare"}
    exec(compile(source, "<bare>", "exec"), names)
    text = str(jax.make_jaxpr(names[variant])(**names["inputs"]()))
    print(time.perf_counter() - started, flush=True)
"""


HEADLINE = "headline"
AIM = 1.5
DIGITS = 4
SIZE = (1366, 768)
TYPING_AIM_S = 0.005
AT_ONCE_S = 0.1
"""The seconds up to which an answer seems instantaneous (R. B. Miller, 1968; J. Nielsen, Usability Engineering,
1993)."""


@dataclass(frozen=True)
class Case:
    """One program, and the number that each edit changes in it."""

    what: str
    scenario: Scenario
    variant: str
    placeholder: str
    """Occurs once in the source; each edit replaces it by another number, which is then in the jaxpr."""

    def source(self, number: int) -> str:
        return self.scenario.source.replace(self.placeholder, number_of(number), 1)


def number_of(turn: int) -> str:
    """Return the number for edit `turn`, which occurs nowhere else: one digit changes each time."""
    return "".join(str((turn + DIGITS - 1 - place) // DIGITS % 9 + 1) for place in range(DIGITS)) + ".5"


def compare(repeats: int) -> list[Comparison]:
    """Edit programs in the real window repeatedly, and wait until the new text is painted in its pane."""
    bare = subprocess.Popen([sys.executable, "-c", BARE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with tempfile.TemporaryDirectory() as folder, bare:
        cases = [_headline(), *(_long_case(count) for count in (10, 200, 2000))]
        window = _Window()
        found = [row for case in cases for row in _compared(case, window, bare, Path(folder) / "bare.py", repeats)]
        typing_s = window.typing(20 * repeats)
        window.close()
        bare.terminate()
    aim_s = [TYPING_AIM_S] * len(typing_s)
    return [*found, Comparison("one keystroke with 2000 equations shown / 5 ms", typing_s, aim_s, 1.0)]


def _headline() -> Case:
    source = library.open_target("one_key_for_the_batch").source.replace("example + ", "example + NUMBER * ")
    return Case(HEADLINE, own_program(HEADLINE, source), "shared_key", "NUMBER")


def _long_case(count: int) -> Case:
    """Return a program of `count` equations, a draw among each twenty lines, edited in its last line."""
    draw = "    y = y + jax.random.normal(jax.random.fold_in(key, {}), x.shape)"
    lines = [
        (draw if line % 20 == 5 else "    y = jnp.sin(y) * {}.25").format(line) for line in range((count - 2) // 2)
    ]
    source = "\n".join([*LONG, *lines, "    return y * NUMBER + x", ""])
    return Case(f"{count} equations", own_program(f"long_{count}", source), "f", "NUMBER")


LONG = (
    "import jax",
    "import jax.numpy as jnp",
    "",
    "def inputs():",
    "    return dict(x=jnp.ones((32, 10)), key=jax.random.key(0))",
    "",
    "def f(x, key):",
    "    y = x",
)


def _compared(case: Case, window: _Window, bare: subprocess.Popen[str], file: Path, repeats: int) -> list[Comparison]:
    window.open(msgspec.structs.replace(case.scenario, source=case.source(1)))
    ours_s, in_all_s, bare_s = [], [], []
    for turn in range(2, repeats + 5):
        # Each edit changes the program, so that its text changes.
        source = case.source(turn)
        file.write_text(source, encoding="utf-8")
        in_all, debounce = window.type_digit(number_of(turn - 1), number_of(turn))
        ours_s.append(in_all - debounce)
        in_all_s.append(in_all)
        bare_s.append(_ask(bare, f"{case.variant} {file}"))
    what = f"last keystroke to the jaxpr painted, {case.what}"
    rows = [Comparison(what, ours_s[3:], bare_s[3:], AIM)]
    if case.what == HEADLINE:
        rows.append(
            Comparison("the same, the debounce included / 100 ms", in_all_s[3:], [AT_ONCE_S] * (len(in_all_s) - 3), 1.0)
        )
    return rows


class _Window:
    """The real window with its real worker, one variant shown."""

    def __init__(self) -> None:
        self._application = app.make_application(settings.Settings())
        self._client = WorkerClient(spare=False)
        self._session = Session(self._client, Workspace(time_automatically=False, keeps_drafts=False))
        self._debounce = _Debounce(self._session)
        self._window = MainWindow()
        self._desk = Desk(self._application, self._window, self._session, settings.Settings(), keeps_settings=False)
        connections.connect(self._window, self._session, self._client, self._desk)
        connections.add_plots(self._window, self._session, self._desk)
        self._window.resize(*SIZE)
        self._window.show()
        self._painted = _Painted()

    def open(self, scenario: Scenario) -> None:
        """Show `scenario` and wait until all of it is there, its program large."""
        self._desk.take_up(scenario)
        self._session.workspace.choose_compare("")
        # Long code comes in pieces.
        self._wait(lambda: self._session.snapshot is not None and self._code.toPlainText() == scenario.source)
        self._settle()
        if not self._window.area.by_name["program"].findChild(ProgramText).isVisible():  # type: ignore[union-attr]
            self._desk.on_command("pane_3")
        self._settle()

    def type_digit(self, old: str, new: str) -> tuple[float, float]:
        """Type the digit that makes `new` out of `old` over it.

        Return the seconds until `new` is in the text that the pane has painted, and how many of them the debounce ran.
        """
        text = self._code
        start = self._window.code.source().index(old)
        place = next(number for number in range(DIGITS) if old[number] != new[number])
        cursor = text.textCursor()
        cursor.setPosition(start + place)
        cursor.setPosition(start + place + 1, QTextCursor.MoveMode.KeepAnchor)
        text.setTextCursor(cursor)
        self._settle()
        self._painted.watch_for(new)
        started = time.perf_counter()
        QTest.keyClick(text, new[place])
        self._wait(lambda: self._painted.at is not None)
        seconds = (self._painted.at or 0.0) - started
        debounce = self._debounce.seconds
        self._settle()
        return seconds, debounce

    @property
    def _code(self) -> LineText:
        found = self._window.code.findChild(LineText)
        assert isinstance(found, LineText)
        return found

    def typing(self, count: int) -> list[float]:
        """Type `count` letters into a comment and return the seconds until each is painted; the program stays."""
        text = self._code
        self._window.code.setFocus()
        text.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClicks(text, "# ")
        found = []
        for _ in range(count):
            started = time.perf_counter()
            QTest.keyClick(text, Qt.Key.Key_A)
            text.viewport().repaint()
            found.append(time.perf_counter() - started)
            self._settle(0.01)
        return found

    def close(self) -> None:
        self._window.close()
        self._client.close()

    def _settle(self, pause_s: float = 0.1) -> None:
        """Let everything be painted: a user's next keystroke comes later."""
        if pause_s >= 0.1:
            self._wait(lambda: not self._session.busy)
        until = time.perf_counter() + pause_s
        while time.perf_counter() < until:
            self._application.processEvents()

    def _wait(self, ready: Callable[[], bool]) -> None:
        # Asleep between events, as the running application is: a busy wait would take the worker's core.
        while not ready():
            self._application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)


class _Painted:
    """Notes the time at which the program pane has painted a text with the wanted number."""

    def __init__(self) -> None:
        self.at: float | None = None
        self._expected = ""
        paint = ProgramText.paintEvent
        noted = self

        def paint_and_note(text: ProgramText, event: QPaintEvent) -> None:
            paint(text, event)
            done = time.perf_counter()
            if noted.at is None and noted._expected and noted._expected in text.toPlainText():
                noted.at = done

        ProgramText.paintEvent = paint_and_note  # type: ignore[method-assign]

    def watch_for(self, expected: str) -> None:
        self.at, self._expected = None, expected


class _Debounce(QObject):
    """Notes the shortest pause after an edit: its text may be shown after it."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._since = 0.0
        self._seconds: float | None = None
        # After the session has heard of the edit.
        session.workspace.run_due.connect(self._on_edit)
        for timer in session.findChildren(QTimer):
            timer.installEventFilter(self)

    @property
    def seconds(self) -> float:
        """How long it took. Raises LookupError where no timer of the session's fired since the edit."""
        if self._seconds is None:
            raise LookupError("no timer of the session held the edit back")
        return self._seconds

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Seen before whoever waits for the timer hears of it.
        if event.type() == QEvent.Type.Timer and self._seconds is None:
            self._seconds = time.perf_counter() - self._since
        return super().eventFilter(watched, event)

    def _on_edit(self) -> None:
        self._since, self._seconds = time.perf_counter(), None


def _ask(bare: subprocess.Popen[str], path: str) -> float:
    assert bare.stdin is not None
    assert bare.stdout is not None
    bare.stdin.write(path + "\n")
    bare.stdin.flush()
    return float(bare.stdout.readline())
