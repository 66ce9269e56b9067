"""Votes counted by keys while a question is open: hidden until they are revealed, and saved."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from explorer.library import votes
from explorer.library.own_file import write_atomically
from explorer.library.votes import Ballot, Votes
from explorer.scenario.page import Ask, Page
from explorer.session.workspace import Workspace
from views.story.vote_bars import Tally
from views.window.main_window import MainWindow

BYTE_ORDER_MARK = "\ufeff"
"""Without the byte order mark a spreadsheet misreads Korean."""


class Voting(QObject):
    """Counts the votes of a room, a ballot for each question of each lesson.

    Signals:
        tally_changed: the Tally of the page, or None; with all that the room does not see yet.
    """

    tally_changed = Signal(object)

    def __init__(self, window: MainWindow, workspace: Workspace, saved_votes: Votes) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._saved_votes = saved_votes
        self._ballots: dict[tuple[str, int], Ballot] = {}
        self._page = Page()
        self._is_on = False
        self._typed = ""

    @property
    def asks(self) -> bool:
        """Whether a question is open."""
        return self._open_question() is not None

    @property
    def ballots(self) -> tuple[str, ...]:
        """The ids of the ballots that were begun in this window."""
        return tuple(ballot.id for ballot in self._ballots.values())

    def take_up(self, ballots: tuple[str, ...]) -> None:
        """Count on in the saved ballots with these ids."""
        for ballot in self._saved_votes.all():
            if ballot.id in ballots:
                self._ballots[ballot.lesson, ballot.step - 1] = ballot

    def begin(self) -> None:
        """Start counting."""
        self._is_on = True

    def end(self) -> None:
        """Stop counting and hide the votes, which stay saved."""
        self._is_on = False
        self._window.story.show_tally(None)

    def show_page(self, page: Page) -> None:
        """Show the votes on the question of `page`."""
        self._page = page
        ballot = self._ballot()
        if ballot is not None and self._is_on and page.ask is not None and page.revealed and page.ask.right is not None:
            self._saved_votes.tell_right(ballot, page.ask.right)
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
            self._saved_votes.count(ballot, choice, max(hands, -ballot.rounds[-1][choice]))
            self._show()
        return True

    def show_typed(self, digits: str) -> None:
        """Show the number that was typed so far, before its letter."""
        self._typed = digits
        self._show()

    def vote_again(self) -> None:
        """Begin another round of votes on the question, for example after a discussion; its page asks again."""
        ballot = self._ballot()
        if not self._is_on or ballot is None or not ballot.hands():
            return
        ballot.rounds.append([0] * len(ballot.choices))
        if self._page.revealed:
            # It asks again, so the answer is put away, as Page Up does it.
            self._window.story.previous_wanted.emit()
        self._show()

    def tally(self) -> Tally | None:
        """Return the votes on the question of the page; None without a question or without votes."""
        ballot, ask = self._ballot(), self._page.ask
        if not self._is_on or ask is None or (ballot is None and not self._typed):
            return None
        rounds = tuple(map(tuple, ballot.rounds)) if ballot is not None else ((0,) * len(ask.choices),)
        return Tally(ask.choices, rounds, ask.right, self._page.revealed, self._typed)

    def save(self) -> None:
        """Ask for a file and write all saved votes into it."""
        found = self._saved_votes.all()
        if not found:
            self._window.notice.tell(self.tr("There is nothing to save: no vote has been counted yet."))
            return
        name = f"votes-{datetime.now().astimezone():%Y-%m-%d}.csv"
        kinds = self.tr("Comma-separated values (*.csv)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save votes as CSV"), name, kinds)
        if not path:
            return
        try:
            write_atomically(Path(path), (BYTE_ORDER_MARK + votes.as_csv(found)).encode())
        except OSError as error:
            text = self.tr("{} could not be written: {}.")
            self._window.notice.tell(text.format(path, error.strerror or error))
            return
        self._window.notice.tell(self.tr("The votes are saved as {}.").format(path))

    def _show(self) -> None:
        tally = self.tally()
        self._window.story.show_tally(tally)
        self.tally_changed.emit(tally)

    def _open_question(self) -> Ask | None:
        return self._page.ask if self._is_on and not self._page.revealed else None

    def _place(self) -> tuple[str, int]:
        scenario = self._workspace.scenario
        return scenario.id if scenario is not None else "", self._page.place

    def _ballot(self) -> Ballot | None:
        ballot, ask = self._ballots.get(self._place()), self._page.ask
        # Its author may have given the question other choices meanwhile.
        same = ballot is not None and ask is not None and len(ballot.choices) == len(ask.choices)
        return ballot if same else None

    def _begun(self, ask: Ask) -> Ballot:
        lesson, place = self._place()
        begun = self._saved_votes.begin(lesson, place + 1, ask.text, ask.choices, datetime.now().astimezone())
        self._ballots[lesson, place] = begun
        return begun
