"""Every question of every lesson is asked before it is answered, and its subject can be read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import msgspec
import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import (
    QApplication,
)

from explorer.commands.lesson_check import Run, request_of
from explorer.library.settings import Settings
from explorer.messages import Array, Measurement, Request, TimingDone
from explorer.scenario import conditions, measures
from explorer.scenario.code_inputs import signature_defaults
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Reading, page_of, subject
from explorer.scenario.questions import told_of
from explorer.scenario.scenario import Question, Scenario
from explorer.scenario.step_states import StepState, walk
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from tests.scenarios.code_run import SCENARIOS, each_scenario, that_run
from tests.session.client import Client
from tests.views.texts import texts_in
from views import theme
from views.text.line_text import LineText
from views.window.main_window import MainWindow

NARROW, WIDE = (1366, 768), (1920, 1080)
OF_TWO = {
    ("loop_scan_vmap", 2): "A key is spent once or in each iteration.",
    ("partitionable", 2): "Two rows are equal or not.",
    ("partitionable", 3): "The same two rows, the other way round.",
}
"""The only questions with two choices, and why there is no third that somebody would believe."""


def asked(scenario: Scenario) -> dict[tuple[str, int], Question]:
    """Return the questions of `scenario` by its id and the number of the step."""
    steps = enumerate(scenario.steps, 1)
    return {(scenario.id, number): each.question for number, each in steps if each.question is not None}


def right_one(question: Question) -> int:
    """Return the position of the right choice: the one without an objection. `check` tests that against the code."""
    return told_of(question).index(None)


EVERY = {place: each for scenario in SCENARIOS.values() for place, each in asked(scenario).items()}


class Reader:
    """A window in which a lesson is read; a worker's answers are put in by hand, or never come."""

    def __init__(self, qapp: QApplication) -> None:
        self.client = Client()
        workspace = Workspace(time_automatically=False, keeps_drafts=False)
        self.session = Session(self.client, workspace)  # type: ignore[arg-type]
        self.window = MainWindow()
        self.window.setUpdatesEnabled(False)  # Texts are compared; nobody looks at them.
        self.desk = Desk(qapp, self.window, self.session, Settings(), keeps_settings=False)
        connections.connect(self.window, self.session, self.client, self.desk)  # type: ignore[arg-type]
        connections.add_plots(self.window, self.session, self.desk)
        self.desk.appearance.apply()
        self.text: LineText = self.window.code.findChild(LineText)

    def open(self, scenario: Scenario) -> None:
        self.window.resize(*NARROW)
        self.window.show()
        self.session.workspace.open(scenario)
        QApplication.processEvents()

    def hear(self, run: Run, request: Request) -> None:
        """Let the worker answer the newest request."""
        if self.session.stale or self.session.snapshot is None:
            came = msgspec.structs.replace(run(request), run=self.client.request.run)
            self.client.say(came)
        QApplication.processEvents()

    def time(self) -> None:
        """Let the times be measured that answer the question, where times do."""
        question = self.desk.lesson.plan.question
        answer = question.answer if question is not None else ""
        condition = conditions.parse(answer)
        curves = measures.curves_of(condition.measure if condition else answer) if answer else ()
        if not curves:
            return
        self.session.timings.start()
        asked = self.client.asked[-1]
        parameters = {**asked.parameters, **dict.fromkeys(filter(None, (asked.sweep_name,)), *asked.sweep_values[-1:])}
        for place, series in enumerate(curves):
            samples = 7e-3 / 7**place * np.linspace(0.99, 1.01, 12)
            point = Measurement(asked.run, series.variant, series.transforms, parameters, "cpu:0", samples.mean())
            taken = {"samples_s": Array.of(samples), "repeats": Array.of(range(12), np.int32)}
            self.client.say(msgspec.structs.replace(point, **taken))
        self.client.say(TimingDone(asked.run, 1.0))
        assert self.desk.lesson.page.revealed or len(self.session.timings.measurements) == len(curves)

    def go_on(self) -> None:
        self.desk.lesson.go_on()
        QApplication.processEvents()

    def resize(self, size: tuple[int, int]) -> None:
        self.window.resize(*size)
        # The window arranges itself when it has its size.
        for _ in range(2):
            QApplication.processEvents()

    def results(self) -> set[str]:
        """Return all texts of what a question covers, and outside of the panes, the story and the user's choices."""
        window, covered = self.window, self.desk.lesson.covered
        panes = [pane for name, pane in window.area.by_name.items() if name in covered]
        parts = (window.code_column, *panes, window.bottom, window.scenarios, window.in_force)
        actions = (text for each in window.findChildren(QAction) for text in (each.text(), each.toolTip()))
        return {
            window.windowTitle(),
            window.status.sentence(),
            *actions,
            *(pane.accessibleDescription() for pane in panes),
            *(text for part in parts for text in texts_in(part)),
        }

    def looks(self) -> object:
        """Return the formats of the code."""
        text = self.text
        lines = [(each.cursor.position(), each.format) for each in text.extraSelections()]
        return text.marks, text.textCursor().position(), lines

    def reads_what_is_marked(self) -> None:
        """Assert that the marked line is visible: of several the chosen one, the one of the focus, or the first."""
        marks = self.session.marks()
        if not marks.lines:
            return
        chosen = marks.focus is not None and marks.focus.kind == "line"
        row = (marks.focus.index if marks.focus and chosen else marks.line or min(marks.lines)) - 1
        block = self.text.document().findBlockByNumber(row)
        place = QRect()
        for column in range(len(block.text()) - len(block.text().lstrip()), len(block.text()) + 1):
            cursor = QTextCursor(block)
            cursor.setPosition(block.position() + column)
            place = place.united(self.text.cursorRect(cursor))
        assert self.text.viewport().rect().contains(place), block.text()

    def has_its_answer(self) -> None:
        """Assert that nothing is hidden any more, and that the answer is shown where it is known."""
        page = self.desk.lesson.page
        assert not any(pane.is_covered for pane in self.window.area.panes)
        assert self.window.status.state_text() != "has run"
        came = " ".join(texts_in(self.window.story))
        assert (page.ask.answer or page.ask.undecided).replace("`", "") in came
        # Backticks are code, and no characters; in the code itself, and in a traceback, they are its author's.
        texts = (each for each in self.results() - {self.text.toPlainText()} if "Traceback" not in each)
        assert [text for text in texts if "`" in text] == []


@pytest.fixture(scope="module")
def readers(qapp: QApplication) -> Iterator[tuple[Reader, Reader]]:
    """Yield a window with the answers of the worker, and one without."""
    theme.apply_to_application(qapp, theme.LIGHT)
    both = Reader(qapp), Reader(qapp)
    yield both
    for reader in both:
        reader.window.deleteLater()


@pytest.fixture
def two(readers: tuple[Reader, Reader]) -> Iterator[tuple[Reader, Reader]]:
    """The same, put away after each test."""
    yield readers
    for reader in readers:
        reader.window.hide()


@pytest.mark.process
@that_run(quick=8)
def test_until_a_question_is_answered_the_window_reveals_nothing_of_the_answer(
    scenario: Scenario, two: tuple[Reader, Reader], run: Run
) -> None:
    knows, does_not = two
    for reader in two:
        reader.open(scenario)
    for state in walk(scenario):
        knows.hear(run, request_of(scenario, state))
        knows.time()
        page = knows.desk.lesson.page
        for size in (WIDE, NARROW) if knows.desk.lesson.covered else ():
            for reader in two:
                reader.resize(size)
            assert not page.revealed
            more = knows.results() - does_not.results()
            # The title of a covered pane is cut to its width.
            assert [text for text in more if not "after your answer".startswith(text.rstrip("…"))] == []
            assert knows.looks() == does_not.looks()
            assert knows.window.status.state_text() == "has run"
        knows.reads_what_is_marked()
        if page.ask is not None:
            for reader in two:
                reader.go_on()
            knows.reads_what_is_marked()
            knows.has_its_answer()
        for reader in two:
            reader.go_on()


# -- settings that are not those of the page ---------------------------------------------------


def other_than(own: StepState, scenario: Scenario) -> Iterator[StepState]:
    """Yield `own` with each other variant, and with each parameter changed."""
    for variant in scenario.variants:
        if variant.name != own.variant:
            yield dataclasses.replace(own, variant=variant.name)
    for name, default in signature_defaults(scenario.source).items():
        value = own.parameters.get(name, default)
        other = not value if isinstance(value, bool) else value + "x" if isinstance(value, str) else value + 1
        yield dataclasses.replace(own, parameters={**own.parameters, name: other})


@each_scenario
@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_page_is_judged_with_its_own_settings_or_not_at_all(scenario: Scenario, language: str) -> None:
    titles = {each.name: each.title.text(language) for each in scenario.variants}
    defaults = signature_defaults(scenario.source)
    for place, own in enumerate(walk(scenario)):
        for revealed in (False, True):
            reading = Reading(place, revealed, 0 if revealed else None, now=own)
            written_out = dataclasses.replace(own, parameters={**defaults, **own.parameters})
            for same in (own, written_out):
                assert subject(scenario, dataclasses.replace(reading, now=same), language) == ""
            for other in other_than(own, scenario):
                ask = page_of(scenario, language, dataclasses.replace(reading, now=other), Evidence()).ask
                if ask is None:
                    continue
                assert titles.get(own.variant, "") in ask.about != ""
                assert (ask.right, ask.answer, ask.outcomes, ask.undecided) == (None, "", (), "")


# -- the choices --------------------------------------------------------------------------------


@each_scenario
def test_every_choice_but_one_says_in_both_languages_why_it_is_wrong(scenario: Scenario) -> None:
    for place, question in asked(scenario).items():
        told = told_of(question)
        assert told.count(None) == 1, place
        assert all({"en", "ko"} <= set(each.by_language()) for each in told if each), place


def test_a_question_has_two_choices_only_where_nobody_would_believe_a_third() -> None:
    assert {place for place, each in EVERY.items() if len(told_of(each)) == 2} == set(OF_TWO)


def test_neither_the_position_nor_the_length_gives_the_right_choice_away() -> None:
    of_many = {count: [each for each in EVERY.values() if len(told_of(each)) == count] for count in (3, 4)}
    for (count, questions), (least, most) in zip(of_many.items(), [(0.28, 0.39), (0.15, 0.35)], strict=True):
        places = [right_one(each) for each in questions]
        assert all(least <= places.count(place) / len(places) <= most for place in range(count))
    # Numbers to choose from have no length that would tell anything.
    in_words = [each for each in of_many[3] if each.reasons]
    lengths = [[len(reason.text("en")) for reason in each.reasons] for each in in_words]
    longest = [own.index(max(own)) == right_one(each) for own, each in zip(lengths, in_words, strict=True)]
    assert sum(longest) / len(longest) <= 0.40


def test_no_two_reasons_of_a_question_hold_by_the_same_condition() -> None:
    for place, question in EVERY.items():
        holds = [each.holds for each in question.reasons]
        assert len({*holds}) == len(holds), place
