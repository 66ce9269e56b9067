"""One focus in the whole window: each kind of thing selected by mouse and by keyboard, and what lights up elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer import app
from explorer.library.settings import Settings
from explorer.messages import (
    Array,
    Equation,
    Failure,
    Finding,
    Focus,
    KeyGraph,
    Measurement,
    Picture,
    Program,
    Report,
    Site,
    Snapshot,
    Span,
    TimingDone,
    Transform,
    Variant,
)
from explorer.scenario.scenario import Scenario, Texts
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window.desk import Desk
from tests.session.client import Client
from views.findings.finding_rows import MARKED_ROLE
from views.keys.canvas import KeyCanvas
from views.noise.heatmap.heatmap import Heatmap
from views.noise.noise_view import NoiseView
from views.program.half import ProgramHalf
from views.text.line_text import LineText
from views.timing.log_plot.log_plot import LogPlot
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
    numbers = np.arange(examples)
    words = np.stack([np.arange(examples + 1), np.arange(examples + 1) + 7], axis=1)
    drawn = Site("draw", "normal", span(6), (3,), "float32")
    return KeyGraph(
        data=Array.of(words, np.uint32),
        implementation=Array.of(np.zeros(examples + 1), np.uint8),
        implementations=("threefry2x32",),
        parent=Array.of([-1, *[0] * examples], np.int32),
        origin=Array.of([1, *[2] * examples], np.uint8),
        index=Array.of([42, *numbers], np.int64),
        site=Array.of([0, *[1] * examples], np.int32),
        state=Array.of([1, *[2] * examples], np.uint8),
        times=Array.of([1] * (examples + 1), np.int32),
        draw_key=Array.of(numbers + 1, np.int32),
        draw_site=Array.of([2] * examples, np.int32),
        draw_example=Array.of(numbers, np.int32),
        draw_serves=Array.of([1] * examples, np.int32),
        split_key=Array.of([0], np.int32),
        split_site=Array.of([1], np.int32),
        other_parents=Array.of(np.zeros((0, 2)), np.int32),
        sites=(Site("seed", "key", span(2)), Site("split", "split", span(3), (examples,)), drawn),
        draws=examples,
    )


def picture(role: str, name: str, line: int | None, examples: int = 4) -> Picture:
    values = np.random.default_rng(0).normal(size=(examples, 3)).astype(np.float32)
    groups = Array.of(np.arange(examples), np.int32)
    place = span(line) if line else None
    words = f"{examples} examples, all different"
    return Picture(
        role, name, values.shape, "float32", Array.of(values), 0, groups, examples, words, place, -2.0, 2.0  # type: ignore[arg-type]
    )  # fmt: skip


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
    """The window with everything in it, before a client that only notes what it is asked."""

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
        found = self.window.code.findChild(LineText)
        assert found is not None
        return found

    @property
    def program(self) -> LineText:
        found = self.part(ProgramHalf).findChild(LineText)
        assert found is not None
        return found

    @property
    def canvas(self) -> KeyCanvas:
        found = self.part(KeyCanvas)
        assert isinstance(found, KeyCanvas)
        return found

    @property
    def heatmap(self) -> Heatmap:
        found = self.part(Heatmap)
        assert isinstance(found, Heatmap)
        return found

    @property
    def plot(self) -> LogPlot:
        found = self.part(LogPlot)
        assert isinstance(found, LogPlot)
        return found

    @property
    def list(self) -> QListWidget:
        found = self.window.findings.findChild(QListWidget)
        assert found is not None
        return found

    def lit(self) -> Lit:
        """Return what is lit up in each pane, read off the widgets."""
        assert self.canvas.picture is not None
        findings = range(self.list.count())
        runs = self.heatmap._marked
        bold = [entry.label for entry in self.plot.parent().legend._entries if entry.strong]  # type: ignore[attr-defined]
        return Lit(
            lines={row + 1 for row in range(self.code.blockCount()) if row in self.code.marks.marked},
            rows_of_program={row for row in range(self.program.blockCount()) if row in self.program.marks.marked},
            keys=set(self.canvas.picture.marked),
            examples={row for low, high in zip(runs.first, runs.last, strict=True) for row in range(low, high + 1)},
            findings={row for row in findings if self.list.item(row).data(MARKED_ROLE)},
            curves=set(bold),
            ringed=len(self.plot.ring.points()),
        )


@dataclass
class Lit:
    """What is lit up: lines of the code, of the program, keys, examples, findings, curves, points."""

    lines: set[int]
    rows_of_program: set[int]
    keys: set[int]
    examples: set[int]
    findings: set[int]
    curves: set[str]
    ringed: int = 0


DARK = Lit(set(), set(), set(), set(), set(), set())


@pytest.fixture
def whole(qtbot: QtBot) -> Iterator[Whole]:
    client = Client()
    session = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
    window = MainWindow()
    qtbot.addWidget(window)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desk = Desk(application, window, session, Settings(), keeps_settings=False)
    app.connect(window, session, client, desk)  # type: ignore[arg-type]
    app.add_plots(window, session, desk)
    window.resize(1500, 1000)
    session.workspace.open(SCENARIO)
    with qtbot.waitExposed(window):
        window.show()
    made = Whole(window, session, client)
    made.show(REPORT)
    session.timings.start()
    run = client.asked[-1].run
    for n, slow in ((4, 1e-3), (64, 9e-3)):
        client.say(measured(run, "each", "jit", n, slow))
        client.say(measured(run, "other", "jit", n, slow / 10))
    client.say(TimingDone(run, 0.1))
    qtbot.waitUntil(lambda: len(made.plot.plotItem.items) > 3)
    qtbot.waitUntil(lambda: bool(_points(made.plot)))
    yield made
    window.close()


# -- a person's hands -------------------------------------------------------------------------


def click(widget: QWidget, place: QPoint) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def press(widget: QWidget, *chords: Qt.Key) -> None:
    widget.setFocus()
    for chord in chords:
        QTest.keyClick(widget, chord)


def row_pixel(text: QPlainTextEdit, row: int) -> QPoint:
    cursor = QTextCursor(text.document().findBlockByNumber(row))
    return text.cursorRect(cursor).center() + QPoint(3, 0)


def put_cursor(text: LineText, row: int) -> None:
    with text.unwatched():
        text.setTextCursor(QTextCursor(text.document().findBlockByNumber(row)))


def click_line(whole: Whole) -> None:
    click(whole.code.viewport(), row_pixel(whole.code, 5))


def walk_to_line(whole: Whole) -> None:
    put_cursor(whole.code, 4)
    press(whole.code, Qt.Key.Key_Down)


def click_equation(whole: Whole) -> None:
    click(whole.program.viewport(), row_pixel(whole.program, 1))


def walk_to_equation(whole: Whole) -> None:
    put_cursor(whole.program, 2)
    press(whole.program, Qt.Key.Key_Up)


def click_key(whole: Whole) -> None:
    assert whole.canvas.picture is not None
    places = whole.canvas.picture.view().places
    assert places is not None
    point = places.point(int(whole.canvas.picture.layout.place[3]))
    assert point is not None
    click(whole.canvas, QPointF(*point).toPoint())


def walk_to_key(whole: Whole) -> None:
    right = Qt.Key.Key_Right
    press(whole.canvas, Qt.Key.Key_Home, Qt.Key.Key_Down, right, right, Qt.Key.Key_Return)


def click_draw(whole: Whole) -> None:
    noise = whole.part(NoiseView)
    assert isinstance(noise, NoiseView)
    click(noise.chooser.buttons["draw"], noise.chooser.buttons["draw"].rect().center())
    QApplication.processEvents()
    click_row(whole)


def click_mark_of_draw(whole: Whole) -> None:
    (spot,) = [each for each in whole.canvas.spots if 2 in each.draws]
    click(whole.canvas, spot.room.center().toPoint())


def walk_to_draw(whole: Whole) -> None:
    right = Qt.Key.Key_Right
    press(whole.canvas, Qt.Key.Key_Home, Qt.Key.Key_Down, right, right, Qt.Key.Key_D)


def click_row(whole: Whole) -> None:
    geometry = whole.heatmap.geometry_of_cells()
    click(whole.heatmap, geometry.cell_rectangle(2, 2, 1, 1).center().toPoint())


def walk_to_row(whole: Whole) -> None:
    press(whole.heatmap, Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Down)


def click_finding(whole: Whole) -> None:
    click(whole.list.viewport(), whole.list.visualItemRect(whole.list.item(0)).center())


def walk_to_finding(whole: Whole) -> None:
    press(whole.code, Qt.Key.Key_F4)


def _points(plot: LogPlot) -> list[QPointF]:
    """Return the middles of the measured points in the scene, those of the highest curve first."""
    curves = [item for item in plot.plotItem.items if hasattr(item, "points") and item is not plot.ring]
    return [plot.plotItem.vb.mapViewToScene(point.pos()) for item in curves for point in item.points()]


def click_point(whole: Whole) -> None:
    click(whole.plot.viewport(), whole.plot.mapFromScene(_points(whole.plot)[1]))


def walk_to_point(whole: Whole) -> None:
    press(whole.plot, Qt.Key.Key_Right, Qt.Key.Key_Right)


BY_LINE = Lit({6}, {1}, {1, 2, 3, 4}, set(), {0}, {"each"})
BY_KEY = Lit({3, 6}, {1}, {3}, {2}, {0}, {"each"})
BY_TIMING = Lit({5, 6, 7}, {1, 2}, set(), set(), set(), {"each"}, 1)
CASES: dict[str, tuple[Callable[[Whole], None], Callable[[Whole], None], Focus, Lit, str]] = {
    "line": (click_line, walk_to_line, Focus("line", 6), BY_LINE, "line 6"),
    "equation": (click_equation, walk_to_equation, Focus("equation", 0, "each"), BY_LINE, "equation 1, random_bits"),
    "key": (click_key, walk_to_key, Focus("key", 3, "each"), BY_KEY, "key 000000030000000a"),
    "draw": (
        click_draw,
        walk_to_draw,
        Focus("draw", 2, "each"),
        Lit({6}, {1}, {3}, {2}, {0}, {"each"}),
        "draw normal from key 000000030000000a, for example 2",
    ),
    "mark of a draw": (
        click_mark_of_draw,
        walk_to_draw,
        Focus("draw", 2, "each"),
        Lit({6}, {1}, {3}, {2}, {0}, {"each"}),
        "draw normal from key 000000030000000a, for example 2",
    ),
    "row": (click_row, walk_to_row, Focus("row", 2, "each"), BY_KEY, "example 2"),
    "finding": (
        click_finding,
        walk_to_finding,
        Focus("finding", 0, "each"),
        Lit({6}, {1}, {3}, {2}, {0}, {"each"}),
        "Something about the third key.",
    ),
    "timing": (
        click_point,
        walk_to_point,
        Focus("timing", 0, "each", ("jit", "n=64")),
        BY_TIMING,
        "timing of each (jit) at n=64: 9.00 ms a call",
    ),
}


@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
@pytest.mark.parametrize("kind", CASES)
def test_whatever_is_selected_lights_up_everywhere_and_esc_ends_it(
    whole: Whole, qtbot: QtBot, kind: str, hand: str
) -> None:
    by_mouse, by_keyboard, focus, lit, sentence = CASES[kind]
    assert whole.lit() == DARK
    (by_mouse if hand == "mouse" else by_keyboard)(whole)
    qtbot.waitUntil(lambda: whole.session.marks().focus is not None)
    QApplication.processEvents()
    assert whole.session.marks().focus == focus
    assert whole.lit() == lit
    assert whole.window.status.sentence() == f"Selected: {sentence}"
    here = QApplication.focusWidget()
    assert here is not None
    QTest.keyClick(here, Qt.Key.Key_Escape)
    assert whole.lit() == DARK
    assert whole.window.status.sentence() == ""


def test_a_line_of_a_variant_that_is_not_shown_lights_up_its_curve(whole: Whole) -> None:
    click(whole.code.viewport(), row_pixel(whole.code, 9))
    assert whole.lit() == Lit({10}, set(), set(), set(), set(), {"other"})


WITHOUT_DRAW = msgspec.structs.replace(
    REPORT,
    program=Program("jaxpr", TEXT, (msgspec.structs.replace(TIMES, first_line=1, last_line=1),), (0, 7, 0, 0)),
    keys=keys(1),
    pictures=(picture("output", "output", 7, examples=1),),
    findings=(),
)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("equation", "the equation that was selected is not in the program any more"),
        ("key", "the key that was selected is not made any more"),
        ("draw", "the draw that was selected is not made any more"),
        ("row", "there are fewer examples than the one that was selected"),
        ("finding", "what was selected is not found any more"),
    ],
)
def test_what_vanishes_with_an_edit_is_given_up_in_a_sentence(whole: Whole, kind: str, words: str) -> None:
    CASES[kind][0](whole)
    whole.session.run()
    whole.show(WITHOUT_DRAW)
    assert whole.session.marks().focus is None
    assert whole.lit() == DARK
    assert whole.window.status.sentence() == f"Nothing is selected: {words}."


def test_a_line_that_is_deleted_is_given_up(whole: Whole) -> None:
    click(whole.code.viewport(), row_pixel(whole.code, 9))
    whole.session.workspace.edit("def each(keys):\n    return keys\n")
    whole.session.run()
    whole.show(REPORT)
    assert (
        whole.window.status.sentence() == "Nothing is selected: the line that was selected is not in the code any more."
    )


def test_the_same_thing_stays_selected_where_it_stands_elsewhere(whole: Whole) -> None:
    walk_to_equation(whole)
    before = msgspec.structs.replace(TIMES, primitive="add", span=span(5))
    later = [
        msgspec.structs.replace(each, first_line=row, last_line=row) for row, each in enumerate((before, DRAWS), 1)
    ]
    whole.session.run()
    whole.show(msgspec.structs.replace(REPORT, program=Program("jaxpr", TEXT, tuple(later), (0, 5, 6, 0))))
    assert whole.session.marks().focus == Focus("equation", 1, "each")
    assert whole.lit().rows_of_program == {2}


def test_code_that_does_not_run_for_a_moment_loses_no_focus(whole: Whole) -> None:
    walk_to_key(whole)
    whole.session.run()
    whole.show(REPORT, failure=Failure("SyntaxError", "invalid syntax", span(1)))
    whole.session.run()
    whole.show(REPORT)
    assert whole.session.marks().focus == Focus("key", 3, "each")
    assert whole.lit() == BY_KEY


@pytest.mark.parametrize("kind", ["key", "draw", "row", "finding"])
def test_a_variant_that_fails_for_a_moment_loses_no_focus(whole: Whole, kind: str) -> None:
    CASES[kind][0](whole)
    focus = whole.session.marks().focus
    failure = Failure("TypeError", "no", span(6))
    whole.session.run()
    whole.show(msgspec.structs.replace(WITHOUT_DRAW, status="error", failure=failure, pictures=()))
    whole.session.run()
    whole.show(Report("each", program=REPORT.program), complete=False)
    whole.show(REPORT)
    assert whole.session.marks().focus == focus
    assert whole.lit() == CASES[kind][3]


def test_a_point_is_found_again_when_it_is_timed_again(whole: Whole, qtbot: QtBot) -> None:
    walk_to_point(whole)
    whole.session.timings.start()
    run = whole.client.asked[-1].run
    whole.client.say(measured(run, "other", "jit", 4, 1e-3))
    whole.client.say(measured(run, "each", "jit", 64, 2e-3))
    whole.client.say(TimingDone(run, 0.1))
    assert whole.window.status.sentence() == "Selected: timing of each (jit) at n=64: 2.00 ms a call"
    whole.session.timings.start()
    run = whole.client.asked[-1].run
    whole.client.say(measured(run, "each", "jit", 4, 1e-3))
    whole.client.say(TimingDone(run, 0.1))
    told = "Nothing is selected: the point that was selected was not timed again."
    assert whole.window.status.sentence() == told


def test_f4_walks_the_findings_both_ways(whole: Whole) -> None:
    report = msgspec.structs.replace(REPORT, findings=(FINDING, msgspec.structs.replace(FINDING, message="Two")))
    whole.session.run()
    whole.show(report)
    walked = []
    for chord in ("next", "next", "next", "previous"):
        whole.window.action(f"{chord}_finding").trigger()
        focus = whole.session.marks().focus
        walked.append(focus.index if focus else None)
    assert walked == [0, 1, 0, 1]
