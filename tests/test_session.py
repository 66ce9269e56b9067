"""The session against a client that only notes what it is asked; what comes back is said by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from explorer import drafts
from explorer.ahead import SETTLE_MS
from explorer.controls import Activity, TimingChoice, WorkerState
from explorer.messages import (
    AS_IT_WAS,
    Applied,
    Argument,
    Device,
    Equation,
    EquationValue,
    Failure,
    Focus,
    FromWorker,
    Hello,
    Marks,
    Measurement,
    NameQuestion,
    Parameter,
    Program,
    Programs,
    Report,
    Request,
    RunRequest,
    Snapshot,
    Span,
    TimingDone,
    TimingRequest,
    Transforms,
    ValueRequest,
    Variant,
    name_as_it_was,
)
from explorer.scenario import Scenario, Texts, TimingPlan, VariantPlan, helpers
from explorer.session import DEBOUNCE_MS, HALF_TYPED_MS, Session
from explorer.workspace import Workspace


class Client(QObject):
    """Stands in for WorkerClient."""

    message_received = Signal(object)
    name_answered = Signal(object)
    state_changed = Signal(object)
    written_to_stderr = Signal(str)
    state = WorkerState("idle")
    running = None
    awaited: RunRequest | None = None

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[RunRequest] = []
        self.asked_ahead: list[Request] = []
        self.questions: list[NameQuestion] = []
        self.stops = 0

    def submit(self, request: RunRequest) -> None:
        if isinstance(request, Request) and request.texts_only:
            self.asked_ahead.append(request)
        else:
            self.asked.append(request)

    def ask(self, question: NameQuestion) -> None:
        self.questions.append(question)

    def stop(self) -> None:
        self.stops += 1

    def set_cpu_devices(self, count: int) -> None:
        self.cpu_devices = count

    @property
    def request(self) -> Request:
        return [each for each in self.asked if isinstance(each, Request)][-1]

    def say(self, message: FromWorker) -> None:
        self.message_received.emit(message)

    def say_ahead(self, **texts: str) -> None:
        programs = {name: Program("jaxpr", text) for name, text in texts.items()}
        self.say(Programs(self.asked_ahead[-1].run, programs, last=True))

    def answer(self, *names: str, complete: bool = True, **fields: object) -> None:
        reports = tuple(Report(name, "ok") for name in names)
        fields = {"variants": tuple(Variant(name, 1) for name in ("bug", "fix")), **fields}
        self.say(Snapshot(self.request.run, "cpu:0", complete, reports=reports, **fields))  # type: ignore[arg-type]


SCENARIO = Scenario(
    "one",
    "built-in",
    "one/code.py",
    "def helper(): ...\ndef bug(): ...\ndef fix(): ...\n",
    Texts("One"),
    variants=(VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix"), shared="on purpose")),
    timing=TimingPlan("batch", (8, 64), ("jit",)),
    compare="fix",
)
BARE = Scenario("/x/own.py", "file", "/x/own.py", "def f(): ...\n", Texts("own.py"))


@pytest.fixture
def client(qapp: object) -> Client:
    return Client()


@pytest.fixture
def session(client: Client) -> Iterator[Session]:
    session = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
    yield session
    # Left to its timer, an edit would be written into the folders of the next test.
    session.workspace.keep_draft()


def test_opening_a_scenario_runs_it_as_it_says(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    request = client.request
    assert request.variants == ("bug", "fix")
    assert request.named == ("bug", "fix")
    assert request.hidden == ("helper",)
    assert request.shared_on_purpose == ("fix",)
    assert request.filename == "<one>"


def test_a_bare_file_shows_its_first_variant_once_that_is_known(session: Session, client: Client) -> None:
    session.workspace.open(BARE)
    assert client.request.variants == ()
    client.answer("bug", "fix")
    assert session.workspace.controls.variant == "bug"
    assert [report.name for report in session.snapshot.reports] == ["bug"]  # type: ignore[union-attr]


def test_the_program_is_told_before_the_other_views_hear_of_the_snapshot(session: Session, client: Client) -> None:
    heard: list[str] = []
    session.snapshot_changed.connect(lambda _: heard.append("all"))
    session.program_changed.connect(lambda _: heard.append("program"))
    session.workspace.open(SCENARIO)
    client.answer("bug")
    assert heard == ["program", "all"]


def test_a_new_program_is_told_alone_and_what_is_known_of_the_older_one_stays(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", elapsed_s=1.0)
    heard: list[Snapshot] = []
    session.snapshot_changed.connect(lambda _: pytest.fail("only the program is new"))
    session.program_changed.connect(heard.append)
    older = client.request.run
    session.run()
    client.say(Programs(older, {"bug": Program("jaxpr", "older")}))
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "newer")}))
    (shown,) = heard
    assert shown.reports[0].program == Program("jaxpr", "newer")
    assert (shown.elapsed_s, shown.reports[0].status) == (1.0, "ok")
    assert session.stale


def test_a_selected_line_is_lit_in_a_new_program_before_the_rest_has_run(session: Session, client: Client) -> None:
    sine = Equation("sin", Span(2, 0, 2, 9), 1, 1, 0, "f32[]")
    cosine = Equation("cos", Span(3, 0, 3, 9), 2, 2, 0, "f32[]")
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "one", (cosine,), (0, 3))}))
    session.choose_focus(Focus("line", 3))
    lit: list[Marks] = []
    session.marks_changed.connect(lit.append)
    session.run()
    client.say(Programs(client.request.run, {"bug": Program("jaxpr", "two", (sine, cosine), (0, 2, 3))}))
    assert [marks.equations["bug"] for marks in lit] == [frozenset({1})]


def test_a_late_answer_never_overwrites_a_newer_one(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    old = client.request.run
    session.run()
    client.answer("bug", "fix", elapsed_s=1.0)
    client.say(Snapshot(old, "cpu:0", True, reports=(Report("bug", "ok"),), elapsed_s=9.0))
    assert session.snapshot.elapsed_s == 1.0  # type: ignore[union-attr]


def test_an_edit_makes_the_panes_stale_until_its_answer_comes(session: Session, client: Client, qtbot: QtBot) -> None:
    stale: list[bool] = []
    session.activity_changed.connect(lambda activity: stale.append(activity.stale))
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    assert stale[-1] is False
    asked = len(client.asked)
    session.workspace.edit("def bug(): return 1\n")
    assert stale[-1] is True
    qtbot.waitUntil(lambda: len(client.asked) > asked)
    assert client.request.source == "def bug(): return 1\n"
    client.answer("bug", "fix")
    assert stale[-1] is False


def test_the_text_of_half_typed_code_is_shown_as_soon_as_it_is_traced(
    session: Session, client: Client, qtbot: QtBot
) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", elapsed_s=1.0)
    shown: list[Snapshot] = []
    activity: list[Activity] = []
    session.program_changed.connect(shown.append)
    session.activity_changed.connect(activity.append)
    session.workspace.edit("newer")
    assert (activity[-1].stale, activity[-1].program_stale, activity[-1].due) == (True, True, True)
    assert client.asked_ahead[-1].source == "newer"
    client.say_ahead(bug="newer", fix="of fix")
    assert not shown
    qtbot.waitUntil(lambda: bool(shown))
    assert client.request.source == SCENARIO.source
    assert [report.program.text for report in shown[-1].reports if report.program] == ["newer", "of fix"]
    assert (shown[-1].elapsed_s, shown[-1].reports[0].status) == (1.0, "ok")
    assert (activity[-1].stale, activity[-1].program_stale) == (True, False)


def test_half_a_word_is_no_mistake_until_a_longer_pause(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    asked = len(client.asked)
    session.workspace.edit("jnp.")
    client.say_ahead()
    qtbot.wait(DEBOUNCE_MS + 60)
    assert len(client.asked) == asked
    qtbot.waitUntil(lambda: len(client.asked) > asked, timeout=10 * HALF_TYPED_MS)
    assert client.request.source == "jnp."


def test_words_are_half_typed_until_they_can_be_traced_again(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
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
def test_a_mistake_that_is_told_already_is_told_anew_after_the_usual_pause(
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


def test_a_text_that_takes_its_time_is_shown_when_it_comes(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    with qtbot.assertNotEmitted(session.program_changed, wait=SETTLE_MS + 10):
        session.workspace.edit("newer")
    shown: list[Snapshot] = []
    session.program_changed.connect(shown.append)
    client.say_ahead(bug="newer")
    assert [report.program.text for report in shown[-1].reports if report.program] == ["newer"]


def test_a_text_of_one_variant_leaves_the_program_pane_stale(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    activity: list[Activity] = []
    session.activity_changed.connect(activity.append)
    session.workspace.edit("newer")
    with qtbot.waitSignal(session.program_changed):
        client.say_ahead(bug="newer")
    assert activity[-1].program_stale


def test_the_text_of_another_variant_is_no_older_one_until_somebody_types(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.choose_compare("")
    client.say(_with_program(client, complete=True))
    activity: list[Activity] = []
    session.activity_changed.connect(activity.append)
    session.workspace.choose_variant("fix")
    assert activity[-1].program_stale
    client.say(_with_program(client, complete=False))
    assert (activity[-1].stale, activity[-1].program_stale) == (True, False)
    session.workspace.edit("newer")
    client.say(Programs(client.request.run, {"fix": Program("jaxpr", "older")}))
    assert activity[-1].program_stale


def test_the_text_before_the_last_key_is_never_shown(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    with qtbot.assertNotEmitted(session.program_changed, wait=SETTLE_MS + 20):
        session.workspace.edit("one")
        client.say_ahead(bug="one")
        older = client.asked_ahead[-1]
        session.workspace.edit("two")
        client.say(Programs(older.run, {"bug": Program("jaxpr", "one")}, last=True))


def test_a_run_is_seen_to_its_end_before_what_was_typed_meanwhile_is_traced(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", complete=False)
    client.state = WorkerState("running")
    session.workspace.edit("newer")
    assert not client.asked_ahead
    client.state = WorkerState("idle")
    client.answer("bug", "fix", elapsed_s=1.0)
    assert session.snapshot.elapsed_s == 1.0  # type: ignore[union-attr]
    assert [each.source for each in client.asked_ahead] == ["newer"]


@pytest.mark.parametrize("why", ["slow", "compiled", "starting", "died", "asked for everything"])
def test_nothing_is_traced_ahead_where_it_would_be_in_the_way(
    session: Session, client: Client, qtbot: QtBot, why: str
) -> None:
    if why == "compiled":
        session.workspace.choose_form("hlo")
    session.workspace.open(SCENARIO)
    if why == "slow":
        qtbot.wait(DEBOUNCE_MS + 20)
    if why == "died":
        client.say(Snapshot(client.request.run, "cpu:0", True, failure=Failure("WorkerDied", "It ended.")))
    elif why != "asked for everything":
        client.answer("bug", "fix")
    if why == "starting":
        client.state = WorkerState("starting")
    session.workspace.edit("newer")
    assert not client.asked_ahead


def test_while_a_mistake_is_told_no_text_takes_its_place(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer(failure=Failure("SyntaxError", "It cannot be read."))
    with qtbot.assertNotEmitted(session.program_changed, wait=SETTLE_MS + 20):
        session.workspace.edit("newer")
        client.say_ahead(bug="newer")
    assert session.snapshot is not None
    assert session.snapshot.failure is not None


def test_what_comes_after_an_edit_but_was_asked_before_is_stale(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", complete=False)
    session.workspace.edit("newer")
    client.answer("bug", "fix")
    assert session.stale


def test_what_another_scenario_left_in_the_panes_is_stale(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    assert not session.stale
    client.answer("bug", "fix")
    session.workspace.open(BARE)
    assert session.stale
    client.answer("bug", "fix")
    assert not session.stale


def test_what_another_scenario_left_is_gone_before_a_failure_of_this_one_is_told(
    session: Session, client: Client
) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.open(BARE)
    shown: list[Snapshot] = []
    session.program_changed.connect(shown.append)
    client.answer(failure=Failure("SyntaxError", "It cannot be read."))
    assert [(each.reports, each.failure is None) for each in shown] == [((), True), ((), False)]


def test_a_run_stopped_half_way_keeps_its_first_half(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    waiting = Report("fix")
    client.say(Snapshot(client.request.run, "cpu:0", False, reports=(Report("bug", "ok"), waiting)))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "stopped"),)))
    assert session.snapshot is not None
    assert [report.status for report in session.snapshot.reports] == ["ok", "stopped"]
    assert session.snapshot.complete


def test_what_gave_way_to_a_run_that_was_stopped_is_not_under_way_any_more(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.say(Snapshot(client.request.run, "cpu:0", False, reports=(Report("bug", "ok"), Report("fix"))))
    session.run()
    session.stop()
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "stopped"),)))
    assert session.snapshot is not None
    assert [report.status for report in session.snapshot.reports] == ["ok", "stopped"]
    assert session.stale


def test_a_stopped_run_leaves_the_older_result_on_screen(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", elapsed_s=1.0)
    session.run()
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "stopped"),)))
    assert session.snapshot.elapsed_s == 1.0  # type: ignore[union-attr]


def test_a_variant_that_the_edit_removed_is_replaced_by_the_first_one(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", variants=(Variant("other", 1), Variant("fix", 2)))
    assert session.workspace.controls.variant == "other"
    assert client.request.variants == ("other", "fix")


def test_choosing_the_compared_variant_ends_the_comparison(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.choose_variant("fix")
    assert client.request.variants == ("fix",)


def test_a_parameter_goes_into_the_next_request(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", parameters=(Parameter("batch", 32, 32),))
    session.workspace.set_parameter(Parameter("batch", 8, 32))
    qtbot.waitUntil(lambda: client.request.parameters == {"batch": 8})
    assert session.workspace.controls.parameters == (Parameter("batch", 8, 32),)


def test_the_device_that_is_gone_gives_way_to_the_default(session: Session, client: Client) -> None:
    session.workspace.choose_device("gpu:0")
    client.say(Hello("3", "j", "j", (Device("cpu:0", "cpu"),), "cpu:0"))
    assert session.workspace.controls.device == "cpu:0"


def test_timing_asks_for_the_sweep_of_the_scenario(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.timings.start()
    request = client.asked[-1]
    assert isinstance(request, TimingRequest)
    assert (request.sweep_name, request.sweep_values, request.transforms) == ("batch", (8, 64), ("jit",))
    assert request.variants == ("bug", "fix")


def test_timing_of_a_bare_file_sweeps_its_first_whole_number(session: Session, client: Client) -> None:
    session.workspace.open(BARE)
    client.answer("bug", parameters=(Parameter("seed", 3, 3), Parameter("n", 32, 32)))
    session.timings.start()
    request = client.asked[-1]
    assert isinstance(request, TimingRequest)
    assert (request.sweep_name, request.sweep_values) == ("n", (8, 32, 128, 512))


def test_measurements_of_one_point_replace_each_other(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.timings.start()
    run = client.asked[-1].run
    for median_s in (2.0, 1.0):
        client.say(Measurement(run, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=median_s))
    client.say(Measurement(run, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=3.0))
    client.say(Measurement(run - 1, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=9.0))
    assert [each.median_s for each in session.timings.measurements] == [1.0, 3.0]


def test_a_timing_run_that_was_cut_short_says_so(session: Session, client: Client) -> None:
    told: list[str] = []
    session.timings.told.connect(told.append)
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.timings.start()
    run = client.asked[-1].run
    client.say(Measurement(run, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=1.0))
    client.say(Measurement(run, "bug", ("jit",), {"batch": 64}, "cpu:0", median_s=3.0, final=False))
    client.say(TimingDone(run, 1.0, cut_short=True))
    assert "cut short" in told[-1]
    assert [(each.final, each.cut_short) for each in session.timings.measurements] == [(True, False), (True, True)]


def test_edits_are_kept_for_the_next_start_and_offered(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    qtbot.waitUntil(lambda: drafts.find("one") is not None)
    later = Session(client, Workspace(time_automatically=False))  # type: ignore[arg-type]
    with qtbot.waitSignal(later.workspace.draft_found) as found:
        later.workspace.open(SCENARIO)
    assert found.args[0].source == "edited"  # type: ignore[index]
    assert later.workspace.source == SCENARIO.source
    assert later.workspace.edited == {"one"}


def test_going_to_another_scenario_and_back_keeps_the_edits(session: Session) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.open(BARE)
    session.workspace.open(SCENARIO)
    assert session.workspace.source == "edited"
    assert session.workspace.controls.edited


def test_a_reset_brings_the_original_back_and_forgets_the_draft(session: Session) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.keep_draft()
    session.workspace.reset()
    assert session.workspace.source == SCENARIO.source
    assert drafts.find("one") is None
    assert session.workspace.edited == frozenset()


def test_a_full_disk_is_told_and_loses_nothing(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    told: list[str] = []
    session.workspace.problem_told.connect(told.append)
    monkeypatch.setattr(drafts, "keep", full)
    session.workspace.open(SCENARIO)
    session.workspace.edit("edited")
    session.workspace.keep_draft()
    assert "No space left" in told[0]
    assert session.workspace.source == "edited"


def test_the_focus_is_resolved_anew_with_each_snapshot(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.choose_focus(Focus("line", 2))
    assert session.marks().lines == {2}
    session.choose_focus(None)
    assert session.marks().focus is None


def test_stop_also_stops_what_is_about_to_start(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    session.workspace.edit("soon")
    session.stop()
    assert client.stops == 1
    assert not session.busy


def test_timing_that_a_value_interrupted_does_not_start_again_after_stop(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.say(_with_program(client, complete=True))
    session.timings.start()
    client.running = client.asked[-1]  # type: ignore[assignment]
    session.choose_focus(Focus("equation", 0, "bug"))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    client.running = None
    session.stop()
    _answer(session, client, asked)
    assert not session.busy


def test_a_run_that_was_stopped_half_way_is_not_timed_by_itself(session: Session, client: Client) -> None:
    session.workspace.choose_time_automatically(True)
    session.workspace.open(SCENARIO)
    client.answer("bug", complete=False)
    session.stop()
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=(Report("bug", "stopped"),)))
    assert not session.busy
    session.run()
    client.answer("bug", "fix")
    assert session.timings.due


def test_timing_that_is_asked_for_during_a_run_waits_for_its_end(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.run()
    client.awaited = client.request
    session.timings.start()
    assert client.asked[-1] is client.request
    assert not session.timings.due
    client.awaited = None
    client.answer("bug", "fix")
    assert session.timings.due


def test_helpers_are_what_the_original_code_defines_and_does_not_name() -> None:
    assert helpers(SCENARIO) == ("helper",)
    assert helpers(BARE) == ()


def test_transforms_go_with_the_request_and_stay_for_another_variant(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.choose_transforms(Transforms(applied=(Applied("jit"),)))
    assert client.request.transforms == Transforms("bug", (Applied("jit"),))
    session.workspace.choose_variant("fix")
    assert client.request.transforms == Transforms("fix", (Applied("jit"),))
    session.workspace.open(BARE)
    assert client.request.transforms == Transforms()


def test_a_transformed_call_becomes_a_variant_of_the_code(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix", variants=(Variant("bug", 1, arguments=(Argument("x", "f32[3]", (3,)),)),))
    session.workspace.choose_transforms(Transforms(applied=(Applied("vmap"),)))
    session.workspace.insert_transformed()
    assert "def bug_vmap(x):\n    import jax\n\n    return jax.vmap(bug)(x)\n" in session.workspace.source
    assert client.request.variants[0] == "bug_vmap"
    assert client.request.source == session.workspace.source
    assert client.request.transforms == Transforms("bug_vmap")


def test_nothing_is_inserted_into_code_that_python_cannot_read(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.edit("def bug(:\n")
    session.workspace.choose_transforms(Transforms(applied=(Applied("jit"),)))
    with qtbot.waitSignal(session.workspace.problem_told):
        session.workspace.insert_transformed()
    assert session.workspace.source == "def bug(:\n"


def test_one_key_ends_comparing_and_takes_it_up_again(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
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
    session.workspace.choose_compare(AS_IT_WAS)
    assert (client.request.variants, client.request.original) == (("bug",), SCENARIO.source)
    client.answer("bug", name_as_it_was("bug"))
    assert session.snapshot is not None
    assert [report.name for report in session.snapshot.reports] == ["bug", "bug as it was"]
    session.workspace.choose_variant("fix")
    assert (session.workspace.controls.compare, client.request.variants) == (AS_IT_WAS, ("fix",))
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
    assert (session.workspace.controls.compare, client.request.original) == (AS_IT_WAS, BARE.source)


PROGRAM = Program("jaxpr", "text", tuple(Equation(name, None, 0, 0, 0, "f32[]") for name in ("sin", "cos")))


def _at_an_equation(session: Session, client: Client, index: int = 0) -> ValueRequest:
    session.workspace.open(SCENARIO)
    client.say(_with_program(client, complete=True))
    session.choose_focus(Focus("equation", index, "bug"))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    return asked


def _with_program(client: Client, *, complete: bool) -> Snapshot:
    reports = tuple(Report(name, "ok", program=PROGRAM) for name in ("bug", "fix"))
    variants = (Variant("bug", 1), Variant("fix", 1))
    return Snapshot(client.request.run, "cpu:0", complete, reports=reports, variants=variants)


def _answer(session: Session, client: Client, asked: ValueRequest) -> EquationValue:
    came = EquationValue(asked.run, asked.of, asked.variant, asked.equation, sentence="told")
    client.say(came)
    return came


def test_an_equation_that_is_selected_is_asked_for_its_value_once(session: Session, client: Client) -> None:
    asked = _at_an_equation(session, client, 1)
    assert (asked.of, asked.variant, asked.equation, asked.steps) == (client.request.run, "bug", 1, ())
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    came = _answer(session, client, asked)
    session.choose_focus(Focus("equation", 1, "bug"))
    assert client.asked[-1] is asked
    assert shown == [came]


def test_a_value_is_asked_for_again_when_the_program_runs_in_a_form_without_equations(
    session: Session, client: Client
) -> None:
    _answer(session, client, _at_an_equation(session, client, 1))
    session.workspace.choose_form("hlo")
    reports = (Report("bug", "ok", program=Program("hlo", "ENTRY")), Report("fix", "ok"))
    client.say(Snapshot(client.request.run, "cpu:0", True, reports=reports))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.of, asked.variant, asked.equation) == (client.request.run, "bug", 1)


def test_a_value_that_comes_too_late_is_dropped(session: Session, client: Client) -> None:
    first = _at_an_equation(session, client)
    session.choose_focus(Focus("equation", 1, "bug"))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    _answer(session, client, first)
    assert shown == []


def test_of_a_value_that_gave_way_to_a_newer_run_nothing_is_told(session: Session, client: Client) -> None:
    first = _at_an_equation(session, client)
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.run()
    _answer(session, client, first)
    assert shown == []
    client.say(_with_program(client, complete=True))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert _answer(session, client, asked) in shown


def test_a_value_stays_while_its_rows_are_selected_and_goes_with_escape(session: Session, client: Client) -> None:
    _answer(session, client, _at_an_equation(session, client))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.choose_focus(Focus("row", 0, "bug"))
    assert shown == []
    session.choose_focus(None)
    assert shown == [None]


def test_another_round_of_a_loop_is_asked_for(session: Session, client: Client) -> None:
    _answer(session, client, _at_an_equation(session, client))
    session.choose_steps((3,))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.equation, asked.steps) == (0, (3,))


def test_a_newer_run_is_asked_again_when_it_is_complete(session: Session, client: Client) -> None:
    first = _at_an_equation(session, client)
    _answer(session, client, first)
    session.choose_steps((3,))
    session.run()
    client.say(_with_program(client, complete=False))
    assert isinstance(client.asked[-1], Request)
    client.say(_with_program(client, complete=True))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert (asked.of, asked.equation, asked.steps) == (client.request.run, 0, (3,))


def test_a_value_of_an_older_run_goes_when_something_else_is_selected(session: Session, client: Client) -> None:
    _answer(session, client, _at_an_equation(session, client))
    session.choose_focus(Focus("line", 1))
    shown: list[object] = []
    session.value_changed.connect(shown.append)
    session.run()
    client.say(_with_program(client, complete=True))
    assert shown == [None]


def test_timing_starts_again_after_a_value_interrupted_it(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.say(_with_program(client, complete=True))
    session.timings.start()
    client.running = client.asked[-1]  # type: ignore[assignment]
    session.choose_focus(Focus("equation", 0, "bug"))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    client.running = None
    assert not session.busy
    _answer(session, client, asked)
    assert session.busy


def test_another_form_of_the_program_leaves_its_times(session: Session, client: Client) -> None:
    session.workspace.choose_time_automatically(True)
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.timings.start()
    run = client.asked[-1].run
    client.say(Measurement(run, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=1.0))
    client.say(TimingDone(run, 1.0))
    session.workspace.choose_form("stablehlo")
    client.answer("bug", "fix")
    assert not session.timings.due
    assert not session.timings.stale
    session.run()
    client.answer("bug", "fix")
    assert session.timings.due
    assert session.timings.stale


def test_times_that_another_form_interrupted_are_taken_afterwards(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.timings.start()
    client.running = client.asked[-1]  # type: ignore[assignment]
    session.workspace.choose_form("stablehlo")
    client.running = None
    assert not session.timings.due
    client.answer("bug", "fix")
    assert session.timings.due


def test_timing_that_is_about_to_start_waits_for_a_value(session: Session, client: Client) -> None:
    session.workspace.choose_time_automatically(True)
    session.workspace.open(SCENARIO)
    client.say(_with_program(client, complete=True))
    assert session.busy
    session.choose_focus(Focus("equation", 0, "bug"))
    asked = client.asked[-1]
    assert isinstance(asked, ValueRequest)
    assert not session.busy, "it would end the question"
    _answer(session, client, asked)
    assert session.busy


def test_what_is_ticked_is_timed(session: Session, client: Client, qtbot: QtBot) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    assert session.workspace.controls.timing == TimingChoice((), ("jit",))
    session.workspace.choose_timing(TimingChoice(("fix",), ("eager", "jit(vmap)"), "no-block"))
    qtbot.waitUntil(lambda: isinstance(client.asked[-1], TimingRequest))
    request = client.asked[-1]
    assert isinstance(request, TimingRequest)
    assert (request.variants, request.transforms) == (("fix",), ("eager", "jit(vmap)"))
    assert request.wrong_way == "no-block"


def test_another_device_is_timed_after_the_first_and_both_stay(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.choose_timing(TimingChoice(transforms=("jit",), other_device="cpu:1"))
    session.timings.start()
    first = client.asked[-1].run
    client.say(Measurement(first, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=1.0))
    client.say(TimingDone(first, 1.0))
    request = client.asked[-1]
    assert isinstance(request, TimingRequest)
    assert (request.device, request.run > first) == ("cpu:1", True)
    client.say(Measurement(request.run, "bug", ("jit",), {"batch": 8}, "cpu:1", median_s=2.0))
    client.say(TimingDone(request.run, 1.0))
    assert [each.device for each in session.timings.measurements] == ["cpu:0", "cpu:1"]
    assert client.asked[-1] is request


def test_a_second_device_that_is_gone_is_told_and_the_first_stays(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.choose_timing(TimingChoice(transforms=("jit",), other_device="gpu:0"))
    told: list[str] = []
    session.timings.told.connect(told.append)
    session.timings.start()
    first = client.asked[-1].run
    client.say(Measurement(first, "bug", ("jit",), {"batch": 8}, "cpu:0", median_s=1.0))
    client.say(TimingDone(first, 1.0))
    sentence = "There is no device gpu:0 here. JAX has cpu:0."
    client.say(TimingDone(client.asked[-1].run, 0.0, failure=Failure("UnknownDevice", sentence)))
    assert told[-1] == f"Timing ended: {sentence}"
    assert [(each.device, each.median_s) for each in session.timings.measurements] == [("cpu:0", 1.0)]


def test_stop_on_the_first_device_stops_the_second_too(session: Session, client: Client) -> None:
    session.workspace.open(SCENARIO)
    client.answer("bug", "fix")
    session.workspace.choose_timing(TimingChoice(transforms=("jit",), other_device="cpu:1"))
    session.timings.start()
    request = client.asked[-1]
    client.say(TimingDone(request.run, 1.0, cut_short=True))
    assert client.asked[-1] is request
