"""Votes counted by keys while a question is open, hidden until they are revealed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from explorer.library.progress import Ballot
from explorer.scenario.page import Page, PageQuestion
from explorer.session.workspace import Workspace
from views.story.story_view import StoryView
from views.story.vote_bars import VoteTally


class Voting(QObject):
    """Counts the votes of a room, a ballot for each question of each lesson.

    Signals:
        tally_changed: the VoteTally of the page, with votes that the room does not see yet; None without one.
    """

    tally_changed = Signal(object)

    def __init__(self, story: StoryView, workspace: Workspace) -> None:
        super().__init__(story)
        self._story = story
        self._workspace = workspace
        self._ballots: dict[tuple[str, int], Ballot] = {}
        self._page = Page()
        self._is_on = False
        self._typed = ""

    @property
    def asks(self) -> bool:
        """Whether a question is open."""
        return self._open_question() is not None

    @property
    def ballots(self) -> tuple[Ballot, ...]:
        """The ballots that were begun in this window."""
        return tuple(self._ballots.values())

    def take_up(self, ballots: tuple[Ballot, ...]) -> None:
        """Continue these ballots."""
        self._ballots = {(ballot.lesson, ballot.place): ballot for ballot in ballots}
        self._show()

    def begin(self) -> None:
        """Start counting."""
        self._is_on = True

    def end(self) -> None:
        """Stop counting and hide the votes, which stay counted."""
        self._is_on = False
        self._story.show_tally(None)

    def show_page(self, page: Page) -> None:
        """Show the votes on the question of `page`."""
        self._page = page
        self._show()

    def count(self, choice: int, hands: int = 1) -> bool:
        """Count `hands` votes for `choice`, counted from 0; return whether the question has that choice.

        Below 0 votes are taken back, at most those that there are.
        """
        ask = self._open_question()
        if ask is None or choice >= len(ask.choices):
            return False
        ballot = self._ballot() or (self._begun(ask) if hands > 0 else None)
        if ballot is not None:
            votes = ballot.rounds[-1]
            votes[choice] = max(0, votes[choice] + hands)
            self._show()
        return True

    def show_typed(self, digits: str) -> None:
        """Show the number that was typed so far, before its letter."""
        self._typed = digits
        self._show()

    def vote_again(self) -> bool:
        """Begin another round of votes on the question, for example after a discussion; its page asks again.

        Return whether there were votes to repeat.
        """
        ballot = self._ballot()
        if not self._is_on or ballot is None or not any(map(any, ballot.rounds)):
            return False
        if any(ballot.rounds[-1]):
            ballot.rounds.append([0] * len(ballot.rounds[-1]))
        if self._page.revealed:
            # It asks again, so the answer is put away, as Page Up does it.
            self._story.previous_wanted.emit()
        self._show()
        return True

    def tally(self) -> VoteTally | None:
        """Return the votes on the question of the page; None without a question or without votes."""
        ballot, ask = self._ballot(), self._page.ask
        if not self._is_on or ask is None or (ballot is None and not self._typed):
            return None
        rounds = tuple(map(tuple, ballot.rounds)) if ballot is not None else ((0,) * len(ask.choices),)
        return VoteTally(ask.choices, rounds, ask.right, self._page.revealed, self._typed)

    def _show(self) -> None:
        tally = self.tally()
        self._story.show_tally(tally)
        self.tally_changed.emit(tally)

    def _open_question(self) -> PageQuestion | None:
        return self._page.ask if self._is_on and not self._page.revealed else None

    def _place(self) -> tuple[str, int]:
        scenario = self._workspace.scenario
        return scenario.id if scenario is not None else "", self._page.place

    def _ballot(self) -> Ballot | None:
        ballot, ask = self._ballots.get(self._place()), self._page.ask
        # Its author may have given the question other choices meanwhile.
        same = ballot is not None and ask is not None and len(ballot.rounds[-1]) == len(ask.choices)
        return ballot if same else None

    def _begun(self, ask: PageQuestion) -> Ballot:
        begun = self._ballots[self._place()] = Ballot(*self._place(), [[0] * len(ask.choices)])
        return begun
