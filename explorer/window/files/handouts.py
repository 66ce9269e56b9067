"""Handouts makes a handout of the lesson or file in the window, as it stands, in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess
from PySide6.QtWidgets import QFileDialog

from explorer import OUR_NAME
from explorer.library import own_file
from explorer.link import temporary
from explorer.session.session import Session
from explorer.window.files.files import Files, stem
from views.window.notice_bar import NoticeBar
from views.window.status_line import StatusLine

PYTHON = ("-P", "-m", OUR_NAME)
"""-P: a file numpy.py in the current folder must not replace NumPy."""
HANDOUTS = "HTML (*.html);;Jupyter (*.ipynb)"


class Handouts(QObject):
    """Makes handouts, one at a time."""

    def __init__(self, notice: NoticeBar, status: StatusLine, session: Session, files: Files, language: str) -> None:
        super().__init__(notice)
        self._notice, self._status = notice, status
        self._session, self._files, self._language = session, files, language
        self._writing: QProcess | None = None
        self._for_handout: Path | None = None
        """The folder with the code for the handout."""
        self._handout = Path()

    def ask(self) -> None:
        """Ask for a file and make a handout of the lesson in another process, which runs every page."""
        scenario = self._session.workspace.scenario
        if scenario is None or not self._may_begin():
            return
        start = str((Path.home() / stem(scenario)).with_suffix(".html"))
        name, kind = QFileDialog.getSaveFileName(self._notice.window(), self.tr("Save the handout"), start, HANDOUTS)
        if name:
            endings = (".html", ".ipynb")
            chosen = next((each for each in endings if each in kind), ".html")
            self._begin(Path(name) if Path(name).suffix.lower() in endings else Path(f"{name}{chosen}"))

    def _may_begin(self) -> bool:
        if not self._session.workspace.runs:
            self._files.offer_run()
        elif self._writing is not None:
            self._notice.tell(self.tr("A handout is already being made. It takes a moment."))
        return self._session.workspace.runs and self._writing is None

    def _begin(self, file: Path) -> None:
        """Begin to write the handout into `file`."""
        scenario = self._session.workspace.scenario
        assert scenario is not None
        workspace, folder = self._session.workspace, temporary.make()
        self._for_handout, self._handout = folder, file
        code = folder / f"{stem(scenario)}.py"
        try:
            own_file.write_atomically(code, workspace.source.encode())
        except OSError as error:
            self._tell_failed(error.strerror or str(error))
            self._throw_away()
            return
        self._writing = QProcess(self)
        self._writing.finished.connect(self._on_written)
        self._writing.errorOccurred.connect(self._on_not_started)
        # A new file is nowhere else.
        lesson = [str(code)] if scenario.origin == "new" else [scenario.id, "--code", str(code)]
        words = ["-o", str(self._handout), "--lang", self._language]
        if not scenario.steps:
            words += ["--variant", workspace.controls.variant]
        self._writing.start(sys.executable, [*PYTHON, "handout", *lesson, *words])
        self._status.tell(self.tr("The handout is being made: the lesson runs page by page."))

    def _on_written(self, code: int, status: QProcess.ExitStatus) -> None:
        process, self._writing = self._writing, None
        if process is None:
            return
        if code == 0 and status is QProcess.ExitStatus.NormalExit:
            self._notice.tell(self.tr("The handout is in {}.").format(self._handout))
        else:
            lines = bytes(process.readAllStandardError().data()).decode(errors="replace").strip().splitlines()
            self._tell_failed(lines[-1].removeprefix("jax-explorer: ") if lines else str(code))
        self._throw_away()
        process.deleteLater()

    def _on_not_started(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._writing is not None:
            self._tell_failed(self._writing.errorString())
            self._writing = None
            self._throw_away()

    def _tell_failed(self, reason: str) -> None:
        sentence = self.tr("The handout was not made: {}")
        self._notice.tell(sentence.format(reason if reason.endswith(".") else f"{reason}."))

    def close(self) -> None:
        """Stop making the handout."""
        if self._writing is not None:
            process, self._writing = self._writing, None
            process.kill()
            process.waitForFinished(1000)
        self._throw_away()

    def _throw_away(self) -> None:
        if self._for_handout is not None:
            temporary.remove(self._for_handout)
            self._for_handout = None
