"""When the session measures times, and what delays that."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from explorer.messages import (
    Array,
    Failure,
    Focus,
    Measurement,
    Parameter,
    Report,
    Snapshot,
    TimingDone,
    TimingRequest,
    ValueRequest,
)
from explorer.session.controls import TimingChoice
from explorer.session.session import Session
from explorer.session.timing_runs import BY_ITSELF_S
from tests.session.client import BARE, SCENARIO, Client, Clock, answer, with_program
from tests.views.made import heard


def measured(run: int, median_s: float, device: str = "cpu:0") -> Measurement:
    return Measurement(run, "bug", ("jit",), {"batch": 8}, device, median_s=median_s)


def time(session: Session, client: Client, other_device: str = "") -> int:
    """Let the program run and its timing start; return the number of the request."""
    client.run(session)
    if other_device:
        session.workspace.choose_timing(TimingChoice(transforms=("jit",), other_device=other_device))
    session.timings.start()
    return client.asked[-1].run


def time_to_the_end(session: Session, client: Client) -> None:
    """Let the program run and be timed, which from now on happens by itself."""
    session.workspace.choose_time_automatically(True)
    run = time(session, client)
    client.say(measured(run, 1.0))
    client.say(TimingDone(run, 1.0))


def test_timing_asks_for_the_sweep_of_the_scenario_and_the_value_that_was_set(session: Session, client: Client) -> None:
    time(session, client)
    request = client.last(TimingRequest)
    assert (request.sweep_name, request.sweep_values, request.transforms) == ("batch", (8, 64), ("jit",))
    assert request.variants == ("bug", "fix")
    client.run(session, parameters=(Parameter("batch", 16, 32),))
    session.timings.start()
    request = client.last(TimingRequest)
    assert request.sweep_values == (8, 16, 64)


def test_timing_of_a_bare_file_sweeps_its_first_whole_number(session: Session, client: Client) -> None:
    session.workspace.open(BARE)
    client.answer("bug", parameters=(Parameter("seed", 3, 3), Parameter("n", 32, 32)))
    session.timings.start()
    request = client.last(TimingRequest)
    assert (request.sweep_name, request.sweep_values) == ("n", (8, 32, 128, 512))


def test_measurements_of_one_point_replace_each_other(session: Session, client: Client) -> None:
    run = time(session, client)
    for median_s in (2.0, 1.0):
        client.say(Measurement(run, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=median_s))
    client.say(Measurement(run, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=3.0))
    client.say(Measurement(run - 1, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=9.0))
    assert [each.median_s for each in session.timings.measurements] == [1.0, 3.0]


def test_what_was_measured_stays_until_the_next_run_brings_something(session: Session, client: Client) -> None:
    first = measured(time(session, client), 1.0)
    client.say(first)
    session.timings.start()
    assert session.timings.measurements == (first,)
    client.say(TimingDone(client.asked[-1].run, 0.1, failure=Failure("RuntimeError", "no memory")))
    assert session.timings.measurements == (first,)
    session.timings.start()
    client.say(Measurement(client.asked[-1].run, "bug", ("jit",), {"batch": 8}, "cpu:0", final=False))
    assert session.timings.measurements == (first,), "while a first call is under way nothing is drawn"
    second = measured(client.asked[-1].run, 2.0)
    client.say(second)
    assert session.timings.measurements == (second,)


def test_a_timing_run_that_was_cut_short_says_so_and_never_finishes(session: Session, client: Client) -> None:
    emitted = heard(session.timings.reported)
    run = time(session, client)
    client.say(measured(run, 1.0))
    client.say(Measurement(run, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=3.0, final=False))
    client.say(TimingDone(run, 1.0, cut_short=True))
    assert "cut short" in emitted[-1]
    assert [(each.final, each.cut_short) for each in session.timings.measurements] == [(True, False), (True, True)]
    assert session.timings.unfinished


def test_nothing_stays_of_a_timing_run_without_a_measurement(session: Session, client: Client) -> None:
    emitted = heard(session.timings.reported)
    client.say(TimingDone(time(session, client), 1.0, cut_short=True))
    assert emitted[-1] == "Not measured yet."


def value_interrupts_timing(session: Session, client: Client) -> ValueRequest:
    session.workspace.open(SCENARIO)
    client.say(with_program(client, complete=True))
    session.timings.start()
    client.running = client.asked[-1]
    session.choose_focus(Focus("equation", 0, "bug"))
    asked = client.last(ValueRequest)
    client.running = None
    return asked


@pytest.mark.parametrize("is_stopped", [False, True])
def test_timing_that_is_asked_for_during_a_run_waits_for_its_end(
    session: Session, client: Client, is_stopped: bool
) -> None:
    client.run(session)
    session.run()
    client.running = client.request
    if is_stopped:
        session.stop()
    session.timings.start()
    assert client.asked[-1] is client.request
    assert not session.timings.due
    client.running = None
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "stopped" if is_stopped else "ok"),)))
    assert session.timings.due


def test_timing_starts_again_after_a_value_interrupted_it(session: Session, client: Client) -> None:
    asked = value_interrupts_timing(session, client)
    assert not session.busy
    answer(client, asked)
    assert session.busy


def test_another_form_of_the_program_and_another_variant_leave_its_times(session: Session, client: Client) -> None:
    time_to_the_end(session, client)
    for choose, choice in ((session.workspace.choose_form, "stablehlo"), (session.workspace.choose_variant, "fix")):
        choose(choice)
        client.answer("bug", "fix")
        assert not session.timings.due
        assert not session.timings.stale
    session.run()
    client.answer("bug", "fix")
    assert session.timings.due
    assert session.timings.stale


def test_times_of_the_same_program_stay_when_something_else_stands_next_to_it(session: Session, client: Client) -> None:
    time_to_the_end(session, client)
    session.workspace.choose_compare("fix")
    changed = heard(session.timings.changed)
    client.answer("bug", "fix")
    assert not session.timings.due
    assert changed, "until the program had run again, its times were told to be unknown"
    session.workspace.edit("newer")
    session.run()
    client.answer("bug", "fix")
    assert session.timings.due


def test_a_run_that_starts_by_itself_is_short_and_says_what_takes_longer(session: Session, client: Client) -> None:
    emitted = heard(session.timings.reported)
    session.workspace.choose_time_automatically(True)
    client.run(session)
    session.timings._pause.timeout.emit()
    asked = client.last(TimingRequest)
    assert asked.limit_s == BY_ITSELF_S
    client.say(TimingDone(asked.run, 9.0, left_out=(64,)))
    assert "64" in emitted[-1]
    assert "Ctrl+T" in emitted[-1]
    session.timings.forget()
    assert emitted[-1] == ""
    session.timings.start()
    asked = client.last(TimingRequest)
    assert asked.limit_s is None


@pytest.mark.parametrize("measures", [False, True])
def test_a_run_by_itself_that_was_cut_off_goes_on_in_what_is_left_of_its_time_or_anew_if_it_measured_nothing(
    session: Session, client: Client, clock: Clock, measures: bool
) -> None:
    session.workspace.choose_time_automatically(True)
    client.run(session)
    limits: list[float | None] = []
    for used_s in (4.0, 5.5, 1.0):
        session.timings._pause.timeout.emit()
        asked = client.asked[-1]
        limits.append(asked.limit_s if isinstance(asked, TimingRequest) else None)
        clock.now_s += used_s
        if measures and isinstance(asked, TimingRequest):
            client.say(measured(asked.run, 1.0))
        # As a turned page does, on which another variant stands next to the same program.
        client.running = asked
        session.workspace.choose_variant("fix" if session.workspace.controls.variant == "bug" else "bug")
        client.running = None
        client.say(TimingDone(asked.run, used_s, cut_short=True))
        client.answer("bug", "fix")
    assert limits == [BY_ITSELF_S, BY_ITSELF_S - 4.0, None if measures else BY_ITSELF_S]
    session.timings._pause.timeout.emit()
    assert not session.timings.is_coming


@pytest.mark.parametrize("is_edited", [False, True])
def test_times_that_another_form_interrupted_are_taken_afterwards_if_not_of_another_program(
    session: Session, client: Client, is_edited: bool
) -> None:
    time(session, client)
    client.running = client.asked[-1]
    session.workspace.choose_form("stablehlo")
    client.running = None
    assert not session.timings.due
    if is_edited:
        session.workspace.edit("newer")
        session.run()
    client.answer("bug", "fix")
    assert session.timings.due is not is_edited


def test_timing_that_is_about_to_start_waits_for_a_value(session: Session, client: Client) -> None:
    session.workspace.choose_time_automatically(True)
    session.workspace.open(SCENARIO)
    client.say(with_program(client, complete=True))
    assert session.busy
    session.choose_focus(Focus("equation", 0, "bug"))
    asked = client.last(ValueRequest)
    assert not session.busy, "it would end the question"
    answer(client, asked)
    assert session.busy


@pytest.mark.rest
def test_what_is_ticked_is_timed(session: Session, client: Client, qtbot: QtBot) -> None:
    client.run(session)
    assert session.workspace.controls.timing == TimingChoice((), ("jit",))
    session.workspace.choose_timing(TimingChoice(("fix",), ("eager", "jit(vmap)")))
    qtbot.waitUntil(lambda: isinstance(client.asked[-1], TimingRequest))
    request = client.last(TimingRequest)
    assert (request.variants, request.transforms) == (("fix",), ("eager", "jit(vmap)"))


def test_another_device_is_timed_after_the_first_and_both_stay(session: Session, client: Client) -> None:
    first = time(session, client, "cpu:1")
    client.say(measured(first, 1.0))
    client.say(TimingDone(first, 1.0))
    request = client.last(TimingRequest)
    assert (request.device, request.run > first) == ("cpu:1", True)
    client.say(measured(request.run, 2.0, "cpu:1"))
    client.say(TimingDone(request.run, 1.0))
    assert [each.device for each in session.timings.measurements] == ["cpu:0", "cpu:1"]
    assert client.asked[-1] is request


def test_a_second_device_that_is_gone_is_reported_and_the_first_stays(session: Session, client: Client) -> None:
    emitted = heard(session.timings.reported)
    first = time(session, client, "gpu:0")
    client.say(measured(first, 1.0))
    client.say(TimingDone(first, 1.0))
    sentence = "There is no device gpu:0 here. JAX has cpu:0."
    client.say(TimingDone(client.asked[-1].run, 0.0, failure=Failure("UnknownDevice", sentence)))
    assert emitted[-1] == f"Timing ended: {sentence}"
    assert [(each.device, each.median_s) for each in session.timings.measurements] == [("cpu:0", 1.0)]


def test_stop_on_the_first_device_stops_the_second_too(session: Session, client: Client) -> None:
    first = time(session, client, "cpu:1")
    client.say(TimingDone(first, 1.0, cut_short=True))
    assert client.asked[-1].run == first


def test_points_that_a_newer_run_cuts_off_are_ended(session: Session, client: Client) -> None:
    half = msgspec.structs.replace(measured(time(session, client), 1.0), samples_s=Array.of([1.0]), final=False)
    client.say(half)
    session.timings.start()
    assert [(each.final, each.cut_short) for each in session.timings.measurements] == [(True, True)]


def test_times_are_unfinished_until_the_last_point_has_come_and_after_an_edit(session: Session, client: Client) -> None:
    seen: list[bool] = []
    session.timings.changed.connect(lambda _: seen.append(session.timings.unfinished))
    time(session, client, "cpu:1")
    for done in range(2):
        run = client.asked[-1].run
        client.say(measured(run, 1.0))
        assert seen[-1], f"{done} devices of two are through"
        client.say(TimingDone(run, 1.0))
    assert not seen[-1], "the end of the run is told"
    session.workspace.edit("newer")
    assert session.timings.unfinished
