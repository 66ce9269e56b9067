"""The session with a client that only records its requests; answers are sent by hand."""

from __future__ import annotations

import msgspec
import pytest
from pytestqt.qtbot import QtBot

from explorer.library import drafts
from explorer.link.command import WorkerState
from explorer.messages import (
    ORIGINAL,
    PARTS,
    Applied,
    Coverage,
    Device,
    Equation,
    Failure,
    Finding,
    Focus,
    Hello,
    Parameter,
    Program,
    Programs,
    Report,
    Snapshot,
    Span,
    Transforms,
    Variant,
    original_name,
    unanswered,
)
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from tests.session.client import BARE, SCENARIO, Client, with_program
from tests.views.made import heard

GONE = Failure("Stopped", "It is gone.")


def test_opening_a_scenario_runs_it_as_it_says_until_the_compared_variant_is_chosen(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    request = client.request
    assert request.variants == request.named == ("bug", "fix")
    assert (request.hidden, request.shared_on_purpose, request.filename) == (("helper",), ("fix",), "<one>")
    session.workspace.choose_variant("fix")
    assert client.request.variants == ("fix",)


def test_a_bare_file_shows_its_first_variant_once_that_is_known(session: Session, client: Client) -> None:
    session.workspace.open(BARE)
    assert (client.request.variants, client.request.hidden) == ((), ())
    client.answer("bug", "fix")
    assert session.workspace.controls.variant == "bug"
    assert [report.name for report in session.snapshot.reports] == ["bug"]  # type: ignore[union-attr]


def test_the_program_is_shown_before_the_other_views_get_the_snapshot(session: Session, client: Client) -> None:
    told: list[str] = []
    session.snapshot_changed.connect(lambda _: told.append("all"))
    session.program_changed.connect(lambda _: told.append("program"))
    session.workspace.open(SCENARIO)
    client.answer("bug")
    assert told == ["program", "all"]


def test_a_new_program_is_reported_alone_and_what_is_known_of_the_older_one_stays(
    session: Session, client: Client
) -> None:
    client.run(session, elapsed_s=1.0)
    session.snapshot_changed.connect(lambda _: pytest.fail("only the program is new"))
    changed = heard(session.program_changed)
    older = client.request.run
    session.run()
    client.say(Programs(older, {"bug": Program("jaxpr", "older")}))
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "newer")}))
    (shown,) = changed
    assert shown.reports[0].program == Program("jaxpr", "newer")
    assert (shown.elapsed_s, shown.reports[0].status) == (1.0, "ok")
    assert session.stale


def test_a_selected_line_is_lit_in_a_new_program_before_the_rest_has_run(session: Session, client: Client) -> None:
    sine = Equation("sin", Span(2, 0, 2, 9), 1, 1, 0, "f32[]")
    cosine = Equation("cos", Span(3, 0, 3, 9), 2, 2, 0, "f32[]")
    client.run(session)
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "one", (cosine,), (0, 3))}))
    session.choose_focus(Focus("line", 3))
    lit = heard(session.marks_changed)
    session.run()
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "two", (sine, cosine), (0, 2, 3))}))
    assert [marks.equations["bug"] for marks in lit] == [frozenset({1})]


def test_the_text_of_another_variant_is_no_older_one_until_the_user_types(session: Session, client: Client) -> None:
    client.run(session)
    session.workspace.choose_compare("")
    client.say(with_program(client, complete=True))
    activity = heard(session.activity_changed)
    session.workspace.choose_variant("fix")
    assert activity[-1].program_stale
    client.say(with_program(client, complete=False))
    assert (activity[-1].stale, activity[-1].program_stale) == (True, False)
    session.workspace.edit("newer")
    client.say(Programs(client.request.run, {"fix": Program("jaxpr", "older")}))
    assert activity[-1].program_stale


def test_another_form_of_the_program_leaves_keys_and_noise_as_they_are(session: Session, client: Client) -> None:
    client.run(session)
    activity = heard(session.activity_changed)
    session.workspace.choose_form("stablehlo")
    session.workspace.choose_form("hlo")
    assert (activity[-1].program_stale, activity[-1].rest_stale) == (True, False)
    session.workspace.edit("newer")
    assert activity[-1].rest_stale
    session.workspace.choose_form("jaxpr")
    assert activity[-1].rest_stale, "the form is computed of code that is new"
    client.answer("bug", "fix")
    assert (activity[-1].program_stale, activity[-1].rest_stale) == (False, False)


def test_a_mistake_that_is_fixed_stays_until_there_is_a_program(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer(failure=GONE)
    session.run()
    shown = heard(session.program_changed)
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "text"), "fix": Program("jaxpr", "text")}))
    assert not shown, "there is no report that they could stand in"
    client.say(with_program(client, complete=False))
    assert [len(each.reports) for each in shown] == [2]


def test_a_stopped_run_keeps_its_first_half_and_what_it_did_not_reach_is_of_no_older_run(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    older = Finding("unused-key", "note", "of the older run")
    reports = tuple(Report(name, "ok", findings=(older,), traces=()) for name in ("bug", "fix"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    session.run()
    client.say(Snapshot(client.request.run, "cpu:0", False, reports=(Report("bug", "ok"), Report("fix"))))
    assert session.snapshot.reports[1].findings == (older,)
    client.say(unanswered(client.request, GONE, stopped=True))
    assert not session.stale
    assert session.snapshot.reports == (Report("bug", "ok"), Report("fix", "stopped"))
    assert session.snapshot.complete


def test_what_is_still_to_be_checked_stays_as_it_was_found_before(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    kinds = ("key-reuse", "host-random", "nan")
    found = tuple(Finding(kind, "bug", "of the older run") for kind in kinds)
    coverage = tuple(Coverage(part, "whole", part, "") for part in PARTS)
    older = Report("bug", "ok", findings=found, coverage=coverage)
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(older, Report("fix", "ok"))))
    session.run()

    def shown_with(parts: int, *, complete: bool = False) -> list[str]:
        now = Report("bug", "ok", findings=(), coverage=coverage[:parts])
        client.say(Snapshot(client.request.run, "cpu:0", complete, reports=(now, Report("fix", "ok"))))
        assert session.snapshot.reports[0].coverage == coverage[:parts]
        return [each.kind for each in session.snapshot.reports[0].findings or ()]

    assert shown_with(1) == ["host-random", "nan"]
    assert shown_with(2) == ["nan"]
    assert shown_with(2, complete=True) == []


def test_a_variant_that_the_edit_removed_is_replaced_by_the_first_one(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", variants=(Variant("other", 1), Variant("fix", 2)))
    assert session.workspace.controls.variant == "other"
    assert client.request.variants == ("other", "fix")


def test_a_parameter_goes_into_the_next_request(session: Session, client: Client, qtbot: QtBot) -> None:
    client.run(session, parameters=(Parameter("batch", 32, 32),))
    session.workspace.set_parameter(Parameter("batch", 8, 32))
    qtbot.waitUntil(lambda: client.request.parameters == {"batch": 8})
    assert session.workspace.controls.parameters == (Parameter("batch", 8, 32),)


def test_the_device_that_is_gone_gives_way_to_the_default(session: Session, client: Client) -> None:
    session.workspace.choose_device("gpu:0")
    client.say(Hello("3", "j", "j", (Device("cpu:0", "cpu"),), "cpu:0"))
    assert session.workspace.controls.device == "cpu:0"


def test_a_lesson_for_the_cpu_opens_there_and_the_next_one_where_the_user_was(session: Session, client: Client) -> None:
    gpu, cpu = Device("gpu:0", "A GPU"), Device("cpu:0", "cpu")
    session.workspace.open(msgspec.structs.replace(SCENARIO, id="on a CPU", on_cpu=True))
    client.say(Hello("3", "j", "j", (gpu, cpu), "gpu:0"))
    seen = [session.workspace.controls.device]
    session.workspace.open(SCENARIO)
    seen.append(session.workspace.controls.device)
    session.workspace.choose_device("cpu:0")
    session.workspace.open(BARE)
    seen.append(session.workspace.controls.device)
    assert seen == ["cpu:0", "gpu:0", "cpu:0"]
    assert client.request.device == "cpu:0"


def test_edits_are_kept_for_the_next_start_and_offered(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.close()
    later = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
    with qtbot.waitSignal(later.workspace.draft_found) as found:
        later.workspace.open(SCENARIO)
    assert found.args[0].source == "edited"  # type: ignore[index]
    assert later.workspace.source == SCENARIO.source
    assert later.workspace.edited == {"one"}


def test_going_to_another_scenario_and_back_keeps_the_edits_and_a_reset_forgets_them(session: Session) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.open(BARE)
    session.workspace.open(SCENARIO)
    assert session.workspace.source == "edited"
    assert session.workspace.controls.edited
    session.workspace.keep_draft()
    session.workspace.reset()
    assert session.workspace.source == SCENARIO.source
    session.workspace.close()
    assert drafts.left("one") == ()
    assert session.workspace.edited == frozenset()


def test_a_full_disk_is_reported_and_loses_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    emitted = heard(session.workspace.problem_found)
    monkeypatch.setattr(drafts.Drafts, "keep", full)
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.keep_draft()
    assert "No space left" in emitted[0]
    assert session.workspace.source == "edited"


def test_stop_also_stops_what_is_about_to_start(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("soon")
    activity = heard(session.activity_changed)
    session.stop()
    assert client.stops == 1
    assert not session.busy
    assert not activity[-1].due


def test_transforms_go_with_the_request_and_stay_for_another_variant(session: Session, client: Client) -> None:
    client.run(session)
    session.workspace.choose_transforms(Transforms(applied=(Applied("jit"),)))
    assert client.request.transforms == Transforms("bug", (Applied("jit"),))
    session.workspace.choose_variant("fix")
    assert client.request.transforms == Transforms("fix", (Applied("jit"),))
    session.workspace.open(BARE)
    assert client.request.transforms == Transforms()


def test_one_key_ends_comparing_and_takes_it_up_again(session: Session, client: Client) -> None:
    client.run(session)
    compared = []
    for _ in range(3):
        session.workspace.toggle_compare()
        compared.append((session.workspace.controls.compare, client.request.variants))
    assert compared == [("", ("bug",)), ("fix", ("bug", "fix")), ("", ("bug",))]
    session.workspace.choose_variant("fix")
    session.workspace.toggle_compare()
    assert session.workspace.controls.compare == "bug", "what was compared last is shown already, so the other one is"


def test_an_edited_variant_is_compared_with_itself_as_it_was_until_it_is_so_again(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.choose_compare("")
    session.workspace.edit(SCENARIO.source + "# more")
    session.workspace.choose_compare(ORIGINAL)
    assert (client.request.variants, client.request.original) == (("bug",), SCENARIO.source)
    client.answer("bug", original_name("bug"))
    assert [report.name for report in session.snapshot.reports] == ["bug", "bug as it was"]
    session.workspace.choose_variant("fix")
    assert (session.workspace.controls.compare, client.request.variants) == (ORIGINAL, ("fix",))
    session.workspace.reset()
    session.run()
    assert (session.workspace.controls.compare, client.request.original) == ("", "")


def test_what_is_not_edited_has_nothing_that_it_was(session: Session, client: Client) -> None:
    session.workspace.open(BARE)
    client.answer("f", variants=(Variant("f", 0),))
    session.workspace.toggle_compare()
    assert session.workspace.controls.compare == ""
    session.workspace.edit(BARE.source + "# more")
    session.workspace.toggle_compare()
    assert (session.workspace.controls.compare, client.request.original) == (ORIGINAL, BARE.source)


def test_the_code_as_it_was_is_given_those_settings_that_it_has_too(session: Session, client: Client) -> None:
    original = msgspec.structs.replace(BARE, source="def inputs(seed=0):\n    return {}\n\n\n" + BARE.source)
    session.workspace.open(original)
    client.answer("f", variants=(Variant("f", 0),), parameters=(Parameter("seed", 0, 0), Parameter("more", 1, 1)))
    session.workspace.edit(original.source.replace("seed=0", "seed=0, more=1"))
    session.workspace.choose_compare(ORIGINAL)
    session.workspace.set_parameter(Parameter("seed", 3, 0))
    session.workspace.set_parameter(Parameter("more", 2, 1))
    session.run()
    assert client.request.parameters == {"seed": 3, "more": 2}
    assert client.request.original_parameters == {"seed": 3}


SIZED = msgspec.structs.replace(BARE, source="def inputs(batch=32):\n    return {}\n\n\n" + BARE.source)


def test_a_setting_that_wins_over_an_edited_default_is_known_as_such(session: Session, client: Client) -> None:
    workspace = session.workspace
    workspace.open(SIZED)
    client.answer("f", variants=(Variant("f", 0),), parameters=(Parameter("batch", 32, 32),))
    workspace.set_parameter(Parameter("batch", 8, 32))
    assert workspace.controls.overruled == ()
    workspace.edit(SIZED.source.replace("batch=32", "batch=64"))
    session.run()
    client.answer("f", variants=(Variant("f", 0),), parameters=(Parameter("batch", 8, 64),))
    assert workspace.controls.overruled == ("batch",)
    workspace.take_defaults()
    assert workspace.controls.parameters == (Parameter("batch", 64, 64),)
    assert (workspace.controls.overruled, client.request.parameters) == ((), {})


def test_a_setting_of_another_type_gives_way_to_the_code(session: Session, client: Client) -> None:
    session.workspace.open(SIZED)
    client.answer("f", variants=(Variant("f", 0),), parameters=(Parameter("batch", 32, 32),))
    session.workspace.set_parameter(Parameter("batch", 8, 32))
    session.workspace.edit(SIZED.source.replace("batch=32", "batch='many'"))
    session.run()
    assert client.request.parameters == {}
    failed = Failure("TypeError", "no")
    client.answer("f", failure=failed, variants=(), parameters=(Parameter("batch", "many", "many"),))
    assert session.workspace.controls.parameters == (Parameter("batch", "many", "many"),), "though it did not run"


def test_a_restart_keeps_what_is_typed_and_shown_and_runs_it_where_nothing_ever_ran(
    session: Session, client: Client
) -> None:
    client.run(session)
    shown, asked = session.snapshot, len(client.asked)
    session.restart()
    assert client.restarts == 1
    assert session.snapshot is shown
    assert session.workspace.source == SCENARIO.source
    assert len(client.asked) == asked
    assert not session.stale
    client.state = WorkerState("dead", "It did not start.")
    session.restart()
    assert (client.restarts, len(client.asked)) == (2, asked + 1), "it never worked, so now it does"
