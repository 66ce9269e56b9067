"""A lesson sets its choices when a step opens and never again, answers from the snapshot, and remembers progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from explorer.library.progress import Progress
from explorer.messages import (
    Applied,
    Equation,
    Failure,
    Finding,
    Focus,
    Parameter,
    Program,
    Report,
    Request,
    Snapshot,
    Span,
    Transforms,
    TrialAnswer,
    TrialRequest,
    Variant,
    original_name,
    unanswered,
)
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Page, ReadingPosition
from explorer.scenario.scenario import Exercise, Question, Scenario, Step, StepPlan, VariantPlan
from explorer.scenario.step_states import StepState
from explorer.scenario.texts import Texts
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window.lesson import Lesson, Prompt, prompt_of
from tests.scenario.lessons import changed
from tests.session.client import Client

CODE = "def inputs(batch=4): return {}\ndef bug(): ...\ndef fix(): ...\n"
STORY = (Step("Look", "See.", "It prints {{printed}} lines of {{batch}}."), Step("Mend", "Split."), Step("Sum", "All."))
LESSON = Scenario(
    "lesson",
    "built-in",
    "lesson/code.py",
    CODE,
    Texts("Lesson"),
    variants=(VariantPlan("bug", Texts("Bug")), VariantPlan("fix", Texts("Fix"))),
    stories={"en": STORY},
    steps=(
        StepPlan(
            variant="bug",
            compare="fix",
            parameters={"batch": 8},
            focus="equation mul",
            question=Question(Texts("How many?"), "printed", (0, 2)),
        ),
        StepPlan(variant="fix", compare="", form="hlo", pane="program"),
        StepPlan(form="jaxpr", parameters={"batch": 8}),
    ),
    exercises=(Exercise(Texts("Mend"), ("bugs == 0",), "bug"), Exercise(Texts("Print"), ("printed == 1",))),
)
TRIED_TWICE = msgspec.structs.replace(
    LESSON, id="twice", exercises=(Exercise(Texts("Mend"), ("bugs == 0",), "bug", again={"batch": 3}),)
)
BUG = (Finding("key-reuse", "bug", "Twice."),)
PROGRAM = Program("jaxpr", "", (Equation("add", None, 0, 0, 0, ""), Equation("mul", Span(2, 0, 2, 1), 0, 0, 0, "")))


class Reader:
    """A user who reads the lesson; the worker's answers are sent by hand."""

    def __init__(self) -> None:
        self.client = Client()
        self.session = Session(self.client, Workspace(time_automatically=False))  # type: ignore[arg-type]
        self.progress = Progress(on_disk=True)
        self.lesson = Lesson(self.session, self.progress)
        self.session.snapshot_changed.connect(self.lesson.take_snapshot)
        self.session.workspace.controls_changed.connect(self.lesson.take_controls)
        self.session.marks_changed.connect(self.lesson.take_marks)
        self.session.workspace.scenario_changed.connect(self._open)
        self.session.workspace.open(LESSON)

    def _open(self, scenario: Scenario) -> None:
        self.lesson.show_scenario(scenario, "en")

    @property
    def page(self) -> Page:
        return self.lesson.page

    @property
    def asked(self) -> tuple[tuple[str, ...], dict[str, object], str]:
        request = self.client.request
        return request.variants, dict(request.parameters), request.form

    def answer(self, printed: str = "one\ntwo\n", findings: tuple[Finding, ...] = BUG) -> None:
        """Let the program have run as it was asked for last."""
        request = self.client.request
        reports = tuple(
            Report(name, "ok", printed=printed, program=PROGRAM, findings=findings) for name in request.variants
        )
        variants = (Variant("bug", 2), Variant("fix", 3))
        parameters = (Parameter("batch", 8, 4),)
        self.client.say(Snapshot(request.run, "cpu:0", True, parameters, variants, reports))

    def read_to_the_end(self) -> None:
        while not (self.page.is_last and self.page.revealed):
            self.answer()
            self.lesson.go_on()
        self.answer()


@pytest.fixture
def reader(qapp: object) -> Iterator[Reader]:
    reader = Reader()
    yield reader
    # Left to its timer, an edit would be written into the folders of the next test.
    reader.session.workspace.keep_draft()


# -- what a step sets -------------------------------------------------------------------------


def test_a_scenario_opens_as_its_first_step_says_and_each_step_sets_everything_in_one_run(reader: Reader) -> None:
    assert len(reader.client.asked) == 1
    assert reader.asked == (("bug", "fix"), {"batch": 8}, "jaxpr")
    reader.answer()
    reader.lesson.go_on()
    reader.lesson.go_on()
    assert len([each for each in reader.client.asked if isinstance(each, Request)]) == 2
    assert reader.asked == (("fix",), {"batch": 8}, "hlo")


def test_a_step_that_changes_nothing_does_not_run_the_code_again(reader: Reader) -> None:
    reader.answer()
    reader.lesson.go_on()
    reader.lesson.go_on()
    reader.session.workspace.choose_form("jaxpr")
    reader.answer()
    runs = len(reader.client.asked)
    reader.lesson.go_on()
    assert (reader.page.place, len(reader.client.asked)) == (2, runs)


def test_what_the_user_chooses_is_left_alone_until_a_step_opens(reader: Reader) -> None:
    reader.answer()
    reader.session.workspace.choose_variant("fix")
    reader.answer()
    reader.lesson.go_on()
    assert reader.session.workspace.controls.variant == "fix"
    reader.lesson.go_back()
    assert reader.session.workspace.controls.variant == "fix"
    reader.lesson.go_on()
    reader.lesson.go_on()
    reader.answer()
    reader.lesson.go_back()
    assert reader.session.workspace.controls.variant == "bug"


def test_a_step_skips_what_the_edited_code_has_no_more(reader: Reader) -> None:
    reader.session.workspace.edit("def inputs(size=4): return {}\ndef bug(): ...\n")
    reader.session.run()
    reader.client.answer("bug", variants=(Variant("bug", 2),))
    reader.lesson.go_on()
    reader.lesson.go_on()
    assert reader.session.workspace.controls.variant == "bug"
    assert reader.session.workspace.controls.form == "hlo"
    reader.lesson.go_back()
    variants, _, form = reader.asked
    assert (variants, form) == (("bug",), "jaxpr")


def test_a_step_points_at_what_a_run_reports_once_it_is_there_and_the_question_is_answered(reader: Reader) -> None:
    reader.answer()
    assert reader.session.marks().focus is None
    reader.lesson.go_on()
    assert reader.session.marks().focus == Focus("equation", 1, "bug")
    reader.lesson.go_back()
    assert reader.session.marks().focus is None
    reader.lesson.go_on()
    assert reader.session.marks().focus == Focus("equation", 1, "bug")
    reader.lesson.go_on()
    assert reader.session.marks().focus is None


def test_a_step_may_point_at_something_else_once_its_question_is_answered(reader: Reader) -> None:
    steps = (msgspec.structs.replace(LESSON.steps[0], focus="line def fix", focus_after="equation mul"),)
    reader.lesson.show_scenario(msgspec.structs.replace(LESSON, id="after", steps=steps), "en")
    reader.answer()
    assert reader.session.marks().focus == Focus("line", 3)
    reader.lesson.go_on()
    assert reader.session.marks().focus == Focus("equation", 1, "bug")


def test_a_line_is_pointed_at_before_the_program_has_run_and_again_once_it_has(reader: Reader) -> None:
    steps = (StepPlan(variant="bug"), StepPlan(variant="fix", compare="", focus="line def fix"), StepPlan())
    reader.lesson.show_scenario(msgspec.structs.replace(LESSON, id="lines", steps=steps), "en")
    reader.answer()
    pointed: list[Focus] = []
    reader.lesson.pointed_at.connect(pointed.append)
    reader.lesson.go_on()
    reader.lesson.go_on()
    assert reader.session.stale
    assert (reader.session.marks().focus, pointed) == (Focus("line", 3), [])
    reader.answer()
    assert pointed == [Focus("line", 3)]


def test_a_focus_that_the_user_chose_meanwhile_stays(reader: Reader) -> None:
    reader.session.choose_focus(Focus("line", 3))
    reader.lesson.take_marks(reader.session.marks())
    reader.client.answer("bug", complete=False)
    reader.session.choose_focus(Focus("line", 3))
    reader.answer()
    assert reader.session.marks().focus == Focus("line", 3)


def test_another_language_sets_nothing(reader: Reader) -> None:
    reader.answer()
    reader.session.workspace.choose_variant("fix")
    runs = len(reader.client.asked)
    reader.lesson.show_scenario(LESSON, "ko")
    assert (reader.session.workspace.controls.variant, len(reader.client.asked)) == ("fix", runs)


def test_a_lesson_that_its_author_has_rewritten_stays_at_its_page_and_sets_what_that_says_now(reader: Reader) -> None:
    reader.answer()
    reader.lesson.go_on()
    reader.lesson.go_on()
    reader.answer()
    steps = (LESSON.steps[0], StepPlan(variant="bug", compare="fix"), LESSON.steps[2])
    reader.lesson.show_scenario(msgspec.structs.replace(LESSON, steps=steps), "en")
    assert (reader.page.place, reader.asked[0]) == (1, ("bug", "fix"))
    shorter = msgspec.structs.replace(LESSON, steps=steps[:1], stories={"en": STORY[:1]}, exercises=())
    reader.lesson.show_scenario(shorter, "en")
    assert (reader.page.place, reader.page.count) == (0, 1)


# -- question, answer, reveal -----------------------------------------------------------------


def test_the_answer_follows_the_program(reader: Reader) -> None:
    reader.answer()
    reader.lesson.choose(1)
    reader.session.run()
    reader.answer(printed="")
    assert reader.page.ask.right == (True, False)
    assert reader.page.reveal == "It prints 0 lines of 8."


def other_variant(workspace: Workspace) -> None:
    workspace.choose_variant("fix")


def other_parameter(workspace: Workspace) -> None:
    workspace.set_parameter(Parameter("batch", 9, 4))


def transformed(workspace: Workspace) -> None:
    workspace.choose_transforms(Transforms(applied=(Applied("jit"),)))


@pytest.mark.parametrize(
    ("elsewhere", "about"),
    [(other_variant, "“Bug”"), (other_parameter, "“Bug”, `batch = 8`"), (transformed, "“Bug”, without transforms")],
)
@pytest.mark.parametrize("revealed_first", [True, False])
def test_a_page_is_judged_with_its_own_selection_or_not_at_all(
    reader: Reader, elsewhere: Callable[[Workspace], None], about: str, revealed_first: bool
) -> None:
    reader.answer()
    if revealed_first:
        reader.lesson.choose(1)
    elsewhere(reader.session.workspace)
    reader.session.run()
    reader.answer(printed="")
    reader.lesson.choose(1)
    reader.lesson.take_measurements(())
    ask = reader.page.ask
    assert (ask.about, ask.right, ask.answer, ask.outcomes) == (f"This page asks about {about}.", None, "", ())
    assert reader.lesson.prompt.answer == ask.about
    assert reader.page.reveal == "It prints 2 lines of 8.", "figures are those of the page's selection"
    reader.lesson.go_back_to_selection()
    assert reader.asked == (("bug", "fix"), {"batch": 8}, "jaxpr")
    reader.answer()
    assert (reader.page.ask.about, reader.page.ask.right) == ("", (False, True))


def test_a_page_opens_with_its_own_selection_whatever_was_selected_before(reader: Reader) -> None:
    reader.read_to_the_end()
    reader.lesson.go_to(0)
    other_variant(reader.session.workspace)
    other_parameter(reader.session.workspace)
    transformed(reader.session.workspace)
    reader.lesson.go_on()
    reader.lesson.go_on()
    reader.lesson.go_on()
    assert reader.page.place == 2
    assert reader.session.workspace.state == StepState("fix", "", {"batch": 8}, "jaxpr")


def test_parameters_are_known_before_anything_has_run(reader: Reader) -> None:
    assert reader.session.snapshot is None
    reader.lesson.go_on()
    assert reader.page.reveal == "It prints … lines of 8.", "the step sets it"


def test_reading_on_reveals_first_and_reading_back_undoes_it(reader: Reader) -> None:
    seen = []
    for move in [reader.lesson.go_on] * 4 + [reader.lesson.go_back] * 4:
        reader.answer()
        move()
        seen.append((reader.page.place, reader.page.revealed))
    there = [(0, True), (1, True), (2, True), (3, True)]
    assert seen == [*there, (2, True), (1, True), (0, True), (0, False)]


def test_a_page_that_is_turned_back_to_has_the_answer_that_was_given(reader: Reader) -> None:
    reader.answer()
    reader.lesson.choose(1)
    reader.lesson.go_on()
    reader.lesson.go_back()
    assert reader.page.ask.chosen == 1


def test_behind_the_last_page_comes_the_next_scenario(reader: Reader, qtbot: QtBot) -> None:
    with qtbot.waitSignal(reader.lesson.scenario_wanted) as before:
        reader.lesson.go_back()
    reader.read_to_the_end()
    with qtbot.waitSignal(reader.lesson.scenario_wanted) as behind:
        reader.lesson.go_on()
    assert (before.args, behind.args) == ([-1], [1])


# -- exercises and progress -------------------------------------------------------------------


def test_the_exercises_open_on_the_jaxpr_of_the_variant_of_the_first_one_alone(reader: Reader) -> None:
    reader.read_to_the_end()
    assert reader.page.heading == "Try it"
    assert [task.done for task in reader.page.tasks] == [False, False]
    reader.lesson.go_back()
    reader.session.workspace.choose_compare("bug")
    reader.session.workspace.choose_form("hlo")
    reader.lesson.go_on()
    controls = reader.session.workspace.controls
    assert (controls.variant, controls.compare, controls.form) == ("bug", "", "jaxpr"), "its conditions count equations"


def test_an_exercise_is_ticked_as_soon_as_its_conditions_hold_and_stays_so(reader: Reader, qtbot: QtBot) -> None:
    reader.read_to_the_end()
    reader.session.run()
    with qtbot.waitSignal(reader.lesson.progress_changed):
        reader.answer(findings=())
    assert [task.done for task in reader.page.tasks] == [True, False]
    reader.session.run()
    reader.answer(printed="one\n")
    assert [task.done for task in reader.page.tasks] == [True, True]
    assert reader.progress.is_done(LESSON)
    assert Progress(on_disk=True).is_done(LESSON)


def test_an_exercise_that_looks_done_is_ticked_after_its_trials(reader: Reader, qtbot: QtBot) -> None:
    reader.session.workspace.open(TRIED_TWICE)
    reader.read_to_the_end()
    shown = []
    for mistakes in (BUG, ()):
        reader.session.workspace.edit(CODE + "# " + "x" * len(mistakes))
        reader.session.run()
        reader.answer(findings=())
        assert not reader.page.tasks[0].done
        trial = reader.client.last(TrialRequest)
        assert [dict(each.parameters) for each in trial.trials] == [{"batch": 8}, {"batch": 3}]
        shown.append(reader.page.tasks[0].missing)
        assert reader.page.tasks[0].checking
        reports = [(Report("bug", "ok", findings=each),) for each in ((), mistakes)]
        reader.client.say(TrialAnswer(trial.run, tuple(Snapshot(0, "", True, reports=each) for each in reports)))
        shown.append(reader.page.tasks[0].missing)
    assert shown == ["", "`bugs == 0` does not hold: 1 bug, with batch = 3", "", ""]
    assert (reader.page.tasks[0].done, reader.page.tasks[0].checking) == (True, False)
    for presents, code in ((False, "# once more"), (True, ""), (False, "")):
        reader.lesson.present(presents)
        reader.session.workspace.edit(CODE + code)
        reader.session.run()
        reader.answer(findings=())
        assert (reader.page.tasks[0].done, reader.page.tasks[0].checking) == (not presents, bool(code))


def test_a_trial_that_was_stopped_ticks_nothing(reader: Reader) -> None:
    reader.session.workspace.open(TRIED_TWICE)
    reader.read_to_the_end()
    reader.session.run()
    reader.answer(findings=())
    assert isinstance(reader.client.asked[-1], Request), "nobody has tried it"
    reader.session.workspace.edit(CODE + "# mine\n")
    reader.session.run()
    reader.answer(findings=())
    reader.client.say(TrialAnswer(reader.client.asked[-1].run))
    task = reader.page.tasks[0]
    assert (task.done, task.checking, task.missing) == (False, False, "")
    reader.session.run()
    reader.answer(findings=())
    assert reader.page.tasks[0].checking, "a new run tries again"


def test_the_answer_of_an_exercise_comes_when_it_is_done_and_keeps_the_figures_that_it_was_done_with(
    reader: Reader,
) -> None:
    outcome = Exercise(
        Texts("Print"), ("printed == 1",), "bug", Texts("You see {{printed}} line.", ko="줄 {{printed}}개")
    )
    reader.session.workspace.open(msgspec.structs.replace(LESSON, id="tells", exercises=(outcome,)))
    reader.read_to_the_end()
    assert [task.outcome for task in reader.page.tasks] == [""]
    reader.answer(printed="one\n")
    assert [task.outcome for task in reader.page.tasks] == ["You see 1 line."]
    reader.answer()
    reader.session.workspace.choose_variant("fix")
    reader.answer()
    assert [(task.outcome, task.variant) for task in reader.page.tasks] == [("You see 1 line.", "bug")]
    reader.session.workspace.open(LESSON)
    reader.session.workspace.open(msgspec.structs.replace(LESSON, id="tells", exercises=(outcome,)))
    reader.read_to_the_end()
    assert [task.outcome for task in reader.page.tasks] == [""]


def test_before_a_room_answers_stay_in_sight_and_marks_follow_the_code(reader: Reader) -> None:
    reader.lesson.present(True)
    other = msgspec.structs.replace(LESSON, id="other")
    for move, is_shown in ((reader.lesson.go_on, True), (reader.lesson.go_back, False)):
        move()
        for each in (other, LESSON):
            reader.session.workspace.open(each)
        assert reader.page.revealed == is_shown
    reader.read_to_the_end()
    for mistakes in ((), BUG):
        reader.session.run()
        reader.answer(findings=mistakes)
        assert reader.page.tasks[0].done == (not mistakes)
    reader.lesson.present(False)
    assert reader.page.tasks[0].done, "a student's record stays"


def test_an_exercise_about_a_variant_asks_for_it(reader: Reader) -> None:
    reader.read_to_the_end()
    reader.session.workspace.choose_variant("fix")
    reader.answer(findings=())
    assert [(task.done, task.variant) for task in reader.page.tasks] == [(False, "bug"), (False, "")]
    reader.lesson.choose_variant("bug")
    assert reader.session.workspace.controls.variant == "bug"


def test_nothing_is_ticked_while_the_story_is_read(reader: Reader) -> None:
    reader.answer(findings=(), printed="one\n")
    assert reader.progress.ticked("lesson") == frozenset()


def test_a_lesson_without_exercises_is_done_once_every_step_was_read(qapp: object) -> None:
    short = msgspec.structs.replace(LESSON, exercises=())
    progress = Progress(on_disk=True)
    for step in range(3):
        assert not progress.is_done(short)
        assert progress.see("lesson", step)
        assert not progress.see("lesson", step)
    assert progress.is_done(short)


# -- code that was edited -----------------------------------------------------------------------


def test_a_page_reports_the_original_whatever_the_edited_code_does(reader: Reader) -> None:
    reader.answer()
    reader.lesson.go_on()
    outcome = reader.page
    assert (outcome.edited, "2 lines" in outcome.reveal, outcome.ask and outcome.ask.answer) == (
        False,
        True,
        "2 lines printed",
    )
    reader.session.workspace.edit(CODE + "# mine\n")
    reader.session.run()
    reader.answer(printed="one\n")
    assert replace(reader.page, edited=False) == outcome
    assert reader.page.edited
    reader.session.workspace.edit(CODE)
    assert reader.page == outcome
    reader.session.run()
    reader.answer(printed="one\ntwo\nthree\n")
    assert "3 lines" in reader.page.reveal


def test_a_step_that_opens_with_edited_code_knows_nothing_until_the_original_is_there_too(reader: Reader) -> None:
    reader.session.workspace.edit(CODE + "# mine\n")
    reader.session.run()
    reader.answer()
    reader.lesson.go_on()
    page = reader.page
    assert (page.edited, page.with_original, page.ask and page.ask.right) == (True, False, None)
    assert "2 lines" not in page.reveal
    reader.session.workspace.compare_with_original()
    assert reader.page.with_original
    request = reader.client.request
    before = original_name(request.variants[0])
    reports = (Report("bug", "ok", printed="one\n"), Report(before, "ok", printed="one\ntwo\n"))
    reader.client.say(Snapshot(request.run, "cpu:0", True, (), (Variant("bug", 2), Variant("fix", 3)), reports))
    assert "2 lines" in reader.page.reveal


def test_a_page_keeps_its_answer_when_the_code_is_edited_on_a_later_one(reader: Reader) -> None:
    reader.answer()
    reader.lesson.go_on()
    reader.lesson.go_on()
    reader.answer()
    reader.session.workspace.edit(CODE + "# mine\n")
    reader.session.run()
    reader.answer(printed="one\n")
    reader.lesson.go_to(0, revealed=True)
    assert (reader.page.edited, reader.page.ask and reader.page.ask.answer) == (True, "2 lines printed")
    reader.answer(printed="one\n")
    assert "2 lines" in reader.page.reveal


def test_an_exercise_is_about_the_code_as_it_is_edited(reader: Reader) -> None:
    reader.read_to_the_end()
    reader.session.workspace.edit(CODE + "# mine\n")
    assert not reader.page.edited
    reader.session.run()
    reader.answer(findings=())
    assert reader.page.tasks[0].done


# -- what the lecturer sees -------------------------------------------------------------------------------------------


OUTCOME = changed(
    stories={
        "en": (
            Step("One", "How many?", "There are {{batch}}.", "ask {{batch}}", "say {{batch}}"),
            Step("Two", "{{batch}} again.", note="only this"),
        )
    },
    steps=(StepPlan(question=Question(Texts("?"), "printed", (0, 2))), StepPlan()),
    exercises=(Exercise(Texts("Try"), ("bugs == 0",)), Exercise(Texts("Then"), ("bugs == 0",))),
)
RAN = Snapshot(
    1, "cpu:0", complete=True, reports=(Report("bug", "ok", printed="a\nb\n"),), parameters=(Parameter("batch", 4, 4),)
)


@pytest.mark.parametrize(
    ("reading", "prompt"),
    [
        (ReadingPosition(0), Prompt("ask 4", "2 lines printed", "", "There are 4.")),
        (ReadingPosition(0, revealed=True), Prompt("say 4", "2 lines printed", "Two", "… again.")),
        (ReadingPosition(1), Prompt("only this", "", "Try it", "1. Try\n2. Then")),
        (ReadingPosition(2), Prompt()),
    ],
)
def test_a_lecturer_sees_the_note_the_answer_and_what_comes(reading: ReadingPosition, prompt: Prompt) -> None:
    assert prompt_of(OUTCOME, "en", reading, Evidence(RAN, "bug")) == prompt


def test_a_trial_that_gave_way_is_asked_for_again(reader: Reader) -> None:
    reader.session.workspace.open(TRIED_TWICE)
    reader.read_to_the_end()
    reader.session.workspace.edit(CODE + "# mine\n")
    for _ in range(2):
        reader.session.run()
        reader.answer(findings=())
        first = reader.client.asked[-1]
    reader.client.running = first
    reader.session.time()
    assert reader.client.asked[-1] is first, "timing waits for it"
    reader.session.choose_focus(Focus("equation", 1, "bug"))
    reader.client.running = None
    value = reader.client.asked[-1]
    reader.client.say(unanswered(value, Failure("Gone", "")))
    again = reader.client.asked[-1]
    assert again.trials == first.trials
