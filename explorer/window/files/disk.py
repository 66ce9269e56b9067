"""Disk watches the open file: changes by other programs are seen, and overwritten only after a question."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

from explorer.library import library
from explorer.scenario.scenario import Scenario
from explorer.session.workspace import Workspace
from views.window.notice_bar import NoticeBar
from views.window.status_line import StatusLine

SETTLE_MS = 150
"""Milliseconds to wait: editors write a file in several steps, some by replacing it."""


class DiskText(NamedTuple):
    """The text of a file, or the reason why it is missing."""

    text: str | None
    problem: str = ""


class Disk(QObject):
    """Watches the user's open file, and asks where the disk and the window differ."""

    def __init__(self, notice: NoticeBar, status: StatusLine, workspace: Workspace) -> None:
        super().__init__(notice)
        self._notice, self._status = notice, status
        self._workspace = workspace
        self._path: Path | None = None
        self._agreed: dict[Path, DiskText] = {}
        """The content of each file when the user last saw it or was asked about it."""
        self._asked: DiskText | None = None
        self._watcher = QFileSystemWatcher(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self.check)
        for changed in (self._watcher.fileChanged, self._watcher.directoryChanged):
            changed.connect(lambda _path: self._settle.start())
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            # Not every disk reports changes: some in a network do not.
            application.applicationStateChanged.connect(self._on_state_changed)

    def open(self, scenario: Scenario) -> None:
        """Watch the file of `scenario`, if it is the user's own."""
        before, self._path = self._path, Path(scenario.path) if scenario.origin in ("file", "mine") else None
        self._asked = None
        if self._path != before and (watched := [*self._watcher.files(), *self._watcher.directories()]):
            self._watcher.removePaths(watched)
        if self._path is None:
            return
        # Edits that were made before the file changed, while something else was open, belong to its earlier content.
        if self._workspace.source == scenario.source or self._path not in self._agreed or self._path == before:
            self._agreed[self._path] = DiskText(scenario.source, scenario.problem if not scenario.source else "")
        self._watch()
        self._settle.start()

    def continue_from(self, before: Disk) -> None:
        """Watch the open file, with what was agreed on in the window `before` this one."""
        self._agreed = before._agreed
        if self._workspace.scenario is not None:
            self.open(self._workspace.scenario)

    def may_save(self) -> bool:
        """Return whether the open file is unchanged on disk; else ask whether to overwrite it."""
        if self._path is None:
            return True
        now = _read(self._path)
        if now in (self._agreed[self._path], DiskText(self._workspace.source), DiskText(None)):
            return True
        self._ask(now, saving=True)
        return False

    def check(self) -> None:
        """Read the file: take its content where nothing was edited here, else ask."""
        if self._path is None:
            return
        self._watch()
        now, workspace = _read(self._path), self._workspace
        if now == self._agreed[self._path]:
            if self._asked is not None:
                self._asked = None
                self._notice.hide()
        elif now == self._asked:
            return
        elif now.text is not None and now.text == workspace.source:
            self._agree(now, now.text)
        elif now == DiskText(None):
            self._tell_gone(now)
        elif now.text is not None and not workspace.controls.edited:
            self._take_over(now.text)
        else:
            self._ask(now)

    def on_answer(self, answer: str) -> None:
        """Handle a button of the notice bar."""
        asked = self._asked
        if asked is None or self._path is None or not answer.startswith("disk_"):
            return
        if answer == "disk_reload" and asked.text is not None:
            self._take_over(asked.text)
        else:
            self._agree(asked, asked.text or "")
        self._settle.start()

    # -- asking -------------------------------------------------------------------------------

    def _ask(self, now: DiskText, *, saving: bool = False) -> None:
        self._asked = now
        # Another window on the same file may have thrown the draft away when it saved.
        self._workspace.keep_draft()
        name = self._path.name if self._path is not None else ""
        keep = ("disk_keep", self.tr("Keep mine"))
        if now.text is None:
            text = self.tr("{} has changed on disk, and cannot be read now: {} Your code is still here.")
            self._notice.ask(text.format(name, now.problem), keep)
            return
        text = self.tr("{} was not saved: another program has changed it on disk. Choose Keep mine, then save again.")
        if not saving:
            text = self.tr("{} has changed on disk, and you have edited it here.")
        reload = ("disk_reload", self.tr("Reload"))
        self._notice.ask(text.format(name), reload, keep)

    def _tell_gone(self, now: DiskText) -> None:
        # Code whose file is gone differs from the disk, so it is kept as a draft.
        self._agree(now, "")
        text = self.tr("{} is gone from disk. Your code is still here; Save writes the file again.")
        self._notice.tell(text.format(self._path.name if self._path is not None else ""))

    def _take_over(self, text: str) -> None:
        self._agree(DiskText(text), text, reload=True)
        message = self.tr("{} has changed on disk and was read again. Undo brings back the earlier text.")
        self._status.show_hover(message.format(self._path.name if self._path is not None else ""))

    def _agree(self, reading: DiskText, original: str, *, reload: bool = False) -> None:
        """Continue with `original` as the content of the file."""
        self._workspace.take_original(original, reload=reload)
        self._asked = None
        if self._path is not None:
            self._agreed[self._path] = reading

    # -- watching -----------------------------------------------------------------------------

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self._settle.start()

    def _watch(self) -> None:
        """Watch file and folder; Qt stops watching a file that was replaced, until it is added again."""
        if self._path is None:
            return
        watched = {*self._watcher.files(), *self._watcher.directories()}
        wanted = [str(each) for each in (self._path, self._path.parent) if each.exists()]
        if lacking := [each for each in wanted if each not in watched]:
            self._watcher.addPaths(lacking)


def _read(path: Path) -> DiskText:
    if not path.exists():
        return DiskText(None)
    try:
        return DiskText(library.read_code(path))
    except library.UnreadableCode as error:
        return DiskText(None, str(error))
