"""The newest request of a kind and its answers, and the cached answers of earlier pages."""

from __future__ import annotations

from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from explorer.messages import (
    Finding,
    Fix,
    Parameter,
    Report,
    Request,
    Snapshot,
    Span,
    TrialAnswer,
    TrialRequest,
    ValueRequest,
)
from explorer.scenario.scenario import Step
from explorer.session.questions import MOST_CACHED, Query
from explorer.session.session import Session
from tests.session.client import SCENARIO, Client

ASKED = ValueRequest(7, 6, "f", 0)


def test_the_same_is_asked_once_and_an_answer_to_an_older_request_comes_too_late() -> None:
    query: Query[ValueRequest, str] = Query()
    assert query.answered(0) is None
    assert query.new(ASKED) is ASKED
    assert query.new(replace(ASKED, run=8)) is None
    newer = replace(ASKED, run=9, equation=1)
    assert query.new(newer) is newer
    assert (query.answered(7), query.answered(9)) == (None, newer)
    query.asked = None
    assert query.answered(9) is None
    assert query.new(replace(newer, run=10)) is not None


def test_only_the_newest_answers_are_kept_and_none_while_it_is_off() -> None:
    query: Query[ValueRequest, str] = Query()
    asked = [replace(ASKED, equation=number) for number in range(MOST_CACHED + 1)]
    query.note("one", asked[1])
    assert query.known(asked[1]) is None
    query.keep(True)
    for number, each in enumerate(asked):
        query.note(str(number), each)
    query.note("again", replace(asked[1], run=100))
    assert [query.known(asked[number]) for number in (0, 1, MOST_CACHED)] == [None, "again", str(MOST_CACHED)]
    query.keep(False)
    assert query.known(asked[1]) is None


def test_what_makes_no_difference_to_an_answer_is_left_out_of_what_is_asked() -> None:
    query: Query[Request, str] = Query("finding_fixes")
    query.keep(True)
    asked = Request(1, "x", "<code>", finding_fixes=True)
    query.note("answer", asked)
    assert query.known(replace(asked, finding_fixes=False)) == "answer"
    assert query.known(replace(asked, source="y")) is None
    assert query.known(asked, asked) is None


def batch(session: Session) -> object:
    return session.snapshot.parameters[0].value


def choose(session: Session, value: int) -> None:
    session.workspace.set_parameter(Parameter("batch", value, 32))
    session.run()


def test_what_was_computed_already_is_shown_at_once_and_greyed_until_it_is_computed_again(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    session.keep_results(True)
    for value in (4, 8):
        choose(session, value)
        client.answer("f", parameters=(Parameter("batch", value, 32),))
    assert batch(session) == 8
    choose(session, 4)
    assert batch(session) == 4
    assert session.stale
    assert client.request.parameters == {"batch": 4}
    client.answer("f", parameters=(Parameter("batch", 4, 32),))
    assert not session.stale
    session.keep_results(False)
    choose(session, 8)
    assert batch(session) == 4


FIX = Fix("Split it.", ())
REUSE = Finding("key-reuse", "bug", "Twice.", (Span(1, 0, 1, 1),))


def fixes_shown(session: Session) -> list[Fix]:
    return [fix for report in session.snapshot.reports for each in report.findings or () for fix in each.fixes]


def test_fixes_in_a_lesson_are_found_beside_what_is_on_screen(session: Session, client: Client, qtbot: QtBot) -> None:
    story = {"en": (Step("Title", "Text"),)}
    session.workspace.open(replace(SCENARIO, stories=story))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "ok", findings=(REUSE,)),)))
    with qtbot.assertNotEmitted(session.snapshot_changed):
        session.ask_for_fixes()
        assert not session.stale
        trial = client.last(TrialRequest)
        assert trial.trials[0].finding_fixes
        found = Report("bug", "ok", findings=(replace(REUSE, fixes=(FIX,)),))
        with qtbot.waitSignal(session.fixes_found):
            client.say(TrialAnswer(trial.run, (Snapshot(trial.run, "cpu:0", True, reports=(found,)),)))
    assert fixes_shown(session) == [FIX]


def test_fixes_in_an_own_file_come_with_its_run_and_are_offered_at_once(
    session: Session, client: Client, qtbot: QtBot
) -> None:
    session.workspace.open(SCENARIO)
    asked = client.request
    assert asked.finding_fixes
    found = Report("bug", "ok", findings=(replace(REUSE, fixes=(FIX,)),))
    client.running = asked
    client.say(Snapshot(asked.run, "cpu:0", False, reports=(found,)))
    with qtbot.assertNotEmitted(session.fixes_found):
        session.ask_for_fixes()
    client.running = None
    with qtbot.waitSignal(session.fixes_found):
        client.say(Snapshot(asked.run, "cpu:0", True, reports=(found,)))
    with qtbot.waitSignal(session.fixes_found):
        session.ask_for_fixes()
    assert client.request is asked, "nothing runs again"
    assert fixes_shown(session) == [FIX]
