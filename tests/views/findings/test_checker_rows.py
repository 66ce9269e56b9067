"""The answer of JAX's own checker below our findings: from the switch in the menu to the row on screen."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QToolButton
from pytestqt.qtbot import QtBot

from explorer.library.settings import Settings
from explorer.messages import SILENT, CheckerAnswer, Coverage, Finding, Focus, JaxChecker, Marks, Report, Snapshot, Span
from explorer.session.controls import Controls
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from tests.session.client import SCENARIO, Client
from tests.views.made import put_up, snapshot
from views.findings.finding_rows import ROW_ROLE, Row
from views.findings.findings_view import FindingsView
from views.window.main_window import MainWindow

BUG = Finding("shared-noise", "bug", "32 examples share one draw.", (Span(13, 4, 13, 9),))
ALARM = CheckerAnswer("alarm", "Previously consumed key passed.")
ANSWERED = JaxChecker(SILENT, ALARM, "It does not look along the axes of a batch.")
ON, OFF = Controls(jax_checker=True), Controls()


def rows(view: FindingsView) -> list[Row]:
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


@pytest.fixture
def whole(qtbot: QtBot) -> Iterator[tuple[MainWindow, Session, Client]]:
    """Yield the window and its session, with a client that only records its requests."""
    client = Client()
    session = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
    window = MainWindow()
    qtbot.addWidget(window)
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    desk = Desk(application, window, session, Settings(), keeps_settings=False)
    connections.connect(window, session, client, desk)  # type: ignore[arg-type]
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    window.show()
    yield window, session, client
    window.close()


def test_the_question_is_asked_on_demand_follows_edits_and_ends(
    whole: tuple[MainWindow, Session, Client], qtbot: QtBot
) -> None:
    window, session, client = whole
    assert not client.request.jax_checker
    (button,) = [each for each in window.bottom.findChildren(QToolButton) if "JAX" in each.text()]
    assert button.text() == "What does JAX's own checker say?"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert client.request.jax_checker
    assert button.isChecked()
    answered = Report("bug", "ok", findings=(BUG,), jax_checker=ANSWERED)
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(answered,)))
    assert "along the axes" in jax_says(window.findings)[0]

    session.workspace.edit("def bug(): return 1\n")
    qtbot.waitUntil(lambda: client.request.source == "def bug(): return 1\n")
    assert client.request.jax_checker
    client.say(Snapshot(client.request.run, "cpu:0", False, reports=(Report("bug", "ok", findings=(BUG,)),)))
    assert "along the axes" in jax_says(window.findings)[0], "the older answer stands until the new one comes"

    asked = len(client.asked)
    window.action("jax_checker").trigger()
    assert not session.workspace.controls.jax_checker
    assert jax_says(window.findings) == []
    assert len(client.asked) == asked, "nothing has to run to hide an answer"


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
