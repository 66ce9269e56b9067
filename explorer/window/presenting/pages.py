"""The overview of all pages while presenting, and jumps to each."""

from __future__ import annotations

from PySide6.QtCore import QObject

from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from explorer.window.presenting.pace import Pace
from views.window.main_window import MainWindow
from views.window.stage.overview import CourseLessons, Overview


class OverviewControl(QObject):
    """Opens the overview and goes to the chosen page or lesson of the course; a page whose answer was seen, with it."""

    def __init__(self, window: MainWindow, lesson: Lesson, files: Files, pace: Pace) -> None:
        super().__init__(window)
        self._window = window
        self._lesson = lesson
        self._files = files
        self._pace = pace
        self._overview = Overview(window)
        self._overview.page_wanted.connect(self._go)
        self._overview.lesson_wanted.connect(self._open_lesson)
        self._revealed: set[tuple[str, int]] = set()
        """Lessons and pages."""

    @property
    def is_open(self) -> bool:
        """Whether the overview can be seen."""
        return not self._overview.isHidden()

    def note_leaving(self) -> None:
        """Note whether the answer of the page was seen, before the page is left."""
        scenario, place, revealed = self._lesson.half
        if revealed:
            self._revealed.add((scenario, place))

    def toggle(self) -> None:
        if self.is_open:
            self.close()
        elif self._lesson.page.count:
            self.note_leaving()
            self._open()

    def close(self) -> None:
        if self.is_open:
            self._overview.hide()
            story = self._window.story
            (story if story.isVisible() else self._window.centralWidget()).setFocus()

    def step(self, by: int) -> None:
        """Select another page."""
        self._overview.step(by)

    def _open(self) -> None:
        course, here = self._window.scenarios.course, self._pace.here
        lessons = [each.title.text(self._lesson.language) for each in course.lessons] if course and here >= 0 else []
        pace = " · ".join(filter(None, (self._pace.lesson(), self._pace.left())))
        headings, page = [page.heading for page in self._lesson.pages()], self._lesson.page
        self._overview.open(page.title, headings, page.number, CourseLessons(lessons, here, pace))

    def _go(self, number: int) -> None:
        self.close()
        place = self._lesson.pages()[number].place
        scenario, here, _ = self._lesson.half
        if place != here:
            self._lesson.go_to(place, revealed=(scenario, place) in self._revealed)

    def _open_lesson(self, number: int) -> None:
        self.close()
        course = self._window.scenarios.course
        if course is not None and number != self._pace.here:
            self._files.open_by_id(course.lessons[number].id)
