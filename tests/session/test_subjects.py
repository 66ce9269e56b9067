"""The function of a script in the panes: it is chosen, kept, timed and asked about."""

from __future__ import annotations

from typing import Any

from explorer.messages import (
    TOP_LEVEL,
    Equation,
    Finding,
    Focus,
    LensRequest,
    Program,
    Report,
    Snapshot,
    Span,
    Subject,
    TimingRequest,
    ValueRequest,
    Variant,
)
from explorer.scenario.scenario import Scenario
from explorer.scenario.texts import Texts
from explorer.session.session import Session
from tests.session.client import Client

FILE = Scenario("own.py", "file", "own.py", "x = 1\n" * 40, Texts("own.py"))


def subject(name: str, line: int) -> Subject:
    equation = Equation("add", Span(line, 0, line, 9), 0, 0, 0, "f32[]")
    return Subject(name, line + 20, 1, True, (line,), Program("jaxpr", name, (equation,)), ("gradient",))


STEP, EVALUATE = subject("step", 5), subject("evaluate", 9)
BUG = Finding("nan", "bug", "It is NaN.", (Span(9, 0, 9, 9),))


def ran(client: Client, *known: Subject, **fields: Any) -> None:
    known = known or (STEP, EVALUATE)
    shown = next((each for each in known if each.name == client.request.subject), known[0])
    report = Report(
        TOP_LEVEL,
        "ok",
        subjects=known,
        subject=shown.name,
        program=shown.program,
        lenses=shown.lenses,
        findings=(BUG,),
        pictures=(),
        **fields,
    )
    client.say(Snapshot(client.request.run, "cpu:0", True, variants=(Variant(TOP_LEVEL, 1),), reports=(report,)))


def opened(session: Session, client: Client) -> None:
    session.workspace.open(FILE)
    ran(client)


def test_another_one_is_shown_without_a_run_and_kept_over_edits(session: Session, client: Client) -> None:
    opened(session, client)
    controls = session.workspace.controls
    assert (controls.of_script, [each.name for each in controls.subjects]) == ("step", ["step", "evaluate"])
    asked = len(client.asked)
    session.workspace.choose_subject("evaluate")
    assert len(client.asked) == asked
    assert session.snapshot.reports[0].program is EVALUATE.program
    session.workspace.edit("y = 2\n" * 40)
    session.run()
    assert client.request.subject == "evaluate"
    ran(client)
    assert session.workspace.controls.of_script == "evaluate"
    ran(client, STEP)
    assert session.workspace.controls.of_script == "step"
    ran(client)
    assert session.workspace.controls.of_script == "evaluate"


def test_one_whose_program_did_not_come_is_asked_for(session: Session, client: Client) -> None:
    session.workspace.open(FILE)
    ran(client, STEP, Subject("evaluate", 29))
    asked = client.request.run
    session.workspace.choose_subject("evaluate")
    assert (client.request.run > asked, client.request.subject) == (True, "evaluate")


def test_a_selected_finding_moves_program_and_timing_to_the_function_that_contains_it(
    session: Session, client: Client
) -> None:
    opened(session, client)
    session.choose_focus(Focus("finding", 0, TOP_LEVEL))
    assert session.workspace.controls.of_script == "evaluate"
    assert session.marks().equations == {TOP_LEVEL: frozenset({0})}
    session.timings.start()
    assert (client.last(TimingRequest).subject, client.last(TimingRequest).variants) == ("evaluate", ())


def test_lenses_and_values_are_of_the_function(session: Session, client: Client) -> None:
    opened(session, client)
    session.choose_lens("gradient")
    assert (client.last(LensRequest).variant, client.last(LensRequest).subject) == (TOP_LEVEL, "step")
    session.workspace.choose_subject("evaluate")
    assert (client.last(LensRequest).subject, client.last(LensRequest).subject_calls) == ("evaluate", 1)
    session.choose_focus(Focus("equation", 0, TOP_LEVEL))
    assert (client.last(ValueRequest).variant, client.last(ValueRequest).subject) == (TOP_LEVEL, "evaluate")
