"""Remotes: Run > Run elsewhere: a remote is typed, tried in a separate process, and saved once it is used."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from explorer.link.process import WorkerProcess
from explorer.link.remotes.remote import NoRemote, Remote, likely_remotes, remote_of
from explorer.messages import Beat, FromWorker, Hello
from explorer.session.workspace import Workspace
from explorer.text.text import Text
from explorer.window.appearance import Appearance
from views.tool_bar.remote_sheet import RemoteSheet


class Remotes(QObject):
    """Opens the sheet, tries the typed remote, and runs there if the user wants it."""

    def __init__(self, window: QWidget, workspace: Workspace, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._workspace = workspace
        self._appearance = appearance
        self._sheet: RemoteSheet | None = None
        self._trial: WorkerProcess | None = None
        self._tried: Remote | None = None
        self._found: Hello | None = None
        self._beaten = 0.0
        self._know()

    def open(self) -> None:
        """Ask for a remote."""
        scenario = self._workspace.scenario
        self._sheet = RemoteSheet(self._window, likely_remotes(scenario.path if scenario is not None else ""))
        self._sheet.trial_wanted.connect(self._try)
        self._sheet.use_wanted.connect(self._use)
        self._sheet.finished.connect(self._on_closed)
        self._sheet.show()

    def _know(self) -> None:
        self._workspace.know_remotes(self._appearance.settings.remotes)

    def _try(self, words: str) -> None:
        self._end_trial()
        try:
            remote = remote_of(words, self._appearance.settings.remotes)
        except NoRemote as error:
            self._tell(str(error))
            return
        if remote.is_here:
            return
        self._tried = remote
        self._tell(self.tr("Starting a Python at {}…").format(remote.name))
        self._trial = WorkerProcess(self, remote)
        self._trial.message_received.connect(self._hear)
        self._trial.ended.connect(self._on_ended)

    def _hear(self, message: FromWorker) -> None:
        if self._trial is None:
            return
        if isinstance(message, Hello):
            self._found = message
            self._beaten = time.monotonic()
            self._trial.write(Beat(1))
        elif isinstance(message, Beat) and self._found is not None:
            self._tell_found(self._found, 1e3 * (time.monotonic() - self._beaten))
            self._end_trial()

    def _tell_found(self, hello: Hello, round_trip_ms: float) -> None:
        devices = ", ".join(f"{each.id} ({each.kind})" for each in hello.devices)
        lines = (
            self.tr("Python {}, jax {}").format(hello.python, hello.jax),
            self.tr("Devices: {}").format(devices),
            self.tr("Round trip: {} ms").format(f"{round_trip_ms:.3g}"),
            *map(str, hello.notes),
        )
        self._tell("\n".join(lines), usable=bool(hello.devices))

    def _on_ended(self, words: Text) -> None:
        trial, self._trial = self._trial, None
        if trial is not None:
            last = f"{words}. {trial.last_words()}".strip(". ")
            self._tell(str(trial.trouble) or self.tr("No worker started there: {}.").format(last))

    def _tell(self, words: str, *, usable: bool = False) -> None:
        if self._sheet is not None:
            self._sheet.tell(words, usable=usable)

    def _end_trial(self) -> None:
        trial, self._trial, self._found = self._trial, None, None
        if trial is not None:
            trial.abandon()

    def _on_closed(self) -> None:
        self._sheet = None
        self._end_trial()

    def _use(self) -> None:
        remote, sheet = self._tried, self._sheet
        if remote is None or sheet is None:
            return
        self._appearance.keep_remote(remote)
        self._know()
        self._workspace.choose_remote(remote.name)
        sheet.close()
