"""Recent: the menu File > Open recent, of the lessons and files that were opened last."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from explorer.scenario.scenario import Scenario
from explorer.window.files.files import Files
from views.window.commands import MOST_RECENT
from views.window.notice_bar import NoticeBar


class Recent(QObject):
    """Remembers opened targets, the newest first, and opens them again."""

    def __init__(
        self, notice: NoticeBar, action: Callable[[str], QAction], files: Files, targets: tuple[str, ...]
    ) -> None:
        super().__init__(notice)
        self._notice, self._action = notice, action
        self._files = files
        self._targets = list(targets)

    @property
    def targets(self) -> tuple[str, ...]:
        """The ids and paths, for the next start."""
        return tuple(self._targets)

    def note(self, scenario: Scenario) -> None:
        """Note that `scenario` is open now; new files are in the list of lessons until they have a name."""
        if scenario.origin != "new":
            others = [target for target in self._targets if target != scenario.id]
            self._targets = [scenario.id, *others][:MOST_RECENT]

    def open(self, place: int) -> None:
        """Open entry number `place`, counted from 0; a missing target is reported and removed."""
        target = self._targets[place]
        if not self._files.open_by_id(target):
            self._targets.remove(target)
            text = self.tr("{} no longer exists, so it was removed from the list of recent files.")
            self._notice.tell(text.format(target))

    def show(self) -> None:
        """Update the menu."""
        for place in range(MOST_RECENT):
            action = self._action(f"recent_{place + 1}")
            there = place < len(self._targets)
            action.setVisible(there)
            if there:
                words = self._words(self._targets[place]).replace("&", "&&")
                action.setText(f"&{(place + 1) % 10} {words}")

    def words(self) -> list[str]:
        """Return the menu texts, the newest first."""
        return list(map(self._words, self._targets))

    def _words(self, target: str) -> str:
        """Return the menu text of `target`: the title of a lesson, the name of a file and its folder."""
        if title := self._files.listed_title(target):
            return title
        path = Path(target)
        return f"{path.name}   {path.parent}" if path.is_absolute() else target
