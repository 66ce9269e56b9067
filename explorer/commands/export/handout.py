"""``jax-explorer handout``: writes lessons as a page or a notebook; ``Reader`` walks through each, unseen."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication

from explorer.commands.export.pictures import OffscreenWindow
from explorer.focus.variant_names import shown_variant
from explorer.library import own_file
from explorer.link.remotes.remote import HERE, Remote
from explorer.messages import Failure, Report, Value, unmarked
from explorer.scenario import conditions, packages
from explorer.scenario.measure_words import PLACEHOLDER, fill_in
from explorer.scenario.measures import OF_TIMES, Evidence, measure
from explorer.scenario.page import Page, has_two_halves, places
from explorer.scenario.pointing import find
from explorer.scenario.scenario import Exercise, Scenario, Step, StepPlan
from explorer.window.handout import notebook, panes, web
from explorer.window.handout.records import (
    AnsweredPage,
    Handout,
    HandoutExercise,
    HandoutFinding,
    HandoutLesson,
    Listing,
    VariantCall,
)

NOTEBOOK = ".ipynb"
ENDINGS = (".html", ".htm", NOTEBOOK)
LEVELS = ("error", "bug", "warning", "note")


def run(
    lessons: Sequence[Scenario],
    file: Path,
    *,
    title: str,
    language: str,
    with_notes: bool = False,
    code: str = "",
    variant: str = "",
    remote: Remote = HERE,
) -> int:
    """Write the handout of `lessons` into `file`, in the format of its ending; return the exit code.

    The lessons run at `remote`, with `code` instead of their own if there is any. A program without a story shows
    `variant`. Raises OSError.
    """
    with OffscreenWindow(language, times=False, remote=remote) as unseen:
        unseen.window.resize(1600, 1000)
        reader = Reader(unseen, language, with_notes=with_notes)
        taught = []
        for number, lesson in enumerate(lessons, 1):
            print(f"{number}/{len(lessons)} {lesson.title.text(language)}", file=sys.stderr, flush=True)  # noqa: T201
            taught.append(reader.read(lesson, code=code, variant=variant))
        date = f"{datetime.now().astimezone():%Y-%m-%d}"
        handout = Handout(title or taught[0].title, language, tuple(taught), date)
        is_notebook = file.suffix.lower() == NOTEBOOK
        own_file.write_atomically(file, notebook.notebook(handout) if is_notebook else web.page(handout).encode())
        print(file)  # noqa: T201
    problems = [each.problem for each in taught if each.problem]
    for problem in problems:
        sys.stderr.write(f"jax-explorer: {problem}\n")
    return 2 if problems else 0


class Reader:
    """Reads lessons in one window."""

    def __init__(self, unseen: OffscreenWindow, language: str, *, with_notes: bool) -> None:
        self._unseen = unseen
        self._window, self._session, self._desk = unseen.window, unseen.session, unseen.desk
        self._language, self._with_notes = language, with_notes
        self._in_time = True
        self._found: dict[tuple[str, str], HandoutFinding] = {}

    def read(self, scenario: Scenario, *, code: str = "", variant: str = "") -> HandoutLesson:
        """Return `scenario` with each page as opened and answered, with `code` instead of its own if there is any.

        Pages may choose another variant than `variant`.
        """
        language = self._language
        self._in_time, self._found = True, {}
        workspace = self._session.workspace
        workspace.choose_time_automatically(_is_about_times(scenario, 0))
        edited = code not in ("", scenario.source)
        if edited and scenario.origin == "file":
            # The window watches the file, which has other code, and takes that unless there are edits.
            workspace.take_edit(scenario, code)
        elif edited:
            # Not as an edit: the figures of a lesson's pages are those of its own code.
            scenario = replace(scenario, source=code, origin="built-in")
        self._desk.take_up(scenario, variant=variant)
        scenario = replace(scenario, source=code or scenario.source)
        # In a file without a story, unsaved code is nothing special.
        edited = edited and bool(scenario.steps)
        self._settle()
        title = scenario.title.text(language)
        listing = panes.code_listing(f"{scenario.id}.py" if "/" not in scenario.id else "code.py", scenario.source)
        if scenario.problem:
            return HandoutLesson(scenario, title, listing, edited=edited, problem=scenario.problem)
        first = self._session.snapshot
        sheets = tuple(self._sheets(scenario, listing))
        tasks = tuple(self._tasks(scenario))
        self._note_findings()
        hello = self._session.hello
        problem = self._did_not_start(scenario, first.failure if first is not None else None)
        return HandoutLesson(
            scenario,
            title,
            listing,
            sheets,
            tasks,
            tuple(sorted(self._found.values(), key=lambda each: LEVELS.index(each.level))),
            tuple((each.name, str(each.value)) for each in (first.parameters if first else ())),
            (f"Python {hello.python}", f"jax {hello.jax}", f"jaxlib {hello.jaxlib}") if hello else (),
            first.device if first else "",
            tuple((each.name, each.title.text(language)) for each in scenario.variants),
            edited,
            problem or self._missing(sheets),
        )

    # -- pages --------------------------------------------------------------------------------

    def _sheets(self, scenario: Scenario, code: Listing) -> Iterator[AnsweredPage]:
        lesson, steps = self._desk.lesson, scenario.story(self._language)
        pane, before = "", panes.PaneContents()
        for place in (each for each in places(scenario) if each < len(steps)):
            step, plan = steps[place], scenario.steps[place] if place < len(scenario.steps) else StepPlan()
            self._session.workspace.choose_time_automatically(_is_about_times(scenario, place))
            if place != lesson.page.place:
                lesson.go_to(place)
                self._settle()
            asked = lesson.page
            lesson.uncover()
            self._settle()
            self._note_findings()
            pane = plan.pane or pane
            shown = panes.shown_in(pane, self._window, self._session)
            sheet = self._sheet(scenario, step, plan, code, asked, lesson.page)
            printed = self._printed() if plan.output else ()
            same = [each.svg for each in shown.figures] == [each.svg for each in before.figures]
            figures = () if same else shown.figures
            listings = (*printed, *(() if shown.listings == before.listings else shown.listings))
            yield replace(sheet, figures=figures, listings=listings, remark=shown.remark)
            before = shown
        if not steps:
            yield from self._without_story()

    def _sheet(
        self, scenario: Scenario, step: Step, plan: StepPlan, code: Listing, asked: Page, revealed: Page
    ) -> AnsweredPage:
        variant = self._session.workspace.controls.variant
        line = find(plan.focus, variant, scenario.source, None) if plan.focus.startswith("line ") else None
        excerpt = panes.excerpt(code, line.index) if line is not None and isinstance(line.index, int) else None
        return AnsweredPage(
            step.title,
            self._with_note(revealed.text, step.note),
            revealed.ask,
            self._with_note(revealed.reveal, step.reveal_note),
            variant,
            revealed.folder,
            excerpt,
            has_two_halves=has_two_halves(scenario, asked.place),
            calls=self._calls(),
        )

    def _calls(self) -> tuple[VariantCall, ...]:
        """Return how the variants on screen are called."""
        workspace = self._session.workspace
        settings = tuple(sorted(workspace.settings.items()))
        failed = {each.name for each in self._reports() if each.failure is not None}
        late = {each.name for each in self._reports() if each.status == "timeout"}
        chosen = (workspace.controls.variant, workspace.controls.compare)
        names = {each.name for each in workspace.controls.functions}
        return tuple(
            VariantCall(name, settings, fails=name in failed) for name in chosen if name in names and name not in late
        )

    def _with_note(self, markdown: str, note: str) -> str:
        """Return `markdown` followed by the lecturer's `note`, where notes are included."""
        quoted = "\n".join(f"> {line}" for line in note.strip().splitlines())
        return f"{markdown}\n\n{quoted}" if quoted and self._with_notes else markdown

    def _without_story(self) -> Iterator[AnsweredPage]:
        """Return the contents of each pane for code without a story."""
        variant = self._session.workspace.controls.variant
        shown = [panes.shown_in(pane, self._window, self._session) for pane in ("keys", "noise", "program")]
        figures = tuple(figure for each in shown for figure in each.figures)
        yield AnsweredPage(
            "", "", None, "", variant, "", None, figures, tuple(one for each in shown for one in each.listings)
        )

    def _printed(self) -> tuple[Listing, ...]:
        texts = {each.name: each.printed for each in self._reports() if each.printed.strip()}
        return tuple(panes.plain(f"{shown_variant(name)} · stdout", text) for name, text in texts.items())

    # -- exercises ----------------------------------------------------------------------------

    def _tasks(self, scenario: Scenario) -> Iterator[HandoutExercise]:
        place = len(scenario.story("en"))
        if place not in places(scenario):
            return
        self._desk.lesson.go_to(place)
        self._settle()
        controls = self._session.workspace.controls
        for exercise in scenario.exercises:
            variant = exercise.variant or controls.variant
            evidence = Evidence(self._session.snapshot, variant, self._session.timings.measurements)
            # Of code that the reader has yet to write, only the arguments are known.
            inputs = Evidence(evidence.snapshot and replace(evidence.snapshot, reports=()))
            outcome = exercise.outcome.text(self._language) if exercise.outcome else ""
            yield HandoutExercise(
                fill_in(exercise.text.text(self._language), evidence, self._language),
                exercise.variant,
                fill_in(outcome, inputs, self._language, _known(exercise, evidence)),
            )

    # -- small parts --------------------------------------------------------------------------

    def _settle(self) -> None:
        self._in_time = self._unseen.wait() and self._in_time
        self._unseen.settle()
        # A newly placed widget may request more.
        self._in_time = self._unseen.wait() and self._in_time

    def _did_not_start(self, scenario: Scenario, failure: Failure | None) -> str:
        """Return the reason why no part of `scenario` has run, in a sentence; empty where one has."""
        if failure is None:
            return ""
        if names := ", ".join(packages.missing(scenario)):
            words = QCoreApplication.translate(
                "Handout", "There is nothing to show here: the code needs packages that are not installed: {}."
            )
            return words.format(names)
        words = QCoreApplication.translate("Handout", "There is nothing to show here: the code stopped: {}")
        return words.format(unmarked(failure.words))

    def _missing(self, sheets: Sequence[AnsweredPage]) -> str:
        """Return the missing results, in a sentence; empty where there are none."""
        if not self._in_time:
            return QCoreApplication.translate("Handout", "The program was still running, so not everything is here.")
        pages = [str(number) for number, each in enumerate(sheets, 1) if each.lacks_figures]
        words = QCoreApplication.translate(
            "Handout", "Some figures could not be found. They are missing on these pages: {}."
        )
        return words.format(", ".join(pages)) if pages else ""

    def _reports(self) -> tuple[Report, ...]:
        return self._session.snapshot.reports if self._session.snapshot is not None else ()

    def _note_findings(self) -> None:
        snapshot = self._session.snapshot
        failures = {report.name: report.failure for report in self._reports()}
        failures[""] = snapshot.failure if snapshot is not None else None
        for name, failure in failures.items():
            if failure is not None:
                sentence = unmarked(failure.words)
                self._found[name, sentence] = HandoutFinding(name, "error", sentence, failure.line or 0)
        for report in self._reports():
            for each in report.findings or ():
                sentence = unmarked(each.message)
                self._found[report.name, sentence] = HandoutFinding(report.name, each.level, sentence, each.line or 0)


def _is_about_times(scenario: Scenario, place: int) -> bool:
    """Return whether the page at `place` is about times: measuring them takes seconds."""
    plan = scenario.steps[place] if place < len(scenario.steps) else StepPlan()
    steps = scenario.story("en")
    texts = [steps[place].text, steps[place].reveal] if place < len(steps) else []
    question = plan.question
    if question is not None:
        texts += [question.text.text("en"), f"{{{{{question.answer}}}}}"]
        texts += [each for reason in question.reasons for each in (reason.text("en"), f"{{{{{reason.holds}}}}}")]
    asked = [found[1].split()[0] for text in texts for found in PLACEHOLDER.finditer(text) if found[1].split()]
    return plan.pane == "timing" or any(each in OF_TIMES for each in asked)


def _known(exercise: Exercise, evidence: Evidence) -> dict[str, Value | None]:
    """Return the measures that an exercise fixes: whoever has done it has these values."""
    known: dict[str, Value | None] = {}
    for text in exercise.done:
        condition = conditions.parse(text)
        if condition is None or condition.operator != "==":
            continue
        value = conditions.meaning(condition.value, evidence)
        known[condition.measure] = value
        if isinstance(condition.value, str) and conditions.is_measure(condition.value):
            known[condition.value] = measure(condition.value, evidence)
    return known
