"""When the session asks for a lens on the variants on screen."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from explorer.messages import Array, EquationValue, Focus, LensAnswer, LensRequest, Picture, TimingRequest, ValueRequest
from explorer.messages.lenses.gradient import FIND_FIX, MEASURE, ROWS, GradientCosts, GradientLens, GradientRows
from explorer.session.session import Session
from tests.session.client import SCENARIO, Client, answer, with_program


@pytest.fixture
def answers(session: Session) -> list[tuple[LensAnswer, ...]]:
    """Return the emitted lens answers, in order."""
    every: list[tuple[LensAnswer, ...]] = []
    session.lenses_changed.connect(every.append)
    return every


def run(session: Session, client: Client, lens: str = "gradient") -> None:
    session.workspace.open(SCENARIO)
    end_run(client, lens)


def end_run(client: Client, lens: str = "gradient") -> None:
    shown = with_program(client, complete=True)
    reports = tuple(msgspec.structs.replace(each, lenses=(lens,)) for each in shown.reports)
    client.say(msgspec.structs.replace(shown, reports=reports))


def asked(client: Client) -> LensRequest:
    request = client.asked[-1]
    assert isinstance(request, LensRequest)
    client.running = request
    return request


def answer_to(request: LensRequest) -> LensAnswer:
    return LensAnswer(request.run, request.about_run, request.variant, request.lens)


def say(client: Client, came: LensAnswer) -> None:
    client.running = None
    client.say(came)


def test_a_lens_asks_about_one_variant_after_the_other(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    first = asked(client)
    assert (first.about_run, first.variant) == (client.request.run, "bug")
    say(client, answer_to(first))
    second = asked(client)
    assert second.variant == "fix"
    say(client, answer_to(second))
    assert answers[-1] == (answer_to(first), answer_to(second))
    session.choose_lens("")
    assert (answers[-1], client.asked[-1]) == ((), second)


def test_a_lens_that_no_variant_offers_asks_nothing(session: Session, client: Client) -> None:
    run(session, client)
    before = list(client.asked)
    session.choose_lens("vmap")
    assert client.asked == before


def test_a_lens_that_gave_way_to_a_value_is_asked_for_again(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    first = asked(client)
    session.choose_focus(Focus("equation", 0, "bug"))
    value = client.asked[-1]
    assert isinstance(value, ValueRequest)
    say(client, msgspec.structs.replace(answer_to(first), sentence="It was stopped."))
    client.running = None
    answer(session, client, value)
    again = asked(client)
    assert (again.variant, again.run > value.run) == ("bug", True)
    assert answers == [()]


def test_what_is_wanted_on_top_is_asked_of_each_variant_once_and_not_of_the_next_program(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    for _ in range(2):
        say(client, answer_to(asked(client)))
    session.rerun_lens(FIND_FIX)
    for name in ("bug", "fix"):
        wanted = asked(client)
        assert (wanted.variant, wanted.rerun) == (name, "fix")
        say(client, answer_to(wanted))
    assert client.asked[-1] == wanted
    session.run()
    run(session, client)
    assert asked(client).rerun == ""


def test_what_was_reported_stays_where_something_on_top_is_stopped(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    lens = GradientLens(residual_bytes=7)
    for _ in range(2):
        say(client, msgspec.structs.replace(answer_to(asked(client)), lens=lens))
    session.rerun_lens(FIND_FIX)
    say(client, msgspec.structs.replace(answer_to(asked(client)), sentence="It was stopped."))
    assert (answers[-1][0].lens, answers[-1][0].sentence) == (lens, "It was stopped.")
    session.rerun_lens(FIND_FIX)
    assert (asked(client).variant, asked(client).rerun) == ("bug", "fix")


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_rerun_of_the_program_that_runs_comes_after_it_and_not_of_a_later_one(
    session: Session, client: Client, is_edited: bool
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    for _ in range(2):
        say(client, answer_to(asked(client)))
    session.run()
    before = len(client.asked)
    session.rerun_lens(FIND_FIX)
    assert len(client.asked) == before
    if is_edited:
        session.run()
    client.running = None
    end_run(client)
    assert asked(client).rerun == ("" if is_edited else "fix")


def test_two_are_measured_together_and_reported_with_the_first(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    run(session, client)
    session.choose_lens("gradient")
    for _ in range(2):
        say(client, answer_to(asked(client)))
    session.rerun_lens(MEASURE)
    wanted = asked(client)
    assert (wanted.variant, wanted.rerun, wanted.other_variant) == ("bug", "measure", "fix")
    say(client, answer_to(wanted))
    assert client.asked[-1] == wanted


def test_rows_that_were_asked_for_are_shown_as_a_value_until_the_program_is_another(
    session: Session, client: Client, answers: list[tuple[LensAnswer, ...]]
) -> None:
    values: list[EquationValue | None] = []
    session.value_changed.connect(values.append)
    run(session, client)
    session.choose_lens("gradient")
    for _ in range(2):
        say(client, msgspec.structs.replace(answer_to(asked(client)), lens=GradientLens()))
    session.rerun_lens(MEASURE)
    costs = GradientCosts(())
    say(client, msgspec.structs.replace(answer_to(asked(client)), lens=GradientLens(costs=costs)))
    session.rerun_lens(ROWS)
    none = Array.of([0])
    picture = Picture("value", "Jacobian", (1,), "float32", none, 0, none, 1, "")
    rows = GradientRows("jacobian", (picture,), "Row i.")
    for _ in range(2):
        say(client, msgspec.structs.replace(answer_to(asked(client)), lens=GradientLens(rows=rows)))
    # Shown once, of the first variant; what was measured before stays.
    assert [(each.variant, each.pictures, each.sentence) for each in values if each] == [("bug", (picture,), "Row i.")]
    assert isinstance(answers[-1][0].lens, GradientLens)
    assert answers[-1][0].lens.costs == costs
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
