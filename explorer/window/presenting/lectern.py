"""The keys of a presentation, in one table; typed numbers; votes, screens and presenter's window kept in step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from explorer.scenario.page import Page
from explorer.session.workspace import Workspace
from explorer.window.lesson import Lesson
from explorer.window.presenting.presenter import Pace, Presenter
from explorer.window.presenting.screens import Screens
from explorer.window.presenting.voting import Voting
from views.window.commands import Command
from views.window.stage.overlay import BlackScreen, Overlay
from views.window.stage.stage import Stage


class StageKeys(QObject):
    """The table of these keys, without duplicates; the sheet of keys shows them all.

    Each steering module adds its rows here and their actions by id. A row without an action is only shown: its key is
    handled where it acts, such as a key that is held down. 1 to 6 are layouts, P G T L steer, A to E are the choices of
    the open question, and digits before such a letter are a number of votes.
    """

    def rows(self) -> tuple[Command, ...]:
        """Return every row in the language of the window."""
        title = self.tr("While presenting")
        return (
            Command("read_on", title, self.tr("Forward: the answer, then the next page"), "PgDown"),
            Command("read_back", title, self.tr("Back to the page before"), "PgUp"),
            Command(
                "turn", title, self.tr("Forward and back, unless a pane needs them"), "Right, Space, Left, Backspace"
            ),
            Command("stage_pane", title, self.tr("A pane by its number"), "1, 2, 3, 4"),
            Command("stage_code", title, self.tr("The code alone"), "5"),
            Command("stage_both", title, self.tr("The code next to a pane"), "6"),
            Command("other_half", title, self.tr("The other program of a comparison"), "Tab"),
            Command("pages", title, self.tr("All pages"), "G"),
            Command("strip", title, self.tr("Variant, comparison, parameters, device"), "P"),
            Command("back_to_lesson", title, self.tr("Back to the values of the lesson"), "R"),
            Command("leave", title, self.tr("Close what is open, or end"), "Esc"),
            Command("next_theme", title, self.tr("The next theme"), "T"),
            Command("next_language", title, self.tr("The next language"), "L"),
            Command("vote", title, self.tr("Count a vote for a choice"), "A, B, C, D, E"),
            Command("digit", title, self.tr("More digits: 40 B counts forty votes for B"), "7, 8, 9, 0"),
            Command("vote_back", title, self.tr("Take it back"), "Shift+A, Shift+B, Shift+C, Shift+D, Shift+E"),
            Command("vote_again", title, self.tr("Vote again on the same question"), "V"),
            Command("black", title, self.tr("A black screen (also B, when there is no question)"), "."),
            Command("freeze", title, self.tr("Freeze or unfreeze the audience view"), "F"),
        )

    def shortcuts(
        self,
        window: QWidget,
        slots: Mapping[str, tuple[Callable[[], object], ...]],
        context: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut,
    ) -> list[QShortcut]:
        """Return a shortcut of `window`, not enabled yet, for each key of the rows that `slots` has slots for."""
        made = []
        for row in self.rows():
            for keys, slot in zip(row.keys, slots.get(row.id, ()), strict=False):
                made.append(QShortcut(keys, window, enabled=False, context=context))
                made[-1].activated.connect(slot)
        return made


ALONE_MS = 1500
"""Milliseconds after which a single digit means what it means elsewhere: a pane."""
FORGOTTEN_MS = 5000
"""Milliseconds after which a longer number is forgotten."""
MOST_DIGITS = 3


class TypedNumber(QObject):
    """Collects digits until a letter takes them.

    Signals:
        changed: the typed digits.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.digits = ""
        """The digits so far."""
        self._alone: Callable[[], object] = self.clear
        self._wait = QTimer(self, singleShot=True)
        self._wait.timeout.connect(self._on_end)

    def add(self, digit: str, alone: Callable[[], object]) -> None:
        """Add `digit`; if nothing follows it, call `alone`. A zero begins no number."""
        if len(self.digits) == MOST_DIGITS or (digit == "0" and not self.digits):
            return
        self._alone = alone if not self.digits else self.clear
        self._set(self.digits + digit)
        self._wait.start(FORGOTTEN_MS if len(self.digits) > 1 else ALONE_MS)

    def take(self) -> int:
        """Return the number, 1 where none was typed, and begin anew."""
        number = int(self.digits or "1")
        self.clear()
        return number

    def clear(self) -> bool:
        """Forget the digits; return whether there were any."""
        self._wait.stop()
        had = bool(self.digits)
        if had:
            self._set("")
        return had

    def _on_end(self) -> None:
        alone = self._alone
        self.clear()
        alone()

    def _set(self, digits: str) -> None:
        self.digits = digits
        self.changed.emit(digits)


CHOICES = 5
"""The number of choices with keys."""
BLACK = 1
"""The choice with the key B."""


class Lectern(QObject):
    """Binds the keys, and notifies each tool when a presentation begins, turns a page and ends."""

    def __init__(self, stage: Stage, workspace: Workspace, lesson: Lesson, pace: Pace) -> None:
        super().__init__(stage)
        self.pace = pace
        self.voting = Voting(stage.window.story, workspace)
        self.number = TypedNumber(self)
        self.number.changed.connect(self.voting.show_typed)
        self.blank: BlackScreen | None = None
        self.overlay = Overlay(stage.window)
        self.screens = Screens(stage, self.overlay)
        self.presenter = Presenter(stage.window, lesson, self.screens, self.voting, pace)

    def continue_from(self, before: Lectern) -> None:
        """Go on with the clock, the votes and the screens of the window `before` this one."""
        self.pace.began_s = before.pace.began_s
        self.screens.continue_from(before.screens)
        self.voting.take_up(before.voting.ballots)

    def begin(self, scale: float) -> None:
        """Start the clock, note the window's screen, and the text size `scale` for the laptop."""
        self.pace.begin()
        self.voting.begin()
        self.screens.begin()
        self.presenter.begin(scale)

    def end(self) -> None:
        """Close all tools; the stage stays."""
        self.number.clear()
        self.voting.end()
        if self.blank is not None:
            self.blank.put_away()
        self.screens.end()
        self.presenter.end()

    def leave(self) -> bool:
        """Close one open overlay; return whether there was one."""
        return self.number.clear() or self.screens.unfreeze()

    def show_page(self, page: Page) -> None:
        """Note the shown page, also after new figures."""
        self.voting.show_page(page)
        if not self.voting.asks:
            self.number.clear()
        self.presenter.show_page(page)

    def slots(self) -> dict[str, tuple[Callable[[], object], ...]]:
        """Return the actions of the keys of each row of the table."""
        return {
            "vote": tuple(partial(self._vote, choice) for choice in range(CHOICES)),
            "vote_back": tuple(partial(self._take_back, choice) for choice in range(CHOICES)),
            "vote_again": (self._vote_again,),
            "black": (self._blacken,),
            "freeze": (self.screens.toggle_freeze,),
        }

    def _blacken(self) -> None:
        """Show the room a black screen until a key or a click."""
        if self.blank is None:
            self.blank = BlackScreen(self.screens.projected)
            self.blank.over.connect(self._forget_blank)

    def _forget_blank(self) -> None:
        self.blank = None

    def _vote(self, choice: int) -> None:
        """Count votes, as many as were typed; without a question, B blackens the screen, as presenters expect."""
        if not self.voting.count(choice, self.number.take()) and choice == BLACK and not self.voting.asks:
            self._blacken()

    def _vote_again(self) -> None:
        if not self.voting.vote_again():
            self.overlay.tell(self.tr("V votes again after a vote, and no votes were counted here."))

    def _take_back(self, choice: int) -> None:
        self.voting.count(choice, -self.number.take())
