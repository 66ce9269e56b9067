from __future__ import annotations

from pytestqt.qtbot import QtBot

from explorer.messages import FunctionTraces, Report, Snapshot, Span, TraceEvent
from views.code.code_view import CodeView
from views.text.line_text import LineText

CODE = "import jax\n\n@jax.jit\ndef power_sum(x, n):\n    return x**n\n"
DEFINED, CALLED = Span(4, 0, 4, 20), Span(9, 0, 9, 9)
FIRST = TraceEvent("first call", "the first call", CALLED)
VALUES = TraceEvent("new static value", "n is 2 instead of 1", CALLED, count=7)
EIGHT = FunctionTraces("power_sum", DEFINED, 8, 8, (FIRST, VALUES), trace_s=0.012, lower_s=0.02, compile_s=0.412)
ONCE = FunctionTraces("norm", DEFINED, 1, 1, (FIRST,))


def snapshot(*traces: FunctionTraces) -> Snapshot:
    return Snapshot(1, "cpu:0", True, reports=(Report("run", "ok", traces=traces),))


def test_the_line_of_a_function_traced_more_than_once_says_how_often_and_why(qtbot: QtBot) -> None:
    code = CodeView()
    qtbot.addWidget(code)
    code.set_source(CODE)
    code.show_snapshot(snapshot(EIGHT))
    text = code.findChild(LineText)
    assert text is not None
    assert dict(text.marks.counts) == {3: "↻ 8"}
    assert text.tip_of_row is not None
    tip = text.tip_of_row(3)
    assert (
        "power_sum: traced 8 times in 12.0 ms, lowered in 20.0 ms, compiled 8 times in 412 ms: new static value" in tip
    )
    assert "new static value (7 times), line 9: n is 2 instead of 1" in tip
    code.show_snapshot(snapshot(ONCE))
    assert dict(text.marks.counts) == {}
