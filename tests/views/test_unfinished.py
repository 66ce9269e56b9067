"""Unfinished results are not shown as final: each view with a snapshot or a timing run under way."""

from __future__ import annotations

import functools

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from explorer.figures.curves import Figures
from explorer.messages import (
    SILENT,
    Array,
    Coverage,
    Failure,
    FunctionTraces,
    JaxChecker,
    Measurement,
    Report,
    Snapshot,
    Span,
    Transform,
)
from explorer.scenario.measures import MEASURES, Evidence, measure
from explorer.scenario.questions import right_choices
from explorer.scenario.scenario import Question
from explorer.scenario.texts import Texts
from tests.views import made
from tests.views.keys.key_notation import key_graph
from tests.views.made import hold, picture
from views.findings.findings_view import FindingsView
from views.keys.key_view import KeyView
from views.noise.noise_view import NoiseView
from views.timing.timing_words import TimingWords

KEYS = key_graph("seed 0 > split 4 > each draw")
PICTURE = picture(np.eye(2, dtype="f4"), "2 examples")
DRAW = msgspec.structs.replace(PICTURE, role="draw", name="normal, line 4")
BEGUN = Report("run")
DONE = Report(
    "run", "ok", keys=KEYS, pictures=(PICTURE,), findings=(), coverage=(Coverage("keys", "whole", "keys", "clean"),)
)
BROKEN = Report("run", "error", Failure("TypeError", "no", Span(7, 0, 7, 4)), keys=KEYS, pictures=(), findings=())


snapshot = functools.partial(made.snapshot, complete=False)


# -- findings and output ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shown", "levels"),
    [
        (snapshot(), []),
        (snapshot(BEGUN), ["Running"]),
        (snapshot(msgspec.structs.replace(DONE, status=None)), []),
        (snapshot(msgspec.structs.replace(DONE, status="stopped")), ["Note"]),
        (snapshot(BROKEN, complete=True), ["Error"]),
        (snapshot(DONE, BEGUN), ["Keys: clean", "Running"]),
    ],
    ids=["nothing yet", "begun", "found but not ended", "stopped", "failed", "one of two"],
)
def test_nothing_is_clean_before_its_run_has_come_to_its_end(qtbot: QtBot, shown: Snapshot, levels: list[str]) -> None:
    view, verdicts = hold(qtbot, FindingsView()), []
    view.verdict_changed.connect(verdicts.append)
    view.show_snapshot(shown)
    listed = view.findChild(QListWidget)
    rows = [listed.item(place).data(Qt.ItemDataRole.AccessibleTextRole) for place in range(listed.count())]
    assert sorted(row.partition(", ")[0] for row in rows) == sorted(levels)
    assert "none" not in verdicts


# -- keys and noise ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("report", "verdict"),
    [
        (BEGUN, "The keys appear here as soon as the program has run."),
        (DONE, "4 keys spent, one for each example"),
        (BROKEN, "4 keys spent, one for each example, until it stopped"),
        (msgspec.structs.replace(DONE, status="stopped"), "4 keys spent, one for each example, until it stopped"),
    ],
)
def test_the_keys_of_a_program_that_did_not_end_are_those_up_to_there(
    qtbot: QtBot, report: Report, verdict: str
) -> None:
    view, verdicts = hold(qtbot, KeyView()), []
    view.verdict_changed.connect(verdicts.append)
    view.show_snapshot(snapshot(report))
    assert verdicts == [verdict]


def test_the_draws_of_a_second_variant_are_waited_for(qtbot: QtBot) -> None:
    view = hold(qtbot, NoiseView())
    other = msgspec.structs.replace(DONE, name="other")
    drawn = msgspec.structs.replace(DONE, pictures=(PICTURE, DRAW))
    view.show_snapshot(snapshot(drawn, other))
    view.show_picture_role("draw")
    assert view.halves[1].words == "Waiting for other …"
    view.show_snapshot(snapshot(drawn, other, complete=True))
    assert view.halves[1].words == "other has nothing to show under “Draws”."


# -- timing -----------------------------------------------------------------------------------


TRACED = msgspec.structs.replace(DONE, traces=(FunctionTraces("f", None, 1, 1),))
OTHER = msgspec.structs.replace(DONE, name="other")


def point(transform: Transform, median_s: float, *, final: bool = True, batch: int = 8) -> Measurement:
    samples = Array.of(np.full(9, median_s))
    return Measurement(
        1, "run", (transform,), {"batch": batch}, "cpu:0", median_s, median_s, median_s, samples_s=samples,
        repeats=Array.of(np.arange(9), np.int32), calls_per_sample=1, final=final, first_call_s=1.0, swept="batch",
    )  # fmt: skip


def test_a_timing_run_that_goes_on_is_reported_so_far() -> None:
    words = TimingWords()
    done, running = (Figures.of([point("eager", 2.0), point("jit", 1.0, final=final)]) for final in (True, False))
    assert words.verdict(running) == f"{words.verdict(done)}, so far"
    eager, jitted = point("eager", 2.0), point("jit", 1.0, final=False)
    assert words.break_even(eager, jitted) == "You can see when jit pays for itself once both are measured."
    assert words.trust(running) == "You can see whether the times are reliable when all points are measured."


# -- what lessons ask -------------------------------------------------------------------------

ARGUMENTS = {
    "rows_equal": " 0 1",
    "time": " run:jit",
    "ratio": " run:eager run:jit",
    "parameter": " batch",
    "value": " 0 0",
}
CHECKED = msgspec.structs.replace(
    TRACED, printed="one\n", jax_checker=JaxChecker(SILENT, SILENT, ""), pictures=(PICTURE, DRAW)
)


@pytest.mark.parametrize("status", [None, "stopped", "timeout"])
def test_no_measure_of_a_run_is_known_before_its_end(status: str | None) -> None:
    """The contents of the report may be of the earlier run, or of the part that ran."""
    begun = msgspec.structs.replace(CHECKED, status=status)
    seen = Evidence(snapshot(begun, OTHER), "run", (point("eager", 2.0), point("jit", 1.0)), timing=True)
    known = {name for name in MEASURES if measure(name + ARGUMENTS.get(name, ""), seen) is not None}
    # A run that took too long has failed, and that is known of it.
    assert known <= ({"error"} if status == "timeout" else set())


def test_what_comes_last_of_all_is_not_taken_from_the_run_before() -> None:
    for complete, known in ((False, None), (True, 1)):
        seen = Evidence(snapshot(CHECKED, complete=complete), "run")
        assert [measure(name, seen) for name in ("traces", "compiles")] == [known] * 2
        assert measure("jax_objects", seen) == (None if known is None else False)


QUESTION = Question(Texts("How many times longer?"), "ratio run:eager run:jit", (2, 200))


def test_a_question_on_time_has_no_answer_before_the_sweep_has_its_last_point() -> None:
    first = (point("eager", 2.0), point("jit", 1.0))
    last = (point("eager", 200.0, batch=64), point("jit", 1.0, batch=64))
    assert right_choices(QUESTION, Evidence(snapshot(DONE), "run", first, timing=True)) is None
    unsettled = msgspec.structs.replace(last[1], final=False)
    assert right_choices(QUESTION, Evidence(snapshot(DONE), "run", (*first, last[0], unsettled))) is None
    assert right_choices(QUESTION, Evidence(snapshot(DONE), "run", (*first, *last))) == (False, True)
