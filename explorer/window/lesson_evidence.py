"""The evidence for a lesson's words: that of the code on screen, and that of the lesson's own code and selection."""

from __future__ import annotations

from dataclasses import replace

from explorer.messages import ORIGINAL, Snapshot, Value, original_name
from explorer.scenario.code_inputs import signature_defaults
from explorer.scenario.measures import Evidence
from explorer.session.session import Session


class LessonEvidence:
    """Keeps the evidence about the code on screen, and about the original with the selection of the page.

    Attributes:
        seen: the newest snapshot and times, of whatever code: exercises are about changing it.
        of_page: the same of the original code with the page's own selection: a story says no other figure. Empty while
            nothing of it is known.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.seen = self.of_page = Evidence()

    @property
    def edited(self) -> bool:
        """Whether the code on screen is not the original."""
        return self._session.workspace.controls.edited

    @property
    def with_original(self) -> bool:
        """Whether the original is shown next to it."""
        return self._session.workspace.controls.compare == ORIGINAL

    def open(self, variant: str) -> None:
        """Clear the evidence, for `variant` of another lesson."""
        self.seen = self._evidence(None, variant, timed=False)
        self.of_page = replace(self.seen, given=self._given_to_original())

    def turn_to(self, variant: str) -> None:
        """Clear what was seen, except the times, for `variant`."""
        self.seen = self._evidence(None, variant)

    def open_page(self, variant: str) -> None:
        """Begin with a page whose own selection, with `variant`, is in force."""
        if self._session.stale:
            self.turn_to(variant)
            older = replace(self.of_page, snapshot=None, variant=variant, given=self._given_to_original())
            self.of_page = older if self.edited else self.seen
        elif not self.edited:
            self.of_page = self.seen

    def hear(self, snapshot: Snapshot, variant: str, *, is_own: bool) -> None:
        """Take the results of a run; `is_own` says whether it was made with the selection of the page."""
        self.seen = self._evidence(snapshot, variant)
        if self._session.stale or not is_own:
            return
        if not self.edited:
            self.of_page = self.seen
        elif snapshot.report(original_name(variant)) is not None:
            self.of_page = replace(self.of_page, snapshot=snapshot, variant=original_name(variant))

    def hear_times(self, *, is_own: bool) -> None:
        """Take the current times."""
        self.seen = self._evidence(self.seen.snapshot, self.seen.variant)
        if is_own and not self.edited:
            self.of_page = self._evidence(self.of_page.snapshot, self.of_page.variant)

    def _evidence(self, snapshot: Snapshot | None, variant: str, *, timed: bool = True) -> Evidence:
        timings, source = self._session.timings, self._session.workspace.source
        times, unfinished = (timings.measurements, timings.unfinished) if timed else ((), False)
        return Evidence(snapshot, variant, times, timing=unfinished, source=source, given=self._given(source))

    def _given_to_original(self) -> dict[str, Value]:
        scenario = self._session.workspace.scenario
        return self._given(scenario.source) if scenario is not None else {}

    def _given(self, source: str) -> dict[str, Value]:
        return {**signature_defaults(source), **self._session.workspace.settings}
