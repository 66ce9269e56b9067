"""Sentences carry marks around code, which no view shows raw: not on labels, in tips, nor to a screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.focus.focus_words import FocusWords
from explorer.messages import (
    EquationValue,
    Failure,
    Finding,
    Fix,
    Focus,
    FunctionTraces,
    Measurement,
    Program,
    Report,
    Snapshot,
    Span,
)
from tests.views.made import put_up
from tests.views.texts import texts_in
from views.code.code_view import CodeView
from views.findings.findings_view import FindingsView
from views.findings.output_view import OutputView
from views.noise.noise_view import NoiseView
from views.program.program_view import ProgramView
from views.timing.timing_view import TimingView

SPAN = Span(1, 0, 1, 4)
FAILURE = Failure(
    "TypeError",
    "`f` takes no `x`.",
    SPAN,
    "Give it `x` or `y`.",
    fixes=(Fix("Take x away", ()),),
    traceback="Traceback",
)
FINDING = Finding("shared-noise", "bug", "3 examples share one key: `normal` draws once.", (SPAN, Span(2, 0, 2, 4)))
BROKEN = Report("run", "error", FAILURE, program=Program("jaxpr", "", failure=FAILURE), findings=())
FOUND = Report("run", "ok", findings=(FINDING,), traces=(FunctionTraces("f", None, 1, 1),))
SNAPSHOTS = [
    Snapshot(1, "cpu:0", True, reports=(BROKEN,)),
    Snapshot(1, "cpu:0", True, reports=(FOUND,)),
    Snapshot(1, "cpu:0", True, failure=FAILURE),
]


@pytest.mark.parametrize("shown", SNAPSHOTS, ids=["of a variant", "found", "of the program"])
@pytest.mark.parametrize("made", [CodeView, FindingsView, OutputView, NoiseView, ProgramView, TimingView])
def test_no_mark_is_seen(qtbot: QtBot, made: type[QWidget], shown: Snapshot) -> None:
    view = put_up(qtbot, made())
    if isinstance(view, CodeView):
        view.set_source("f(x)\nrun\n", keep_undo=False)
    view.show_snapshot(shown)  # type: ignore[attr-defined]
    assert [text for text in texts_in(view) if "`" in text] == []
    if isinstance(view, CodeView):
        assert "`" not in view._tip_of_row(0)


def test_no_mark_is_seen_of_a_value_or_a_time(qtbot: QtBot) -> None:
    noise, timing = NoiseView(), TimingView()
    for view in (noise, timing):
        qtbot.addWidget(view)
        view.show()
    noise.show_snapshot(SNAPSHOTS[1])
    noise.show_value(EquationValue(1, 1, "run", 0, sentence="It failed: `f` takes no `x`."))
    timing.show_measurements((Measurement(1, "run", ("jit",), {"n": 1}, "cpu:0", failure=FAILURE, swept="n"),))
    assert [text for view in (noise, timing) for text in texts_in(view) if "`" in text] == []


def test_no_mark_is_seen_of_what_is_selected(qapp: object) -> None:
    assert "`" not in FocusWords().thing(Focus("finding", 0, "run"), FOUND)
