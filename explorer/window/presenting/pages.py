"""The overview of all pages while presenting, and jumps to each."""

from __future__ import annotations

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtGui import QPixmap

from explorer.window.files.files import Files
from explorer.window.lesson import Lesson
from explorer.window.presenting.pace import Pace
from views.window.main_window import MainWindow
from views.window.stage.overview import Contents, Overview

PICTURE_WIDTH = 800
"""Pixels of width of a saved picture."""


class Pages(QObject):
    """Opens the overview and goes to the chosen page or lesson of the course; keeps a picture of each page."""

    def __init__(self, window: MainWindow, lesson: Lesson, files: Files, pace: Pace) -> None:
        super().__init__(window)
        self._window = window
        self._lesson = lesson
        self._files = files
        self._pace = pace
        self._overview = Overview(window)
        self._overview.page_wanted.connect(self._go)
        self._overview.lesson_wanted.connect(self._open_lesson)
        self._pictures: dict[int, QPixmap] = {}
        self._of: tuple[str, str, str] = ("", "", "")
        """The lesson of these pictures, with theme and language."""
        self._revealed: set[int] = set()

    @property
    def is_open(self) -> bool:
        """Whether the overview can be seen."""
        return not self._overview.isHidden()

    def note_leaving(self) -> None:
        """Keep a picture of the page before it is left."""
        if self.is_open or not self._lesson.page.count:
            return
        page, looks = self._lesson.page, self._appearance
        if looks != self._of:
            self._of, self._pictures, self._revealed = looks, {}, set()
        size = QSize(PICTURE_WIDTH, PICTURE_WIDTH)
        picture = self._window.grab().scaled(
            size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
        self._pictures[page.place] = picture
        if page.revealed:
            self._revealed.add(page.place)

    def toggle(self) -> None:
        """Open or close the overview."""
        if self.is_open:
            self.close()
        elif self._lesson.page.count:
            self.note_leaving()
            self._open(self._lesson.page.place)

    def close(self) -> None:
        """Close the overview."""
        if self.is_open:
            self._overview.hide()
            story = self._window.story
            (story if story.isVisible() else self._window.centralWidget()).setFocus()

    def step(self, by: int) -> None:
        """Select another page."""
        self._overview.step(by)

    def show_again(self) -> None:
        """Show the overview in other words and colours, where it is open."""
        if self.is_open:
            here = self._overview.selected
            if self._appearance != self._of:
                self._of, self._pictures = self._appearance, {}
            self._open(here)

    def _open(self, place: int) -> None:
        course, here = self._window.scenarios.course, self._pace.here
        lessons = [each.title.text(self._lesson.language) for each in course.lessons] if course and here >= 0 else []
        pace = " · ".join(filter(None, (self._pace.lesson(), self._pace.left())))
        self._overview.open(self._lesson.pages(), place, self._pictures, Contents(lessons, here, pace))

    @property
    def _appearance(self) -> tuple[str, str, str]:
        return self._lesson.page.title, self._window.theme.name, self._lesson.language

    def _go(self, place: int) -> None:
        self.close()
        if place != self._lesson.page.place:
            self._lesson.go_to(place, revealed=place in self._revealed)

    def _open_lesson(self, number: int) -> None:
        self.close()
        course = self._window.scenarios.course
        if course is not None and number != self._pace.here:
            self._files.open_by_id(course.lessons[number].id)
