"""When the session asks for a lens on the variants on screen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from explorer.messages import (
    Equation,
    EquationValue,
    Focus,
    LensAnswer,
    LensRequest,
    Program,
    Report,
    Snapshot,
    Span,
    TimingRequest,
    ValueRequest,
)
from explorer.messages.lenses import Extra, Lens
from explorer.session.session import Session
from tests.session.client import SCENARIO, Client, answer, at_an_equation, with_program
from tests.views.made import heard, picture
from tests.views.program.lenses.lens_answers import ROWS


@pytest.fixture
def answers(session: Session) -> list[Any]:
    """Return the emitted lens answers, in order."""
    return heard(session.lenses_changed)


def run(session: Session, client: Client, lens: str = "gradient") -> None:
    session.workspace.open(SCENARIO)
    end_run(client, lens)


def end_run(client: Client, lens: str = "gradient") -> None:
    shown = with_program(client, complete=True)
    reports = tuple(msgspec.structs.replace(each, lenses=(lens,)) for each in shown.reports)
    client.say(msgspec.structs.replace(shown, reports=reports))


def asked(client: Client) -> LensRequest:
    request = client.last(LensRequest)
    client.running = request
    return request


def answer_to(request: LensRequest) -> LensAnswer:
    return LensAnswer(request.run, request.about_run, request.variant, request.lens)


def say(client: Client, received: LensAnswer) -> None:
    client.running = None
    client.say(received)


def run_and_answer(session: Session, client: Client, lens: Lens | None = None) -> None:
    """Let both variants run, and answer what is asked for the gradient of each."""
    run(session, client)
    session.choose_lens("gradient")
    for _ in range(2):
        say(client, msgspec.structs.replace(answer_to(asked(client)), lens=lens))


def test_a_lens_asks_about_one_variant_after_the_other(session: Session, client: Client, answers: list[Any]) -> None:
    run(session, client)
    session.choose_lens("gradient")
    first = asked(client)
    assert (first.about_run, first.variant) == (client.request.run, "bug")
    say(client, answer_to(first))
    second = asked(client)
    assert second.variant == "fix"
    say(client, answer_to(second))
    assert answers[-1] == (answer_to(first), answer_to(second))
    for lens in ("", "vmap"):  # No variant offers the second one.
        session.choose_lens(lens)
        assert (answers[-1], client.asked[-1]) == ((), second)


def test_a_lens_that_gave_way_to_a_value_is_asked_for_again(
    session: Session, client: Client, answers: list[Any]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    first = asked(client)
    session.choose_focus(Focus("equation", 0, "bug"))
    value = client.last(ValueRequest)
    say(client, msgspec.structs.replace(answer_to(first), sentence="It was stopped."))
    client.running = None
    answer(client, value)
    again = asked(client)
    assert (again.variant, again.run > value.run) == ("bug", True)
    assert answers == [()]


def test_what_is_wanted_on_top_is_asked_of_each_variant_once_and_not_of_the_next_program(
    session: Session, client: Client
) -> None:
    run_and_answer(session, client)
    session.rerun_lens(ROWS)
    for name in ("bug", "fix"):
        wanted = asked(client)
        assert (wanted.variant, wanted.rerun) == (name, "rows")
        say(client, answer_to(wanted))
    assert client.asked[-1] == wanted
    session.run()
    run(session, client)
    assert asked(client).rerun == ""


def test_what_was_reported_stays_where_something_on_top_is_stopped(
    session: Session, client: Client, answers: list[Any]
) -> None:
    lens = Lens(bytes=7)
    run_and_answer(session, client, lens)
    session.rerun_lens(ROWS)
    say(client, msgspec.structs.replace(answer_to(asked(client)), sentence="It was stopped."))
    assert (answers[-1][0].lens, answers[-1][0].sentence) == (lens, "It was stopped.")
    session.rerun_lens(ROWS)
    assert (asked(client).variant, asked(client).rerun) == ("bug", "rows")


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_rerun_of_the_program_that_runs_comes_after_it_and_not_of_a_later_one(
    session: Session, client: Client, is_edited: bool
) -> None:
    run_and_answer(session, client)
    session.run()
    before = len(client.asked)
    session.rerun_lens(ROWS)
    assert len(client.asked) == before
    if is_edited:
        session.run()
    client.running = None
    end_run(client)
    assert asked(client).rerun == ("" if is_edited else "rows")


def test_rows_that_were_asked_for_are_shown_as_a_value_until_the_program_is_another(
    session: Session, client: Client
) -> None:
    values = heard(session.value_changed)
    run_and_answer(session, client, Lens())
    session.rerun_lens(ROWS)
    jacobian = picture([0.0], "", "Jacobian", "value")
    rows = Extra(pictures=(jacobian,), sentence="Row i.")
    for _ in range(2):
        say(client, msgspec.structs.replace(answer_to(asked(client)), lens=Lens(extra=rows)))
    # Shown once, of the first variant.
    assert [(each.variant, each.pictures, each.sentence) for each in values if each] == [("bug", (jacobian,), "Row i.")]
    session.run()
    run(session, client)
    assert values[-1] is None


@pytest.mark.rest
def test_time_measures_by_line_first_while_that_page_is_open_and_then_the_sweep(
    session: Session, client: Client, qtbot: QtBot
) -> None:
    run(session, client, "time")
    session.choose_lens("time")
    for rerun in ("", "time"):
        for name in ("bug", "fix"):
            wanted = asked(client)
            assert (wanted.variant, wanted.rerun) == (name, rerun)
            say(client, answer_to(wanted))
        if not rerun:
            session.timings.start()
            client.running = client.asked[-1]
            session.time()
    qtbot.waitUntil(lambda: isinstance(client.asked[-1], TimingRequest))


# -- the value of an equation, and until when it is shown -------------------------------------------------------------


def test_an_equation_that_is_selected_is_asked_for_its_value_once(session: Session, client: Client) -> None:
    asked = at_an_equation(session, client, 1)
    assert (asked.about_run, asked.variant, asked.equation, asked.steps) == (client.request.run, "bug", 1, ())
    shown = heard(session.value_changed)
    received = answer(client, asked)
    session.choose_focus(Focus("equation", 1, "bug"))
    assert client.asked[-1] is asked
    assert shown == [received]


def test_a_value_is_asked_for_again_when_the_program_runs_in_a_form_without_equations(
    session: Session, client: Client
) -> None:
    answer(client, at_an_equation(session, client, 1))
    session.workspace.choose_form("hlo")
    reports = (Report("bug", "ok", program=Program("hlo", "ENTRY")), Report("fix", "ok"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    asked = client.last(ValueRequest)
    assert (asked.about_run, asked.variant, asked.equation) == (client.request.run, "bug", 1)


@pytest.mark.parametrize("other", [None, Focus("finding", 0, "bug")], ids=["escape", "a finding"])
def test_a_value_stays_while_its_rows_are_selected_and_goes_with(
    session: Session, client: Client, other: Focus | None
) -> None:
    answer(client, at_an_equation(session, client))
    shown = heard(session.value_changed)
    session.choose_focus(Focus("row", 0, "bug"))
    assert shown == []
    session.choose_focus(other)
    assert shown == [None]


def test_an_iteration_of_an_equation_is_asked_for_at_once(session: Session, client: Client) -> None:
    answer(client, at_an_equation(session, client))
    before = len(client.asked)
    session.choose_iteration((Focus("equation", 1, "bug"), (2, 7)))
    asked = client.asked[before:]
    assert [(each.equation, each.steps) for each in asked if isinstance(each, ValueRequest)] == [(1, (2, 7))]
    assert len(asked) == 1


def test_a_preliminary_value_is_shown_and_completed(session: Session, client: Client) -> None:
    asked = at_an_equation(session, client)
    shown = heard(session.value_changed)
    preliminary = EquationValue(asked.run, asked.about_run, asked.variant, asked.equation, complete=False)
    client.say(preliminary)
    assert shown == [preliminary, answer(client, asked)]


def test_a_line_with_a_loop_shows_the_loop(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    span = Span(3, 0, 3, 9)
    equations = (Equation("sin", span, 0, 0, 0, "f32[]"), Equation("scan", span, 1, 4, 0, "f32[]"))
    reports = (Report("bug", "ok", program=Program("jaxpr", "text", equations)), Report("fix", "ok"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    session.choose_focus(Focus("line", 2))
    assert not isinstance(client.asked[-1], ValueRequest)
    session.choose_focus(Focus("line", 3))
    asked = client.last(ValueRequest)
    assert (asked.variant, asked.equation) == ("bug", 1)


def test_another_iteration_of_a_loop_is_asked_for_and_of_a_newer_run_again_when_it_is_complete(
    session: Session, client: Client
) -> None:
    first = at_an_equation(session, client)
    answer(client, first)
    session.choose_steps((3,))
    assert client.last(ValueRequest).steps == (3,)
    session.run()
    client.say(with_program(client, complete=False))
    assert client.asked[-1] is client.request
    client.say(with_program(client, complete=True))
    asked = client.last(ValueRequest)
    assert (asked.about_run, asked.equation, asked.steps) == (client.request.run, 0, (3,))


def test_a_value_of_an_older_run_goes_when_something_else_is_selected(session: Session, client: Client) -> None:
    answer(client, at_an_equation(session, client))
    session.choose_focus(Focus("line", 1))
    shown = heard(session.value_changed)
    session.run()
    client.say(with_program(client, complete=True))
    assert shown == [None]
