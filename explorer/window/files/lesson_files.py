"""The lesson with its current state: in one file that others can open, and as a handout."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QObject, QProcess
from PySide6.QtWidgets import QFileDialog

from explorer import OUR_NAME
from explorer.library import lesson_file, own_file
from explorer.library.lesson_file import Choices, LessonFile
from explorer.library.settings import Arrangement
from explorer.link import temporary
from explorer.scenario import code_inputs
from explorer.scenario.page import page_count
from explorer.scenario.scenario import Scenario, StepPlan
from explorer.session.session import Session
from explorer.window.appearance import Appearance
from explorer.window.arranging import Arranging
from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from views.window.main_window import MainWindow

PYTHON = ("-P", "-m", OUR_NAME)
"""-P: a file numpy.py in the current folder must not replace NumPy."""
HANDOUTS = "HTML (*.html);;Jupyter (*.ipynb)"


class LessonFiles(QObject):
    """Writes lesson files and handouts, and restores the state in a lesson file."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        files: Files,
        lesson: Lesson,
        arranging: Arranging,
        appearance: Appearance,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._files = window, session, files
        self._lesson, self._arranging, self._appearance = lesson, arranging, appearance
        self._writing: QProcess | None = None
        self._for_handout: Path | None = None
        """The folder with the lesson for the handout."""
        self._handout = Path()
        files.lesson_file_opening.connect(self._prepare)
        files.lesson_file_opened.connect(self._restore)
        files.lesson_save_wanted.connect(self._write)

    # -- a lesson file ------------------------------------------------------------------------

    def save(self) -> None:
        """Ask for a file and write the lesson with its current state into it."""
        scenario = self._session.workspace.scenario
        if scenario is None:
            return
        start = Path(scenario.id if lesson_file.is_lesson_file(scenario.id) else Path.home() / _stem(scenario))
        kinds = f"JAX Explorer (*{lesson_file.ENDING})"
        title = self.tr("Save the lesson as it is now")
        name, _ = QFileDialog.getSaveFileName(self._window, title, str(start.with_suffix(lesson_file.ENDING)), kinds)
        if name:
            path = Path(name)
            self._write(path if lesson_file.is_lesson_file(name) else path.with_name(path.name + lesson_file.ENDING))

    def _write(self, path: Path) -> bool:
        """Write the lesson into `path`, report the result, and return whether it succeeded."""
        scenario = self._session.workspace.scenario
        try:
            own_file.write_atomically(path, self._packed())
        except OSError as error:
            sentence = self.tr("{} was not saved: {}. The lesson is still open here.")
            self._window.notice.tell(sentence.format(path.name, error.strerror or error))
            return False
        if scenario is not None and scenario.id == str(path):
            self._files.wrote(path)
        text = self.tr("Saved in {}: the lesson with its code, parameters, page and layout.")
        self._window.status.tell(text.format(path))
        return True

    def _packed(self) -> bytes:
        workspace, page = self._session.workspace, self._lesson.page
        assert workspace.scenario is not None
        controls = workspace.controls
        choices = Choices(
            controls.variant,
            controls.compare,
            workspace.settings,
            controls.form,
            page.place,
            page.revealed,
            self._arranging.arrangements.get(workspace.scenario.id, Arrangement()),
        )
        return lesson_file.packed(workspace.scenario, workspace.source, choices, _version())

    def _prepare(self, opened: LessonFile) -> None:
        """Take the parts of the lesson file that are needed before the lesson is on screen."""
        self._session.workspace.take_edit(opened.scenario, opened.source)
        self._arranging.take_over(opened.scenario.id, opened.choices.arrangement)

    def _restore(self, opened: LessonFile) -> None:
        """Restore the open page with its choices."""
        choices, workspace = opened.choices, self._session.workspace
        if pages := page_count(opened.scenario):
            self._lesson.go_to(max(0, min(choices.page, pages - 1)), revealed=choices.revealed)
            # The page has made room for its pane.
            self._arranging.put_back(choices.arrangement)
        settings = code_inputs.known_settings(choices.parameters, workspace.source)
        plan = StepPlan(variant=choices.variant, compare=choices.compare, form=choices.form)
        workspace.put_back(plan, code_inputs.fitting_settings(settings, workspace.source))
        if not opened.scenario.variants and choices.variant:
            # Which variants there are is known after the first run only.
            workspace.choose_variant(choices.variant)

    # -- a handout ----------------------------------------------------------------------------

    def handout(self) -> None:
        """Ask for a file and make a handout of the lesson in another process, which runs every page."""
        scenario = self._session.workspace.scenario
        if scenario is None or not self._may_begin():
            return
        start = str((Path.home() / _stem(scenario)).with_suffix(".html"))
        name, kind = QFileDialog.getSaveFileName(self._window, self.tr("Save the handout"), start, HANDOUTS)
        if name:
            endings = (".html", ".ipynb")
            chosen = next((each for each in endings if each in kind), ".html")
            self._begin(Path(name) if Path(name).suffix.lower() in endings else Path(f"{name}{chosen}"))

    def _may_begin(self) -> bool:
        if not self._session.workspace.runs:
            self._files.offer_run()
        elif self._writing is not None:
            self._window.notice.tell(self.tr("A handout is already being made. It takes a moment."))
        return self._session.workspace.runs and self._writing is None

    def _begin(self, file: Path) -> None:
        """Begin to write the handout into `file`."""
        scenario = self._session.workspace.scenario
        assert scenario is not None
        workspace, folder = self._session.workspace, temporary.make()
        self._for_handout, self._handout = folder, file
        # The modules of a file are next to it.
        is_at_home = scenario.origin == "file" and not lesson_file.is_lesson_file(scenario.id)
        source = folder / ("code.py" if is_at_home else f"{_stem(scenario)}{lesson_file.ENDING}")
        try:
            own_file.write_atomically(source, workspace.source.encode() if is_at_home else self._packed())
        except OSError as error:
            self._tell_failed(error.strerror or str(error))
            self._throw_away()
            return
        self._writing = QProcess(self)
        self._writing.finished.connect(self._on_written)
        self._writing.errorOccurred.connect(self._on_not_started)
        lesson = [scenario.id, "--code", str(source)] if is_at_home else [str(source)]
        words = ["-o", str(self._handout), "--lang", self._appearance.language]
        if not scenario.steps:
            words += ["--variant", workspace.controls.variant]
        words += ["--types"] * workspace.controls.line_types
        self._writing.start(sys.executable, [*PYTHON, "handout", *lesson, *words])
        self._window.status.tell(self.tr("The handout is being made: the lesson runs page by page."))

    def _on_written(self, code: int, status: QProcess.ExitStatus) -> None:
        process, self._writing = self._writing, None
        if process is None:
            return
        if code == 0 and status is QProcess.ExitStatus.NormalExit:
            self._window.notice.tell(self.tr("The handout is in {}.").format(self._handout))
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
        self._window.notice.tell(sentence.format(reason if reason.endswith(".") else f"{reason}."))

    def close(self) -> None:
        """Stop making the handout."""
        if self._writing is not None:
            process, self._writing = self._writing, None
            process.kill()
            process.waitForFinished(1000)
        self._throw_away()

    def _throw_away(self) -> None:
        """Remove the temporary folder of the handout."""
        if self._for_handout is not None:
            temporary.remove(self._for_handout)
            self._for_handout = None


def _stem(scenario: Scenario) -> str:
    """Return a file name stem for `scenario`."""
    path = Path(scenario.path)
    if lesson_file.is_lesson_file(scenario.id):
        return Path(scenario.id).stem
    return path.stem if scenario.origin in ("file", "new") and path.name != "code.py" else path.parent.name


def _version() -> str:
    # Not at the top: it takes long, and the first picture of the window needs none of it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("jax-explorer")
    except PackageNotFoundError:
        return ""
