from __future__ import annotations

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTreeWidget
from pytestqt.qtbot import QtBot

from explorer.messages import Failure, Focus, FunctionTraces, Report, Snapshot, Span, TraceEvent, Variant
from tests.views.timing.test_timing_view import choose_page, figures_text
from views.code.code_view import CodeView
from views.text.line_text import LineText
from views.timing.page_stack import TRACES
from views.timing.timing_view import TimingView

CODE = "import jax\n\n@jax.jit\ndef power_sum(x, n):\n    return x**n\n"
DEFINED, CALLED = Span(4, 0, 4, 20), Span(9, 0, 9, 9)
EIGHT = FunctionTraces(
    "power_sum",
    DEFINED,
    8,
    8,
    (
        TraceEvent("first call", "the first call", CALLED),
        TraceEvent("new static value", "n is 2 instead of 1", CALLED, count=7),
    ),
)
ONCE = FunctionTraces("norm", DEFINED, 1, 1, (TraceEvent("first call", "the first call", CALLED),))


def snapshot(*traces: FunctionTraces) -> Snapshot:
    return Snapshot(1, "cpu:0", True, reports=(Report("run", "ok", traces=traces),))


def shown(qtbot: QtBot, *traces: FunctionTraces) -> tuple[TimingView, list[str]]:
    view = TimingView()
    qtbot.addWidget(view)
    view.resize(900, 600)
    view.show()
    view.show_snapshot(snapshot(*traces))
    choose_page(view, TRACES)
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    tops = [tree.topLevelItem(number) for number in range(tree.topLevelItemCount())]
    return view, [item.text(0) for item in tops if item is not None]


def test_each_function_is_reported_with_how_often_and_why(qtbot: QtBot) -> None:
    timed = msgspec.structs.replace(EIGHT, trace_s=0.012, lower_s=0.02, compile_s=0.412)
    view, rows = shown(qtbot, timed, ONCE)
    assert rows == [
        "power_sum: traced 8 times in 12.0 ms, lowered in 20.0 ms, compiled 8 times in 412 ms: new static value",
        "norm: traced once, compiled once",
    ]
    assert "Traced more than once: 1 of 2 functions." in figures_text(view)


def test_the_page_of_a_recording_counts_nothing(qtbot: QtBot) -> None:
    view, _ = shown(qtbot, ONCE)
    view.show_snapshot(Snapshot(2, "", True, reports=(Report("run", "ok", recorded=True),)))
    assert not any(each.isVisible() for each in view.findChildren(QTreeWidget))
    view.show_snapshot(snapshot(ONCE))
    assert any(each.isVisible() for each in view.findChildren(QTreeWidget))


def test_a_reason_leads_to_the_line_that_called(qtbot: QtBot) -> None:
    view, _ = shown(qtbot, EIGHT)
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    item = tree.topLevelItem(0).child(1)  # type: ignore[union-attr]
    assert item.text(0) == "new static value (7 times), line 9: n is 2 instead of 1"
    with qtbot.waitSignal(view.focus_requested) as asked:
        qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualItemRect(item).center())
    assert asked.args == [Focus("line", 9)]


def test_where_nothing_is_jitted_it_says_so(qtbot: QtBot) -> None:
    view, rows = shown(qtbot)
    assert rows == []
    assert "Nothing was traced" in figures_text(view)


def test_functions_of_other_code_go_when_that_is_on_screen_and_a_failure_is_not_reported_as_nothing_traced(
    qtbot: QtBot,
) -> None:
    view, rows = shown(qtbot, EIGHT)
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    begun = Snapshot(2, "cpu:0", False, variants=(Variant("walk", 1),), reports=(Report("walk"),))
    view.show_snapshot(begun)
    assert (len(rows), tree.topLevelItemCount()) == (1, 0)
    assert "Traces are shown after the run." in figures_text(view)
    view.show_snapshot(Snapshot(2, "cpu:0", True, failure=Failure("SyntaxError", "no")))
    assert "Nothing was traced" not in figures_text(view)


def test_the_line_of_a_function_traced_more_than_once_says_how_often(qtbot: QtBot) -> None:
    code = CodeView()
    qtbot.addWidget(code)
    code.set_source(CODE)
    code.show_snapshot(snapshot(EIGHT))
    text = code.findChild(LineText)
    assert text is not None
    assert dict(text.marks.counts) == {3: "↻ 8"}
    assert text.tip_of_row is not None
    assert "new static value (7 times), line 9: n is 2 instead of 1" in text.tip_of_row(3)
    code.show_snapshot(snapshot(ONCE))
    assert dict(text.marks.counts) == {}


def test_in_less_width_a_reason_gets_more_lines(qtbot: QtBot) -> None:
    view, _ = shown(qtbot, EIGHT)
    tree = next(each for each in view.findChildren(QTreeWidget) if each.isVisible())
    item = tree.topLevelItem(0).child(1)  # type: ignore[union-attr]
    high = tree.visualItemRect(item).height()
    view.resize(260, 600)
    qtbot.waitUntil(lambda: tree.visualItemRect(item).height() > high)
