"""The open lesson: its page, the choices of each step, its question and exercises, the lecturer's notes on a page."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from explorer.diagnostics.registry import part_of
from explorer.library.progress import Progress
from explorer.messages import Focus, Marks, Measurement, Snapshot
from explorer.scenario import pointing, step_states
from explorer.scenario.measure_words import fill_in
from explorer.scenario.measures import Evidence
from explorer.scenario.page import Page, ReadingPosition, has_two_halves, page_of, places, subject
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.scenario.step_states import StepState, panes_at, walk
from explorer.session.controls import Controls
from explorer.session.session import Session
from explorer.window.lesson_evidence import LessonEvidence, LessonTrials


class Prompt(msgspec.Struct, frozen=True):
    """Texts are Markdown, figures are filled in."""

    note: str = ""
    answer: str = ""
    """The answer to the question on the page, as a clause, or why it is not graded; empty without one, and while it is
    unknown."""
    next_title: str = ""
    """Empty after the last page, and while the page still hides its answer."""
    next_text: str = ""


def prompt_of(scenario: Scenario, language: str, reading: ReadingPosition, evidence: Evidence) -> Prompt:
    """Return the lecturer's information at `reading`, with the figures of `evidence`."""
    holds = has_two_halves(scenario, reading.place)
    page = page_of(scenario, language, replace(reading, revealed=True), evidence)
    answer = (page.ask.answer or page.ask.undecided or page.ask.about) if page.ask is not None else ""
    note = _note(scenario, language, reading, evidence)
    if holds and not reading.revealed:
        return Prompt(note, answer, "", page.reveal)
    following = next((each for each in places(scenario) if each > reading.place), None)
    if following is None:
        return Prompt(note, answer)
    # Its variant has not run yet: figures of another one would be false.
    coming = page_of(scenario, language, ReadingPosition(following), Evidence())
    tasks = "\n".join(f"{number}. {task.text}" for number, task in enumerate(coming.tasks, 1))
    return Prompt(note, answer, coming.heading, coming.text or tasks)


def _note(scenario: Scenario, language: str, reading: ReadingPosition, evidence: Evidence) -> str:
    """Return the note of this half of the page; that of the other half where only it has one."""
    steps = scenario.story(language)
    if reading.place >= len(steps):
        return ""
    step = steps[reading.place]
    shown = reading.revealed and step.reveal_note
    return fill_in(step.reveal_note if shown else step.note, evidence, language)


LINE = "line "
"""The first words of a step that points at a line of the code."""


class Lesson(QObject):
    """Opens the steps of a story one after the other. A page has its own selection when it opens, and when it is asked
    for.

    Signals:
        page_changed: the Page to show.
        plan_opened: the StepPlan of a step that has just opened, with its choice of panes.
        pointed_at: the Focus of the open step, once it exists and is selected.
        scenario_wanted: 1 or -1; the reader went beyond the last page, or back before the first one.
        progress_changed: a page or exercise was finished for the first time.
        turning: the page is about to be left.
    """

    page_changed = Signal(object)
    plan_opened = Signal(object)
    pointed_at = Signal(object)
    scenario_wanted = Signal(object)
    progress_changed = Signal()
    turning = Signal()

    def __init__(self, session: Session, progress: Progress) -> None:
        super().__init__(session)
        self._session = session
        self._workspace = session.workspace
        self._progress = progress
        self._scenario: Scenario | None = None
        self._language = "en"
        self._reading = ReadingPosition()
        self._witness = LessonEvidence(session)
        self._trials = LessonTrials(session)
        self._trials.ended.connect(self._tell)
        self._is_turning = False
        self._done_with: dict[int, Evidence] = {}
        """The evidence with which each exercise was done, by its number: its text stays true for another variant."""
        self._answers: dict[int, int | None] = {}
        """The choice at each page whose answer was revealed; None for a look without one."""
        self._came_from: dict[int, int] = {}
        """The page from which each page was jumped to."""
        self._presents = False
        self.shown: set[tuple[str, int]] = set()
        """The pages whose answer a room was shown."""
        self._page = Page()
        self._told: tuple[object, ...] = ()
        """The selection, and whether the code was edited, when the page was shown last."""
        self._pointing = ""
        """The target that the open step points at, until it is found or the user selects something."""
        self._ahead: Focus | None = None
        """The line that the open step points at, selected before the program has run."""
        session.snapshot_changed.connect(self.take_snapshot)
        session.timings.changed.connect(self.take_measurements)
        session.marks_changed.connect(self.take_marks)
        session.workspace.controls_changed.connect(self.take_controls)

    @property
    def page(self) -> Page:
        return self._page

    @property
    def half(self) -> tuple[str, int, bool]:
        """The lesson, the page and the half of the page on screen."""
        return self._scenario.id if self._scenario else "", self._page.place, self._page.revealed

    @property
    def language(self) -> str:
        return self._language

    @property
    def plan(self) -> StepPlan:
        """Return the plan of the open step; an empty one on a page without a plan."""
        steps = self._scenario.steps if self._scenario else ()
        return steps[self._reading.place] if self._reading.place < len(steps) else StepPlan()

    @property
    def pane(self) -> Literal["", "keys", "noise", "program", "timing", "code"]:
        """The pane that the open page is about; exercises are about that of the step before them."""
        steps = self._scenario.steps if self._page.tasks and self._scenario is not None else ()
        return next((plan.pane for plan in reversed(steps) if plan.pane not in ("", "code")), self.plan.pane)

    @property
    def covered(self) -> frozenset[str]:
        """Return the parts of the window with the answer to the question that waits for one."""
        if self._scenario is None or self._page.ask is None or self._page.revealed:
            return frozenset()
        found = step_states.covered(self._scenario, self._page.place)
        plans = map(self._scenario.plan, self._workspace.state.variants)
        mistakes = [kind for plan in plans if plan is not None for kind in plan.expects]
        was_shown = any(plan.pane == "keys" for plan in self._scenario.steps[: self._page.place + 1])
        # On a stage one key opens any pane, and Keys marks what the findings name.
        gives_away = self._presents and "keys" in map(part_of, mistakes) and not was_shown
        return found | {"keys"} if gives_away else found

    @property
    def lists(self) -> bool:
        """Return whether the lesson speaks of what is printed, or of JAX's own key checker."""
        return self._scenario is not None and any(plan.output or plan.jax_checker for plan in self._scenario.steps)

    @property
    def prompt(self) -> Prompt:
        """Return the notes that only a lecturer sees next to the page."""
        if self._scenario is None:
            return Prompt()
        return prompt_of(self._scenario, self._language, self._now(), self._evidence(self._scenario))

    def present(self, presents: bool) -> None:
        """Read to a room or no more: answers stay in sight, and the marks of exercises follow the code."""
        self._presents = presents
        self._tell()

    def show_scenario(self, scenario: Scenario, language: str) -> None:
        """Open `scenario` at its first page; stay on the current page where it is open already."""
        before, self._scenario, self._language = self._scenario, scenario, language
        if before is not None and before.id == scenario.id:
            place = min(places(scenario) or (0,), key=lambda each: abs(each - self._reading.place))
            if place == self._reading.place and (before.steps, before.stories) == (scenario.steps, scenario.stories):
                self._tell()
            else:
                # Its author has rewritten it, or the course has other pages.
                self.go_to(place, revealed=self._reading.revealed)
        else:
            self._witness.open(self._workspace.controls.variant)
            self._done_with, self._answers, self._came_from = {}, {}, {}
            self._trials.forget()
            self._open(next(iter(places(scenario)), 0), fresh=True)
            self._point_ahead()

    def go_on(self) -> None:
        """Reveal the answer of the page; without one open the next page, and after the last the next scenario."""
        if self._scenario is None:
            return
        place = self._reading.place
        if has_two_halves(self._scenario, place) and not self._reading.revealed:
            self.uncover()
        elif later := [each for each in places(self._scenario) if each > place]:
            self.go_to(later[0])
        else:
            self.turning.emit()
            self.scenario_wanted.emit(1)

    def go_back(self) -> None:
        """Undo the last `go_on`."""
        if self._scenario is None:
            return
        if has_two_halves(self._scenario, self._reading.place) and self._reading.revealed:
            self._reading = replace(self._reading, revealed=False, chosen=None)
            self._pointing = self.plan.focus
            self._session.choose_focus(None)
            self._tell()
            self._point()
        else:
            self.turn_back()

    def turn_back(self) -> None:
        """Open the page from which this one was jumped to, else the one before it, and before the first the scenario
        before.
        """
        if (left := self._came_from.pop(self._reading.place, None)) is not None:
            self.go_to(left)
            return
        earlier = [each for each in places(self._scenario) if each < self._reading.place] if self._scenario else ()
        if earlier:
            self.go_to(earlier[-1], revealed=True)
        else:
            self.turning.emit()
            self.scenario_wanted.emit(-1)

    def go_back_to_selection(self) -> None:
        """Select the subject of the page again."""
        self._workspace.take_state(self._state_at(self._reading.place))

    def pages(self, scenario: Scenario | None = None) -> tuple[Page, ...]:
        """Return every page of `scenario`, or else of the open lesson, before any of its answers."""
        if (scenario := scenario or self._scenario) is None:
            return ()
        # Their variant may not have run: figures of another page would be false.
        return tuple(page_of(scenario, self._language, ReadingPosition(each), Evidence()) for each in places(scenario))

    def choose(self, choice: int | None) -> None:
        """Answer the question with its choice number `choice`, counted from 0; None only reveals the answer."""
        if self._page.revealed:
            return
        self._reading = replace(self._reading, revealed=True, chosen=choice)
        self._answers[self._reading.place] = choice
        self._pointing = self.plan.focus_after or self._pointing
        self._tell()
        if not self._session.stale:
            self._point()

    def uncover(self) -> None:
        """Reveal the answer without a choice."""
        self.choose(None)

    def choose_variant(self, name: str) -> None:
        """Select the variant that an exercise is about."""
        self._workspace.take_step(StepPlan(variant=name))

    # -- hearing from the session -------------------------------------------------------------

    def take_snapshot(self, snapshot: Snapshot) -> None:
        variant = self._workspace.controls.variant
        report = snapshot.report(variant)
        if snapshot.failure is None and (report is None or report.status is None):
            return
        self._witness.hear(snapshot, variant, is_own=self._is_own)
        if snapshot.complete:
            self._point()
        self._tell()

    def take_measurements(self, _measurements: tuple[Measurement, ...]) -> None:
        self._witness.hear_times(is_own=self._is_own)
        self._tell()

    def take_controls(self, controls: Controls) -> None:
        opened = self._workspace.scenario
        if self._scenario is None or opened is None or opened.id != self._scenario.id or self._is_turning:
            # They belong to the scenario or the page that is shown next.
            return
        if controls.variant != self._witness.seen.variant:
            self._witness.turn_to(controls.variant)
            self._tell()
        elif self._page.count and self._evidence_state() != self._told:
            self._tell()

    def take_marks(self, marks: Marks) -> None:
        if marks.focus not in (None, self._ahead):
            self._pointing = ""

    # -- turning pages ------------------------------------------------------------------------

    def jump_to(self, place: int) -> None:
        """Open the page at `place`, from which `turn_back` leads back here."""
        self._came_from[place] = self._reading.place
        self.go_to(place)

    def go_to(self, place: int, *, revealed: bool = False) -> None:
        """Open the page at `place`."""
        self.turning.emit()
        self._session.choose_focus(None)
        self._is_turning = True
        self._workspace.take_state(self._state_at(place))
        self._is_turning = False
        self._witness.turn(self._reading.place, place, self._workspace.controls.variant)
        self._open(place, revealed=revealed)
        if not self._session.stale:
            self._point()
        else:
            self._point_ahead()

    def _state_at(self, place: int) -> StepState:
        """Return the selection of the page at `place`: that of its step, or the variant of the first open exercise."""
        states = walk(self._scenario) if self._scenario is not None else ()
        if place < len(states):
            return states[place]
        last = states[-1] if states else self._workspace.state
        if self._scenario is None or place < len(self._scenario.story("en")):
            return last
        ticked = self._progress.ticked(self._scenario.id)
        undone = [exercise for number, exercise in enumerate(self._scenario.exercises) if number not in ticked]
        # A comparison would halve the room for the code to be changed; and only a jaxpr tells
        # how many equations there are.
        return last.after(StepPlan(variant=undone[0].variant if undone else "", compare="", form="jaxpr"))

    def _now(self) -> ReadingPosition:
        """Return the position and the selection of the reader."""
        return replace(self._reading, now=self._workspace.state)

    @property
    def _is_own(self) -> bool:
        """Whether the selection is that of the page."""
        return self._scenario is None or not subject(self._scenario, self._now(), self._language)

    def _open(self, place: int, *, revealed: bool = False, fresh: bool = False) -> None:
        is_next = place == self._reading.place + 1 and not fresh
        revealed |= self._presents and self._scenario is not None and (self._scenario.id, place) in self.shown
        self._reading = ReadingPosition(place, revealed, self._answers.get(place) if revealed else None)
        self._pointing = (revealed and self.plan.focus_after) or self.plan.focus
        self._ahead = None
        self._tell()
        # From another scenario or page, the panes have something else than the page before would have left.
        self.plan_opened.emit(self.plan if is_next or self._scenario is None else panes_at(self._scenario, place))

    def _point_ahead(self) -> None:
        """Select a line at once: it exists before the program has run."""
        found = None
        if self._pointing.startswith(LINE):
            controls = self._workspace.controls
            found = pointing.find(self._pointing, controls.variant, self._workspace.source, None)
        self._ahead = found
        if found is not None:
            self._session.choose_focus(found)

    def _point(self) -> None:
        """Select the target of the open step, if it exists; results of a run only after the answer."""
        if self._pointing and (self._page.revealed or self._pointing.startswith(LINE)):
            variant, source = self._workspace.controls.variant, self._workspace.source
            found = pointing.find(self._pointing, variant, source, self._session.snapshot)
            self._pointing = ""
            if found is not None:
                self._session.choose_focus(found)
                self.pointed_at.emit(found)

    def _tell(self) -> None:
        if self._scenario is None:
            return
        self._note_progress(self._scenario)
        ticked = frozenset(self._done_with) if self._presents else self._progress.ticked(self._scenario.id)
        missing, checking = self._trials.missing(self._language), self._trials.checking
        reading = replace(self._now(), ticked=ticked, done_with=self._done_with, missing=missing, checking=checking)
        self._told = self._evidence_state()
        tells = reading.place < len(self._scenario.story("en"))
        page = page_of(self._scenario, self._language, reading, self._evidence(self._scenario))
        edited = tells and self._witness.edited
        page = replace(page, edited=edited, with_original=edited and self._witness.with_original)
        if self._presents:
            (self.shown.add if page.revealed else self.shown.discard)((self._scenario.id, page.place))
        if page != self._page:
            self._page = page
            self.page_changed.emit(page)

    def _evidence_state(self) -> tuple[object, ...]:
        return self._workspace.state, self._witness.edited, self._witness.with_original

    def _evidence(self, scenario: Scenario) -> Evidence:
        """Return the evidence for the figures of the open page: a story is about the author's code and selection."""
        tells = self._reading.place < len(scenario.story("en"))
        return self._witness.of_page if tells else self._witness.seen

    def _note_progress(self, scenario: Scenario) -> None:
        place, steps = self._reading.place, len(scenario.story("en"))
        new = False
        if place < steps and (self._reading.revealed or not has_two_halves(scenario, place)):
            new = self._progress.see(scenario.id, place)
        elif place >= steps:
            for number, exercise in enumerate(scenario.exercises):
                if self._trials.is_done(number, scenario, self._witness.seen):
                    self._done_with[number] = self._witness.seen
                    new |= self._progress.tick(scenario.id, number)
                elif self._presents and self._trials.has_run(exercise, self._witness.seen):
                    self._done_with.pop(number, None)
        if new:
            self._progress.keep()
            self.progress_changed.emit()
