"""One focus in the whole window: each kind of thing selected by mouse and by keyboard, and what lights up elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Focus, Program, Report, TimingDone
from tests.whole.one_window import (
    DARK,
    DRAWS,
    FINDING,
    REPORT,
    TEXT,
    TIMES,
    Lit,
    Whole,
    keys,
    measured,
    picture,
    span,
    whole_window,
)
from views.noise.noise_view import NoiseView
from views.text.line_text import LineText
from views.timing.log_plot import LogPlot

# -- hands: they select one thing, by mouse and by keys ----------------------------------------


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
    picture = whole.canvas.picture
    point = picture.view().places.point(int(picture.layout.place[3]))
    click(whole.canvas, QPointF(*point).toPoint())


def walk_to_key(whole: Whole) -> None:
    right = Qt.Key.Key_Right
    press(whole.canvas, Qt.Key.Key_Home, Qt.Key.Key_Down, right, right, Qt.Key.Key_Return)


def click_draw(whole: Whole) -> None:
    noise = whole.part(NoiseView)
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


def time(whole: Whole, *points: tuple[str, int, float]) -> None:
    """Let these points be measured: the variant, its n and how long a call takes."""
    whole.session.timings.start()
    run = whole.client.asked[-1].run
    for variant, n, median_s in points:
        whole.client.say(measured(run, variant, "jit", n, median_s))
    whole.client.say(TimingDone(run, 0.1))


@pytest.fixture
def whole(qtbot: QtBot) -> Iterator[Whole]:
    made = whole_window(qtbot, 1920, 1080)
    made.show(REPORT)
    time(made, ("each", 4, 1e-3), ("other", 4, 1e-4), ("each", 64, 9e-3), ("other", 64, 9e-4))
    qtbot.waitUntil(lambda: len(made.plot.plotItem.items) > 3)
    qtbot.waitUntil(lambda: bool(_points(made.plot)))
    yield made
    made.window.close()


BY_LINE = Lit({6}, {1}, {1, 2, 3, 4}, set(), {0}, {"each"})
BY_KEY = Lit({3, 6}, {1}, {3}, {2}, {0}, {"each"})
BY_DRAW = Lit({6}, {1}, {3}, {2}, {0}, {"each"})
BY_TIMING = Lit({5, 6, 7}, {1, 2}, set(), set(), set(), {"each"}, 1)
DRAW = "draw normal from key b54cda26538453d7, for example 2"
CASES: dict[str, tuple[Callable[[Whole], None], Callable[[Whole], None], Focus, Lit, str]] = {
    "line": (click_line, walk_to_line, Focus("line", 6), BY_LINE, "line 6"),
    "equation": (click_equation, walk_to_equation, Focus("equation", 0, "each"), BY_LINE, "equation 1, random_bits"),
    "key": (click_key, walk_to_key, Focus("key", 3, "each"), BY_KEY, "key b54cda26538453d7"),
    "draw": (click_draw, walk_to_draw, Focus("draw", 2, "each"), BY_DRAW, DRAW),
    "mark of a draw": (click_mark_of_draw, walk_to_draw, Focus("draw", 2, "each"), BY_DRAW, DRAW),
    "row": (click_row, walk_to_row, Focus("row", 2, "each"), BY_KEY, "example 2"),
    "finding": (click_finding, walk_to_finding, Focus("finding", 0, "each"), BY_DRAW, FINDING.message),
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
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
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
        ("equation", "that equation is no longer in the program"),
        ("key", "the program no longer makes that key"),
        ("draw", "the program no longer makes that draw"),
        ("row", "the program now has fewer examples"),
        ("finding", "the selected item is no longer there"),
    ],
)
def test_what_vanishes_with_an_edit_is_given_up_in_a_sentence(whole: Whole, kind: str, words: str) -> None:
    CASES[kind][0](whole)
    whole.session.run()
    whole.show(WITHOUT_DRAW)
    assert whole.session.marks().focus is None
    assert whole.lit() == DARK
    assert whole.window.status.sentence() == f"Selection cleared: {words}."


def test_a_line_that_is_deleted_is_given_up(whole: Whole) -> None:
    click(whole.code.viewport(), row_pixel(whole.code, 9))
    whole.session.workspace.edit("def each(keys):\n    return keys\n")
    whole.session.run()
    whole.show(REPORT)
    assert whole.window.status.sentence() == "Selection cleared: that line is no longer in the code."


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


def test_a_point_is_found_again_when_it_is_timed_again(whole: Whole) -> None:
    walk_to_point(whole)
    time(whole, ("other", 4, 1e-3), ("each", 64, 2e-3))
    assert whole.window.status.sentence() == "Selected: timing of each (jit) at n=64: 2.00 ms a call"
    time(whole, ("each", 4, 1e-3))
    assert whole.window.status.sentence() == "Selection cleared: that point was not timed again."


@pytest.mark.rest
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
