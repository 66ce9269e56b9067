"""The whole window around one report, and its marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from explorer.library.settings import Settings
from explorer.messages import (
    Equation,
    Failure,
    Finding,
    KeyGraph,
    Measurement,
    Picture,
    PictureRole,
    Program,
    Report,
    Site,
    Snapshot,
    Span,
    Transform,
    Variant,
)
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from tests.session.client import Client
from tests.views import made
from tests.views.keys.key_notation import key_graph
from views.findings.finding_rows import MARKED_ROLE
from views.keys.canvas import KeyCanvas
from views.noise.heatmap.heatmap import Heatmap
from views.program.program_half import ProgramHalf
from views.text.line_text import LineText
from views.timing.log_plot import LogPlot
from views.window.main_window import MainWindow

SOURCE = """\
def inputs(n=4):
    key = jax.random.key(42)
    return {"keys": jax.random.split(key, n)}

def each(keys):
    noise = jax.vmap(draw)(keys)
    return noise * 2

def other(keys):
    return keys
"""
TEXT = "{ lambda ; a:key<fry>[4]. let\n    b:f32[4,3] = random_bits a\n    c:f32[4,3] = mul b 2.0\n  in (c,) }"
SCENARIO = Scenario("one", "built-in", "one/code.py", SOURCE, Texts("One"))


def span(line: int) -> Span:
    return Span(line, 4, line, 9)


def keys(examples: int = 4) -> KeyGraph:
    """A seed made on line 2 and split on line 3; each child is drawn from on line 6 for its example."""
    graph = key_graph(f"seed 42 > split {examples} > each draw", lines=(2, 3, 6))
    return replace(graph, sites=(*graph.sites[:-1], Site("draw", "normal", span(6), (3,), "float32")))


def picture(role: PictureRole, name: str, line: int, examples: int = 4) -> Picture:
    values = np.random.default_rng(0).normal(size=(examples, 3)).astype(np.float32)
    return made.picture(values, f"{examples} examples, all different", name, role, span=span(line))


DRAWS = Equation("random_bits", span(6), 1, 1, 0, "f32[4,3]", "key<fry>[4]")
TIMES = Equation("mul", span(7), 2, 2, 0, "f32[4,3]")
FINDING = Finding("unused-key", "note", "Something about the third key.", (span(6),), keys=(3,), sites=(2,))
REPORT = Report(
    "each",
    "ok",
    program=Program("jaxpr", TEXT, (DRAWS, TIMES), (0, 6, 7, 0)),
    keys=keys(),
    pictures=(picture("output", "output", 7), picture("draw", "normal, line 6", 6)),
    findings=(FINDING,),
)
VARIANTS = (Variant("each", 5, "", 7), Variant("other", 9, "", 10))


def measured(run: int, variant: str, transform: Transform, n: int, median_s: float) -> Measurement:
    quartiles = {"q1_s": median_s, "q3_s": median_s}
    return Measurement(run, variant, (transform,), {"n": n}, "cpu:0", median_s, **quartiles)


@dataclass
class Whole:
    """The complete window, with a client that only records its requests."""

    window: MainWindow
    session: Session
    client: Client

    def show(self, report: Report, failure: Failure | None = None, *, complete: bool = True) -> None:
        reports = () if failure else (report,)
        run = self.client.request.run
        self.client.say(Snapshot(run, "cpu:0", complete, variants=VARIANTS, reports=reports, failure=failure))
        QApplication.processEvents()

    def part(self, kind: type[QWidget]) -> QWidget:
        return next(each for each in self.window.findChildren(kind) if each.isVisible())

    @property
    def code(self) -> LineText:
        return self.window.code.findChild(LineText)

    @property
    def program(self) -> LineText:
        return self.part(ProgramHalf).findChild(LineText)

    @property
    def canvas(self) -> KeyCanvas:
        return self.part(KeyCanvas)

    @property
    def heatmap(self) -> Heatmap:
        return self.part(Heatmap)

    @property
    def plot(self) -> LogPlot:
        return self.part(LogPlot)

    @property
    def list(self) -> QListWidget:
        return self.window.findings.findChild(QListWidget)

    def lit(self) -> Lit:
        """Return the marks in each pane, read off the widgets."""
        findings = range(self.list.count())
        runs = self.heatmap._marked
        return Lit(
            lines={row + 1 for row in range(self.code.blockCount()) if row in self.window.code._lit},
            rows_of_program={row for row in range(self.program.blockCount()) if row in self.program.marks.marked},
            keys=set(self.canvas.picture.marked),
            examples={row for low, high in zip(runs.first, runs.last, strict=True) for row in range(low, high + 1)},
            findings={row for row in findings if self.list.item(row).data(MARKED_ROLE)},
            curves={words for words, sample in self.plot.parent()._samples.items() if sample.strong},
            ringed=len(self.plot.ring.points()),
        )


def whole_window(qtbot: QtBot, width: int, height: int) -> Whole:
    """Return the window with SCENARIO open, on screen."""
    application = QApplication.instance()
    client = Client()
    session = Session(client, Workspace(time_automatically=False, keeps_drafts=False))  # type: ignore[arg-type]
    window = MainWindow()
    qtbot.addWidget(window)
    desk = Desk(application, window, session, Settings(), keeps_settings=False)  # type: ignore[arg-type]
    connections.connect(window, session, client, desk)  # type: ignore[arg-type]
    connections.add_plots(window, session, desk)
    window.resize(width, height)
    desk.take_up(SCENARIO)
    with qtbot.waitExposed(window):
        window.show()
    return Whole(window, session, client)


@dataclass
class Lit:
    """The marks: lines of the code, of the program, keys, examples, findings, curves, points."""

    lines: set[int]
    rows_of_program: set[int]
    keys: set[int]
    examples: set[int]
    findings: set[int]
    curves: set[str]
    ringed: int = 0


DARK = Lit(set(), set(), set(), set(), set(), set())
