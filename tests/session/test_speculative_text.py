"""Tracing and reporting while a user types."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from explorer.link.command import WorkerState
from explorer.messages import TOP_LEVEL, Failure, Report, Snapshot, Variant
from explorer.session.session import DEBOUNCE_MS, HALF_TYPED_MS, Session
from explorer.session.speculative_trace import SETTLE_MS
from tests.session.client import BARE, SCENARIO, Client, Clock
from tests.views.made import heard


def test_the_text_of_half_typed_code_is_shown_as_soon_as_it_is_traced(
    session: Session, client: Client, qtbot: QtBot
) -> None:
    client.run(session, elapsed_s=1.0)
    running: list[str] = []
    shown, activity = heard(session.program_changed), heard(session.activity_changed)
    session.program_changed.connect(lambda _: running.append(client.request.source))
    session.workspace.edit("newer")
    assert (activity[-1].stale, activity[-1].program_stale, activity[-1].due) == (True, True, True)
    assert client.asked_ahead[-1].source == "newer"
    client.say_ahead(bug="newer", fix="of fix")
    assert not shown
    qtbot.waitUntil(lambda: bool(shown))
    assert running[0] == SCENARIO.source
    assert [report.program.text for report in shown[0].reports if report.program] == ["newer", "of fix"]
    assert (shown[0].elapsed_s, shown[0].reports[0].status) == (1.0, "ok")
    assert (True, False) in [(each.stale, each.program_stale) for each in activity]


def test_half_a_word_is_no_mistake_until_a_longer_pause(session: Session, client: Client, qtbot: QtBot) -> None:
    client.run(session)
    asked = len(client.asked)
    session.workspace.edit("jnp.")
    client.say_ahead()
    qtbot.wait(DEBOUNCE_MS + 60)
    assert len(client.asked) == asked
    qtbot.waitUntil(lambda: len(client.asked) > asked, timeout=10 * HALF_TYPED_MS)
    assert client.request.source == "jnp."


def test_words_are_half_typed_until_they_can_be_traced_again(session: Session, client: Client, qtbot: QtBot) -> None:
    client.run(session)
    asked = len(client.asked)
    session.workspace.edit("jnp")
    client.say_ahead()
    session.workspace.edit("jnp.")
    qtbot.wait(DEBOUNCE_MS + 60)
    assert len(client.asked) == asked, "the worker has not answered yet, and it could not be traced before"
    session.workspace.edit("jnp.sin")
    client.say_ahead(bug="newer")
    qtbot.waitUntil(lambda: len(client.asked) > asked, timeout=HALF_TYPED_MS - 100)


@pytest.mark.parametrize("where", ["everywhere", "in one variant"])
def test_a_mistake_that_is_reported_already_is_reported_anew_after_the_usual_pause(
    session: Session, client: Client, qtbot: QtBot, where: str
) -> None:
    session.workspace.open(SCENARIO)
    failure = Failure("SyntaxError", "It cannot be read.")
    if where == "everywhere":
        client.answer(failure=failure)
    else:
        client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "error", failure=failure),)))
    asked = len(client.asked)
    session.workspace.edit("jnp.")
    client.say_ahead()
    qtbot.waitUntil(lambda: len(client.asked) > asked, timeout=HALF_TYPED_MS - 100)


def test_a_text_that_comes_late_is_shown_and_that_of_one_variant_leaves_the_program_pane_stale(
    session: Session, client: Client, qtbot: QtBot
) -> None:
    client.run(session)
    activity = heard(session.activity_changed)
    with qtbot.assertNotEmitted(session.program_changed, wait=SETTLE_MS + 10):
        session.workspace.edit("newer")
    shown = heard(session.program_changed)
    client.say_ahead(bug="newer")
    assert [report.program.text for report in shown[-1].reports if report.program] == ["newer"]
    assert activity[-1].program_stale


def test_a_run_is_seen_to_its_end_before_what_was_typed_meanwhile_is_traced(session: Session, client: Client) -> None:
    client.run(session, complete=False)
    client.state = WorkerState("running")
    session.workspace.edit("newer")
    assert not client.asked_ahead
    client.state = WorkerState("idle")
    client.answer("bug", "fix", elapsed_s=1.0)
    assert session.snapshot.elapsed_s == 1.0  # type: ignore[union-attr]
    assert [each.source for each in client.asked_ahead] == ["newer"]


def test_the_top_level_of_a_file_is_neither_traced_nor_timed(session: Session, client: Client) -> None:
    session.workspace.choose_time_automatically(True)
    session.workspace.open(BARE)
    client.answer(TOP_LEVEL, variants=(Variant(TOP_LEVEL, 1),))
    asked = len(client.asked)
    session.timings.start()
    session.workspace.edit("newer")
    assert not client.asked_ahead
    assert len(client.asked) == asked


@pytest.mark.parametrize("why", ["slow", "compiled", "starting", "died", "asked for everything"])
def test_no_speculative_trace_starts_where_it_would_be_in_the_way(
    session: Session, client: Client, clock: Clock, why: str
) -> None:
    if why == "compiled":
        session.workspace.choose_form("hlo")
    session.workspace.open(SCENARIO)
    if why == "slow":
        clock.now_s += 2 * DEBOUNCE_MS / 1000
    if why == "died":
        client.say(Snapshot(client.request.run, "cpu:0", True, failure=Failure("WorkerDied", "It ended.")))
    elif why != "asked for everything":
        client.answer("bug", "fix")
    if why == "starting":
        client.state = WorkerState("starting")
    session.workspace.edit("newer")
    assert not client.asked_ahead


def test_while_a_mistake_is_reported_no_text_takes_its_place(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer(failure=Failure("SyntaxError", "It cannot be read."))
    with qtbot.assertNotEmitted(session.program_changed, wait=SETTLE_MS + 20):
        session.workspace.edit("newer")
        client.say_ahead(bug="newer")
    assert session.snapshot.failure


def test_a_run_waits_once_for_the_text_that_is_being_traced(session: Session, client: Client, qtbot: QtBot) -> None:
    client.run(session)
    asked = len(client.asked)
    session.workspace.edit("newer")
    qtbot.wait(DEBOUNCE_MS + 60)
    assert len(client.asked) == asked
    client.say_ahead(bug="newer", fix="of fix")
    assert client.request.source == "newer"
