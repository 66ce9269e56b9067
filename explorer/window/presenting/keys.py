"""The keys of a presentation, which mean something else or nothing at other times."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QWidget

from views.window.commands import Command


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
            Command("stage_pane", title, self.tr("A pane by its number"), "1, 2, 3, 4"),
            Command("stage_code", title, self.tr("The code alone"), "5"),
            Command("stage_both", title, self.tr("The code next to a pane"), "6"),
            Command("other_half", title, self.tr("The other program of a comparison"), "Tab"),
            Command("pages", title, self.tr("All pages"), "G"),
            Command("strip", title, self.tr("Variant, comparison, parameters, device"), "P"),
            Command("back_to_lesson", title, self.tr("Back to the values of the lesson"), "Backspace"),
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

    def shortcuts(self, window: QWidget, slots: Mapping[str, tuple[Callable[[], object], ...]]) -> list[QShortcut]:
        """Return a shortcut of `window`, not enabled yet, for each key of the rows that `slots` has slots for."""
        made = []
        for row in self.rows():
            for keys, slot in zip(row.keys, slots.get(row.id, ()), strict=False):
                made.append(QShortcut(keys, window, enabled=False))
                made[-1].activated.connect(slot)
        return made
