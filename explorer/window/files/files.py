"""Files opens and saves code, lists lessons and courses, and asks before a foreign program runs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox, QWidget

from explorer.library import consents, courses, drafts, library, notebook, own_file, untitled
from explorer.library.consents import Consents
from explorer.library.drafts import Draft
from explorer.library.folder import CODE
from explorer.library.own_file import SetAsideFile
from explorer.library.progress import Progress
from explorer.messages.recorded_run import ENDING, is_recording
from explorer.scenario.scenario import Course, Scenario
from explorer.session.session import Session
from explorer.window.files.disk import Disk
from explorer.window.files.left_out import LeftOut
from explorer.window.files.recordings import Recordings
from views.story.scenario_list import ScenarioList
from views.window.notice_bar import NoticeBar
from views.window.status_line import StatusLine

MOST_SHOWN = 100_000
"""The most characters of code in the question; the editor shows more."""


class RunQuestion(QMessageBox):
    """Asks with three answers: Yes, Open to read without running, No."""

    def __init__(self, question: str, files: consents.Files, window: QWidget) -> None:
        buttons = QMessageBox.StandardButton
        super().__init__(
            QMessageBox.Icon.Question, self.tr("Open"), question, buttons.Yes | buttons.Open | buttons.No, window
        )
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.button(buttons.Open).setText(self.tr("&Read first"))
        self.setDefaultButton(buttons.Open)
        self.setDetailedText(shown_code(files))


def shown_code(files: consents.Files) -> str:
    """Return the names of `files` and what they say; a last line reports what is left out."""
    named = sorted(files)
    parts = [_titled(name, files[name]) for name in named]
    if len(named) > 1:
        parts.insert(0, "\n".join(named))
    whole = "\n\n".join(parts)
    if len(whole) <= MOST_SHOWN:
        return whole
    text = QCoreApplication.translate("RunQuestion", "{} more characters are not shown here. Read them before you run.")
    return f"{whole[:MOST_SHOWN]}\n\n{text.format(f'{len(whole) - MOST_SHOWN:,}')}"


def _titled(name: str, content: bytes) -> str:
    return f"──── {name} ({len(content):,} bytes) ────\n{content.decode(errors='replace')}".rstrip()


PYTHON_FILES = "Python (*.py)"
LIST_DELAY_MS = 50
"""The opened file is painted first: reading the folders and filling the list takes as long."""


class Files(QObject):
    """Opens and saves code. Problems are reported above the editor and change nothing.

    Signals:
        opened: the Scenario that the user has opened.
        lessons_changed: the titles of all lessons but the open one, by their ids.
    """

    opened = Signal(object)
    lessons_changed = Signal(object)

    def __init__(
        self,
        notice: NoticeBar,
        scenarios: ScenarioList,
        status: StatusLine,
        session: Session,
        language: str,
        progress: Progress,
        agreed: Consents,
    ) -> None:
        super().__init__(scenarios)
        self._notice, self._scenarios = notice, scenarios
        self._session = session
        self._workspace = session.workspace
        self._language = language
        self._progress = progress
        self.listed: tuple[Scenario, ...] = ()
        """The lessons and files in the list of all lessons."""
        self._allowed: set[str] = set()
        """Files that the user has agreed to run, whatever becomes of their code."""
        self._to_read: set[str] = set()
        """Files that the user reads before they run."""
        self._consents = agreed
        self._opened: dict[str, Scenario] = {}
        """Files from elsewhere, listed until the window closes."""
        self._left: list[str] = []
        """The targets that were left by links, the last at the end."""
        self._courses: list[Course] = []
        """Courses from elsewhere that were opened."""
        self._draft: Draft | None = None
        self._untitled = ""
        """The new file that is offered."""
        self._list_soon = QTimer(self, singleShot=True, interval=LIST_DELAY_MS)
        self._list_soon.timeout.connect(self.list_scenarios)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._on_state_changed)
        self.disk = Disk(notice, status, session.workspace)
        self.left_out = LeftOut(notice, session.workspace)
        self.recordings = Recordings(notice, session)
        self.recordings.program_wanted.connect(self._open_to_read)

    def allow(self, *scenarios: Scenario) -> None:
        """Run `scenarios` from now on without asking."""
        self._allowed.update(each.id for each in scenarios)

    def open_by_id(self, target: str) -> bool:
        """Open the scenario or file `target`, and return whether it exists.

        Problems are reported in words and change nothing. For a deleted file, its draft is opened.
        """
        if (course := courses.find(target)) is not None:
            return self._open_course(course)
        if is_recording(target):
            return self.recordings.open(target)
        try:
            opened = library.open_target(target)
        except (library.UnknownTarget, library.UnreadableCode) as error:
            lost = library.lost(target, self._workspace.edited)
            if lost is None:
                self._notice.tell(str(error))
                self.list_scenarios()
                return not isinstance(error, library.UnknownTarget)
            opened = lost
        if self._may_open(opened):
            self._workspace.open(self.as_chosen(opened), runs=self._may_run(opened))
            self.offer_run()
            self.opened.emit(opened)
            self.tell_unreadable()
        self._list_soon.start()
        return True

    def open_from_link(self, target: str) -> None:
        """Open the lesson of a link; `go_back` returns from there."""
        opened = self._workspace.scenario
        if self.open_by_id(target) and opened is not None and opened.id != target:
            self._left.append(opened.id)

    def go_back(self) -> None:
        """Return to the target from which the last link was followed."""
        if self._left:
            self.open_by_id(self._left.pop())

    def _open_course(self, course: Course) -> bool:
        """List the lessons of `course` and open its first; problems with the course are reported."""
        if not course.lessons:
            title = course.title.text(self._language)
            self._notice.tell(course.problem or self.tr("{} is a course without lessons.").format(title))
            return False
        if not self._may_open(*course.lessons, name=course.id):
            return True
        self.take_course(course)
        if course.problem:
            self._notice.tell(course.problem)
        return self.open_by_id(course.lessons[0].id)

    def take_course(self, course: Course) -> None:
        """List the lessons of `course` from now on."""
        if course.id not in {each.id for each in courses.built_in()}:
            # Its sheet may have been fixed since it was opened last.
            self._courses = [each for each in self._courses if each.id != course.id] + [course]
        self._show_courses()
        self._scenarios.choose_course(course.id)

    def _show_courses(self) -> None:
        known = {each.id: each for each in (*courses.built_in(), *self._courses, *courses.own())}
        self._scenarios.show_courses(tuple(known.values()), self._language)

    @property
    def course(self) -> Course | None:
        """The course whose lessons are listed; None for all lessons."""
        return self._scenarios.course

    def as_chosen(self, scenario: Scenario) -> Scenario:
        """Return `scenario` with the pages that the listed course chooses; with all where it chooses none."""
        lessons = self.course.lessons if self.course is not None else ()
        pages = next((each.pages for each in lessons if each.id == scenario.id), ())
        return msgspec.structs.replace(scenario, pages=pages)

    def add_to_course(self, target: str) -> None:
        """Ask for a course of the user's own and for pages, and add the lesson `target` to it."""
        language, title = self._language, self.tr("Add to a course")
        lesson = next(each for each in self.listed if each.id == target)
        known = [each.title.text(language) for each in courses.own()]
        question = self.tr("Your course, or the title of a new one:")
        name, agreed = QInputDialog.getItem(self._notice.window(), title, question, known)
        if not agreed or not name.strip():
            return
        question = self.tr("Pages of “{}”, such as 1-2,4; empty for all:").format(lesson.title.text(language))
        pages, agreed = QInputDialog.getText(self._notice.window(), title, question)
        if not agreed:
            return
        try:
            course = courses.add(name.strip(), lesson, pages.strip())
        except (OSError, ValueError, library.UnreadableCode) as error:
            self._notice.tell(str(error))
            return
        self._show_courses()
        added = self.tr("Added to “{}”. The order of its lessons, its title and its minutes are in {}.")
        self._notice.tell(added.format(name.strip(), Path(course.id, courses.COURSE)))

    def offer_draft(self, draft: Draft) -> None:
        """Offer the edits that an earlier session left."""
        self._draft = draft
        saved_at = QDateTime.fromSecsSinceEpoch(round(draft.saved_at.timestamp()))
        when = QLocale().toString(saved_at, QLocale.FormatType.ShortFormat)
        sentence = self.tr("There are unsaved edits to this code from {}.").format(when)
        scenario = self._workspace.scenario
        if scenario is not None and _changed_after(scenario, draft):
            sentence += " " + self.tr("The file has changed since.")
        self._notice.ask(sentence, ("use_draft", self.tr("Restore them")), ("discard_draft", self.tr("Discard them")))

    def _open_to_read(self, source: str) -> None:
        """Open `source` as a new file, which has not run here."""
        scenario = untitled.new(self._workspace.edited)
        self._workspace.take_edit(scenario, source)
        self._workspace.open(scenario, runs=False)
        self._list_soon.start()
        self.offer_run()

    def continue_from(self, before: Files) -> None:
        """Take over the lists, permissions and open questions of the window `before` this one."""
        self.listed, self._opened, self._courses = before.listed, before._opened, before._courses
        self._allowed, self._to_read, self._left = before._allowed, before._to_read, before._left
        self.recordings.continue_from(before.recordings)
        self._show_list()
        if (course := before.course) is not None:
            self.take_course(course)
        if before._draft is not None:
            self._workspace.offer_draft()
        self.offer_run()
        self.disk.continue_from(before.disk)

    def on_answer(self, answer: str) -> None:
        """Handle a button of the notice bar."""
        if answer == "open_untitled":
            self.open_by_id(self._untitled)
        if answer == "run":
            self.run()
        if answer not in ("use_draft", "replace", "keep_mine", "discard_draft"):
            return
        draft, self._draft = self._draft, None
        scenario = self._workspace.scenario
        if draft is None or scenario is None or scenario.id != draft.target:
            return
        if answer == "use_draft" and self._workspace.controls.edited:
            self._draft = draft
            sentence = self.tr("The code here has been edited too. Restoring replaces it; one undo takes that back.")
            keep = "keep_mine", self.tr("Keep what is here")
            self._notice.ask(sentence, ("replace", self.tr("Restore them")), keep)
            return
        if answer == "discard_draft":
            drafts.discard(draft)
        elif answer != "keep_mine":
            self._workspace.use_draft(draft)
        if answer != "keep_mine":
            # The kept draft stays on disk and is offered when the code is opened again.
            self._workspace.offer_draft()
        self.offer_run()
        self.list_scenarios()

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        words = self.tr("Python files, notebooks, courses and recordings")
        kinds = f"{words} (*.py *{notebook.ENDING} {courses.COURSE} *{ENDING})"
        path, _ = QFileDialog.getOpenFileName(self._notice.window(), self.tr("Open a file"), str(self._folder()), kinds)
        if path:
            self.open_by_id(path)

    def open_folder_dialog(self) -> None:
        """Ask for the folder of a lesson and open it."""
        path = QFileDialog.getExistingDirectory(self._notice.window(), self.tr("Open the folder of a lesson"))
        if path:
            self.open_by_id(path)

    def _may_run(self, scenario: Scenario) -> bool:
        """Return whether `scenario` is built in, the user's own, or something that the user agreed to run."""
        if scenario.origin != "file" or scenario.id in self._allowed:
            return True
        return self._consents.has(consents.files_of(scenario))

    def _may_open(self, *scenarios: Scenario, name: str = "") -> bool:
        """Ask once before programs run that are neither built in nor in the user's own folder.

        What the user agreed to is remembered by its content. `name` is that of a course.
        """
        asked = [each for each in scenarios if each.id not in self._to_read and not self._may_run(each)]
        if not asked:
            return True
        question = self.tr("Run this program now?\n\n{}\n\nOpening a file runs its code on this computer.")
        if name:
            question = self.tr("This course has programs of its own. Run them on this computer?\n\n{}")
        # Read once: the user agrees to what is shown.
        found = [(each, consents.files_of(each)) for each in asked]
        shown = {f"{each.id}: {file}": content for each, files in found for file, content in files.items()}
        box = RunQuestion(question.format(name or asked[0].id), shown if name else found[0][1], self._notice.window())
        answer = box.exec()
        box.deleteLater()
        if answer == QMessageBox.StandardButton.Yes.value:
            for each, files in found:
                self._agree(each, files)
        elif answer == QMessageBox.StandardButton.Open.value:
            self._to_read.update(each.id for each in asked)
        return answer in (QMessageBox.StandardButton.Yes.value, QMessageBox.StandardButton.Open.value)

    def _agree(self, scenario: Scenario, files: consents.Files) -> None:
        self._to_read.discard(scenario.id)
        self._consents.add(files)
        self.allow(scenario)

    def offer_run(self) -> None:
        """Offer to run the program that is open to be read, unless the question about its edits is open."""
        scenario, draft = self._workspace.scenario, self._draft
        is_asking = draft is not None and scenario is not None and draft.target == scenario.id
        if self.recordings.is_open:
            self.recordings.offer()
        elif not (self._workspace.runs or is_asking):
            sentence = self.tr("You can read this now. Its code has not run on this computer.")
            self._notice.ask(sentence, ("run", self.tr("Run it")), ("", self.tr("Close")))

    def run(self) -> None:
        """Run the program again; one that is open to be read runs from now on."""
        scenario = self._workspace.scenario
        if self._workspace.runs or scenario is None:
            self._session.run()
            return
        if self.recordings.is_open:
            self.recordings.offer()
            return
        self._agree(scenario, consents.files_of(scenario))
        self._notice.hide()
        self._workspace.let_run()

    def save(self) -> None:
        """Write the code to its file; a built-in scenario is saved as a new file."""
        scenario = self._workspace.scenario
        if scenario is None:
            return
        if scenario.origin not in ("file", "mine") or notebook.is_notebook(scenario.path):
            self.save_as()
        elif self.disk.may_save():
            self._write(Path(scenario.path))

    def save_as(self) -> None:
        """Ask for a file, write the code to it, and continue with that file."""
        scenario = self._workspace.scenario
        name = f"{stem(scenario)}.py" if scenario else "code.py"
        title = self.tr("Save the code")
        path, _ = QFileDialog.getSaveFileName(self._notice.window(), title, str(self._folder() / name), PYTHON_FILES)
        if path:
            wanted = Path(path)
            # Another file of that name would be replaced without a question: the dialog has asked about this one.
            with_ending = wanted.with_suffix(".py")
            self._write(with_ending if not wanted.suffix and not with_ending.exists() else wanted)

    def _folder(self) -> Path:
        """Return the folder of the user's open file, where the next one is looked for; elsewhere the home folder."""
        scenario = self._workspace.scenario
        return Path(scenario.path).parent if scenario and scenario.origin == "file" else Path.home()

    def _write(self, path: Path) -> None:
        if path.suffix != ".py":
            self._notice.tell(self.tr("{} was not saved: its name must end in .py.").format(path.name))
            return
        try:
            library.write_code(path, self._workspace.source)
            saved = library.open_target(str(path))
        except (OSError, library.UnknownTarget, library.UnreadableCode) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            sentence = self.tr("{} was not saved: {}. Your code is still here, and the file is as it was.")
            self._notice.tell(sentence.format(path.name, reason))
            return
        if self._workspace.runs:
            self._allowed.add(saved.id)
        if (before := self._workspace.scenario) is not None and before.origin == "new":
            self._opened.pop(before.id, None)
        self._workspace.saved_as(saved)
        self.list_scenarios()

    def new_file(self) -> None:
        """Open a new file, which has no path until it is saved."""
        self._workspace.open(untitled.new(self._workspace.edited))
        self._list_soon.start()

    def offer_untitled(self, target: str) -> None:
        """Offer to open the new file `target`, which was open at the end of the last session."""
        found = next((each for each in untitled.unsaved() if each.id == target), None)
        if found is not None and self._draft is None and found != self._workspace.scenario:
            self._untitled = target
            sentence = self.tr("{} is still here. It is not saved.").format(found.title.text(self._language))
            self._notice.ask(sentence, ("open_untitled", self.tr("Open it")), ("", self.tr("Close")), audience="")

    def tell_unreadable(self) -> None:
        """Report once which files of ours could not be read."""
        if found := own_file.newly_put_aside():
            self._notice.add(" ".join(map(_unreadable, found)))

    def listed_title(self, target: str) -> str:
        """Return the title of the lesson `target`; empty where it is no lesson that is listed."""
        titled = (each for each in self.listed if each.id == target and each.origin != "file")
        return next((each.title.text(self._language) for each in titled), "")

    def new_scenario(self) -> None:
        """Ask for a title, write a template scenario into the user's own folder, and open it."""
        question = self.tr("Title of the new lesson:")
        title, agreed = QInputDialog.getText(self._notice.window(), self.tr("New lesson"), question)
        if not agreed or not title.strip():
            return
        try:
            folder = untitled.write(title)
        except OSError as error:
            sentence = self.tr("The lesson could not be written: {}. Nothing was changed.")
            self._notice.tell(sentence.format(error.strerror or error))
            return
        self.open_by_id(str(folder))
        sentence = self.tr(
            "The lesson is in {}. Edit its story and scenario.toml there. Click the lesson in the list to read it "
            "again."
        )
        self._notice.tell(sentence.format(folder))

    def open_neighbour(self, step: int) -> None:
        """Open the scenario `step` entries after this one in the list, if there is one."""
        if target := self._scenarios.neighbour(step):
            self.open_by_id(target)

    def neighbour(self, step: int) -> tuple[str, str]:
        """Return id and title of the scenario `step` entries after this one in the list; both empty beyond its ends."""
        target = self._scenarios.neighbour(step)
        return target, self.title_of(target)

    def title_of(self, target: str) -> str:
        """Return the title of the lesson or file `target`; the name of the file where it has none."""
        opened = (self._workspace.scenario,) if self._workspace.scenario is not None else ()
        known = (*opened, *self.listed, *(self.course.lessons if self.course is not None else ()))
        titles = (each.title.text(self._language) for each in known if each.id == target)
        return next(titles, Path(target).name)

    def mark_done(self) -> None:
        """Mark finished lessons in the list."""
        self._scenarios.show_done(self._done())

    def _done(self) -> frozenset[str]:
        return frozenset(scenario.id for scenario in self.listed if self._progress.is_done(scenario))

    def listing(self) -> Iterator[None]:
        """Do the work of `list_scenarios` in steps: the files are read one after the other."""
        yield from library.reading_ahead()
        courses.built_in()
        yield
        self.list_scenarios()

    def _on_state_changed(self, state: Qt.ApplicationState) -> None:
        """List lessons that were copied into a folder while another application was in front."""
        if state == Qt.ApplicationState.ApplicationActive and self.listed:
            self._list_soon.start()

    def list_scenarios(self) -> None:
        """Read and show all scenarios; those of other packages take a moment to find."""
        known = library.everything()
        opened = self._workspace.scenario
        if opened is not None and opened.id not in {scenario.id for scenario in known}:
            self._opened[opened.id] = opened
        self.listed = (*known, *self._opened.values())
        self._show_list()

    def _show_list(self) -> None:
        opened = self._workspace.scenario
        edited, language = self._workspace.edited, self._language
        self._show_courses()
        self._scenarios.show_scenarios(self.listed, edited, self._done(), language)
        if opened is not None:
            self.show_current(opened)

    def show_current(self, opened: Scenario) -> None:
        """Mark `opened` in the list, and let the views link to the other lessons."""
        self._scenarios.show_current(opened.id)
        others = (each for each in self.listed if each.id != opened.id)
        self.lessons_changed.emit({each.id: each.title.text(self._language) for each in others})


def stem(scenario: Scenario) -> str:
    """Return a name for a file of `scenario`, without an ending: a lesson's code is in a folder of its name."""
    path = Path(scenario.path)
    return path.stem if scenario.origin in ("file", "new") and path.name != CODE else path.parent.name


def _changed_after(scenario: Scenario, draft: Draft) -> bool:
    path = Path(scenario.path)
    return scenario.origin in ("file", "mine") and path.exists() and path.stat().st_mtime > draft.saved_at.timestamp()


def _unreadable(found: SetAsideFile) -> str:
    """Return a sentence or two on a file of ours that could not be read."""
    translate = QCoreApplication.translate
    if found.now is None:
        return translate("Unreadable", "{} could not be read.").format(found.path)
    return translate("Unreadable", "{} could not be read, and is kept as {}.").format(found.path, found.now.name)
