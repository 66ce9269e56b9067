"""When the session asks for the value of an equation, and until when it is shown."""

from __future__ import annotations

import pytest

from explorer.messages import (
    Equation,
    EquationValue,
    Focus,
    Program,
    Report,
    Request,
    Snapshot,
    Span,
    ValueRequest,
)
from explorer.session.session import Session
from tests.session.client import SCENARIO, Client, answer, at_an_equation, with_program


def test_an_equation_that_is_selected_is_asked_for_its_value_once(session: Session, client: Client) -> None:
    asked = at_an_equation(session, client, 1)
    assert (asked.about_run, asked.variant, asked.equation, asked.steps) == (client.request.run, "bug", 1, ())
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    came = answer(session, client, asked)
    session.choose_focus(Focus("equation", 1, "bug"))
    assert client.asked[-1] is asked
    assert shown == [came]


def test_a_value_is_asked_for_again_when_the_program_runs_in_a_form_without_equations(
    session: Session, client: Client
) -> None:
    answer(session, client, at_an_equation(session, client, 1))
    session.workspace.choose_form("hlo")
    reports = (Report("bug", "ok", program=Program("hlo", "ENTRY")), Report("fix", "ok"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.about_run, asked.variant, asked.equation) == (client.request.run, "bug", 1)


def test_a_value_that_comes_too_late_is_dropped(session: Session, client: Client) -> None:
    first = at_an_equation(session, client)
    session.choose_focus(Focus("equation", 1, "bug"))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    answer(session, client, first)
    assert shown == []


def test_of_a_value_that_gave_way_to_a_newer_run_nothing_is_reported(session: Session, client: Client) -> None:
    first = at_an_equation(session, client)
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.run()
    answer(session, client, first)
    assert shown == []
    client.say(with_program(client, complete=True))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert answer(session, client, asked) in shown


@pytest.mark.parametrize("other", [None, Focus("finding", 0, "bug")], ids=["escape", "a finding"])
def test_a_value_stays_while_its_rows_are_selected_and_goes_with(
    session: Session, client: Client, other: Focus | None
) -> None:
    answer(session, client, at_an_equation(session, client))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.choose_focus(Focus("row", 0, "bug"))
    assert shown == []
    session.choose_focus(other)
    assert shown == [None]


def test_another_iteration_of_a_loop_is_asked_for(session: Session, client: Client) -> None:
    answer(session, client, at_an_equation(session, client))
    session.choose_steps((3,))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.equation, asked.steps) == (0, (3,))


def test_an_iteration_of_an_equation_is_asked_for_at_once(session: Session, client: Client) -> None:
    answer(session, client, at_an_equation(session, client))
    before = len(client.asked)
    session.choose_iteration((Focus("equation", 1, "bug"), (2, 7)))
    asked = client.asked[before:]
    assert [(each.equation, each.steps) for each in asked if isinstance(each, ValueRequest)] == [(1, (2, 7))]
    assert len(asked) == 1


def test_a_preliminary_value_is_shown_and_completed(session: Session, client: Client) -> None:
    asked = at_an_equation(session, client)
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    preliminary = EquationValue(asked.run, asked.about_run, asked.variant, asked.equation, complete=False)
    client.say(preliminary)
    assert shown == [preliminary, answer(session, client, asked)]


def test_a_line_with_a_loop_shows_the_loop(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    span = Span(3, 0, 3, 9)
    equations = (Equation("sin", span, 0, 0, 0, "f32[]"), Equation("scan", span, 1, 4, 0, "f32[]"))
    reports = (Report("bug", "ok", program=Program("jaxpr", "text", equations)), Report("fix", "ok"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    session.choose_focus(Focus("line", 2))
    assert not isinstance(client.asked[-1], ValueRequest)
    session.choose_focus(Focus("line", 3))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.variant, asked.equation) == ("bug", 1)


def test_a_newer_run_is_asked_again_when_it_is_complete(session: Session, client: Client) -> None:
    first = at_an_equation(session, client)
    answer(session, client, first)
    session.choose_steps((3,))
    session.run()
    client.say(with_program(client, complete=False))
    assert isinstance(client.asked[-1], Request)
    client.say(with_program(client, complete=True))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.about_run, asked.equation, asked.steps) == (client.request.run, 0, (3,))


def test_a_value_of_an_older_run_goes_when_something_else_is_selected(session: Session, client: Client) -> None:
    answer(session, client, at_an_equation(session, client))
    session.choose_focus(Focus("line", 1))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.run()
    client.say(with_program(client, complete=True))
    assert shown == [None]
