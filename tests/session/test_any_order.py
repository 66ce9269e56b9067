"""For any user actions and any delays of the worker, the contents on screen are never older than they say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypeVar

import msgspec
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

from explorer.link.command import WorkerState
from explorer.messages import (
    Applied,
    EquationValue,
    Focus,
    Form,
    LensAnswer,
    Measurement,
    Parameter,
    Report,
    Request,
    Snapshot,
    TimingRequest,
    Transforms,
    ValueRequest,
    is_original,
)
from explorer.scenario.scenario import Scenario, TimingPlan, VariantPlan
from explorer.scenario.texts import Texts
from explorer.session import requests
from explorer.session.controls import Activity, TimingChoice
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from tests.session.client import Clock
from tests.session.worker import DEVICES, UNREADABLE, Worker, results_of, text_of, times_of

BOTH = "def bug(): ...\ndef fix(): ...\n"
PLANS = (VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix")))
SCENARIOS = (
    Scenario("one", "built-in", "one/code.py", BOTH, Texts("One"), variants=PLANS, compare="fix"),
    Scenario("two", "built-in", "two/code.py", f"{BOTH}# of two\n", Texts("Two"), variants=PLANS, devices=2),
    Scenario("/x/own.py", "file", "/x/own.py", "def own(): ...\n", Texts("own.py"), timing=TimingPlan("batch", (8,))),
)
SOURCES = (BOTH, f"{BOTH}# 1\n", f"{BOTH}# 2\n", "def fix(): ...\n", "def bug(): ...\ndef own(): ...\n", UNREADABLE)
LENSES: tuple[str, ...] = ("vmap", "gradient", "")
FORMS: tuple[Form, ...] = ("jaxpr", "stablehlo", "hlo")
SLOW_S = 1.0
MOST_STEPS = 300
"""To answer everything that can be under way takes far fewer."""

T = TypeVar("T")
somewhere = st.integers(0, 30)


class AnyOrder(RuleBasedStateMachine):
    """A user at the controls and a worker, in random turns; timers fire in a rule of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.worker = Worker()
        self.clock = Clock()
        workspace = Workspace(keeps_drafts=False)
        self.session = Session(self.worker, workspace, clock=self.clock)  # type: ignore[arg-type]
        self.workspace = workspace
        self.activity = Activity(WorkerState("dead"), False, False, False, False, False)
        self.texts: Snapshot | None = None
        self.results: Snapshot | None = None
        self.times: tuple[Measurement, ...] = ()
        self.value: EquationValue | None = None
        self.lens = ""
        self.lenses: tuple[LensAnswer, ...] = ()
        self.values_in_time = True
        """Whether no value of a replaced program was emitted."""
        self.opened_after = 0
        """The number of the last request that there was when the program was opened."""
        self.asked_at_stop: int | None = None
        """The number of requests when the user pressed Stop, None after the next action."""
        self.is_stopped = False
        """Nothing that makes the program run has been done since."""
        self.answers = ""
        for name, signal in (
            ("activity", self.session.activity_changed),
            ("texts", self.session.program_changed),
            ("results", self.session.snapshot_changed),
            ("times", self.session.timings.changed),
            ("answers", self.session.timings.reported),
            ("lenses", self.session.lenses_changed),
        ):
            signal.connect(partial(setattr, self, name))
        self.session.value_changed.connect(self.hear_value)

    def hear_value(self, value: EquationValue | None) -> None:
        self.value = value
        self.values_in_time &= value is None or (not self.session.stale and value.about_run == self.worker.request.run)

    def teardown(self) -> None:
        for timer in self.timers():
            timer.stop()
        self.session.deleteLater()

    # -- the user ---------------------------------------------------------------------------

    @initialize(
        automatic=st.booleans(), scenario=st.sampled_from(SCENARIOS), lens=st.sampled_from(LENSES), over=st.booleans()
    )
    def begin(self, automatic: bool, scenario: Scenario, lens: str, over: bool) -> None:
        self.choose_lens(lens)
        self.workspace.choose_time_automatically(automatic)
        self.workspace.open(scenario)
        if over:
            self.come_to_rest()

    @rule(source=st.sampled_from(SOURCES))
    def type(self, source: str) -> None:
        self.act(runs=source != self.workspace.source)
        self.workspace.edit(source)

    @rule(
        what=st.sampled_from(["variant", "compare", "parameter", "device", "transforms", "restart", "run"]),
        place=somewhere,
    )
    def choose_what_runs(self, what: str, place: int) -> None:
        self.act()
        workspace, controls = self.workspace, self.workspace.controls
        if what == "variant":
            workspace.choose_variant(_one_of([each.name for each in controls.variants] or [""], place))
        elif what == "compare":
            workspace.choose_compare(_one_of(("", *requests.partners(controls)), place))
        elif what == "parameter":
            workspace.set_parameter(Parameter("batch", _one_of((8, 16, 32), place), 32))
        elif what == "device":
            workspace.choose_device(_one_of(DEVICES, place))
        elif what == "transforms":
            workspace.choose_transforms(_one_of((Transforms(), Transforms(applied=(Applied("jit"),))), place))
        elif what == "restart":
            workspace.choose_cpu_devices(_one_of((1, 2), place))
        else:
            self.session.run()

    @rule(scenario=st.sampled_from(SCENARIOS))
    def open(self, scenario: Scenario) -> None:
        self.act()
        self.opened_after = max((each.run for each in self.worker.all_asked), default=0)
        self.workspace.open(scenario)

    @rule(form=st.sampled_from(FORMS))
    def choose_form(self, form: Form) -> None:
        self.act(runs=False)
        self.workspace.choose_form(form)

    @rule(lens=st.sampled_from(LENSES))
    def choose_lens(self, lens: str) -> None:
        self.act(runs=False)
        self.lens = lens
        self.session.choose_lens(lens)

    @rule(wanted=st.booleans())
    def choose_jax_checker(self, wanted: bool) -> None:
        self.act(runs=False)
        self.workspace.choose_jax_checker(wanted)

    @rule(wanted=st.sampled_from([Focus("equation", 0), Focus("equation", 1), Focus("line", 1), None]))
    def select(self, wanted: Focus | None) -> None:
        self.act(runs=False)
        variant = self.workspace.controls.variant
        self.session.choose_focus(wanted and msgspec.structs.replace(wanted, variant=variant))

    @rule()
    def ask_for_fixes(self) -> None:
        self.act(runs=False)
        self.session.ask_for_fixes()

    @rule()
    def take_times(self) -> None:
        self.act(runs=False)
        self.session.timings.start()

    @rule(wanted=st.sampled_from(["all", "one", "two devices", "by itself", "not by itself"]))
    def choose_times(self, wanted: str) -> None:
        self.act(runs=False)
        if wanted.endswith("itself"):
            self.workspace.choose_time_automatically(wanted == "by itself")
        else:
            ticked, other = ("fix",) if wanted == "one" else (), DEVICES[1] if wanted == "two devices" else ""
            self.workspace.choose_timing(TimingChoice(ticked, other_device=other))

    @rule()
    def stop(self) -> None:
        self.session.stop()
        self.asked_at_stop, self.is_stopped = len(self.worker.asked), True

    def act(self, *, runs: bool = True) -> None:
        """Note that the user acted, and whether the program `runs` for it."""
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
    @precondition(lambda self: self.worker.is_cancelled)
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
        self.worker.say_late(_one_of(old, place), word)

    @rule()
    def be_slow(self) -> None:
        self.clock.now_s += SLOW_S

    @rule(place=somewhere)
    @precondition(lambda self: self.timers())
    def fire(self, place: int) -> None:
        timers = self.timers()
        _fire(_one_of(timers, place))

    def timers(self) -> list[QTimer]:
        """Return the session's active timers, the next to fire first."""
        return sorted(filter(QTimer.isActive, self.session.findChildren(QTimer)), key=QTimer.interval)

    def old_requests(self) -> list[object]:
        """Return the requests that were replaced by a newer one of their kind."""
        newest = {_kind(each): each.run for each in self.worker.all_asked}
        return [each for each in self.worker.all_asked if each.run != newest[_kind(each)]]

    # -- what must be true --------------------------------------------------------------------

    @invariant()
    def holds(self) -> None:
        self.results_marked_new_are_new()
        self.what_is_shown_is_of_the_program_that_is_open()
        self.results_marked_complete_are_complete()
        self.values_are_of_the_newest_program()
        assert self.lens or not self.lenses
        self.nothing_is_called_final_before_it_is()
        self.nothing_is_timed_by_itself_after_stop()
        assert not self.activity.due or self.session.busy

    def results_marked_new_are_new(self) -> None:
        now = self.workspace.request(0)
        if self.texts is not None and not self.activity.program_stale:
            # The text of the code as it was comes with the rest.
            own = [each for each in self.texts.reports if not (self.activity.stale and is_original(each.name))]
            programs = {each.name: each.program for each in own if each.program and not each.program.failure}
            assert {name: each.text for name, each in programs.items()} == {
                name: text_of(now, name) for name in programs
            }
        for report in self.results.reports if self.results is not None else ():
            if not self.activity.stale:
                assert {each.name for each in report.traces or ()} <= {results_of(now, report.name)}
            if not self.activity.findings_stale:
                assert _results(report) <= {results_of(now, report.name)}
            if not self.activity.rest_stale:
                assert report.printed in ("", results_of(now, report.name))
        if self.times and not self.activity.timing_stale:
            asked = self.workspace.timing_requests(lambda: 0)
            assert {each.notes[-1].text for each in self.times} == {times_of(asked[0])}

    def what_is_shown_is_of_the_program_that_is_open(self) -> None:
        for shown in (self.texts, self.results):
            assert shown is None or shown.is_empty or shown.run > self.opened_after
        assert all(each.run > self.opened_after for each in (*self.times, *self.lenses))
        assert self.value is None or self.value.run > self.opened_after
        # Nothing to be seen is no state that is up to date.
        assert self.results is None or not self.results.is_empty or self.activity.stale

    def results_marked_complete_are_complete(self) -> None:
        shown = self.results
        if shown is not None and not self.activity.stale:
            assert self.texts == shown
            assert shown.complete
            assert shown.run in self.worker.over
            names = requests.shown(self.workspace.controls)
            assert shown.failure or tuple(report.name for report in shown.reports) == names
            for report in shown.reports:
                assert report.status is not None
                assert not self.workspace.controls.jax_checker or report.status != "ok" or report.jax_checker

    def values_are_of_the_newest_program(self) -> None:
        assert self.values_in_time
        asked = self.worker.asked
        for place, request in enumerate(asked):
            if isinstance(request, ValueRequest):
                assert request.about_run == [each.run for each in asked[:place] if isinstance(each, Request)][-1]

    def nothing_is_called_final_before_it_is(self) -> None:
        over, final = self.worker.over, self.worker.final_points
        assert self.results is None or not self.results.complete or self.results.run in over
        timed = max((each.run for each in self.worker.asked if isinstance(each, TimingRequest)), default=0)
        for each in self.times:
            ended = each.run in over or (each.run, each.variant, each.point) in final
            # Of a run that has given way to a newer one nothing more is taken.
            assert not each.final or ended or each.run < timed
            assert each.final or each.run not in over

    def nothing_is_timed_by_itself_after_stop(self) -> None:
        since = self.worker.asked[self.asked_at_stop :] if self.asked_at_stop is not None else []
        # Where the variant is gone another one is asked for, even then.
        if self.asked_at_stop is not None and not any(isinstance(each, Request) for each in since):
            assert not any(isinstance(each, TimingRequest) for each in since)
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
        """All requested results have come, unless they were stopped."""
        shown, controls = self.session.snapshot, self.workspace.controls
        activity = self.activity
        assert not any((activity.stale, activity.program_stale, activity.rest_stale, activity.findings_stale))
        if controls.time_automatically and shown.failure is None and not self.answers.startswith("Timing ended"):
            assert self.times
            assert not self.activity.timing_stale
        focus = self.session.marks().focus
        report = shown.report(focus.variant) if focus is not None and focus.kind == "equation" else None
        if report is not None and report.program is not None and not report.program.failure:
            assert self.value.about_run == shown.run
        wanted = {each.name for each in shown.reports if self.lens in each.lenses}
        answers = {each.variant: each for each in self.lenses}
        assert {name for name in answers if answers[name].about_run == shown.run} >= wanted
        # What gave way to a question that came later is asked again.
        assert all(answers[name].complete and answers[name].sentence != "It was stopped." for name in wanted)


def _one_of(possible: Sequence[T], place: int) -> T:
    return possible[place % len(possible)]


def _fire(timer: QTimer) -> None:
    timer.stop()
    timer.timeout.emit()


def _kind(request: object) -> type | str:
    return "texts" if isinstance(request, Request) and request.texts_only else type(request)


def _results(report: Report) -> set[str]:
    """Return the requests that the keys, noise and findings of `report` came from."""
    found = {each.message for each in report.findings or ()}
    return found | ({report.jax_checker.static} if report.jax_checker else set())


@pytest.mark.usefixtures("qapp")
def test_what_is_on_screen_is_never_older_than_it_says_and_all_comes_to_rest() -> None:
    run_state_machine_as_test(
        AnyOrder,
        settings=settings(
            max_examples=100,
            stateful_step_count=40,
            derandomize=True,
            database=None,
            deadline=None,
            report_multiple_bugs=False,
        ),
    )
