"""A window in which a lesson is read, with a worker's answers and without."""

from __future__ import annotations

import msgspec
import numpy as np
from PySide6.QtCore import QRect
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QApplication

from explorer.commands.lesson_check import Run, request_of
from explorer.library.settings import Settings
from explorer.messages import Array, Measurement, Request, TimingDone
from explorer.scenario import conditions, measures
from explorer.scenario.scenario import Scenario
from explorer.scenario.step_states import walk
from explorer.session.session import Session
from explorer.session.workspace import Workspace
from explorer.window import connections
from explorer.window.commands import Desk
from tests.session.client import Client
from tests.views.texts import texts_in
from views.text.line_text import LineText
from views.window.main_window import MainWindow

NARROW, WIDE = (1366, 768), (1920, 1080)


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
        assert self.window.status.state.text() != "has run"
        came = " ".join(texts_in(self.window.story))
        assert (page.ask.answer or page.ask.undecided).replace("`", "") in came
        # Backticks are code, and no characters; in the code itself, and in a traceback, they are its author's.
        texts = (each for each in self.results() - {self.text.toPlainText()} if "Traceback" not in each)
        assert [text for text in texts if "`" in text] == []


def read(scenario: Scenario, knows: Reader, does_not: Reader, run: Run) -> None:
    """Read `scenario` in both windows, page by page: until a question is answered, they show the same of it."""
    two = knows, does_not
    for reader in two:
        reader.open(scenario)
    for number, state in enumerate(walk(scenario)):
        knows.hear(run, request_of(scenario, state))
        knows.time()
        page = knows.desk.lesson.page
        if knows.desk.lesson.covered:
            for reader in two:
                reader.resize((NARROW, WIDE)[number % 2])
            assert not page.revealed
            more = knows.results() - does_not.results()
            # The title of a covered pane is cut to its width.
            assert [text for text in more if not "after your answer".startswith(text.rstrip("…"))] == []
            assert knows.looks() == does_not.looks()
            assert knows.window.status.state.text() == "has run"
        knows.reads_what_is_marked()
        if page.ask is not None:
            for reader in two:
                reader.go_on()
            knows.reads_what_is_marked()
            knows.has_its_answer()
        for reader in two:
            reader.go_on()
