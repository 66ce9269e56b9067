"""LensPages: the open lens, its pages for one variant or two, and the cost of lines for the editor."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.messages import LensAnswer, Marks, Report, Snapshot
from explorer.messages.lenses import LENSES, LineCost
from views.program.lenses.contents import costs_together
from views.program.lenses.page import LensPage
from views.text.line_marks import line_colours


class LensPages:
    """Two pages, in the order of the reports; the second is for a comparison."""

    def __init__(self) -> None:
        self.pages = (LensPage(), LensPage())
        self.wanted = ""
        """The id of the chosen lens, '' for none; it is kept for programs that offer it."""
        self.offered: tuple[str, ...] = ()
        """The ids of the lenses that the current reports offer."""
        self._offered_of: set[str] = set()
        """The names of the variants that they have something to say about."""
        self._snapshot: Snapshot | None = None
        self._reports: tuple[Report, ...] = ()
        """The current reports: they outlive code that cannot run."""
        self._answers: dict[tuple[str, str], LensAnswer] = {}

    @property
    def shown(self) -> str:
        """The id of the open lens, '' for the text of the program."""
        return self.wanted if self.wanted in self.offered else ""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the one or two reports of `snapshot`; while they fail, the earlier lenses are still offered."""
        self._snapshot = snapshot
        reports = snapshot.reports[:2]
        if reports or snapshot.failure is None:
            self._reports = reports
        failed = snapshot.failure is not None or any(each.failure for each in reports)
        offered = {name for report in reports for name in report.lenses}
        names = {each.name for each in reports}
        if failed and names <= self._offered_of:
            offered.update(self.offered)
        if offered or snapshot.complete:
            self._offered_of = names
            self.offered = tuple(name for name in LENSES if name in offered)
        if colours := line_colours(snapshot):
            for page in self.pages:
                page.show_colours(colours)
        self.show()

    def show_lenses(self, answers: Sequence[LensAnswer]) -> None:
        """Show the lenses' answers for the variants."""
        self._answers = {(each.variant, each.name): each for each in answers}
        self.show()

    @property
    def answers(self) -> tuple[LensAnswer, ...]:
        """The answers on the pages; empty without an open lens."""
        found = (self._answers.get((each.name, self.shown)) for each in self._reports)
        return tuple(filter(None, found)) if self.shown else ()

    @property
    def costs(self) -> dict[int, LineCost]:
        """The cost of lines in the open lens, for the editor."""
        return costs_together(page.costs for page in self.pages[: len(self._reports)]) if self.shown else {}

    def show(self) -> None:
        """Show the answers of the open lens."""
        snapshot, lens = self._snapshot, self.shown
        if snapshot is None or not lens:
            return
        answers = [self._answers.get((report.name, lens)) for report in self._reports]
        all_answers = [each for each in answers if each is not None]
        for place, page in enumerate(self.pages):
            report = self._reports[place] if place < len(self._reports) else None
            answer = answers[place] if place < len(answers) else None
            # A lens that is offered of a program that fails reports the failure itself.
            failure = snapshot.failure or (report.failure if report and lens not in report.lenses else None)
            page.show_answer(LENSES[lens], report, answer, failure, over=snapshot.complete, answers=all_answers)

    def show_marks(self, marks: Marks) -> None:
        for page in self.pages:
            page.show_marks(marks)
