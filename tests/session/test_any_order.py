"""Whatever the person does and whenever the worker answers: what is on screen is never older than it says."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from PySide6.QtCore import QTimer

from explorer.link.state import WorkerState
from explorer.messages import (
    Applied,
    EquationValue,
    Focus,
    Measurement,
    Parameter,
    Report,
    Request,
    Snapshot,
    TimingRequest,
    Transforms,
    is_as_it_was,
)
from explorer.scenario.scenario import Scenario, Texts, TimingPlan, VariantPlan
from explorer.session import comparing
from explorer.session.controls import Activity, TimingChoice
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from tests.session.worker import DEVICES, UNREADABLE, Worker, results_of, text_of, times_of

BOTH = "def bug(): ...\ndef fix(): ...\n"
PLANS = (VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix")))
SCENARIOS = (
    Scenario("one", "built-in", "one/code.py", BOTH, Texts("One"), variants=PLANS, compare="fix"),
    Scenario("two", "built-in", "two/code.py", f"{BOTH}# of two\n", Texts("Two"), variants=PLANS, devices=2),
    Scenario("/x/own.py", "file", "/x/own.py", "def own(): ...\n", Texts("own.py"), timing=TimingPlan("batch", (8,))),
)
SOURCES = (BOTH, f"{BOTH}# 1\n", f"{BOTH}# 2\n", "def fix(): ...\n", "def bug(): ...\ndef own(): ...\n", UNREADABLE)
SLOW_S = 1.0
MOST_STEPS = 300
"""To answer everything that can be under way takes far fewer."""

somewhere = st.integers(0, 30)


class AnyOrder(RuleBasedStateMachine):
    """A person at the controls and a worker, in turns as chance will have it; timers fire when they are told to."""

    def __init__(self) -> None:
        super().__init__()
        self.worker = Worker()
        self.now_s = 0.0
        workspace = Workspace(keeps_drafts=False)
        self.session = Session(self.worker, workspace, clock=lambda: self.now_s)  # type: ignore[arg-type]
        self.workspace = workspace
        self.activity = Activity(WorkerState("dead"), False, False, False, False, False)
        self.texts: Snapshot | None = None
        self.results: Snapshot | None = None
        self.times: tuple[Measurement, ...] = ()
        self.value: EquationValue | None = None
        self.asked_at_stop: int | None = None
        """How many requests there were when the person pressed Stop, None since they did something."""
        self.is_stopped = False
        """Nothing that makes the program run has been done since."""
        self.told = ""
        self.session.activity_changed.connect(self.hear_activity)
        self.session.program_changed.connect(self.hear_texts)
        self.session.snapshot_changed.connect(self.hear_results)
        self.session.timings.changed.connect(self.hear_times)
        self.session.timings.told.connect(self.hear_told)
        self.session.value_changed.connect(self.hear_value)

    def hear_activity(self, activity: Activity) -> None:
        self.activity = activity

    def hear_texts(self, snapshot: Snapshot) -> None:
        self.texts = snapshot

    def hear_results(self, snapshot: Snapshot) -> None:
        self.results = snapshot

    def hear_times(self, times: tuple[Measurement, ...]) -> None:
        self.times = times

    def hear_told(self, sentence: str) -> None:
        self.told = sentence

    def hear_value(self, value: EquationValue | None) -> None:
        self.value = value

    def teardown(self) -> None:
        for timer in self.timers():
            timer.stop()
        self.session.deleteLater()

    # -- the person ---------------------------------------------------------------------------

    @initialize(automatic=st.booleans(), place=st.sampled_from(range(len(SCENARIOS))))
    def begin(self, automatic: bool, place: int) -> None:
        self.workspace.choose_time_automatically(automatic)
        self.workspace.open(SCENARIOS[place])

    @rule(source=st.sampled_from(SOURCES))
    def type(self, source: str) -> None:
        self.act(runs=source != self.workspace.source)
        self.workspace.edit(source)

    @rule(scenario=st.sampled_from(SCENARIOS))
    def open(self, scenario: Scenario) -> None:
        self.act()
        self.workspace.open(scenario)

    @rule(place=somewhere)
    @precondition(lambda self: self.workspace.controls.variants)
    def choose_variant(self, place: int) -> None:
        self.act()
        names = [variant.name for variant in self.workspace.controls.variants]
        self.workspace.choose_variant(names[place % len(names)])

    @rule(place=somewhere)
    def choose_compare(self, place: int) -> None:
        self.act()
        names = ("", *comparing.partners(self.workspace.controls))
        self.workspace.choose_compare(names[place % len(names)])

    @rule(form=st.sampled_from(["jaxpr", "stablehlo", "hlo"]))
    def choose_form(self, form: str) -> None:
        self.act(runs=False)
        self.workspace.choose_form(form)  # type: ignore[arg-type]

    @rule(value=st.sampled_from([8, 16, 32]))
    def set_parameter(self, value: int) -> None:
        self.act()
        self.workspace.set_parameter(Parameter("batch", value, 32))

    @rule(device=st.sampled_from(DEVICES))
    def choose_device(self, device: str) -> None:
        self.act()
        self.workspace.choose_device(device)

    @rule(transforms=st.sampled_from([Transforms(), Transforms(applied=(Applied("jit"),))]))
    def choose_transforms(self, transforms: Transforms) -> None:
        self.act()
        self.workspace.choose_transforms(transforms)

    @rule(wanted=st.sampled_from([TimingChoice(), TimingChoice(("fix",)), TimingChoice(other_device=DEVICES[1])]))
    def choose_timing(self, wanted: TimingChoice) -> None:
        self.act(runs=False)
        self.workspace.choose_timing(wanted)

    @rule(wanted=st.booleans())
    def choose_time_automatically(self, wanted: bool) -> None:
        self.act(runs=False)
        self.workspace.choose_time_automatically(wanted)

    @rule(wanted=st.booleans())
    def choose_jax_checker(self, wanted: bool) -> None:
        self.act(runs=False)
        self.workspace.choose_jax_checker(wanted)

    @rule(wanted=st.sampled_from(["equation", "line", ""]), index=st.integers(0, 1))
    def select(self, wanted: str, index: int) -> None:
        self.act(runs=False)
        variant = self.workspace.controls.variant
        self.session.choose_focus(Focus(wanted, index, variant) if wanted else None)  # type: ignore[arg-type]

    @rule()
    def run(self) -> None:
        self.act()
        self.session.run()

    @rule()
    def mend(self) -> None:
        self.act(runs=False)
        self.session.mend()

    @rule()
    def take_times(self) -> None:
        self.act(runs=False)
        self.session.timings.start()

    @rule()
    def stop(self) -> None:
        self.session.stop()
        self.asked_at_stop, self.is_stopped = len(self.worker.asked), True

    @rule(count=st.integers(1, 2))
    def restart(self, count: int) -> None:
        self.act()
        self.workspace.choose_cpu_devices(count)

    def act(self, *, runs: bool = True) -> None:
        """Note that the person did something, and whether the program `runs` for it."""
        self.asked_at_stop = None
        self.is_stopped &= not runs

    # -- the worker and the clock -------------------------------------------------------------

    @rule()
    @precondition(lambda self: self.worker.is_starting)
    def say_hello(self) -> None:
        self.worker.say_hello()

    @rule(words=st.integers(1, 5))
    @precondition(lambda self: self.worker.running is not None and not self.worker.is_starting)
    def answer(self, words: int) -> None:
        for _ in range(words):
            if self.worker.running is not None and not self.worker.is_starting:
                self.worker.say_next()

    @rule()
    @precondition(lambda self: self.worker.waiting is not None and not self.worker.is_starting)
    def heed(self) -> None:
        self.worker.heed()

    @rule()
    @precondition(lambda self: not self.worker.is_starting)
    def die(self) -> None:
        self.worker.die()

    @rule(place=somewhere, word=somewhere)
    @precondition(lambda self: self.old_requests())
    def say_late(self, place: int, word: int) -> None:
        old = self.old_requests()
        self.worker.say_late(old[place % len(old)], word)

    @rule()
    def be_slow(self) -> None:
        self.now_s += SLOW_S

    @rule(place=somewhere)
    @precondition(lambda self: self.timers())
    def fire(self, place: int) -> None:
        timers = self.timers()
        _fire(timers[place % len(timers)])

    def timers(self) -> list[QTimer]:
        """Return what is running of the session's timers, that which fires first before the others."""
        return sorted(filter(QTimer.isActive, self.session.findChildren(QTimer)), key=QTimer.interval)

    def old_requests(self) -> list[object]:
        """Return what has given way to a newer request of its kind: nobody waits for its answer."""
        newest = {_kind(each): each.run for each in self.worker.all_asked}
        return [each for each in self.worker.all_asked if each.run != newest[_kind(each)]]

    # -- what must be true --------------------------------------------------------------------

    @invariant()
    def holds(self) -> None:
        self.what_is_told_to_be_new_is_new()
        self.what_is_told_to_be_all_is_all()
        self.nothing_is_called_final_before_it_is()
        self.nothing_is_timed_by_itself_after_stop()
        assert not self.activity.due or self.session.busy

    def what_is_told_to_be_new_is_new(self) -> None:
        now = self.workspace.request(0)
        assert now is not None
        if self.texts is not None and not self.activity.program_stale:
            # The text of the code as it was comes with the rest.
            own = [each for each in self.texts.reports if not (self.activity.stale and is_as_it_was(each.name))]
            programs = {each.name: each.program for each in own if each.program and not each.program.failure}
            assert {name: each.text for name, each in programs.items()} == {
                name: text_of(now, name) for name in programs
            }
        if self.results is not None and not self.activity.rest_stale:
            for report in self.results.reports:
                assert _told(report) <= {results_of(now, report.name)}
        if self.times and not self.activity.timing_stale:
            asked = self.workspace.timing_requests(lambda: 0)
            assert {each.notes[-1] for each in self.times} == {times_of(asked[0])}

    def what_is_told_to_be_all_is_all(self) -> None:
        shown = self.results
        if shown is not None and not self.activity.stale:
            assert self.texts == shown
            assert shown.complete
            assert shown.run in self.worker.over
            names = comparing.shown(self.workspace.controls)
            assert shown.failure or tuple(report.name for report in shown.reports) == names
            for report in shown.reports:
                assert report.status is not None
                assert not self.workspace.controls.jax_checker or report.status != "ok" or report.jax_checker

    def nothing_is_called_final_before_it_is(self) -> None:
        if self.results is not None and self.results.complete:
            assert self.results.run in self.worker.over
        for each in self.times:
            ended = each.run in self.worker.over or (each.run, each.variant, each.point) in self.worker.final_points
            assert not each.final or ended
            assert each.final or each.run not in self.worker.over

    def nothing_is_timed_by_itself_after_stop(self) -> None:
        if self.asked_at_stop is not None:
            assert not any(isinstance(each, TimingRequest) for each in self.worker.asked[self.asked_at_stop :])
            assert not self.session.timings.due

    @rule()
    def come_to_rest(self) -> None:
        """Answer everything, and let every timer fire."""
        for _ in range(MOST_STEPS):
            if self.worker.is_starting:
                self.worker.say_hello()
            elif self.worker.running is not None:
                self.worker.say_next()
            elif timers := self.timers():
                _fire(timers[0])
            else:
                break
            self.holds()
        assert not self.session.busy
        assert (self.worker.running, self.worker.waiting) == (None, None)
        assert not self.activity.due
        if not self.is_stopped:
            self.everything_is_there()

    def everything_is_there(self) -> None:
        """What is asked for has come, where nobody stopped it since."""
        shown, controls = self.session.snapshot, self.workspace.controls
        assert shown is not None
        assert (self.activity.stale, self.activity.program_stale, self.activity.rest_stale) == (False, False, False)
        if controls.time_automatically and shown.failure is None and not self.told.startswith("Timing ended"):
            assert self.times
            assert not self.activity.timing_stale
        focus = self.session.marks().focus
        report = shown.report(focus.variant) if focus is not None and focus.kind == "equation" else None
        if report is not None and report.program is not None and not report.program.failure:
            assert self.value is not None
            assert self.value.of == shown.run


def _fire(timer: QTimer) -> None:
    timer.stop()
    timer.timeout.emit()


def _kind(request: object) -> type | str:
    return "texts" if isinstance(request, Request) and request.texts_only else type(request)


def _told(report: Report) -> set[str]:
    """Return what the parts of `report` that stand for keys, noise and findings were made of."""
    found = {each.message for each in report.findings or ()} | {each.name for each in report.traces or ()}
    return found | ({report.jax_checker.static} if report.jax_checker else set())


@pytest.mark.usefixtures("qapp")
def test_what_is_on_screen_is_never_older_than_it_says_and_all_comes_to_rest() -> None:
    run_state_machine_as_test(
        AnyOrder,
        settings=settings(
            max_examples=150,
            stateful_step_count=40,
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
        ),
    )
