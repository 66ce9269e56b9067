"""Recordings opens a run recorded anywhere, shows it without running anything, and offers its code."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, Signal

from explorer.library import recording_file
from explorer.library.code_files import UnreadableCode
from explorer.messages.recorded_run import RecordedRun, RecordingOrigin
from explorer.session.session import Session
from views.window.notice_bar import NoticeBar


class Recordings(QObject):
    """Opens recordings, and says above the editor what they are.

    Signals:
        program_wanted: the code of the open recording, which the user wants as a program.
    """

    program_wanted = Signal(str)

    def __init__(self, notice: NoticeBar, session: Session) -> None:
        super().__init__(notice)
        self._notice, self._session = notice, session
        self._run: RecordedRun | None = None
        """The one that is open."""

    def continue_from(self, before: Recordings) -> None:
        """Show the recording of the window `before` this one."""
        self._run = before._run

    @property
    def is_open(self) -> bool:
        scenario = self._session.workspace.scenario
        return scenario is not None and scenario.origin == "recording"

    def open(self, target: str) -> bool:
        """Show the recording at the path `target`, and return whether it exists; problems are reported in words."""
        path = Path(target).expanduser()
        run = self._read(path)
        if run is None:
            return path.exists()
        self._run = run
        self._session.workspace.open(recording_file.scenario(path.resolve(), run), runs=False)
        self._session.show_recorded(run)
        self.offer()
        return True

    def _read(self, path: Path) -> RecordedRun | None:
        try:
            return recording_file.read(path)
        except UnreadableCode as error:
            self._notice.tell(str(error))
            return None

    def offer(self) -> None:
        """Show the time and the versions of the open recording, and offer its code as a program."""
        if self.is_open and self._run is not None:
            button = ("open_as_program", self.tr("Open as a program"))
            about = self._run.about
            first = self._first_sentence(about)
            sentence = " ".join([first, *map(str, about.left_out)])
            self._notice.ask(sentence, button, ("", self.tr("Close")), audience=first)

    def on_answer(self, answer: str) -> None:
        """Handle a button of the notice bar."""
        if answer == "open_as_program" and self.is_open and self._run is not None:
            self.program_wanted.emit(self._run.source)

    def _first_sentence(self, about: RecordingOrigin) -> str:
        ended = QDateTime.fromString(about.ended, Qt.DateFormat.ISODate).toLocalTime()
        when = QLocale().toString(ended, QLocale.FormatType.ShortFormat) if ended.isValid() else about.ended
        return self.tr("A recording of {} from {} ({}). Nothing runs here.").format(about.program, when, about.where)
