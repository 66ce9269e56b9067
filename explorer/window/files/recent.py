"""File > Open recent: the lessons and files that were open last."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from explorer.scenario.scenario import Scenario
from explorer.window.files.files import Files
from views.window.commands import MOST_RECENT
from views.window.main_window import MainWindow


class Recent(QObject):
    """Keeps what was opened, the newest first, and opens it again."""

    def __init__(self, window: MainWindow, files: Files, targets: tuple[str, ...]) -> None:
        super().__init__(window)
        self._window = window
        self._files = files
        self._targets = list(targets)
        window.menu_opened.connect(self.show)

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
        """Open what stands at `place`, counted from 0; what is gone is reported and taken off."""
        target = self._targets[place]
        if not self._files.open_by_id(target):
            self._targets.remove(target)
            text = self.tr("{} no longer exists, so it was removed from the list of recent files.")
            self._window.notice.tell(text.format(target))

    def clear(self) -> None:
        """Forget all of them."""
        self._targets.clear()

    def show(self) -> None:
        """Bring the menu up to date."""
        for place in range(MOST_RECENT):
            action = self._window.action(f"recent_{place + 1}")
            there = place < len(self._targets)
            action.setVisible(there)
            if there:
                words = self._words(self._targets[place]).replace("&", "&&")
                action.setText(f"&{(place + 1) % 10} {words}")
        self._window.action("clear_recent").setEnabled(bool(self._targets))

    def _words(self, target: str) -> str:
        """Return what the menu calls `target`: the title of a lesson, the name of a file and where it lies."""
        if title := self._files.title(target):
            return title
        path = Path(target)
        return f"{path.name}   {path.parent}" if path.is_absolute() else target
