"""The answer of JAX's own checker below our findings: from the switch in the menu to the row on screen."""

from __future__ import annotations

import msgspec
import pytest
from PySide6.QtWidgets import QListWidget
from pytestqt.qtbot import QtBot

from explorer.messages import SILENT, CheckerAnswer, Coverage, Finding, Focus, JaxChecker, Marks, Report, Span
from explorer.session.controls import Controls
from tests.views.made import put_up, snapshot
from views.findings.finding_rows import ROW_ROLE, FindingRow
from views.findings.findings_view import FindingsView

BUG = Finding("shared-noise", "bug", "32 examples share one draw.", (Span(13, 4, 13, 9),))
ALARM = CheckerAnswer("alarm", "Previously consumed key passed.")
ANSWERED = JaxChecker(SILENT, ALARM, "It does not look along the axes of a batch.")
ON, OFF = Controls(jax_checker=True), Controls()


def rows(view: FindingsView) -> list[FindingRow]:
    shown = view.findChild(QListWidget)
    return [shown.item(place).data(ROW_ROLE) for place in range(shown.count())]


def jax_says(view: FindingsView) -> list[str]:
    return [row.sentence for row in rows(view) if row.kind == "jax"]


@pytest.fixture
def view(qtbot: QtBot) -> FindingsView:
    return put_up(qtbot, FindingsView(), 690, 160)


@pytest.mark.parametrize(
    ("report", "complete", "both"),
    [
        (Report("f", "ok", findings=(), jax_checker=ANSWERED), True, "program: nothing.\nFor a run: Previously"),
        (Report("f", "ok", findings=()), False, "Asking JAX"),
        (Report("f", "error", findings=()), True, "did not run to its end"),
        (Report("f", "ok", findings=()), True, "with the next run"),
        (Report("f", "ok", findings=(), recorded=True), True, "Open as a program"),
    ],
    ids=["an answer", "still asking", "a program that failed", "stopped before the answer", "a recording"],
)
def test_jax_has_a_row_for_each_variant(view: FindingsView, report: Report, complete: bool, both: str) -> None:
    view.show_controls(ON)
    view.show_snapshot(snapshot(report, renamed(report), complete=complete))
    assert [both in each for each in jax_says(view)] == [True, True]


def renamed(report: Report) -> Report:
    return msgspec.structs.replace(report, name="g")


def test_jax_follows_the_findings_counts_as_none_and_goes_when_switched_off(view: FindingsView, qtbot: QtBot) -> None:
    clean = (Coverage("tracing", "whole", "Tracing", "clean", sentence="All is well."),)
    view.show_controls(ON)
    with qtbot.waitSignal(view.verdict_changed) as emitted:
        view.show_snapshot(snapshot(Report("f", "ok", findings=(BUG,), coverage=clean, jax_checker=ANSWERED)))
    assert [row.kind for row in rows(view)] == ["bug", "jax", "fine"]
    assert emitted.args == ["1 bug"]
    view.show_controls(OFF)
    assert [row.kind for row in rows(view)] == ["bug", "fine"]


def test_an_answer_about_older_code_is_greyed_until_the_new_one_comes(view: FindingsView, qtbot: QtBot) -> None:
    view.show_controls(ON)
    view.show_snapshot(snapshot(Report("f", "ok", findings=(BUG,), jax_checker=ANSWERED)))
    view.show_stale(True)
    assert not any(row.faint for row in rows(view))
    qtbot.waitUntil(lambda: [row.faint for row in rows(view)] == [False, True])
    view.show_stale(False)
    assert not any(row.faint for row in rows(view))


def test_a_focus_that_stays_does_not_scroll_the_answer_away(view: FindingsView) -> None:
    many = tuple(msgspec.structs.replace(BUG, message=f"Bug {number}.") for number in range(30))
    both = snapshot(Report("f", "ok", findings=many, jax_checker=ANSWERED))
    marks = Marks(Focus("finding", 0, "f"), findings={"f": frozenset({0})})
    view.show_snapshot(both)
    view.show_marks(marks)
    view.show_controls(ON)
    bar = view.findChild(QListWidget).verticalScrollBar()
    assert bar.value() > 0
    view.show_marks(marks)
    assert bar.value() > 0
    view.show_marks(Marks(Focus("finding", 1, "f"), findings={"f": frozenset({1})}))
    assert bar.value() < bar.maximum() / 2
